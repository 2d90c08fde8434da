import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { selectCatalogueVersion } from '../../../server/queries/browse.ts'
import { Audience } from '../../../server/queries/title-scope.ts'
import { createBrowseService } from '../../../server/services/catalogue/browse.ts'
import { BrowseLoader } from '../../../server/services/catalogue/browse-loader.ts'
import { openDemoDatabase } from '../../support/demo-database.ts'
import { DATABASES, startTestServer, type TestServer } from '../../support/server.ts'
import { waitFor } from '../../support/wait-for.ts'

describe.each(DATABASES)('browse service on %s', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ database: await openDemoDatabase() })
  }, 120_000)
  afterAll(() => server.close())

  it('loads the catalogue only once for several requests, even if the number of recent changes exceeds the number that the index can record', async () => {
    const { primary } = server.database
    const changedAtMs = Date.now()
    const version = await selectCatalogueVersion(primary)
    const changes = Array.from({ length: 6_000 }, (_, index) => ({
      doc_id: 1_000_000 + index * 2,
      revision: 1,
      changed_at: changedAtMs,
      version,
    }))
    for (let startIndex = 0; startIndex < changes.length; startIndex += 1_000)
      await primary
        .insertInto('catalogue_change')
        .values(changes.slice(startIndex, startIndex + 1_000))
        .execute()
    const loadSpy = vi.spyOn(BrowseLoader.prototype, 'load')
    const browseService = createBrowseService(server.database, { hasDemoClips: false })
    const pageRequest = {
      audience: Audience.unrestricted,
      filters: {},
      order: 'title.asc',
      offset: 0,
      limit: 5,
    } as const
    const { total } = await browseService.loadPage('movie', pageRequest)
    expect(total).toBeGreaterThan(50)
    expect((await browseService.loadPage('movie', pageRequest)).total).toBe(total)
    expect((await browseService.loadPage('movie', pageRequest)).total).toBe(total)
    expect(loadSpy).toHaveBeenCalledOnce()
    await primary.updateTable('title').set({ published: 0 }).where('type', '=', 'movie').execute()
    await waitFor(async () => expect((await browseService.loadPage('movie', pageRequest)).total).toBe(0))
    loadSpy.mockRestore()
  })

  it('applies the publication or hiding of a series even if an earlier change in the change log has a time in the future, as after the clock was set back', async () => {
    const { primary } = server.database
    const browseService = createBrowseService(server.database, { hasDemoClips: false })
    const countSeries = async () =>
      (
        await browseService.loadPage('tv', {
          audience: Audience.unrestricted,
          filters: {},
          order: 'title.asc',
          offset: 0,
          limit: 5,
        })
      ).total
    const [firstSeries] = await primary
      .selectFrom('title')
      .select('title_id')
      .where('type', '=', 'tv')
      .execute()
    const setSeriesPublished = (published: number) =>
      primary
        .updateTable('title')
        .set({ published })
        .where('title_id', '=', firstSeries?.title_id ?? 0)
        .execute()
    await setSeriesPublished(1)
    await primary
      .updateTable('catalogue_change')
      .set({ changed_at: Date.now() + 86_400_000 })
      .where('doc_id', '=', 1_000_000)
      .execute()
    const countBefore = await countSeries()
    await setSeriesPublished(0)
    expect(await countSeries()).toBe(countBefore - 1)
    await setSeriesPublished(1)
    expect(await countSeries()).toBe(countBefore)
  })
})

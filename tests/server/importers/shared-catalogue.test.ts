import { expect, it } from 'vitest'
import { startServer } from '../../support/server.ts'
import { withShared } from '../../support/shared.ts'
import { loadSharedCatalogue } from '../../support/shared-catalogue.ts'

it(
  'the shared catalogue goes through the pipeline, twice',
  withShared(async (folder) => {
    const server = await startServer()
    const report = await loadSharedCatalogue(server.deps, folder, { limit: 2_000 })
    expect(report.added).toBeGreaterThan(3_900)
    for (const one of report.skips)
      expect(one).toMatch(/the source has already delivered this title|its ids belong to another/)
    const again = await loadSharedCatalogue(server.deps, folder, { limit: 2_000 })
    expect(again).toMatchObject({ added: 0, changed: 0 })
    await server.close()
  }),
  60_000,
)

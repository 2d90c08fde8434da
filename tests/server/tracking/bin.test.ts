/**
 * The bin: deleted profiles, lists, viewings and progress, and undone imports, can be restored unchanged. They are
 * permanently deleted when their time in the bin ends.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../../../server/db/database.ts'
import { deleteExpiredRows } from '../../../server/queries/maintenance.ts'
import { waitForIdleQueue } from '../../../server/services/history-import/import-queue.ts'
import { createIntegerGenerator } from '../../support/random.ts'
import { listChangedTables, readTables } from '../../support/read-tables.ts'
import { DATABASES, TEST_PASSWORD } from '../../support/server.ts'
import { exportHistory, importFile, runImportDryRun } from '../history-import/import-household.ts'
import {
  readViewingsProgressAndWatchlist,
  startViewingHousehold,
  type ViewingHousehold,
} from './viewing-series.ts'

const DAY_MS = 86_400_000
const STEP_COUNT = Number(process.env['BIN_STEPS'] ?? 120)
const SEED = Number(process.env['BIN_SEED'] ?? 1895)

interface ListedViewing {
  media: { id: string; type: string }
  season: number | null
  episode: number | null
  name: string
  watched_at: string | null
}

describe.each(DATABASES)('bin on %s', (_name, openTestDatabase) => {
  let household: ViewingHousehold
  let bobId = ''
  beforeEach(async () => {
    household = await startViewingHousehold(await openTestDatabase())
    const { device } = household
    const aliceId = device.profileId
    bobId = (await device.post('/api/profile', { name: 'Bob' })).body.profile_id
    await device.put(`/api/profile/${bobId}/watchlist/movie/${household.movieId}`)
    await device.put(`/api/profile/${bobId}/ratings/movie/${household.movieId}`, { rating: 7 })
    device.profileId = aliceId
  })
  afterEach(() => household.server.close())

  const getBinPath = (suffix = '') => `${household.profilePath}/bin${suffix}`
  const loadBin = async () => (await household.device.get(getBinPath())).body.results
  const restoreItem = (kind: string, itemId: string) =>
    household.device.post(getBinPath(`/${kind}/${itemId}/restore`))
  const eraseItem = (kind: string, itemId: string, body: object = {}) =>
    household.device.delete(getBinPath(`/${kind}/${itemId}`), body)
  const createList = async (name: string) => {
    const { device, profilePath, movieId, seriesId } = household
    const { list_id } = (await device.post(`${profilePath}/lists`, { name })).body
    const titles = [
      { type: 'movie', media_id: movieId, included: true },
      { type: 'tv', media_id: seriesId, included: true },
    ]
    await device.put(`${profilePath}/lists/${list_id}/titles`, { titles })
    return list_id as string
  }
  const markMovie = (editKey: string) =>
    household.device.post(`${household.profilePath}/viewings`, {
      key: editKey,
      scopes: [{ type: 'movie', media_id: household.movieId, scope: 'title' }],
    })
  const removeMovie = (editKey: string) =>
    household.device.delete(`${household.profilePath}/viewings`, {
      key: editKey,
      scopes: [{ type: 'movie', media_id: household.movieId, scope: 'title' }],
    })
  const runImportStep = async (importId: string, step: 'apply' | 'undo', body: object = {}) => {
    const response = await household.device.post(`${household.profilePath}/import/${importId}/${step}`, body)
    await waitForIdleQueue(household.server.deps.database)
    return response
  }
  /** Exports the account, without the parts that change by themselves: activity log, devices and time of the export. */
  const readExport = async (): Promise<string> => {
    const { device, server } = household
    const response = await server.request('/api/auth/user-account/export', {
      headers: {
        Authorization: `Bearer ${device.accessToken}`,
        'X-Profile-Id': device.profileId ?? '',
      },
    })
    const {
      activity: _activity,
      devices: _devices,
      exported_at: _time,
      ...exportedData
    } = JSON.parse(await response.text())
    return JSON.stringify(exportedData)
  }

  it('a deleted profile is neither listed nor exported, and can be restored with its data', async () => {
    const { device, server } = household
    const exportBefore = await readExport()
    const bobWatchlistResponse = await device.get(`/api/profile/${bobId}/watchlist`)
    device.profileId = household.profilePath.split('/').at(-1) ?? ''
    expect((await device.delete(`/api/profile/${bobId}`)).status).toBe(204)
    expect((await device.get('/api/profile')).body.results).toHaveLength(1)
    expect((await device.get(`/api/profile/${bobId}/watchlist`)).status).toBe(404)
    expect(await readExport()).not.toContain('Bob')
    expect(await loadBin()).toMatchObject([{ kind: 'profile', item_id: bobId, name: 'Bob', count: null }])
    expect((await restoreItem('profile', bobId)).status).toBe(204)
    expect(await readExport()).toBe(exportBefore)
    expect((await device.get(`/api/profile/${bobId}/watchlist`)).body).toEqual(bobWatchlistResponse.body)
    device.profileId = household.profilePath.split('/').at(-1) ?? ''
    expect(await loadBin()).toEqual([])
    expect((await restoreItem('profile', bobId)).status).toBe(404)
    expect(server.logLines.filter((line) => line.includes('"error"'))).toEqual([])
  })

  it('a profile cannot be restored when the limit of profiles is reached, or after its time in the bin has ended', async () => {
    const { device } = household
    await device.delete(`/api/profile/${bobId}`)
    const names = ['C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L']
    for (const name of names) if ((await device.post('/api/profile', { name })).status !== 201) break
    expect(await restoreItem('profile', bobId)).toMatchObject({
      status: 409,
      body: { errors: { profile: ['too_many'] } },
    })
    await household.server.database.primary
      .updateTable('profile')
      .set({ deleted_at: 1 })
      .where('profile_id', '=', bobId)
      .execute()
    expect((await restoreItem('profile', bobId)).status).toBe(404)
  })

  it('deleted lists and removed viewings can be restored after 29 days, but restoring a viewing that was added again returns 409', async () => {
    const { device, server, profilePath } = household
    const listId = await createList('Rainy days')
    await markMovie('mark-1')
    const exportBefore = await readExport()
    await device.delete(`${profilePath}/lists/${listId}`)
    server.advanceClock(1_000)
    await removeMovie('remove-1')
    server.advanceClock(29 * DAY_MS)
    await device.login('alice@example.com')
    expect(await loadBin()).toMatchObject([
      { kind: 'history', item_id: 'remove-1', name: 'Lantern 1', count: 1 },
      { kind: 'list', item_id: listId, name: 'Rainy days', count: 2 },
    ])
    expect((await restoreItem('history', 'remove-1')).status).toBe(204)
    expect((await restoreItem('list', listId)).status).toBe(204)
    expect(await readExport()).toBe(exportBefore)
    await removeMovie('remove-2')
    await markMovie('mark-2')
    expect((await restoreItem('history', 'remove-2')).status).toBe(409)
  })

  it('clearing the history and later removing the progress of another title create two bin items, and the history can be restored after 29 days', async () => {
    const { device, server, profilePath, movieId, seriesId } = household
    const listedViewing = {
      type: 'movie',
      media_id: movieId,
      name: '',
      watched_at: '2020-05-01T12:00:00.000Z',
    }
    await device.put(`${profilePath}/watchlist/movie/${movieId}`)
    await device.post(`${profilePath}/viewings`, {
      key: 'mark-movie',
      scopes: [{ type: 'movie', media_id: movieId, scope: 'title' }],
      date: 'chosen',
      at: listedViewing.watched_at,
    })
    await device.put(`${profilePath}/viewings/note`, { key: 'note-1', viewing: listedViewing, note: 'Good.' })
    await device.post(`${profilePath}/viewings`, {
      key: 'mark-season',
      scopes: [{ type: 'tv', media_id: seriesId, scope: 'season', season: 1 }],
    })
    const rowsBefore = await readViewingsProgressAndWatchlist(household)
    expect((await device.delete(`${profilePath}/history`)).status).toBe(200)
    server.advanceClock(1_000)
    await device.post(`${profilePath}/history`, {
      type: 'movie',
      media_id: household.adultMovieId,
      progress: 600,
      data: { video_duration: 6_000 },
    })
    await device.delete(`${profilePath}/history/movie/${household.adultMovieId}`)
    server.advanceClock(29 * DAY_MS)
    await deleteExpiredRows(server.database.primary, server.deps.now())
    await device.login('alice@example.com')
    const [binItemOfReset, clearedBinItem] = await loadBin()
    expect([binItemOfReset, clearedBinItem]).toMatchObject([
      { kind: 'history', name: 'Lantern 2', count: null },
      { kind: 'history', name: 'Lantern 1', count: 4 },
    ])
    expect((await restoreItem('history', clearedBinItem.item_id)).status).toBe(204)
    const removeUpdateTimes = (rows: string) => rows.replaceAll(/"updated_at":\d+,?/g, '')
    expect(removeUpdateTimes(await readViewingsProgressAndWatchlist(household))).toBe(
      removeUpdateTimes(rowsBefore),
    )
    expect((await eraseItem('history', binItemOfReset.item_id)).status).toBe(204)
    expect((await eraseItem('history', binItemOfReset.item_id)).status).toBe(404)
    expect((await restoreItem('history', clearedBinItem.item_id)).status).toBe(404)
    expect(await loadBin()).toEqual([])
  })

  it('a cleared history cannot be restored after 30 days', async () => {
    const { device, server, profilePath } = household
    await markMovie('mark-1')
    await device.delete(`${profilePath}/history`)
    const [clearedBinItem] = await loadBin()
    server.advanceClock(30 * DAY_MS)
    await device.login('alice@example.com')
    expect(await loadBin()).toEqual([])
    expect((await restoreItem('history', clearedBinItem.item_id)).status).toBe(404)
  })

  it('restoring an undone import from the bin applies the import again, only with the rows of the people who were chosen before the undo', async () => {
    const { device, server } = household
    const { import_id } = await runImportDryRun(
      device,
      'history.csv',
      `Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type,Device Type,Bookmark,Latest Bookmark,Country
Ann,2020-05-02 20:00:00,02:00:00,,Lantern 1,,TV,02:00:00,02:00:00,DE
Ben,2020-05-03 20:00:00,02:00:00,,Lantern 2,,TV,02:00:00,02:00:00,DE
`,
    )
    await runImportStep(import_id, 'apply', { owners: ['Ann'] })
    const rowsBefore = await readViewingsProgressAndWatchlist(household)
    await runImportStep(import_id, 'undo')
    expect(await readViewingsProgressAndWatchlist(household)).not.toBe(rowsBefore)
    expect(await loadBin()).toMatchObject([{ kind: 'import', item_id: import_id, name: 'history.csv' }])
    expect((await restoreItem('import', import_id)).status).toBe(204)
    await waitForIdleQueue(server.deps.database)
    expect(await readViewingsProgressAndWatchlist(household)).toBe(rowsBefore)
    expect((await restoreItem('import', import_id)).status).toBe(404)
  })

  describe('an import of the lists of two owners', () => {
    let importId = ''
    beforeEach(async () => {
      const { device, movieId } = household
      const { title, year, imdb_id } = (await device.get(`/api/movies/${movieId}`)).body
      const listFields = {
        description: '',
        shared: false,
        on_home: false,
        filter_type: null,
        filter_query: null,
      }
      const titleFields = { type: 'movie', title, year, imdb_id, tmdb_id: null, added_at: null }
      const owners = ['Ana', 'Ben']
      const file = {
        format: 'marquee-export',
        version: 1,
        named_list: owners.map((profile) => ({ ...listFields, name: `List of ${profile}`, profile })),
        list_title: owners.map((profile) => ({ ...titleFields, name: `List of ${profile}`, profile })),
      }
      importId = (await runImportDryRun(device, 'account.json', JSON.stringify(file))).import_id
    })
    const applyWithOwners = (owners?: string[]) => runImportStep(importId, 'apply', owners && { owners })
    const restoreImport = async () => {
      expect((await restoreItem('import', importId)).status).toBe(204)
      await waitForIdleQueue(household.server.deps.database)
    }
    const readLists = async () =>
      (await household.device.get(`${household.profilePath}/lists`)).body.results.map(
        ({ name, title_count }: { name: string; title_count: number }) => [name, title_count],
      )
    const bothLists = [
      ['List of Ana', 1],
      ['List of Ben', 1],
    ]

    it('is restored with the lists of both owners after the lists of each owner were applied separately', async () => {
      await applyWithOwners(['Ana'])
      expect(await readLists()).toEqual([['List of Ana', 1]])
      await applyWithOwners(['Ben'])
      expect(await readLists()).toEqual(bothLists)
      await runImportStep(importId, 'undo')
      expect(await readLists()).toEqual([])
      await restoreImport()
      expect(await readLists()).toEqual(bothLists)
    })

    it('is restored with the lists of both owners after all lists were applied and the lists of one owner were then applied again', async () => {
      await applyWithOwners()
      await applyWithOwners(['Ben'])
      await runImportStep(importId, 'undo')
      await restoreImport()
      expect(await readLists()).toEqual(bothLists)
    })

    it('is restored with only the lists that were applied after the previous undo', async () => {
      await applyWithOwners(['Ana'])
      await runImportStep(importId, 'undo')
      await applyWithOwners(['Ben'])
      await runImportStep(importId, 'undo')
      await restoreImport()
      expect(await readLists()).toEqual([['List of Ben', 1]])
    })
  })

  it('an item can be deleted permanently, but a profile with a PIN only with the account password', async () => {
    const { device, server, profilePath } = household
    const listId = await createList('Gone')
    await device.delete(`${profilePath}/lists/${listId}`)
    await markMovie('mark-1')
    await removeMovie('remove-1')
    for (const [kind, itemId] of [
      ['list', listId],
      ['history', 'remove-1'],
    ] as const) {
      expect((await eraseItem(kind, itemId)).status).toBe(204)
      expect((await eraseItem(kind, itemId)).status).toBe(404)
      expect((await restoreItem(kind, itemId)).status).toBe(404)
    }
    await server.database.primary
      .updateTable('profile')
      .set({ pin_hash: 'x', deleted_at: server.deps.now() })
      .where('profile_id', '=', bobId)
      .execute()
    expect((await eraseItem('profile', bobId)).status).toBe(403)
    expect((await eraseItem('profile', bobId, { password: TEST_PASSWORD })).status).toBe(204)
    for (const table of ['profile', 'watchlist_entry', 'rating'] as const)
      expect(
        await server.database.primary.selectFrom(table).where('profile_id', '=', bobId).selectAll().execute(),
      ).toEqual([])
  })

  it('every item is deleted permanently after 30 days', async () => {
    const { device, server, profilePath } = household
    const { primary } = server.database
    const listId = await createList('Old')
    await device.delete(`${profilePath}/lists/${listId}`)
    await markMovie('mark-1')
    await removeMovie('remove-1')
    await device.delete(`/api/profile/${bobId}`)
    const { import_id } = await importFile(device, 'history.csv', 'Title,Date\n"Lantern 2","5/2/20"\n')
    await runImportStep(import_id, 'undo')
    await deleteExpiredRows(primary, server.deps.now() + 30 * DAY_MS - 60_000)
    expect(await primary.selectFrom('profile').select('profile_id').execute()).toHaveLength(2)
    expect(await primary.selectFrom('history_change').select('seq').execute()).not.toEqual([])
    await deleteExpiredRows(primary, server.deps.now() + 30 * DAY_MS)
    expect(await primary.selectFrom('profile').select('profile_id').execute()).toHaveLength(1)
    for (const table of ['named_list', 'named_list_entry', 'viewing_edit', 'history_change'] as const)
      expect(await primary.selectFrom(table).selectAll().execute()).toEqual([])
  })

  it('on a kids profile, the bin lists no deleted profiles, and restoring a profile requires the account password', async () => {
    const { device } = household
    const { body: kidsProfile } = await device.post('/api/profile', { name: 'Kid', kids: true })
    await device.delete(`/api/profile/${bobId}`)
    device.profileId = kidsProfile.profile_id
    const kidBinPath = `/api/profile/${kidsProfile.profile_id}/bin`
    expect((await device.get(kidBinPath)).body.results).toEqual([])
    expect((await device.post(`${kidBinPath}/profile/${bobId}/restore`)).status).toBe(403)
    expect((await device.delete(`${kidBinPath}/profile/${bobId}`)).status).toBe(403)
    expect(
      (await device.post(`${kidBinPath}/profile/${bobId}/restore`, { password: TEST_PASSWORD })).status,
    ).toBe(204)
  })

  it(`undoing ${STEP_COUNT} random writes restores the compared tables to their state before the writes`, async () => {
    const { device, server, profilePath, movieId, adultMovieId, seriesId } = household
    const { primary } = server.database
    await primary.updateTable('account').set({ role: 'admin' }).execute()
    const drawInteger = createIntegerGenerator(SEED)
    const pickRandomValue = <T>(values: readonly T[]) => values[drawInteger(values.length)] as T
    const getRatingPath = (id: string) => `${profilePath}/ratings/movie/${id}`
    await markMovie('first-mark')
    await device.put(getRatingPath(movieId), { rating: 8 })
    const importId = await importOwnExport(await createList('Imported'))
    const listIds = [await createList('First'), await createList('Second'), await createList('Third')]
    const movieIds = [movieId, adultMovieId]
    const tablesBefore = await readComparedTables(primary)
    const undoFunctions: (() => Promise<{ status: number }>)[] = []
    /** Ids of the items that are currently in the bin. */
    const binnedIds = new Set<string>()
    /** Deletes an item unless it is in the bin, and records how to restore the item. */
    const moveToBin = async (
      id: string,
      removeItem: () => Promise<{ status: number }>,
      undoRemoval: () => Promise<{ status: number }>,
    ) => {
      if (binnedIds.has(id) || (await removeItem()).status >= 300) return
      binnedIds.add(id)
      undoFunctions.push(() => {
        binnedIds.delete(id)
        return undoRemoval()
      })
    }
    const writes: ((key: string) => Promise<void>)[] = [
      () => {
        const listId = pickRandomValue(listIds)
        return moveToBin(
          listId,
          () => device.delete(`${profilePath}/lists/${listId}`),
          () => restoreItem('list', listId),
        )
      },
      async (editKey) => {
        const viewingScope = {
          type: 'tv',
          media_id: seriesId,
          scope: 'season',
          season: pickRandomValue([1, 2]),
        }
        const body = { key: editKey, scopes: [viewingScope], again: drawInteger(2) === 0 }
        const { status } = await device.post(`${profilePath}/viewings`, body)
        if (status < 300) undoFunctions.push(() => device.post(`${profilePath}/viewings/${editKey}/undo`))
      },
      async (editKey) => {
        const { results } = (await device.get(`${profilePath}/viewings?limit=20`)).body
        if (results.length === 0) return
        const { media, season, episode, name, watched_at } = pickRandomValue(results as ListedViewing[])
        const episodeFields = media.type === 'tv' && { season, episode }
        const viewing = { type: media.type, media_id: media.id, ...episodeFields, name, watched_at }
        const body = { key: editKey, viewing, note: pickRandomValue([null, 'Good.', 'Not again.']) }
        const { status } = await device.put(`${profilePath}/viewings/note`, body)
        if (status < 300) undoFunctions.push(() => device.post(`${profilePath}/viewings/${editKey}/undo`))
      },
      async (editKey) => {
        const type = pickRandomValue(['tv', 'movie'])
        const scopes = [{ type, media_id: type === 'tv' ? seriesId : movieId, scope: 'title' }]
        const { body } = await device.delete(`${profilePath}/viewings`, { key: editKey, scopes })
        if (body.viewings > 0) undoFunctions.push(() => restoreItem('history', editKey))
      },
      () =>
        moveToBin(
          bobId,
          () => device.delete(`/api/profile/${bobId}`),
          () => restoreItem('profile', bobId),
        ),
      () =>
        moveToBin(
          importId,
          () => runImportStep(importId, 'undo'),
          async () => {
            const response = await restoreItem('import', importId)
            await waitForIdleQueue(server.deps.database)
            return response
          },
        ),
      () => {
        const id = pickRandomValue([...movieIds, seriesId])
        return moveToBin(
          `title ${id}`,
          () => device.post('/api/admin/titles/delete', { ids: [id] }),
          () => device.post('/api/admin/titles/restore', { ids: [id] }),
        )
      },
      async () => {
        const id = pickRandomValue(movieIds)
        const { rating } = (await device.get(getRatingPath(id))).body
        if (rating !== null) return
        await device.put(getRatingPath(id), { rating: 1 + drawInteger(10) })
        undoFunctions.push(() => device.put(getRatingPath(id), { rating: null }))
      },
      async () => {
        const listId = pickRandomValue(listIds)
        if (binnedIds.has(listId)) return
        const titleRef = { type: 'movie', media_id: movieId }
        const path = `${profilePath}/lists/${listId}/titles`
        const { results } = (await device.get(`${profilePath}/lists/${listId}`)).body
        const listItem = results.find((row: { media_id: string }) => row.media_id === movieId)
        if (!listItem || listItem.added_at) return
        await device.put(path, { titles: [{ ...titleRef, included: false }] })
        undoFunctions.push(() =>
          device.put(path, { titles: [{ ...titleRef, included: true, position: listItem.position }] }),
        )
      },
    ]
    for (let stepIndex = 0; stepIndex < STEP_COUNT; stepIndex += 1) {
      await pickRandomValue(writes)(`step-${stepIndex}`)
      server.advanceClock(10)
      if (drawInteger(8) > 0 && stepIndex < STEP_COUNT - 1) continue
      for (const undoWrite of undoFunctions.splice(0).reverse())
        expect((await undoWrite()).status).toBeLessThan(300)
      const tablesAfter = await readComparedTables(primary)
      for (const name of listChangedTables(tablesBefore, tablesAfter))
        expect(tablesAfter.get(name), name).toBe(tablesBefore.get(name))
    }
  }, 600_000)

  /** Exports the profile, removes the exported data, and imports the file. Returns the id of the import. */
  async function importOwnExport(listId: string): Promise<string> {
    const { device, profilePath, movieId } = household
    const exportedFile = await exportHistory(device)
    await removeMovie('remove-exported')
    await eraseItem('history', 'remove-exported')
    await device.delete(`${profilePath}/lists/${listId}`)
    await eraseItem('list', listId)
    await device.put(`${profilePath}/ratings/movie/${movieId}`, { rating: null })
    return (await importFile(device, 'marquee-export.json', exportedFile)).import_id
  }
})

/**
 * Tables that are not compared. The bin restores none of their data, or their data is derived from other tables, or the
 * server uses them only to recognise repeated writes.
 */
const UNCOMPARED_TABLES_PATTERN =
  /^(audit_|viewing_edit|catalogue_|search|login$|job$|lease$|rate_limit$|removed_reaction$|kysely|sqlite)/
/**
 * Patterns, by table, that match the times that change when a title or an import is restored. These times are not
 * compared.
 */
const RENEWED_TIME_PATTERNS_BY_TABLE: Record<string, RegExp> = {
  title: /"updated_at":\d+/g,
  history_import: /"(applied_at|heartbeat_at)":\d+/g,
}

async function readComparedTables(db: Db): Promise<Map<string, string>> {
  const tables = [...(await readTables(db))].filter(([name]) => !UNCOMPARED_TABLES_PATTERN.test(name))
  return new Map(
    tables.map(([name, rows]) => [
      name,
      RENEWED_TIME_PATTERNS_BY_TABLE[name] ? rows.replace(RENEWED_TIME_PATTERNS_BY_TABLE[name], '') : rows,
    ]),
  )
}

/** Undoing large imports: many rows per statement, and thousands of viewings of one title. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  deleteTrackingRows,
  selectTrackingRows,
  type TrackingRow,
  upsertTrackingRows,
} from '../../../server/queries/tracking-row.ts'
import { TrackingChangeSet } from '../../../server/services/history-import/tracking-change-set.ts'
import { DATABASES } from '../../support/server.ts'
import {
  dumpProfileTables,
  type ImportHousehold,
  importFile,
  runImportAction,
  startImportHousehold,
} from './import-household.ts'

const VIEWING_COUNT = 20_000
const createViewing = (episodeNumber: number, watchedAt: number, name = '') => ({
  title_id: 1,
  season_number: 1,
  episode_number: episodeNumber,
  name,
  watched_at: watchedAt,
  by_day: 0,
  marked: 0,
  note: null,
})

it('deleting half of 20,000 viewings of one title and replacing the other half takes linear time and keeps the order of the viewings', () => {
  const changeSet = new TrackingChangeSet()
  for (let time = 0; time < VIEWING_COUNT; time++) changeSet.addStoredRow('play', createViewing(1, time))
  const startedAtMs = performance.now()
  for (let time = 0; time < VIEWING_COUNT; time += 2) changeSet.delete('play', createViewing(1, time))
  for (let time = 1; time < VIEWING_COUNT; time += 2)
    changeSet.set('play', { ...createViewing(1, time), note: 'again' })
  expect(performance.now() - startedAtMs).toBeLessThan(4_000)
  const viewings = changeSet.getViewings(createViewing(1, 0))
  expect(viewings).toHaveLength(VIEWING_COUNT / 2)
  expect(viewings.slice(0, 2)).toMatchObject([
    { watched_at: 1, note: 'again' },
    { watched_at: 3, note: 'again' },
  ])
})

describe.each(DATABASES)('deleting many rows on %s', () => {
  let household: ImportHousehold
  beforeAll(async () => {
    household = await startImportHousehold()
  }, 120_000)
  afterAll(() => household.server.close())

  it('deletes rows by all columns of their keys, at most 100 rows per statement', async () => {
    const { primary } = household.server.database
    const profileId = await household.switchToNewProfile('Rows')
    const deletedRows = Array.from({ length: 130 }, (_, index) =>
      createViewing(1 + (index % 3), 1_700_000_000_000 - index * 1_000, index % 2 === 0 ? 'Pilot’s' : ''),
    )
    // Each of these rows differs from a deleted row in only one column.
    const keptRows = [
      createViewing(4, 1_700_000_000_000, 'Pilot’s'),
      createViewing(1, 1_700_000_000_000, ''),
      createViewing(1, 1_700_000_000_001, 'Pilot’s'),
    ]
    for (const rows of [deletedRows.slice(0, 70), deletedRows.slice(70), keptRows])
      await upsertTrackingRows(primary, 'play', profileId, rows)
    await upsertTrackingRows(primary, 'rating', profileId, [{ title_id: 1, rating: 7, updated_at: 1 }])
    let statementCount = 0
    const onStatementEnd = async () => {
      statementCount += 1
    }
    await deleteTrackingRows(primary, 'play', profileId, { rows: deletedRows, onStatementEnd })
    await deleteTrackingRows(primary, 'rating', profileId, { rows: [{ title_id: 1 }], onStatementEnd })
    expect(statementCount).toBe(3)
    const listRowKeys = (rows: readonly TrackingRow[]) =>
      rows.map((row) => `${row['episode_number']} ${row['name']} ${row['watched_at']}`).toSorted()
    expect(listRowKeys(await selectTrackingRows(primary, 'play', profileId, [1]))).toEqual(
      listRowKeys(keptRows),
    )
    expect(await selectTrackingRows(primary, 'rating', profileId, [1])).toEqual([])
  })

  it('an import with 1,000 viewings of one movie is undone completely', async () => {
    const { adult, server } = household
    const profileId = await household.switchToNewProfile('Many viewings')
    const dumpBefore = await dumpProfileTables(server, profileId)
    const lines = Array.from(
      { length: 1_000 },
      (_, index) =>
        `Inception,2010,${new Date(Date.UTC(2015, 0, 1 + index)).toISOString().slice(0, 10)}T20:15:00Z`,
    )
    const importRun = await importFile(adult, 'watched.csv', `Title,Year,Watched at\n${lines.join('\n')}\n`)
    expect(importRun.changed).toBeGreaterThan(1_000)
    expect(await runImportAction(adult, importRun.import_id, 'undo')).toMatchObject({
      status: 'undone',
      changed: 0,
    })
    expect(await dumpProfileTables(server, profileId)).toBe(dumpBefore)
  })
})

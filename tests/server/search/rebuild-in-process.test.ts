/**
 * The search index of an SQLite database file is rebuilt in a separate process.
 * The server can therefore answer requests during the rebuild.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertGeneratedCatalogue } from '../../../bench/catalogue/insert-catalogue.ts'
import { type Database, openSqliteDatabase } from '../../../server/db/database.ts'
import { migrateDatabase } from '../../../server/db/migrate.ts'
import { selectIdsAfter } from '../../../server/queries/search-index.ts'
import { readSearchIndexState } from '../../../server/search/engine.ts'
import { PersonTotals } from '../../../server/services/search/person-totals.ts'
import {
  loadPersonDocs,
  loadPersonDocsWithTotals,
  loadTitleDocs,
} from '../../../server/services/search/search-docs.ts'
import { openSearchIndex, type SearchIndex } from '../../../server/services/search/search-index.ts'
import { findMediaIds } from './index-fixture.ts'

const TITLE_COUNT = 3_000
let folder: string
let database: Database
let index: SearchIndex
let [titleName, titleId] = ['', '']

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-rebuild-'))
  database = openSqliteDatabase(join(folder, 'marquee.db'))
  await migrateDatabase(database)
  index = await openSearchIndex(database, { dataDir: folder })
  const sqlite = database.sqlite as DatabaseSync
  insertGeneratedCatalogue(sqlite, TITLE_COUNT)
  const row = sqlite
    .prepare("select title_id, text from title_name where role = 'main' and length(text) > 12 limit 1")
    .get()
  titleName = String(row?.['text'])
  titleId = String(row?.['title_id'])
})
afterAll(async () => {
  await index.stop()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

it('a rebuild leaves the event loop of the calling thread mostly idle, and reports progress', async () => {
  const utilizationBefore = performance.eventLoopUtilization()
  const reports: [number, number][] = []
  const documentCount = await index.rebuild(
    async (doneCount, totalCount) => void reports.push([doneCount, totalCount]),
  )
  const { utilization } = performance.eventLoopUtilization(utilizationBefore)
  expect(documentCount).toBeGreaterThan(TITLE_COUNT)
  expect(await findMediaIds(database.searchDatabase, titleName)).toContain(titleId)
  expect(reports.at(-1)?.[0]).toBeGreaterThan(TITLE_COUNT)
  // A rebuild in this thread would keep the event loop busy all the time, with a utilization of about 1.
  expect(utilization).toBeLessThan(0.5)
})

it('the search document of a person is the same in a rebuild and in an update of only this person', async () => {
  const { primary } = database
  const ids = await selectIdsAfter(primary, 'person', 0, 200)
  const personTotals = new PersonTotals()
  await loadTitleDocs(primary, await selectIdsAfter(primary, 'title', 0, TITLE_COUNT), personTotals)
  const docs = await loadPersonDocsWithTotals(primary, ids, personTotals)
  expect(docs.length).toBeGreaterThan(100)
  expect(docs).toEqual(await loadPersonDocs(primary, ids))
})

it('a rebuild stops and keeps the old index when progress cannot be reported', async () => {
  const rejectReport = () => Promise.reject(new Error('cancelled'))
  await expect(index.rebuild(rejectReport)).rejects.toThrow('cancelled')
  expect(await findMediaIds(database.searchDatabase, titleName)).toContain(titleId)
  expect((await readSearchIndexState(database.searchDatabase)).building).toBe(true)
})

it('an interrupted rebuild is repeated when the index is opened again', async () => {
  const reopenedIndex = await openSearchIndex(database, { dataDir: folder })
  await reopenedIndex.whenIdle()
  expect((await readSearchIndexState(database.searchDatabase)).building).toBe(false)
})

it('a running rebuild is aborted when the server stops', async () => {
  const rebuildPromise = index.rebuild()
  index.stop()
  await expect(rebuildPromise).rejects.toThrow('aborted')
})

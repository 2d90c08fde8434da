/** The title of a record without ids is found through indexes, in a catalogue of any size. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { importTitles } from '../../../server/importers/import-titles.ts'
import { selectImportedTitle } from '../../../server/queries/title-publishing.ts'
import { explainStatements, recordStatements } from '../../support/query-plans.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { createMediaTitleRecord } from './media-test-server.ts'

const record = { ...createMediaTitleRecord({ title: 'Night Train', year: 1959 }), source: 'file_name' }
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ database: openSqliteDatabase(':memory:') })
  for (const title of ['Night Train', 'Night Ferry'])
    await importTitles(
      server.deps,
      [{ location: title, record: createMediaTitleRecord({ title, year: 1959 }) }],
      { source: 'file_name' },
    )
})
afterAll(() => server.close())

it('selectImportedTitle looks up titles by ID, and its query plans scan neither all titles nor all titles of a type', async () => {
  const db = server.deps.database.primary
  const statements = await recordStatements([db], async () => {
    const title = await selectImportedTitle(db, record)
    expect(title?.original_title).toBe('Night Train')
  })
  const queryPlans = await explainStatements(db, statements)
  expect(queryPlans).toContain('SEARCH title USING INTEGER PRIMARY KEY (rowid=?)')
  expect(queryPlans.filter((plan) => /SCAN|\(type=\?\)/.test(plan))).toEqual([])
})

it('an import finds a title by its original title after an administrator has changed the name of the title', async () => {
  await insertTestAccount(server, 'admin@example.com', 'admin')
  const client = new TestClient(server)
  await client.login('admin@example.com')
  const db = server.deps.database.primary
  const titleId = (await selectImportedTitle(db, record))?.title_id
  const { status } = await client.put(`/api/admin/titles/${titleId}`, {
    titles: [{ lang: 'en', text: 'Late Train' }],
  })
  expect(status).toBe(200)
  expect((await selectImportedTitle(db, record))?.title_id).toBe(titleId)
  expect(await selectImportedTitle(db, { ...record, source: 'file' })).toBeUndefined()
})

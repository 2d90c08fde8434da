import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../../../server/db/database.ts'
import { computeTableHashes } from '../../../support/hash-tables.ts'
import { withSharedData } from '../../../support/shared-data.ts'
import { startTmdbFixture, type TmdbImportFixture } from './import-fixture.ts'

interface RecordedResponse {
  path: string
  status: number
  query: Record<string, string>
  body: object
}
let fixture: TmdbImportFixture
beforeAll(async () => {
  fixture = await startTmdbFixture(openSqliteDatabase(':memory:'))
})
afterAll(() => fixture.close())

function loadRecordedResponses(sharedFolder: string): void {
  const recordedLines = gunzipSync(
    readFileSync(join(sharedFolder, 'api/tmdb_v3_recorded.jsonl.gz')),
  ).toString()
  for (const line of recordedLines.trim().split('\n')) {
    const { path, status, query, body } = JSON.parse(line) as RecordedResponse
    if (status !== 200 || (Object.keys(query).length > 0 && !query['append_to_response'])) continue
    const bodyPath = path.replace(/^\/3/, '')
    fixture.replayServer.bodies.set(bodyPath, { ...fixture.replayServer.bodies.get(bodyPath), ...body })
  }
  fixture.replayServer.bodies.set('/movie/49026', fixture.replayServer.bodies.get('/movie/tt1345836') ?? {})
}

it(
  'recorded responses of the TMDB API are imported, and a second run changes nothing',
  withSharedData(async (folder) => {
    loadRecordedResponses(folder)
    const titleIds = { movies: '47964,49026,999999999', series: '1396,1668,999999999' }
    const report = await fixture.runImport(titleIds)
    expect(report).toMatchObject({
      added: 4,
      skipped: 2 + report.skips.filter((skip) => skip.startsWith('person')).length,
    })
    const db = fixture.server.database.primary
    const titles = await db.selectFrom('title').selectAll().orderBy('slug').execute()
    expect(
      titles.map(({ slug, imdb_id, rated, safe_for_kids }) => [slug, imdb_id, rated, safe_for_kids]),
    ).toEqual([
      ['a-good-day-to-die-hard', 'tt1606378', '17+', 0],
      ['breaking-bad', null, '17+', 0],
      ['friends', null, null, 0],
      ['the-dark-knight-rises', 'tt1345836', null, 0],
    ])
    const names = await db
      .selectFrom('title_name')
      .selectAll()
      .where('title_id', '=', titles[0]?.title_id ?? 0)
      .execute()
    expect(names.find((name) => name.lang === 'de')?.text).toBe('Stirb langsam - Ein guter Tag zum Sterben')
    const episodes = await db.selectFrom('episode').select('name').where('season_number', '=', 1).execute()
    expect(episodes.map((row) => row.name)).toContain('Pilot')
    const person = await db
      .selectFrom('person')
      .selectAll()
      .where('tmdb_id', '=', 62)
      .executeTakeFirstOrThrow()
    expect(person).toMatchObject({ imdb_id: 'nm0000246', birthday: '1955-03-19' })
    const hashesBefore = await computeTableHashes(fixture.server.database)
    expect(await fixture.runImport(titleIds)).toMatchObject({ added: 0, changed: 0, same: 4 })
    expect(await computeTableHashes(fixture.server.database)).toEqual(hashesBefore)
  }),
)

/** An import hides titles that a source marks as adult, with few statements, on SQLite and PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importTitles } from '../../../server/importers/import-titles.ts'
import type { TitleReadResult } from '../../../server/queries/title-record.ts'
import { DATABASES } from '../../support/server.ts'
import {
  type AdminTestServer,
  addMovies,
  createMovieRecord,
  startAdminTestServer,
} from '../admin/admin-test-server.ts'

const createAdultResult = (movieNumber: number): TitleReadResult => ({
  location: `movie ${movieNumber}`,
  adultTitle: { type: 'movie', imdb_id: createMovieRecord(movieNumber).imdb_id },
})
const listMovieNumbers = (firstNumber: number, count: number) =>
  Array.from({ length: count }, (_, index) => firstNumber + index)

describe.each(DATABASES)('the import of adult titles on %s', (_name, openTestDatabase) => {
  let service: AdminTestServer
  beforeAll(async () => {
    service = await startAdminTestServer({ database: await openTestDatabase() })
  }, 60_000)
  afterAll(() => service.stop())

  /** Imports adult titles and returns the number of statements that were sent to the database. */
  async function countStatements(movieNumbers: number[]): Promise<number> {
    const { deps } = service.server
    let statementCount = 0
    const primary = deps.database.primary.withPlugin({
      transformQuery: ({ node }) => {
        statementCount += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const report = await importTitles(
      { ...deps, database: { ...deps.database, primary } },
      movieNumbers.map(createAdultResult),
      { source: 'tmdb' },
    )
    expect(report).toMatchObject({ changed: movieNumbers.length, skipped: 0 })
    return statementCount
  }

  it('sends as many statements for forty titles as for one', async () => {
    const numbers = listMovieNumbers(100, 41)
    await addMovies(
      service,
      numbers.map((movieNumber) => createMovieRecord(movieNumber)),
    )
    const statementCount = await countStatements(numbers.slice(0, 1))
    expect(await countStatements(numbers.slice(1))).toBe(statementCount)
    const { results } = (await service.admin.get('/api/movies?admin=true&published=true&limit=100')).body
    expect(results).toEqual([])
  })

  it('keeps the value of `safe_for_kids` that an administrator has set, and keeps a deleted title in the bin', async () => {
    const { admin } = service
    const ids = await addMovies(
      service,
      listMovieNumbers(200, 3).map((movieNumber) => createMovieRecord(movieNumber)),
    )
    const [plainId = '', editedId = '', deletedId = ''] = ids
    await admin.put(`/api/admin/titles/${editedId}`, { safe_for_kids: true })
    await admin.post('/api/admin/titles/delete', { ids: [deletedId] })
    await countStatements(listMovieNumbers(200, 3))
    const loadTitle = async (titleId: string) => (await admin.get(`/api/admin/titles/${titleId}`)).body
    expect(await loadTitle(plainId)).toMatchObject({ published: false, safe_for_kids: false })
    expect(await loadTitle(editedId)).toMatchObject({ published: false, safe_for_kids: true })
    await admin.delete(`/api/admin/titles/${editedId}/edits/safe_for_kids`)
    expect(await loadTitle(editedId)).toMatchObject({ published: false, safe_for_kids: false })
    await admin.post('/api/admin/titles/restore', { ids: [deletedId] })
    expect(await loadTitle(deletedId)).toMatchObject({ published: false, safe_for_kids: false })
  })
})

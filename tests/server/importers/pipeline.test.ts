import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importTitles } from '../../../server/importers/import-titles.ts'
import type { PersonRecord, TitleReadResult, TitleRecord } from '../../../server/queries/title-record.ts'
import { hashTables } from '../../support/hash-tables.ts'
import { DATABASES, startTestServer, type TestServer } from '../../support/server.ts'

function createRead(name: string, overrides: Partial<TitleRecord> = {}): TitleReadResult {
  const record: TitleRecord = {
    type: 'movie',
    original_title: name,
    names: [{ lang: 'en', text: name, role: 'main' }],
    genres: [18],
    rating: 7,
    rating_votes: 10,
    safe_for_kids: false,
    high_quality: false,
    networks: [],
    texts: [],
    keywords: [],
    cast: [],
    crew: [],
    parental_guide: [],
    seasons: [],
    ...overrides,
  }
  return { at: name, record }
}
const createCast = (...people: PersonRecord[]) => people.map((person) => ({ person }))

describe.each(DATABASES)('import pipeline on %s', (_name, open) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ database: await open() })
  }, 60_000)
  afterAll(() => server.close())
  const run = (...reads: TitleReadResult[]) => importTitles(server.deps, reads, { source: 'test' })
  const listSlugs = async () => {
    const rows = await server.database.primary
      .selectFrom('title')
      .select('slug')
      .orderBy('title_id')
      .execute()
    return rows.map((row) => row.slug)
  }

  it('imports a repeated title once and reports it, and the next run changes nothing', async () => {
    const reads = [
      createRead('Twice', { imdb_id: 'tt0000001' }),
      createRead('Twice again', { imdb_id: 'tt0000001', rating: 9 }),
      createRead('Third', { imdb_id: 'tt0000001', tmdb_id: 5 }),
    ]
    const report = await run(...reads)
    expect(report).toMatchObject({
      read: 3,
      added: 1,
      skipped: 2,
      reasons: { 'the source has already delivered this title': 2 },
    })
    const before = await hashTables(server.database)
    expect(await run(...reads)).toMatchObject({ added: 0, changed: 0, same: 1 })
    expect(await hashTables(server.database)).toEqual(before)
  })

  it('skips records whose IDs belong to different titles, and imports the others', async () => {
    await run(
      createRead('A', { imdb_id: 'tt0000011', tmdb_id: 11 }),
      createRead('B', { imdb_id: 'tt0000012', tmdb_id: 12 }),
    )
    const report = await run(
      createRead('Both', { imdb_id: 'tt0000011', tmdb_id: 12 }),
      createRead('Other', { imdb_id: 'tt0000011', tmdb_id: 13 }),
      createRead('Series now', { type: 'tv', imdb_id: 'tt0000012' }),
      createRead('C', { imdb_id: 'tt0000013' }),
    )
    expect(report).toMatchObject({ added: 1, skipped: 3 })
    expect(report.skips[0]).toBe('Both: its ids belong to another title')
  })

  it.each<[string, Partial<TitleRecord>, string]>([
    ['an invalid date', { release_date: '2020-13-01' }, 'release_date invalid_format'],
    ['a rating above ten', { rating: 11 }, 'rating too_big'],
    ['a NUL character', { original_title: 'a\0b' }, 'original_title custom'],
    ['more votes than the database type allows', { rating_votes: 3_000_000_000 }, 'rating_votes too_big'],
  ])('skips a record with %s', async (_description, fields, reason) => {
    const report = await run(createRead('Odd', { imdb_id: 'tt0000099', ...fields }))
    expect(report).toMatchObject({ added: 0, skipped: 1, skips: [`Odd: ${reason}`] })
  })

  it('creates unique slugs, also for titles without letters and for 200 titles of one name', async () => {
    await server.database.primary.deleteFrom('title').execute()
    const namesakes = Array.from({ length: 200 }, (_, index) =>
      createRead('Same', { tmdb_id: 1000 + index, year: 1999 }),
    )
    await run(createRead('!!!', { tmdb_id: 1 }), createRead('???', { tmdb_id: 2 }), ...namesakes)
    const slugs = await listSlugs()
    expect(new Set(slugs).size).toBe(202)
    expect(slugs.slice(0, 5)).toEqual(['untitled', 'untitled-2', 'same', 'same-1999', 'same-1999-2'])
  })

  it('identifies people by their IDs, or by name when they have no ID', async () => {
    await server.database.primary.deleteFrom('person').execute()
    await run(
      createRead('X', {
        imdb_id: 'tt0000021',
        cast: createCast({ name: 'Kim' }, { name: 'Kim', tmdb_id: 7 }, { name: 'Kim', imdb_id: 'nm0000007' }),
      }),
      createRead('Y', {
        imdb_id: 'tt0000022',
        cast: createCast({ name: 'Kim' }, { name: 'Kim Lee', tmdb_id: 7, birthday: '1980-01-02' }),
      }),
    )
    const people = await server.database.primary
      .selectFrom('person')
      .selectAll()
      .orderBy('person_id')
      .execute()
    expect(people.map(({ name, slug, birthday }) => [name, slug, birthday])).toEqual([
      ['Kim', 'kim', null],
      ['Kim Lee', 'kim-2', '1980-01-02'],
      ['Kim', 'kim-3', null],
    ])
  })
})

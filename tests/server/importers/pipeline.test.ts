import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importTitles } from '../../../server/importers/import-titles.ts'
import type { PersonRecord, TitleReadResult, TitleRecord } from '../../../server/queries/title-record.ts'
import { hashTables } from '../../support/hash-tables.ts'
import { DATABASES, startServer, type TestServer } from '../../support/server.ts'

function title(name: string, more: Partial<TitleRecord> = {}): TitleReadResult {
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
    ...more,
  }
  return { at: name, record }
}
const cast = (...people: PersonRecord[]) => people.map((person) => ({ person }))

describe.each(DATABASES)('the pipeline on %s', (_, open) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ database: await open() })
  }, 60_000)
  afterAll(() => server.close())
  const run = (...reads: TitleReadResult[]) => importTitles(server.deps, reads, { source: 'test' })
  const slugs = async () => {
    const rows = await server.database.primary
      .selectFrom('title')
      .select('slug')
      .orderBy('title_id')
      .execute()
    return rows.map((row) => row.slug)
  }

  it('writes a title that comes twice once, and says so; the next run changes nothing', async () => {
    const reads = [
      title('Twice', { imdb_id: 'tt0000001' }),
      title('Twice again', { imdb_id: 'tt0000001', rating: 9 }),
      title('Third', { imdb_id: 'tt0000001', tmdb_id: 5 }),
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

  it('leaves out what belongs to two titles, and goes on', async () => {
    await run(
      title('A', { imdb_id: 'tt0000011', tmdb_id: 11 }),
      title('B', { imdb_id: 'tt0000012', tmdb_id: 12 }),
    )
    const report = await run(
      title('Both', { imdb_id: 'tt0000011', tmdb_id: 12 }),
      title('Other', { imdb_id: 'tt0000011', tmdb_id: 13 }),
      title('Series now', { type: 'tv', imdb_id: 'tt0000012' }),
      title('C', { imdb_id: 'tt0000013' }),
    )
    expect(report).toMatchObject({ added: 1, skipped: 3 })
    expect(report.skips[0]).toBe('Both: its ids belong to another title')
  })

  it.each<[string, Partial<TitleRecord>, string]>([
    ['a date that is none', { release_date: '2020-13-01' }, 'release_date invalid_format'],
    ['a rating above ten', { rating: 11 }, 'rating too_big'],
    ['a zero character', { original_title: 'a\0b' }, 'original_title custom'],
    ['more votes than a database counts', { rating_votes: 3_000_000_000 }, 'rating_votes too_big'],
  ])('leaves out %s', async (_, more, why) => {
    const report = await run(title('Odd', { imdb_id: 'tt0000099', ...more }))
    expect(report).toMatchObject({ added: 0, skipped: 1, skips: [`Odd: ${why}`] })
  })

  it('gives slugs that nobody has, also to titles without letters and to two hundred of one name', async () => {
    await server.database.primary.deleteFrom('title').execute()
    const many = Array.from({ length: 200 }, (_, at) => title('Same', { tmdb_id: 1000 + at, year: 1999 }))
    await run(title('!!!', { tmdb_id: 1 }), title('???', { tmdb_id: 2 }), ...many)
    const found = await slugs()
    expect(new Set(found).size).toBe(202)
    expect(found.slice(0, 5)).toEqual(['untitled', 'untitled-2', 'same', 'same-1999', 'same-1999-2'])
  })

  it('knows people by their ids, else by their name', async () => {
    await server.database.primary.deleteFrom('person').execute()
    await run(
      title('X', {
        imdb_id: 'tt0000021',
        cast: cast({ name: 'Kim' }, { name: 'Kim', tmdb_id: 7 }, { name: 'Kim', imdb_id: 'nm0000007' }),
      }),
      title('Y', {
        imdb_id: 'tt0000022',
        cast: cast({ name: 'Kim' }, { name: 'Kim Lee', tmdb_id: 7, birthday: '1980-01-02' }),
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

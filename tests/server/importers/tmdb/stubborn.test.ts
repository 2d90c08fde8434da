import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../../../server/db/database.ts'
import { parseRetryAfterMs } from '../../../../server/importers/tmdb/client.ts'
import { hashTables } from '../../../support/hash-tables.ts'
import { invent } from './invented.ts'
import { openPlace, type Place } from './place.ts'
import type { Fault } from './replay.ts'

let place: Place
beforeEach(async () => {
  place = await openPlace(openSqliteDatabase(':memory:'))
  invent(place.replay)
})
afterEach(() => place.close())

const ALL = { movies: '1001', series: '2001' }
const today = () => new Date(place.server.deps.now()).toISOString().slice(0, 10)
const [year, month, day] = new Date().toISOString().slice(0, 10).split('-')
const DAILY = {
  movie: `movie_ids_${month}_${day}_${year}.json.gz`,
  tv: `tv_series_ids_${month}_${day}_${year}.json.gz`,
}
function daily() {
  place.replay.idFile(DAILY.movie, [
    { id: 1001, original_title: 'x', popularity: 50, adult: false, video: false },
    { id: 1002, popularity: 900, adult: true },
    { id: 1003, popularity: 800, video: true },
    { id: 1004, popularity: 1 },
  ])
  place.replay.idFile(DAILY.tv, [{ id: 2001, popularity: 3 }])
}
/** What viewers see; instants and counters of changes differ from run to run. */
async function tables(): Promise<Record<string, string | undefined>> {
  const hashes = await hashTables(place.server.database)
  const seen = [
    'title_name',
    'title_text',
    'title_genre',
    'season',
    'episode',
    'person',
    'person_name',
    'credit',
  ]
  return Object.fromEntries(seen.map((table) => [table, hashes[table]]))
}

describe('a TMDB that is busy or broken', () => {
  it.each<[string, (path: string, times: number) => Fault | undefined]>([
    ['too many requests', (_, times) => (times === 1 ? { status: 429, retryAfter: '0' } : undefined)],
    ['errors of its own', (_, times) => (times < 3 ? { status: 500 } : undefined)],
    ['cut connections', (_, times) => (times < 3 ? 'cut' : undefined)],
    ['pages instead of JSON', (_, times) => (times < 3 ? 'html' : undefined)],
    [
      'all of it',
      (path, times) =>
        ([{ status: 502 }, 'cut', 'html', { status: 429 }] as const)[(times + path.length) % 9],
    ],
  ])('with %s gives the same catalogue in the end', async (_, fault) => {
    await place.run(ALL)
    const wanted = await tables()
    await place.close()
    place = await openPlace(openSqliteDatabase(':memory:'))
    invent(place.replay)
    place.replay.fault = fault
    expect(await place.run(ALL)).toMatchObject({ added: 2, skipped: 0 })
    expect(await tables()).toEqual(wanted)
  })

  it('is waited for as long as it asks', async () => {
    place.replay.fault = (path, times) =>
      path === '/movie/1001' && times === 1 ? { status: 429, retryAfter: '1' } : undefined
    const started = performance.now()
    await place.run({ movies: '1001', people: '0' })
    expect(performance.now() - started).toBeGreaterThan(990)
  })

  it('that stays broken ends the run with a sentence; the next run goes on', async () => {
    place.replay.fault = (path) => (path.startsWith('/tv') ? { status: 503 } : undefined)
    await expect(place.run(ALL)).rejects.toThrow(/TMDB did not answer \/tv\/2001 in 7 attempts: status 503/)
    place.replay.fault = () => undefined
    await place.run()
    expect(place.replay.seen).not.toContain('/movie/changes')
    const titles = await place.server.database.primary
      .selectFrom('title')
      .select('slug')
      .orderBy('slug')
      .execute()
    expect(titles.map((row) => row.slug)).toEqual(['harbour-lights', 'the-salt-road'])
  })

  it('loses the title that it answers oddly or has no more, and no other', async () => {
    place.replay.fault = (path) => (path === '/movie/1001' ? 'odd' : undefined)
    const report = await place.run({ movies: '1001,4444', series: '2001' })
    expect(report).toMatchObject({ added: 1, skipped: 2 })
    expect(report.skips).toEqual([
      'movie/1001: the response is not as TMDB documents it',
      'movie/4444: TMDB no longer has it',
    ])
  })

  it('without a good token is told apart', async () => {
    place.replay.token = 'another'
    await expect(place.run(ALL)).rejects.toThrow('TMDB rejected TMDB_API_TOKEN')
    await place.close()
    place = await openPlace(openSqliteDatabase(':memory:'), '')
    await expect(place.run(ALL)).rejects.toThrow('TMDB_API_TOKEN is not set')
  })

  it('with a damaged list of ids writes nothing', async () => {
    daily()
    place.replay.files.set(DAILY.tv, gzipSync('{"id":2001,"popularity":3}\n'.repeat(5_000)).subarray(0, -20))
    await expect(place.run()).rejects.toThrow(/tv_series_ids_.* is damaged/)
    place.replay.idFile(DAILY.tv, [{ id: 2001, popularity: 3 }])
    expect(await place.run()).toMatchObject({ added: 2 })
  })
})

describe('what is fetched', () => {
  it('is the most popular at first, then only what changed', async () => {
    daily()
    const first = await place.run({ limit: '2' })
    expect(first).toMatchObject({ added: 2, skipped: 1, lines: 5 })
    expect(first.skips).toEqual(['movie/1004: TMDB no longer has it'])
    place.replay.forget()
    expect(await place.run({ limit: '2' })).toMatchObject({ read: 0, added: 0, changed: 0 })
    expect(place.replay.seen).toEqual(
      ['movie', 'tv', 'person'].map(
        (kind) => `/${kind}/changes?start_date=${today()}&end_date=${today()}&page=1`,
      ),
    )
    const { bodies } = place.replay
    bodies.set('/movie/1001', { ...bodies.get('/movie/1001'), vote_count: 5300 })
    bodies.set('/movie/changes', {
      results: [{ id: 1001 }, { id: 777 }, { id: null }],
      page: 1,
      total_pages: 1,
    })
    bodies.set('/person/changes', { results: [{ id: 51 }, { id: 778 }], page: 1, total_pages: 1 })
    place.replay.forget()
    expect(await place.run({ limit: '2' })).toMatchObject({ read: 1, changed: 1 })
    expect(place.replay.seen.filter((path) => !path.includes('changes')).sort()).toEqual([
      '/movie/1001',
      '/person/51',
    ])
  })

  it('is asked for fourteen days at a time after a long pause', async () => {
    daily()
    await place.run({ limit: '1' })
    place.server.advance(20 * 86_400_000)
    place.replay.forget()
    await place.run()
    const asked = place.replay.seen.filter((path) => path.startsWith('/movie/changes'))
    expect(asked).toHaveLength(2)
    const days = asked.map((path) =>
      [...new URL(path, 'http://x').searchParams].map(([, value]) => Date.parse(value)),
    )
    for (const [start = 0, end = 0] of days) expect((end - start) / 86_400_000).toBeLessThan(14)
  })

  it('is not fetched again after a stop', async () => {
    const stop = new AbortController()
    place.replay.fault = (path) => {
      if (path === '/person/51') stop.abort()
      return undefined
    }
    await place.run(ALL, stop.signal)
    place.replay.fault = () => undefined
    place.replay.forget()
    const report = await place.run()
    expect(report).toMatchObject({ read: 0 })
    expect(new Set(place.replay.seen)).toEqual(new Set(['/person/51', '/person/52']))
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2026-11-20T10:00:00Z')
  it.each([
    ['3', 3_000],
    ['0', 0],
    ['Fri, 20 Nov 2026 10:00:07 GMT', 7_000],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
    ['86400', 60_000],
    ['soon', undefined],
  ])('%s', (value, ms) => {
    expect(parseRetryAfterMs(value, now)).toBe(ms)
  })
})

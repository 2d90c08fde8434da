import { describe, expect, it } from 'vitest'
import { BrowseIndex } from '../../../server/browse/browse-index.ts'
import {
  BROWSE_ORDERS,
  type BrowseFilters,
  type BrowseOrder,
  type BrowseTitle,
} from '../../../server/browse/types.ts'

/** The same list the slow way: what the index has to answer. */
function plainly(
  titles: BrowseTitle[],
  filters: BrowseFilters,
  order: BrowseOrder,
  kids: boolean | null,
): number[] {
  const fits = (title: BrowseTitle) => {
    if (kids !== null && (!title.published || title.blocked || (kids && !title.safe))) return false
    const { include, exclude, mode, years, startYear, startDate, languages, rated } = filters
    const has = (id: number) => title.genres.includes(id)
    if (include && !(mode === 'all' ? include.every(has) : include.some(has))) return false
    if (exclude?.some(has)) return false
    if (years && !years.includes(title.year ?? 0)) return false
    if (startYear !== undefined && (title.year ?? 0) < startYear) return false
    if (startDate !== undefined && (title.release_date ?? '') < startDate) return false
    if (languages && !languages.includes(title.language ?? '')) return false
    if (rated && !rated.includes(title.rated ?? '')) return false
    if (filters.rating !== undefined && title.rating < filters.rating) return false
    if (filters.votes !== undefined && title.votes < filters.votes) return false
    if (filters.highQuality !== undefined && title.high_quality !== filters.highQuality) return false
    if (filters.networks && !filters.networks.some((name) => title.networks.includes(name))) return false
    if (filters.safe && !title.safe) return false
    if (filters.published !== undefined && title.published !== filters.published) return false
    return true
  }
  const [by, direction] = order.split('.') as [string, 'asc' | 'desc']
  const keys: Record<string, (title: BrowseTitle) => string | number | null> = {
    popularity: (title) => title.popularity,
    release_date: (title) => title.release_date,
    rating: (title) => title.score,
    title: (title) => title.sort_title,
    rating_votes: (title) => title.votes,
    newest_season: (title) => title.newest_season,
  }
  const key = keys[by] as (title: BrowseTitle) => string | number | null
  const dated = by === 'release_date' || by === 'newest_season'
  const sign = direction === 'asc' ? 1 : -1
  return titles
    .filter((title) => fits(title) && !(dated && key(title) === null))
    .sort((a, b) => {
      const [one, other] = [key(a) as number, key(b) as number]
      // Titles backwards are the titles, backwards.
      const tie = order === 'title.desc' ? b.title_id - a.title_id : a.title_id - b.title_id
      return one === other ? tie : one < other ? -sign : sign
    })
    .map((title) => title.title_id)
}

/** mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
const random = randomFrom(7)
const chance = (share: number) => random() < share
const one = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
const some = <T>(from: readonly T[], most: number): T[] => [
  ...new Set(Array.from({ length: Math.floor(random() * (most + 1)) }, () => one(from))),
]
const GENRES = [10751, 28, 12, 53, 878, 9648, 35, 80]
const NETWORKS = ['netflix', 'hbo', 'elsewhere']
const date = () => `${1990 + Math.floor(random() * 36)}-${one(['01', '06', '12'])}-${one(['03', '17', '28'])}`

function title(title_id: number): BrowseTitle {
  const release_date = chance(0.9) ? date() : null
  return {
    title_id,
    type: 'movie',
    published: chance(0.9),
    blocked: chance(0.05),
    safe: chance(0.4),
    high_quality: chance(0.3),
    year: release_date ? Number(release_date.slice(0, 4)) : null,
    release_date,
    newest_season: chance(0.5) ? date() : null,
    language: chance(0.95) ? one(['en', 'fr', 'ar', 'ja']) : null,
    rated: chance(0.8) ? one(['All', '8+', '13+', '17+', '18+']) : null,
    rating: Math.round(random() * 100) / 10,
    votes: Math.floor(random() ** 4 * 100_000),
    score: Math.round(random() * 100) / 10,
    popularity: Math.round(random() * 50),
    sort_title: `${one(['amelie', 'brazil', 'city', 'dune'])} ${title_id}`,
    genres: some(GENRES, 3),
    networks: some(NETWORKS, 2),
  }
}

const FILTERS: BrowseFilters[] = [
  {},
  { include: [28] },
  { include: [28, 35], mode: 'all' },
  { include: [28, 35], exclude: [53] },
  { include: [404] },
  { exclude: [404] },
  { years: [1999, 2003], languages: ['fr', 'xx'] },
  { startYear: 2010, startDate: '2012-06-17' },
  { rated: ['All', '8+'], rating: 6.3 },
  { votes: 1000, highQuality: true },
  { highQuality: false, networks: ['hbo', 'nowhere'] },
  { networks: ['nowhere'] },
  { safe: true, rating: 0 },
]

const noPause = async () => {}
const byTitle = (titles: BrowseTitle[]) => plainly(titles, {}, 'title.asc', null)
/** The id of the title just before one, as the database tells it. */
function before(titles: BrowseTitle[], { title_id }: BrowseTitle): number | null {
  const ids = byTitle(titles)
  return ids[ids.indexOf(title_id) - 1] ?? null
}

function compare(index: BrowseIndex, titles: BrowseTitle[], asked = FILTERS): void {
  for (const filters of asked) {
    for (const order of BROWSE_ORDERS) {
      for (const kids of [null, false, true]) {
        const expected = plainly(titles, filters, order, kids)
        const audience = kids === null ? null : { kids }
        const { ids, total } = index.findPage({ audience, filters, order, offset: 3, limit: 40 })
        expect({ filters, order, kids, total, ids }).toEqual({
          filters,
          order,
          kids,
          total: expected.length,
          ids: expected.slice(3, 43),
        })
      }
    }
  }
}

async function loaded(titles: BrowseTitle[]): Promise<BrowseIndex> {
  const index = new BrowseIndex({ genres: GENRES, networks: NETWORKS })
  for (const one of titles) index.loadTitle(one)
  await index.rebuildOrders(byTitle(titles), noPause)
  return index
}

describe('the browse index', () => {
  it('answers what a plain filter and sort answers, for every filter, order and audience', async () => {
    const titles = Array.from({ length: 1200 }, (_, at) => title(at + 1))
    compare(await loaded(titles), titles)
  })

  it('answers the same where few titles of many fit, or those that fit come last', async () => {
    const titles = Array.from({ length: 60_000 }, (_, at) => title(at + 1))
    const index = await loaded(titles)
    const rare = { years: [1999], languages: ['fr'], rated: ['8+'], include: [28] }
    const asked = [rare, { years: [1990] }, { votes: 99_000 }, { votes: 0, rating: 9.9 }]
    compare(index, titles, asked)
    const known = byTitle(titles)
    for (const id of [30, 3_000, 59_000]) {
      const written = { ...title(id), year: 1999, language: 'fr', rated: '8+', genres: [28] }
      titles[id - 1] = { ...written, sort_title: titles[id - 1]?.sort_title ?? '' }
      index.upsertTitle(titles[id - 1] as BrowseTitle, known[known.indexOf(id) - 1] ?? null)
    }
    compare(index, titles, asked)
  }, 30_000)

  it('keeps doing so while titles come, change and go, before and after settling', async () => {
    let titles = Array.from({ length: 400 }, (_, at) => title(at * 2 + 1))
    const index = await loaded(titles)
    for (let step = 0; step < 300; step++) {
      const known = one(titles)
      if (chance(0.2)) {
        titles = titles.filter((other) => other !== known)
        index.removeTitle(known.title_id)
        continue
      }
      const written = chance(0.4)
        ? title(1000 + step)
        : { ...title(known.title_id), title_id: known.title_id }
      if (chance(0.5))
        Object.assign(written, { ...known, published: !known.published, title_id: written.title_id })
      titles = [...titles.filter((other) => other.title_id !== written.title_id), written]
      titles.sort((a, b) => a.title_id - b.title_id)
      index.upsertTitle(written, before(titles, written))
    }
    compare(index, titles)
    expect(await index.rebuildOrders(byTitle(titles), noPause)).toEqual([])
    compare(index, titles)
  })

  it('leaves out what was seen, holds to what was named, and counts both', async () => {
    const titles = Array.from({ length: 300 }, (_, at) => title(at + 1))
    const index = await loaded(titles)
    const all = plainly(titles, { include: [28] }, 'rating.desc', false)
    const without = new Set(all.slice(0, 5).concat(9999))
    const request = { audience: { kids: false }, filters: { include: [28] }, order: 'rating.desc' as const }
    const rest = index.findPage({ ...request, excludedIds: without, offset: 0, limit: 100 })
    expect(rest).toEqual({ ids: all.slice(5).slice(0, 100), total: all.length - 5 })
    const only = new Set([all[1] as number, all[7] as number, all[9] as number])
    expect(
      index.findPage({ ...request, excludedIds: without, includedIds: only, offset: 0, limit: 100 }),
    ).toEqual({
      ids: [all[7], all[9]],
      total: 2,
    })
    expect(index.findPage({ ...request, offset: 5_000, limit: 20 })).toEqual({ ids: [], total: all.length })
  })
})

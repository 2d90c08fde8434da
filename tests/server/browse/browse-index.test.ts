import { describe, expect, it } from 'vitest'
import { BrowseIndex } from '../../../server/browse/browse-index.ts'
import {
  BROWSE_ORDERS,
  type BrowseFilters,
  type BrowseOrder,
  type BrowseTitle,
} from '../../../server/browse/types.ts'
import { createSeededGenerator } from '../../../server/images/random.ts'
import { Audience, KIDS_RULE } from '../../../server/queries/title-scope.ts'

/**
 * Each entry has a name, an audience, and a function that decides without code of the server whether the audience may
 * see a title. The dashboard has no audience, because the dashboard shows all titles.
 */
const AUDIENCES: [string, Audience | null, (title: BrowseTitle) => boolean][] = [
  ['dashboard', null, () => true],
  ['unrestricted', Audience.unrestricted, (title) => title.published && !title.blocked],
  [
    'kids',
    Audience.unrestricted.narrowToKids(),
    (title) => title.published && !title.blocked && title.safe_for_kids,
  ],
  [
    'group with limits',
    Audience.ofRules([
      { ...KIDS_RULE, allowedIds: [3, 4, 59] },
      { ...KIDS_RULE, kids: false, maxAge: 13, guideLimits: 2, allowedIds: [4, 7], deniedIds: [9, 59] },
    ]),
    ({ title_id, published, blocked, safe_for_kids, rated, guide_levels }) => {
      if (!published || blocked || [9, 59].includes(title_id)) return false
      const isWithinLimits = ['All', '8+', '13+'].includes(rated ?? '') && [1, 2].includes(guide_levels & 7)
      return (safe_for_kids || [3, 4, 59].includes(title_id)) && (isWithinLimits || [4, 7].includes(title_id))
    },
  ],
]

/**
 * Reference implementation that filters and sorts all titles. The index must return the same title IDs in the same
 * order.
 */
function listByFullScan(
  titles: BrowseTitle[],
  filters: BrowseFilters,
  order: BrowseOrder,
  isVisible: (title: BrowseTitle) => boolean,
): number[] {
  const matchesFilters = (title: BrowseTitle) => {
    if (!isVisible(title)) return false
    if (
      filters.maxRuntimeMinutes !== undefined &&
      !(title.runtime && title.runtime <= filters.maxRuntimeMinutes * 60)
    )
      return false
    if (filters.guide && ![1, 2].includes(title.guide_levels & 7)) return false
    const { include, exclude, mode, years, startYear, startDate, endDate, languages, rated } = filters
    const hasGenre = (genreId: number) => title.genres.includes(genreId)
    if (include && !(mode === 'all' ? include.every(hasGenre) : include.some(hasGenre))) return false
    if (exclude?.some(hasGenre)) return false
    if (years && !years.includes(title.year ?? 0)) return false
    if (startYear !== undefined && (title.year ?? 0) < startYear) return false
    if (startDate !== undefined && (title.release_date ?? '') < startDate) return false
    if (endDate !== undefined && !(title.release_date && title.release_date <= endDate)) return false
    if (languages && !languages.includes(title.language ?? '')) return false
    if (rated && !rated.includes(title.rated ?? '')) return false
    if (filters.rating !== undefined && title.rating < filters.rating) return false
    if (filters.votes !== undefined && title.votes < filters.votes) return false
    if (filters.available !== undefined && title.available !== filters.available) return false
    if (filters.highQuality !== undefined && title.high_quality !== filters.highQuality) return false
    if (filters.networks && !filters.networks.some((network) => title.networks.includes(network)))
      return false
    if (filters.safeForKids && !title.safe_for_kids) return false
    if (filters.published !== undefined && title.published !== filters.published) return false
    return true
  }
  const [sortField, direction] = order.split('.') as [string, 'asc' | 'desc']
  const sortKeyReadersByField: Record<string, (title: BrowseTitle) => string | number | null> = {
    popularity: (title) => title.popularity,
    release_date: (title) => title.release_date,
    rating: (title) => title.score,
    title: (title) => title.sort_title,
    rating_votes: (title) => title.votes,
    newest_season: (title) => title.newest_season,
  }
  const getSortKey = sortKeyReadersByField[sortField] as (title: BrowseTitle) => string | number | null
  const isDateOrder = sortField === 'release_date' || sortField === 'newest_season'
  const directionSign = direction === 'asc' ? 1 : -1
  return titles
    .filter((title) => matchesFilters(title) && !(isDateOrder && getSortKey(title) === null))
    .sort((a, b) => {
      const [keyA, keyB] = [getSortKey(a) as number, getSortKey(b) as number]
      // For `title.desc`, the index returns the reversed list of `title.asc`. Titles with equal sort keys are therefore
      // in reversed order too.
      const tieOrder = order === 'title.desc' ? b.title_id - a.title_id : a.title_id - b.title_id
      return keyA === keyB ? tieOrder : keyA < keyB ? -directionSign : directionSign
    })
    .map((title) => title.title_id)
}

const drawNumber = createSeededGenerator(7)
const drawBoolean = (probability: number) => drawNumber() < probability
const pickRandomValue = <T>(values: readonly T[]): T => values[Math.floor(drawNumber() * values.length)] as T
const pickRandomValues = <T>(values: readonly T[], maxCount: number): T[] => [
  ...new Set(
    Array.from({ length: Math.floor(drawNumber() * (maxCount + 1)) }, () => pickRandomValue(values)),
  ),
]
const GENRE_IDS = [10751, 28, 12, 53, 878, 9648, 35, 80]
const NETWORKS = ['netflix', 'hbo', 'elsewhere']
const drawDate = () =>
  `${1990 + Math.floor(drawNumber() * 36)}-${pickRandomValue(['01', '06', '12'])}-${pickRandomValue(['03', '17', '28'])}`

function createTitle(title_id: number): BrowseTitle {
  const release_date = drawBoolean(0.9) ? drawDate() : null
  return {
    title_id,
    type: 'movie',
    published: drawBoolean(0.9),
    blocked: drawBoolean(0.05),
    safe_for_kids: drawBoolean(0.4),
    runtime: drawBoolean(0.9) ? 60 + Math.floor(drawNumber() * 10_000) : null,
    high_quality: drawBoolean(0.3),
    available: drawBoolean(0.5),
    year: release_date ? Number(release_date.slice(0, 4)) : null,
    release_date,
    newest_season: drawBoolean(0.5) ? drawDate() : null,
    language: drawBoolean(0.95) ? pickRandomValue(['en', 'fr', 'ar', 'ja']) : null,
    guide_levels: drawBoolean(0.2) ? 0 : Math.floor(drawNumber() * 5),
    rated: drawBoolean(0.8) ? pickRandomValue(['All', '8+', '13+', '17+', '18+']) : null,
    rating: Math.round(drawNumber() * 100) / 10,
    votes: Math.floor(drawNumber() ** 4 * 100_000),
    score: Math.round(drawNumber() * 100) / 10,
    popularity: Math.round(drawNumber() * 50),
    sort_title: `${pickRandomValue(['amelie', 'brazil', 'city', 'dune'])} ${title_id}`,
    genres: pickRandomValues(GENRE_IDS, 3),
    networks: pickRandomValues(NETWORKS, 2),
  }
}

const FILTER_SETS: BrowseFilters[] = [
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
  { available: true },
  { available: true, include: [28], safeForKids: true },
  { highQuality: false, networks: ['hbo', 'nowhere'] },
  { networks: ['nowhere'] },
  { safeForKids: true, rating: 0 },
  { guide: 2, include: [28] },
  { endDate: '2012-06-17' },
  { endDate: '2012-06-17', include: [28] },
  { maxRuntimeMinutes: 90 },
  { maxRuntimeMinutes: 0 },
  { maxRuntimeMinutes: 45, include: [28] },
]

const skipPause = async () => {}
const listIdsInTitleOrder = (titles: BrowseTitle[]) => listByFullScan(titles, {}, 'title.asc', () => true)
/**
 * Returns the ID of the title directly before the given title in title order, or null if the given title is the first.
 */
function findPrecedingId(titles: BrowseTitle[], { title_id }: BrowseTitle): number | null {
  const sortedIds = listIdsInTitleOrder(titles)
  return sortedIds[sortedIds.indexOf(title_id) - 1] ?? null
}

function expectPagesToMatchFullScan(
  browseIndex: BrowseIndex,
  titles: BrowseTitle[],
  filterSets = FILTER_SETS,
): void {
  for (const filters of filterSets) {
    for (const order of BROWSE_ORDERS) {
      for (const [name, audience, isVisible] of AUDIENCES) {
        const expectedIds = listByFullScan(titles, filters, order, isVisible)
        const { ids, total } = browseIndex.findPage({ audience, filters, order, offset: 3, limit: 40 })
        expect({ filters, order, name, total, ids }).toEqual({
          filters,
          order,
          name,
          total: expectedIds.length,
          ids: expectedIds.slice(3, 43),
        })
      }
    }
  }
}

async function createLoadedIndex(titles: BrowseTitle[]): Promise<BrowseIndex> {
  const browseIndex = new BrowseIndex({ genres: GENRE_IDS, networks: NETWORKS })
  for (const title of titles) browseIndex.loadTitle(title)
  await browseIndex.rebuildOrders(listIdsInTitleOrder(titles), skipPause)
  return browseIndex
}

describe('BrowseIndex', () => {
  it('returns the same pages as a full scan for every filter, order and audience', async () => {
    const titles = Array.from({ length: 1200 }, (_, index) => createTitle(index + 1))
    expectPagesToMatchFullScan(await createLoadedIndex(titles), titles)
  })

  it('returns the same pages as a full scan when few of many titles match or the matching titles come last in the order', async () => {
    const titles = Array.from({ length: 60_000 }, (_, index) => createTitle(index + 1))
    const browseIndex = await createLoadedIndex(titles)
    const rareFilters = { years: [1999], languages: ['fr'], rated: ['8+'], include: [28] }
    const filterSets = [rareFilters, { years: [1990] }, { votes: 99_000 }, { votes: 0, rating: 9.9 }]
    expectPagesToMatchFullScan(browseIndex, titles, filterSets)
    const idsInTitleOrder = listIdsInTitleOrder(titles)
    for (const id of [30, 3_000, 59_000]) {
      const writtenTitle = { ...createTitle(id), year: 1999, language: 'fr', rated: '8+', genres: [28] }
      titles[id - 1] = { ...writtenTitle, sort_title: titles[id - 1]?.sort_title ?? '' }
      browseIndex.upsertTitle(
        titles[id - 1] as BrowseTitle,
        idsInTitleOrder[idsInTitleOrder.indexOf(id) - 1] ?? null,
      )
    }
    expectPagesToMatchFullScan(browseIndex, titles, filterSets)
  })

  it('returns the same pages as a full scan after titles are added, changed and removed, before and after the sort orders are rebuilt', async () => {
    let titles = Array.from({ length: 400 }, (_, index) => createTitle(index * 2 + 1))
    const browseIndex = await createLoadedIndex(titles)
    for (let step = 0; step < 300; step++) {
      const existingTitle = pickRandomValue(titles)
      if (drawBoolean(0.2)) {
        titles = titles.filter((title) => title !== existingTitle)
        browseIndex.removeTitle(existingTitle.title_id)
        continue
      }
      const writtenTitle = drawBoolean(0.4)
        ? createTitle(1000 + step)
        : { ...createTitle(existingTitle.title_id), title_id: existingTitle.title_id }
      if (drawBoolean(0.5))
        Object.assign(writtenTitle, {
          ...existingTitle,
          published: !existingTitle.published,
          title_id: writtenTitle.title_id,
        })
      titles = [...titles.filter((title) => title.title_id !== writtenTitle.title_id), writtenTitle]
      titles.sort((a, b) => a.title_id - b.title_id)
      browseIndex.upsertTitle(writtenTitle, findPrecedingId(titles, writtenTitle))
    }
    expectPagesToMatchFullScan(browseIndex, titles)
    expect(await browseIndex.rebuildOrders(listIdsInTitleOrder(titles), skipPause)).toEqual([])
    expectPagesToMatchFullScan(browseIndex, titles)
  })

  it('omits the titles of `excludedIds`, returns only titles of `includedIds` if that set is given, and returns the total of the remaining titles', async () => {
    const titles = Array.from({ length: 300 }, (_, index) => createTitle(index + 1))
    const browseIndex = await createLoadedIndex(titles)
    const allIds = listByFullScan(
      titles,
      { include: [28] },
      'rating.desc',
      ({ published, blocked }) => published && !blocked,
    )
    const excludedIds = new Set(allIds.slice(0, 5).concat(9999))
    const pageRequest = {
      audience: Audience.unrestricted,
      filters: { include: [28] },
      order: 'rating.desc' as const,
    }
    const page = browseIndex.findPage({ ...pageRequest, excludedIds, offset: 0, limit: 100 })
    expect(page).toEqual({ ids: allIds.slice(5).slice(0, 100), total: allIds.length - 5 })
    const includedIds = new Set([allIds[1] as number, allIds[7] as number, allIds[9] as number])
    expect(browseIndex.findPage({ ...pageRequest, excludedIds, includedIds, offset: 0, limit: 100 })).toEqual(
      {
        ids: [allIds[7], allIds[9]],
        total: 2,
      },
    )
    expect(browseIndex.findPage({ ...pageRequest, offset: 5_000, limit: 20 })).toEqual({
      ids: [],
      total: allIds.length,
    })
  })
})

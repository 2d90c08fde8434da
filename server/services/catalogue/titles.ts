/** Title lists, details, seasons and episodes, limited to what the caller's audience may see. */

import type * as z from 'zod/mini'
import type { movieQuerySchema, seriesQuerySchema } from '../../../src/lib/contract/catalogue.ts'
import type { Episode, MediaDetails, Season } from '../../../src/lib/contract/media.ts'
import { hasAired } from '../../../src/lib/rules/episode-order.ts'
import { GENRE_NAMES } from '../../../src/lib/rules/genres.ts'
import { LIMITS } from '../../../src/lib/rules/limits.ts'
import { packGuideLimits, parseGuideFilter } from '../../../src/lib/rules/maturity.ts'
import type { BrowseFilters, BrowseOrder, BrowseRequest } from '../../browse/types.ts'
import { Problem } from '../../core/problem.ts'
import { selectTitlesInOrder } from '../../queries/browse.ts'
import { selectDislikedTitleIds } from '../../queries/feedback.ts'
import { selectPersonNames } from '../../queries/person.ts'
import { selectSeenTitleIds } from '../../queries/seen-title.ts'
import { selectTitle, selectTitlesByIds, type TitleRow, type TitleType } from '../../queries/title.ts'
import {
  type SeasonRangeRow,
  selectEpisodeDates,
  selectEpisodes,
  selectSeasons,
  selectTitleDetails,
  selectVisibleSeason,
} from '../../queries/title-details.ts'
import type { Audience } from '../../queries/title-scope.ts'
import { canAdminister } from '../auth/authorize.ts'
import { getOverviewLanguage, getTitleLanguage, getViewerDate, type Viewer } from '../auth/caller.ts'
import type { Deps } from '../deps.ts'
import { hasKnownMedia, hasMediaSource, loadEpisodeAvailability } from '../library/availability.ts'
import { toPage } from '../page.ts'
import { searchTitleIds } from '../search/search.ts'
import { buildArtPath, buildPortraitPath, getTitleArtVersion } from './artwork.ts'
import { loadCards } from './cards.ts'
import { findTitleIdsByName } from './title-name-search.ts'

/** Maximum number of matches of the search index that a list with `search` contains. */
const MAX_SEARCH_MATCHES = 500

/**
 * Returns the audience of the caller. With `isForKids`, the audience is narrowed to titles that are safe for
 * kids.
 */
export const narrowAudience = ({ audience }: Viewer, isForKids: boolean | undefined): Audience =>
  isForKids ? audience.narrowToKids() : audience

type CatalogueQuery = z.infer<typeof movieQuerySchema> | z.infer<typeof seriesQuerySchema>

/** Parses a numeric id from its text form on the wire. Throws 404 for any other text. */
export function parseId(text: string): number {
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
  if (id === 0) throw new Problem('not_found')
  return id
}

export async function listTitles(deps: Deps, caller: Viewer, type: TitleType, query: CatalogueQuery) {
  const shouldIncludeHidden = query.admin === true || query.published !== undefined
  if (shouldIncludeHidden && !canAdminister(caller)) throw new Problem('forbidden')
  const audience = shouldIncludeHidden ? null : narrowAudience(caller, query.kids)
  const { reader } = deps.database
  const { ids, total } = await deps.browseIndex.loadPage(type, {
    audience,
    filters: toBrowseFilters(deps, caller, query, shouldIncludeHidden),
    ...(await loadIdFilters(deps, caller, type, { query, audience })),
    order: query.sort as BrowseOrder,
    titleLanguage: getTitleLanguage(caller),
    offset: (query.page - 1) * query.limit,
    limit: query.limit,
  })
  const rows = await selectTitlesInOrder(reader, audience, ids)
  const cards = await loadCards(deps, rows, getTitleLanguage(caller))
  const titleCards = shouldIncludeHidden
    ? cards.map((card, index) => ({ ...card, published: rows[index]?.published === 1 }))
    : cards
  const page = toPage(query, total, titleCards)
  return query.paginate ? page : { ...page, total_results: null, total_pages: null }
}

/**
 * Returns the sets of title ids for the filters that the browse index has no columns for: seen titles, featured titles
 * and search matches.
 */
async function loadIdFilters(
  deps: Deps,
  caller: Viewer,
  type: TitleType,
  { query, audience }: { query: CatalogueQuery; audience: Audience | null },
): Promise<Pick<BrowseRequest, 'includedIds' | 'excludedIds'>> {
  const profileId = query['hide-seen'] ? caller.acting?.profile_id : undefined
  const [seenIds, dislikedIds, featuredIds, foundIds] = await Promise.all([
    profileId
      ? selectSeenTitleIds(deps.database.primary, profileId, getViewerDate(caller, deps.now()))
      : undefined,
    query['hide-disliked'] ? loadDislikedTitleIds(deps, caller) : undefined,
    query.featured === undefined
      ? undefined
      : loadFeaturedIds(deps, narrowAudience(caller, query.kids), type, { limit: LIMITS.featured }),
    query.search ? findTitlesBySearch(deps, audience, type, query.search) : undefined,
  ])
  const excludedIds = [
    ...(seenIds ?? []),
    ...(dislikedIds ?? []),
    ...(query.featured === false ? (featuredIds ?? []) : []),
  ]
  const includedIdSets = [foundIds, query.featured ? featuredIds : undefined].flatMap((titleIds) =>
    titleIds ? [new Set(titleIds)] : [],
  )
  return {
    ...(excludedIds.length > 0 && { excludedIds: new Set(excludedIds) }),
    ...(includedIdSets.length > 0 && {
      includedIds: includedIdSets.reduce((commonIds, titleIds) => commonIds.intersection(titleIds)),
    }),
  }
}

/**
 * Returns the ids of titles that match a search. Viewers get the best matches of the search index; administrators get
 * all titles with a name that contains the text.
 */
async function findTitlesBySearch(
  deps: Deps,
  audience: Audience | null,
  type: TitleType,
  searchText: string,
): Promise<ReadonlySet<number>> {
  if (!audience) return findTitleIdsByName(deps, type, searchText)
  return new Set(await searchTitleIds(deps, audience, { q: searchText, type, limit: MAX_SEARCH_MATCHES }))
}

function toBrowseFilters(
  deps: Deps,
  caller: Viewer,
  query: CatalogueQuery,
  isForDashboard: boolean,
): BrowseFilters {
  const filters = {
    include: query['include-genres'],
    exclude: query['exclude-genres'],
    mode: query['genres-mode'],
    years: query['release-year'],
    startYear: query['start-release-year'],
    startDate: 'start-release-date' in query ? query['start-release-date'] : undefined,
    endDate: query.released ? getViewerDate(caller, deps.now()) : undefined,
    languages: query.language,
    rated: query.rated,
    rating: query.rating,
    votes: query['rating-votes'],
    highQuality: 'high-quality' in query ? query['high-quality'] : undefined,
    networks: 'network' in query ? query.network : undefined,
    // Other lists filter by audience, so only lists of the dashboard need this filter.
    safe: isForDashboard ? query.kids : undefined,
    guide: query.guide && packGuideLimits(parseGuideFilter(query.guide)),
    maxRuntimeMinutes: query['max-runtime'],
    published: query.published,
    available: hasMediaSource(deps) ? query.available : undefined,
  }
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
}

interface FeaturedSelection {
  limit: number
  excludedIds?: ReadonlySet<number>
  'include-genres'?: number[] | undefined
}

const dislikedIdsByViewer = new WeakMap<Viewer, Promise<ReadonlySet<number>>>()

/**
 * Returns the ids of the titles that the acting profile, or a profile of its group, dislikes. They are read once per
 * request: a dislike between two reads could otherwise remove a title from a response that is cached for all callers.
 */
export function loadDislikedTitleIds(deps: Deps, viewer: Viewer): Promise<ReadonlySet<number>> {
  const profiles = viewer.acting ? [viewer.acting, ...viewer.group] : []
  const dislikedIds =
    dislikedIdsByViewer.get(viewer) ??
    selectDislikedTitleIds(
      deps.database.primary,
      profiles.map(({ profile_id }) => profile_id),
    )
  dislikedIdsByViewer.set(viewer, dislikedIds)
  return dislikedIds
}

/** Returns popular titles. Omits the titles that a viewer dislikes. */
export async function listFeaturedTitles(
  deps: Deps,
  caller: Viewer,
  type: TitleType,
  { kids, ...selection }: Omit<FeaturedSelection, 'excludedIds'> & { kids?: boolean | undefined },
) {
  const audience = narrowAudience(caller, kids)
  const excludedIds = await loadDislikedTitleIds(deps, caller)
  const titleIds = await loadFeaturedIds(deps, audience, type, { ...selection, excludedIds })
  const rows = await selectTitlesInOrder(deps.database.reader, audience, titleIds)
  return { results: await loadCards(deps, rows, getTitleLanguage(caller)) }
}

async function loadFeaturedIds(
  deps: Deps,
  audience: Audience,
  type: TitleType,
  { limit, 'include-genres': includedGenres, excludedIds = new Set() }: FeaturedSelection,
): Promise<number[]> {
  const loadTitleIds = async (shouldBeAvailable?: true) => {
    const filters = {
      ...(includedGenres && { include: includedGenres }),
      ...(shouldBeAvailable && { available: shouldBeAvailable }),
    }
    const pageRequest = {
      audience,
      filters,
      excludedIds,
      order: 'popularity.desc' as const,
      offset: 0,
      limit,
    }
    return (await deps.browseIndex.loadPage(type, pageRequest)).ids
  }
  // With a media folder or a media server, titles that can be played on this installation come first.
  const availableIds = hasKnownMedia(deps) ? await loadTitleIds(true) : []
  const otherIds = availableIds.length < limit ? await loadTitleIds() : []
  return [...new Set([...availableIds, ...otherIds])].slice(0, limit)
}

/**
 * Returns a title that the caller may see. An absent, unpublished or blocked title, and a title outside the audience of
 * the caller, throw the same 404.
 */
export async function findVisibleTitle(
  deps: Deps,
  caller: Viewer,
  type: TitleType | null,
  titleRef: { id: number } | { slug: string },
) {
  const row = await selectTitle(deps.database.reader, caller.audience, type, titleRef)
  if (!row) throw new Problem('not_found')
  return row
}

export async function loadTitleDetails(
  deps: Deps,
  caller: Viewer,
  type: TitleType,
  titleRef: { id: number } | { slug: string },
): Promise<MediaDetails> {
  const row = await findVisibleTitle(deps, caller, type, titleRef)
  const lang = getTitleLanguage(caller)
  const [[card], details] = await Promise.all([
    loadCards(deps, [row], lang),
    selectTitleDetails(deps.database.reader, row),
  ])
  if (!card) throw new Problem('not_found')
  const personNamesById = await selectPersonNames(
    deps.database.reader,
    details.credits.map((credit) => credit.person_id),
    lang,
  )
  const titleText = pickText(details.texts, getOverviewLanguage(caller))
  return {
    ...card,
    titles: details.names.map((name) => ({ lang: name.lang, text: name.text })),
    overview: titleText?.overview ?? null,
    ...(titleText && { overview_lang: titleText.lang }),
    tagline: titleText?.tagline ?? null,
    genres: card.genres.map((id) => ({ id, name: GENRE_NAMES[id] ?? String(id) })),
    cast: details.credits
      .filter((credit) => credit.kind === 'cast')
      .map((credit) => {
        const name = personNamesById.get(credit.person_id) ?? credit.name
        return {
          actor_id: String(credit.person_id),
          slug: credit.slug,
          name,
          character: credit.character,
          profile_path: buildPortraitPath(deps, credit, { name, lang }),
        }
      }),
    crew: details.credits
      .filter((credit) => credit.kind === 'crew')
      .map((credit) => ({
        slug: credit.slug,
        name: personNamesById.get(credit.person_id) ?? credit.name,
        job: credit.job,
      })),
    parental_guide: JSON.parse(row.parental_guide) as MediaDetails['parental_guide'],
    imdb_id: row.imdb_id,
    tmdb_id: row.tmdb_id,
    // A trailer is a link to another site, on which a child could open everything.
    trailer: caller.audience.isForKids ? null : row.trailer,
    published: row.published === 1,
    ...(type === 'tv' && { seasons: details.seasons.map((season) => toSeason(deps, season, row, lang)) }),
  }
}

function pickText<T extends { lang: string }>(texts: T[], lang: string): T | undefined {
  return texts.find((text) => text.lang === lang) ?? texts.find((text) => text.lang === 'en') ?? texts[0]
}

function toSeason(deps: Deps, season: SeasonRangeRow, row: TitleRow, lang: string): Season {
  const artworkKey = String(row.title_id)
  return {
    id: String(season.season_id),
    season_number: season.season_number,
    episode_count: season.episode_count,
    first_episode: season.first_episode,
    last_episode: season.last_episode,
    title: season.name,
    air_date: season.air_date,
    poster_path: buildArtPath(
      deps,
      { kind: 'poster', key: artworkKey, lang },
      season.poster_path,
      getTitleArtVersion(row),
    ),
  }
}

export async function listSeasons(deps: Deps, caller: Viewer, id: number) {
  const titleRow = await findVisibleTitle(deps, caller, 'tv', { id })
  const seasonRows = await selectSeasons(deps.database.reader, titleRow.title_id)
  return { results: seasonRows.map((season) => toSeason(deps, season, titleRow, getTitleLanguage(caller))) }
}

export async function listEpisodes(
  deps: Deps,
  caller: Viewer,
  seasonId: number,
): Promise<{ results: Episode[] }> {
  const season = await selectVisibleSeason(deps.database.reader, caller.audience, seasonId)
  if (!season) throw new Problem('not_found')
  const today = getViewerDate(caller, deps.now())
  const lang = getTitleLanguage(caller)
  const rows = await selectEpisodes(deps.database.reader, seasonId, getOverviewLanguage(caller))
  const [title] = await selectTitlesByIds(deps.database.reader, caller.audience, [season.title_id])
  if (!title) throw new Problem('not_found')
  const findEpisodeAvailability = await loadEpisodeAvailability(deps, title)
  // Whether an episode without a date has aired depends on the episodes of all seasons.
  const comparedEpisodes = rows.every(({ air_date }) => air_date)
    ? rows
    : await selectEpisodeDates(deps.database.reader, season.title_id)
  return {
    results: rows.map((row) => ({
      id: String(row.episode_id),
      season_number: row.season_number,
      episode_number: row.episode_number,
      title: row.name,
      overview: row.overview,
      ...(row.overview !== null && { overview_lang: row.overview_lang }),
      air_date: row.air_date,
      runtime: row.runtime,
      still_path: buildArtPath(
        deps,
        { kind: 'still', key: `${row.title_id}-${row.season_number}-${row.episode_number}`, lang },
        row.still_path,
        getTitleArtVersion(title),
      ),
      released: hasAired(row, comparedEpisodes, today),
      ...findEpisodeAvailability(row),
    })),
  }
}

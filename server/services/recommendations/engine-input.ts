/**
 * Loads the inputs of the recommendation engine for a profile. Also provides popular titles for use without a
 * model or without similar titles.
 */
import type { BrowseFilters } from '../../browse/types.ts'
import type { Audience } from '../../queries/title-scope.ts'
import { listPopularPicks } from '../../recommend/fallback.ts'
import { getSignalId, type TitleFilter } from '../../recommend/types.ts'
import { getViewerDate } from '../auth/caller.ts'
import { narrowAudience } from '../catalogue/featured-titles.ts'
import type { ProfileContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { hasMediaFolderOrServer } from '../library/availability.ts'
import { collectOmittedTitleIds, loadSignals } from './signals.ts'

export interface PicksQuery {
  limit: number
  type?: 'movie' | 'tv' | undefined
  rating?: number | undefined
  'rating-votes'?: number | undefined
  kids?: boolean | undefined
  'include-rated'?: boolean | undefined
  'exclude-rated'?: boolean | undefined
  'genres-included'?: number[] | undefined
  'genres-excluded'?: number[] | undefined
}

/**
 * Loads the inputs of the engine for a profile: its signals, and the filter for titles that may be recommended.
 * `ownSignalIds` are the ids of the signals that the profile can switch off. In a group, these are only the profile's
 * own signals.
 */
export async function loadRecommenderInput(
  { deps, caller }: ProfileContext,
  query: Omit<PicksQuery, 'limit'>,
) {
  const { primary } = deps.database
  // For a group, combine the signals of all members. A title that one member disliked or finished is recommended to
  // none of them.
  const isGroupWatching = caller.acting?.profile_id === caller.profile.profile_id && caller.group.length > 0
  const profiles = isGroupWatching ? [caller.profile, ...caller.group] : [caller.profile]
  const today = getViewerDate(caller, deps.now())
  const signalsByProfile = await Promise.all(profiles.map((profile) => loadSignals(primary, profile, today)))
  const signals = signalsByProfile.flat()
  const audience = narrowAudience(caller, query.kids)
  const filterValues = {
    rating: query.rating,
    votes: query['rating-votes'],
    include: query['genres-included'],
    exclude: query['genres-excluded'],
  }
  const filters = Object.fromEntries(
    Object.entries(filterValues).filter(([, value]) => value !== undefined),
  ) as BrowseFilters
  const [matchesFilter, isAvailable] = await Promise.all([
    deps.browseIndex.loadFilter(query.type, { audience, filters }),
    // With a media folder or a media server, titles that can be played on this installation come first.
    hasMediaFolderOrServer(deps)
      ? deps.browseIndex.loadFilter(query.type, { audience, filters: { ...filters, available: true } })
      : null,
  ])
  const omittedTitleIds = collectOmittedTitleIds(signals)
  const repeatableTitleIds =
    query['include-rated'] === true && query['exclude-rated'] !== true
      ? signals.flatMap((signal) =>
          signal.kind === 'liked' && signal.titleKey !== undefined ? [signal.titleKey] : [],
        )
      : []
  return {
    signals,
    ownSignalIds: new Set(signalsByProfile[0]?.filter((signal) => !signal.isDisabled).map(getSignalId)),
    isAvailable,
    audience,
    options: {
      scope: (titleKey: number) => matchesFilter(titleKey) && !omittedTitleIds.has(titleKey),
      repeatableTitleKeys: new Set(repeatableTitleIds),
      kids: audience.isSafeForKids,
      ...(query.type && { type: query.type }),
    },
  }
}

/**
 * Returns up to `limit` titles that `recommendTitles` selects. Titles that can be played on this server come first,
 * unless `isAvailable` is null.
 */
export async function recommendAvailableFirst<Title>(
  recommendTitles: (isInScope: TitleFilter, limit: number) => Title[] | Promise<Title[]>,
  {
    scope: isInScope,
    isAvailable,
    limit,
  }: { scope: TitleFilter; isAvailable: TitleFilter | null; limit: number },
): Promise<Title[]> {
  if (!isAvailable) return recommendTitles(isInScope, limit)
  const availableTitles = await recommendTitles(
    (titleKey) => isAvailable(titleKey) && isInScope(titleKey),
    limit,
  )
  if (availableTitles.length >= limit) return availableTitles
  const otherTitles = await recommendTitles(
    (titleKey) => isInScope(titleKey) && !isAvailable(titleKey),
    limit - availableTitles.length,
  )
  return [...availableTitles, ...otherTitles]
}

/** Moves the titles that can be played on this server to the start. Otherwise keeps the order. */
export function sortAvailableFirst<Title extends { key: number }>(
  titles: readonly Title[],
  isAvailable: TitleFilter | null,
): Title[] {
  if (!isAvailable) return [...titles]
  return titles.toSorted((a, b) => Number(isAvailable(b.key)) - Number(isAvailable(a.key)))
}

/** Number of the most popular movies, and of the most popular series, from which `pickPopularTitles` chooses. */
const MAX_POPULAR_TITLES = 500

interface PopularTitlesRequest {
  /** The most popular titles of this audience are considered. */
  audience: Audience
  signals: Parameters<typeof listPopularPicks>[1]
  isInScope: TitleFilter
  limit: number
}

/**
 * Returns popular titles, alternating movies and series. Used while there is no model, and for a title without similar
 * titles.
 */
export async function pickPopularTitles(
  deps: Deps,
  { audience, signals, isInScope, limit }: PopularTitlesRequest,
) {
  const pagePromises = (['movie', 'tv'] as const).map((type) =>
    deps.browseIndex.loadPage(type, {
      audience,
      filters: {},
      order: 'popularity.desc',
      offset: 0,
      limit: MAX_POPULAR_TITLES,
    }),
  )
  const [movies, series] = (await Promise.all(pagePromises)).map((page) => page.ids)
  const mixedTitleIds = (movies ?? []).flatMap((titleId, index) => [
    titleId,
    ...(series?.[index] === undefined ? [] : [series[index]]),
  ])
  return listPopularPicks(mixedTitleIds, signals, { limit, scope: isInScope })
}

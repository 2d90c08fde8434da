/** Lists the movies and episodes that a profile can watch next, and how long each of them takes. */
import type { MediaCard } from '../../../src/lib/contract/media.ts'
import type { WatchNextItem } from '../../../src/lib/contract/watch-next.ts'
import { findFirstEpisode, findSeriesContinuation } from '../../../src/lib/rules/next-up.ts'
import { getProgressPercentage } from '../../../src/lib/rules/progress.ts'
import { type ProgressRow, selectProgressOfTitles } from '../../queries/progress.ts'
import type { TitleRow } from '../../queries/title.ts'
import { type EpisodeRow, selectEpisodesOfTitles } from '../../queries/title-details.ts'
import { selectFirstSeasonEpisodes, selectPlannedTitles } from '../../queries/watch-next.ts'
import { getTitleLanguage, getViewerDate } from '../auth/caller.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import type { ProfileContext } from '../context.ts'
import { loadViewingTime } from '../family/viewing-time.ts'
import { loadEpisodeAvailabilityOfTitles } from '../library/availability.ts'
import {
  type ContinueCandidate,
  type EpisodeToPlay,
  findEpisodeProgress,
  loadContinueCandidates,
} from '../progress/continue-candidates.ts'
import { toNextEpisode } from '../progress/continue-watching.ts'

const MAX_CONTINUED_TITLES = 100
const MAX_PLANNED_TITLES = 100
/** Maximum number of titles of the watchlist that are examined, in batches of MAX_PLANNED_TITLES. */
const MAX_EXAMINED_TITLES = 1_000

interface WatchNextCandidate extends EpisodeToPlay {
  kind: WatchNextItem['kind']
}

export async function listWatchNext(context: ProfileContext) {
  const { deps, caller } = context
  const continueCandidates = (await loadContinueCandidates(context)).slice(0, MAX_CONTINUED_TITLES)
  const { plannedCandidates, hasMore } = await loadPlannedTitles(
    context,
    continueCandidates.map(({ title }) => title.title_id),
  )
  const candidates = [
    ...continueCandidates.map((candidate) => ({ ...candidate, kind: getContinuedKind(candidate) })),
    ...plannedCandidates,
  ]
  const titles = candidates.map(({ title }) => title)
  const [cardsById, findAvailability, viewingTime] = await Promise.all([
    loadCardsById(deps, titles, getTitleLanguage(caller)),
    loadEpisodeAvailabilityOfTitles(
      deps,
      titles.filter(({ type }) => type === 'tv'),
    ),
    loadViewingTime(context),
  ])
  return {
    results: candidates.flatMap((candidate) => {
      const card = cardsById.get(candidate.title.title_id)
      if (!card) return []
      const availability = candidate.episode ? findAvailability(candidate.title, candidate.episode) : card
      return [toWatchNextItem(context, candidate, { media: card, available: availability.available })]
    }),
    has_more_planned: hasMore,
    viewing_time: viewingTime,
  }
}

function getContinuedKind({ progress, isNewSeason }: ContinueCandidate): WatchNextItem['kind'] {
  if (progress) return 'continue'
  return isNewSeason ? 'new_season' : 'next_episode'
}

/**
 * Loads the first released titles of the watchlist that are not completed, except `continuedTitleIds`. For a series,
 * also loads the episode to start or continue. A series without an episode to watch is left out, so further titles are
 * loaded in its place.
 */
async function loadPlannedTitles(
  context: ProfileContext,
  continuedTitleIds: readonly number[],
): Promise<{ plannedCandidates: WatchNextCandidate[]; hasMore: boolean }> {
  const { deps, caller } = context
  const today = getViewerDate(caller, deps.now())
  const candidates: WatchNextCandidate[] = []
  for (let offset = 0; offset < MAX_EXAMINED_TITLES; offset += MAX_PLANNED_TITLES) {
    const titles = await selectPlannedTitles(deps.database.primary, caller.audience, {
      profileId: caller.profile.profile_id,
      today,
      excludedTitleIds: continuedTitleIds,
      limit: MAX_PLANNED_TITLES,
      offset,
    })
    candidates.push(...(await toPlannedCandidates(context, titles, today)))
    const hasMore = candidates.length > MAX_PLANNED_TITLES
    if (hasMore || titles.length < MAX_PLANNED_TITLES)
      return { plannedCandidates: candidates.slice(0, MAX_PLANNED_TITLES), hasMore }
  }
  return { plannedCandidates: candidates, hasMore: true }
}

/** Returns the titles that have something to watch, with the episode to start or continue. */
async function toPlannedCandidates(
  { deps, caller }: ProfileContext,
  titles: readonly TitleRow[],
  today: string,
): Promise<WatchNextCandidate[]> {
  const { primary, reader } = deps.database
  const progressRowsByTitleId = Map.groupBy(
    await selectProgressOfTitles(
      primary,
      caller.profile.profile_id,
      titles.map(({ title_id }) => title_id),
    ),
    (row) => row.title_id,
  )
  const seriesIds = titles.filter(({ type }) => type === 'tv').map(({ title_id }) => title_id)
  const firstEpisodes = await selectFirstSeasonEpisodes(
    reader,
    seriesIds.filter((id) => !progressRowsByTitleId.has(id)),
  )
  // Whether an episode without a date has aired depends on the episodes of all seasons. For a series with such an
  // episode, all seasons are therefore loaded.
  const undatedSeriesIds = new Set(
    firstEpisodes.filter(({ air_date }) => !air_date).map(({ title_id }) => title_id),
  )
  const episodesOfAllSeasons = await selectEpisodesOfTitles(
    reader,
    seriesIds.filter((id) => progressRowsByTitleId.has(id) || undatedSeriesIds.has(id)),
  )
  const episodesByTitleId = Map.groupBy(
    [...episodesOfAllSeasons, ...firstEpisodes.filter(({ title_id }) => !undatedSeriesIds.has(title_id))],
    (row) => row.title_id,
  )
  return titles.flatMap((title) => {
    const progressRows = progressRowsByTitleId.get(title.title_id) ?? []
    const plannedItem = findPlannedEpisode(title, {
      progressRows,
      episodes: episodesByTitleId.get(title.title_id) ?? [],
      today,
    })
    return plannedItem ? [{ ...plannedItem, kind: 'planned' as const }] : []
  })
}

interface PlannedTitleFacts {
  progressRows: ProgressRow[]
  episodes: EpisodeRow[]
  today: string
}

/**
 * Returns the movie or the episode to play. Returns null for a series without a released and unwatched
 * episode.
 */
function findPlannedEpisode(
  title: TitleRow,
  { progressRows, episodes, today }: PlannedTitleFacts,
): EpisodeToPlay | null {
  if (title.type === 'movie') return { title, progress: progressRows[0] ?? null, episode: null }
  if (progressRows.length === 0) {
    const episode = findFirstEpisode(episodes, today)
    return episode && { title, progress: null, episode }
  }
  const episodeProgress = progressRows.map((row) => ({ ...row, finished: row.finished === 1 }))
  const continuation = findSeriesContinuation(episodeProgress, episodes, today)
  if (!continuation) return null
  const { kind, episode } = continuation
  return { title, episode, progress: kind === 'resume' ? findEpisodeProgress(progressRows, episode) : null }
}

function toWatchNextItem(
  context: ProfileContext,
  { kind, title, progress, episode }: WatchNextCandidate,
  { media: card, available }: { media: MediaCard; available: boolean | undefined },
): WatchNextItem {
  const durationSeconds = progress?.duration || (episode?.runtime ?? title.runtime ?? 0)
  const positionSeconds = progress?.progress ?? 0
  return {
    kind,
    media: card,
    episode: toNextEpisode(context, { title, episode }),
    percentage: getProgressPercentage(positionSeconds, durationSeconds),
    remaining_seconds: durationSeconds > 0 ? Math.max(0, durationSeconds - positionSeconds) : null,
    ...(available !== undefined && { available }),
  }
}

/** Finds the titles in progress, with the episode that continues each series (docs/next-up.md). */
import { computeSeriesCard } from '../../../src/lib/rules/next-up.ts'
import { DAY_MS } from '../../core/dates.ts'
import {
  type ProgressRow,
  type RecentlyPlayedTitle,
  selectProgressOfTitles,
  selectRecentlyPlayed,
} from '../../queries/progress.ts'
import { selectTitlesByIds, type TitleRow } from '../../queries/title.ts'
import { type EpisodeRow, selectEpisodesOfTitles } from '../../queries/title-details.ts'
import { getViewerDate } from '../auth/caller.ts'
import type { ProfileContext } from '../context.ts'

/** A movie whose progress has not changed for this time is omitted. The rule for series is in docs/next-up.md. */
const MAX_IDLE_MS = 90 * DAY_MS
/** Number of recently played titles whose progress and episodes are loaded together. */
const TITLES_PER_BATCH = 200
/** No further batch is loaded once this number of titles in progress was found. */
const MIN_CANDIDATES = 200

/** A movie or an episode to play. */
export interface EpisodeToPlay {
  title: TitleRow
  /** Progress in the movie or episode; null when it was not started. */
  progress: ProgressRow | null
  /** The episode to play; null for a movie. */
  episode: EpisodeRow | null
}
interface ProgressCandidate extends EpisodeToPlay {
  /** Air date of the new episode for which the series is shown again; 0 if there is none. */
  airedAtMs: number
  /** True when this new episode is the first episode of its season. */
  isNewSeason: boolean
}
export interface ContinueCandidate extends ProgressCandidate {
  lastActivityMs: number
}

/** Returns the titles in progress, latest activity first. Omits series without unwatched episodes. */
export async function loadContinueCandidates(context: ProfileContext): Promise<ContinueCandidate[]> {
  const { deps, caller } = context
  const nowMs = deps.now()
  const playedTitles = await selectRecentlyPlayed(deps.database.primary, caller.audience, {
    profileId: caller.profile.profile_id,
    sinceMs: nowMs - MAX_IDLE_MS,
    airedFrom: getViewerDate(caller, nowMs - MAX_IDLE_MS),
    today: getViewerDate(caller, nowMs),
  })
  playedTitles.sort((a, b) => getMaxActivityMs(b) - getMaxActivityMs(a) || a.titleId - b.titleId)
  const candidates: ContinueCandidate[] = []
  // Completed series are not candidates, and any number of them can precede a series in progress. The limit therefore
  // counts candidates, not played titles.
  for (
    let startIndex = 0;
    startIndex < playedTitles.length && candidates.length < MIN_CANDIDATES;
    startIndex += TITLES_PER_BATCH
  ) {
    const batch = playedTitles.slice(startIndex, startIndex + TITLES_PER_BATCH)
    candidates.push(...(await findCandidates(context, batch, nowMs)))
  }
  return candidates.toSorted(
    (a, b) => b.lastActivityMs - a.lastActivityMs || a.title.title_id - b.title.title_id,
  )
}

/** Returns the latest possible `lastActivityMs` of the title. */
const getMaxActivityMs = ({ lastPlayedMs, latestAirDate }: RecentlyPlayedTitle) =>
  Math.max(lastPlayedMs, latestAirDate ? Date.parse(latestAirDate) : 0)

async function findCandidates(
  { deps, caller }: ProfileContext,
  playedTitles: readonly RecentlyPlayedTitle[],
  nowMs: number,
): Promise<ContinueCandidate[]> {
  const { primary, reader } = deps.database
  const titleIds = playedTitles.map(({ titleId }) => titleId)
  const titlesById = new Map(
    (await selectTitlesByIds(reader, caller.audience, titleIds)).map((row) => [row.title_id, row]),
  )
  const progressRowsByTitleId = Map.groupBy(
    await selectProgressOfTitles(primary, caller.profile.profile_id, titleIds),
    (row) => row.title_id,
  )
  const seriesIds = titleIds.filter((id) => titlesById.get(id)?.type === 'tv')
  const episodesByTitleId = Map.groupBy(
    await selectEpisodesOfTitles(reader, seriesIds),
    (row) => row.title_id,
  )
  return playedTitles.flatMap(({ titleId, lastPlayedMs }) => {
    const title = titlesById.get(titleId)
    const progressRows = progressRowsByTitleId.get(titleId) ?? []
    const episodes = episodesByTitleId.get(titleId) ?? []
    const candidate = title && findProgressCandidate(title, { progressRows, episodes, nowMs, caller })
    if (!candidate) return []
    // `airedAtMs` is midnight in UTC. East of UTC, the date of the viewer begins earlier, so `airedAtMs` can be in the
    // future.
    return [{ ...candidate, lastActivityMs: Math.max(lastPlayedMs, Math.min(candidate.airedAtMs, nowMs)) }]
  })
}

interface CandidateFacts {
  progressRows: ProgressRow[]
  episodes: EpisodeRow[]
  nowMs: number
  caller: ProfileContext['caller']
}

function findProgressCandidate(
  title: TitleRow,
  { progressRows, episodes, nowMs, caller }: CandidateFacts,
): ProgressCandidate | null {
  if (title.type === 'movie') {
    const [movieProgress] = progressRows
    if (!movieProgress || movieProgress.finished || movieProgress.updated_at < nowMs - MAX_IDLE_MS)
      return null
    return { title, progress: movieProgress, episode: null, airedAtMs: 0, isNewSeason: false }
  }
  const episodeProgress = progressRows.map((row) => ({ ...row, finished: row.finished === 1 }))
  const episodeFacts = episodes.map((row) => ({ ...row, runtime_seconds: row.runtime, row }))
  const seriesState = {
    episodes: episodeFacts,
    credits_at: title.credits_at,
    getViewerDate: (timeMs: number) => getViewerDate(caller, timeMs),
  }
  const card = computeSeriesCard(seriesState, episodeProgress, nowMs)
  if (card.kind === 'none' || !card.facts) return null
  const { row } = card.facts
  const isNewEpisode = card.reason === 'new_episode'
  return {
    title,
    progress: card.kind === 'resume' ? findEpisodeProgress(progressRows, row) : null,
    episode: row,
    airedAtMs: isNewEpisode && row.air_date ? Date.parse(row.air_date) : 0,
    isNewSeason: isNewEpisode && !episodes.some((episode) => isEarlierInSeason(episode, row)),
  }
}

const isEarlierInSeason = (a: EpisodeRow, b: EpisodeRow) =>
  a.season_number === b.season_number && a.episode_number < b.episode_number

/** Returns the progress in an episode; null when the episode was not started. */
export const findEpisodeProgress = (
  progressRows: readonly ProgressRow[],
  { season_number, episode_number }: EpisodeRow,
): ProgressRow | null =>
  progressRows.find((row) => row.season_number === season_number && row.episode_number === episode_number) ??
  null

/** Marks a movie or episodes as seen in the change set. Does no I/O. */
import type { ViewingScope } from '../../../src/lib/contract/viewings.ts'
import { compareEpisodes, type EpisodeRef, isSpecial } from '../../../src/lib/rules/episode-order.ts'
import { parseDeviceTime } from '../../core/dates.ts'
import { createFieldProblem } from '../../core/problem.ts'
import type { TitleRow } from '../../queries/title.ts'
import type { EpisodeRow } from '../../queries/title-details.ts'
import { findViewing } from '../history-import/find-viewing.ts'
import { UNKNOWN_NUMBER } from '../history-import/season-episode.ts'
import { parseViewingTimestamp, type ViewingTimestamp } from '../history-import/viewing-timestamp.ts'
import {
  listReleasedEpisodes,
  omitSpecials,
  type TrackedTitle,
  updateWatchState,
} from './series-completion.ts'

/** A movie or an episode. A movie is stored as episode 0 of season 0. */
export interface MovieOrEpisode {
  season_number: number
  episode_number: number
  release_date: string | null
  runtimeSeconds: number | null
}

interface MarkOptions {
  date: 'now' | 'release' | 'chosen'
  /** Time of the viewings if `date` is `now` or `chosen`; ignored if `date` is `release`. */
  time: ViewingTimestamp
  /** True to add a viewing even if the movie or episode is already seen. */
  again: boolean
}

/** A chosen time may be this much in the future, because the clock of the device may be ahead of the server's. */
const MAX_CLOCK_LEAD_MS = 5_000

/**
 * If a viewing is marked with `now`, the current time replaces a device time that is earlier than this constant. The
 * clock of the device was then not set yet: a device without a battery starts its clock in 1970.
 */
const EARLIEST_TRUSTED_CLOCK_MS = Date.UTC(2000, 0, 1)

/**
 * Returns the time of the viewing; 0 if `date` is `release`. If `date` is `now`, the current time replaces a time in
 * the future, and a time before EARLIEST_TRUSTED_CLOCK_MS. Throws 422 when `date` is `chosen` and there is neither a
 * time nor a day, or the time or day is in the future or before 1970. Also throws 422 for a day when `date` is not
 * `chosen`.
 */
export function parseMarkTime(
  {
    date,
    at: chosenTime,
    day: chosenDay,
    sent_at: sentAt,
  }: {
    date: MarkOptions['date']
    at?: string | undefined
    day?: string | undefined
    sent_at?: string | undefined
  },
  nowMs: number,
): ViewingTimestamp {
  if (date !== 'chosen' && chosenDay) throw createFieldProblem('day', 'not_chosen')
  if (date === 'release') return { ms: 0, isDateOnly: false }
  if (date === 'chosen' && !chosenTime && !chosenDay) throw createFieldProblem('day', 'needed')
  if (date === 'chosen' && chosenDay) return parseChosenDay(chosenDay, nowMs)
  if (!chosenTime) return { ms: nowMs, isDateOnly: false }
  const timeMs = date === 'now' ? parseDeviceTime(chosenTime, sentAt, nowMs) : Date.parse(chosenTime)
  if (date === 'now')
    return { ms: timeMs < EARLIEST_TRUSTED_CLOCK_MS ? nowMs : Math.min(timeMs, nowMs), isDateOnly: false }
  if (timeMs <= 0) throw createFieldProblem('at', 'too_early')
  if (timeMs > nowMs + MAX_CLOCK_LEAD_MS) throw createFieldProblem('at', 'future')
  return { ms: timeMs, isDateOnly: false }
}

/**
 * Returns the time of a chosen day. Accepts a day that is one day after the current UTC day, because of the time zone
 * of the viewer. Throws 422 for a later day, and for a day before 1970.
 */
function parseChosenDay(day: string, nowMs: number): ViewingTimestamp {
  const viewingTime = parseViewingTimestamp(day, nowMs)
  if (viewingTime.ms <= 0) throw createFieldProblem('day', Date.parse(day) > nowMs ? 'future' : 'too_early')
  return viewingTime
}

/**
 * Throws 422 when the scope does not fit the title, or when the season or the episode is missing or superfluous for the
 * scope.
 */
export function requireValidScope(
  title: TrackedTitle['title'],
  { scope, season, episode }: ViewingScope,
): void {
  if (title.type === 'movie' && scope !== 'title') throw createFieldProblem('scope', 'not_for_movies')
  if (scope === 'title' && season !== undefined) throw createFieldProblem('season', 'not_for_titles')
  if ((scope === 'title' || scope === 'season') && episode !== undefined)
    throw createFieldProblem('episode', `not_for_${scope}s`)
  if (scope !== 'title' && season === undefined) throw createFieldProblem('season', 'needed')
  if ((scope === 'episode' || scope === 'up_to') && episode === undefined)
    throw createFieldProblem('episode', 'needed')
}

/**
 * True for an episode in the scope. Every episode is in the scope of a whole title. An episode without a known number
 * is not in the scope `up_to`.
 */
export function isInScope(candidate: EpisodeRef, { scope, season = 0, episode = 0 }: ViewingScope): boolean {
  const lastEpisode = { season_number: season, episode_number: episode }
  if (scope === 'title') return true
  if (scope === 'season') return candidate.season_number === season
  if (scope === 'episode') return compareEpisodes(candidate, lastEpisode) === 0
  if (candidate.season_number === UNKNOWN_NUMBER || candidate.episode_number === UNKNOWN_NUMBER) return false
  return isSpecial(candidate) === isSpecial(lastEpisode) && compareEpisodes(candidate, lastEpisode) <= 0
}

/**
 * Returns the movies or episodes in the scope. The scope of a whole series contains its specials only if there are no
 * other episodes. Unreleased episodes are omitted. An unreleased movie is included, because it can be seen at a
 * festival. Throws 422 for an invalid scope, and when the given season or episode does not exist or is not released.
 */
export function listMoviesOrEpisodes(
  { title, episodes, today }: Omit<TrackedTitle, 'changeSet' | 'nowMs'>,
  viewingScope: ViewingScope,
): MovieOrEpisode[] {
  requireValidScope(title, viewingScope)
  if (title.type === 'movie') return [describeMovie(title)]
  const { scope } = viewingScope
  const candidates =
    scope === 'title' ? omitSpecials(episodes) : episodes.filter((row) => isInScope(row, viewingScope))
  if (candidates.length === 0 && scope !== 'title') throw createFieldProblem('episode', 'unknown')
  const releasedEpisodes = new Set(listReleasedEpisodes(episodes, today))
  const releasedCandidates = candidates.filter((candidate) => releasedEpisodes.has(candidate))
  if (releasedCandidates.length === 0 && scope !== 'title') throw createFieldProblem('scope', 'not_released')
  return releasedCandidates.map(describeEpisode)
}

const describeMovie = ({ release_date, runtime }: TitleRow): MovieOrEpisode => ({
  season_number: 0,
  episode_number: 0,
  release_date,
  runtimeSeconds: runtime,
})
const describeEpisode = ({
  season_number,
  episode_number,
  air_date,
  runtime,
}: EpisodeRow): MovieOrEpisode => ({
  season_number,
  episode_number,
  release_date: air_date,
  runtimeSeconds: runtime,
})

/**
 * Adds a viewing of each movie or episode, sets its progress to finished, and updates the watch state. Without `again`,
 * does not change what is already seen. Returns the number of added viewings.
 */
export function markTitle(
  trackedTitle: TrackedTitle,
  moviesOrEpisodes: readonly MovieOrEpisode[],
  { date, time, again }: MarkOptions,
): number {
  const { title, changeSet, nowMs } = trackedTitle
  let addedCount = 0
  for (const { season_number, episode_number, release_date, runtimeSeconds } of moviesOrEpisodes) {
    const episodeKey = { title_id: title.title_id, season_number, episode_number }
    const progressRow = changeSet.get('progress', episodeKey)
    if (progressRow?.['finished'] === 1 && !again) continue
    const viewingTime = date === 'release' ? parseViewingTimestamp(release_date ?? undefined, nowMs) : time
    const viewingKey = { ...episodeKey, name: '' }
    const isNewViewing = findViewing(changeSet, viewingKey, viewingTime) === null
    if (isNewViewing)
      changeSet.set('play', {
        ...viewingKey,
        watched_at: viewingTime.ms,
        by_day: viewingTime.isDateOnly ? 1 : 0,
        marked: 1,
        note: null,
      })
    addedCount += isNewViewing ? 1 : 0
    const durationSeconds = Number(progressRow?.['duration'] || (runtimeSeconds ?? title.runtime ?? 0))
    changeSet.set('progress', {
      ...episodeKey,
      progress: durationSeconds,
      duration: durationSeconds,
      finished: 1,
      plays: Math.max(1, Number(progressRow?.['plays'] ?? 0) + (isNewViewing ? 1 : 0)),
      // A time in the future would be newer than the next reports of the player, which would then change nothing.
      updated_at: Math.max(Number(progressRow?.['updated_at'] ?? 0), Math.min(viewingTime.ms, nowMs)),
    })
  }
  updateWatchState(trackedTitle)
  return addedCount
}

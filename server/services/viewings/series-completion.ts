/**
 * Keeps the watch state consistent with the progress. A movie is completed when it is finished. A series is completed
 * when each of its expected episodes (`listExpectedEpisodes`) is finished.
 */
import {
  compareEpisodes,
  type EpisodeRef,
  hasAired,
  isSpecial,
} from '../../../src/lib/rules/episode-order.ts'
import type { TitleRow } from '../../queries/title.ts'
import type { EpisodeDate, EpisodeRow } from '../../queries/title-details.ts'
import type { TrackingRow } from '../../queries/tracking-row.ts'
import type { TrackingChangeSet } from '../history-import/tracking-change-set.ts'

/** The facts that decide whether a title is completed. */
interface CompletionFacts {
  title: Pick<TitleRow, 'title_id' | 'type'>
  /** Episodes of the series; empty for a movie. */
  episodes: readonly EpisodeDate[]
  changeSet: TrackingChangeSet
  nowMs: number
  /** The date of the viewer, `YYYY-MM-DD`, which decides what is released. */
  today: string
}

/** A title with its episodes and the tracking rows of the profile. */
export interface TrackedTitle extends CompletionFacts {
  title: TitleRow
  episodes: readonly EpisodeRow[]
}

/** Returns the episodes that have aired, in order. */
export function listReleasedEpisodes<E extends EpisodeDate>(episodes: readonly E[], today: string): E[] {
  return episodes.filter((episode) => hasAired(episode, episodes, today)).sort(compareEpisodes)
}

/** Returns the regular episodes. For a series that has only specials, returns the specials. */
export function omitSpecials<E extends EpisodeDate>(episodes: readonly E[]): readonly E[] {
  const regularEpisodes = episodes.filter((episode) => !isSpecial(episode))
  return regularEpisodes.length > 0 ? regularEpisodes : episodes
}

/**
 * Returns the episodes that must be finished for a series to be completed: the released regular episodes or, when no
 * regular episode is released, the released specials.
 */
const listExpectedEpisodes = (episodes: readonly EpisodeDate[], today: string) =>
  omitSpecials(listReleasedEpisodes(episodes, today))

/** True if each expected episode (`listExpectedEpisodes`) of a series is finished, and there is at least one. */
export function isSeriesSeen(
  episodes: readonly EpisodeDate[],
  finishedEpisodes: readonly EpisodeRef[],
  today: string,
): boolean {
  const expectedEpisodes = listExpectedEpisodes(episodes, today)
  const getKey = ({ season_number, episode_number }: EpisodeRef) => `${season_number}x${episode_number}`
  const finishedKeys = new Set(finishedEpisodes.map(getKey))
  return expectedEpisodes.length > 0 && expectedEpisodes.every((episode) => finishedKeys.has(getKey(episode)))
}

/**
 * Sets the watch state of the watchlist entry to `completed` when the movie or all expected episodes
 * (`listExpectedEpisodes`) are finished. When a `completed` entry no longer meets this condition, its state becomes
 * `watching`, or `planned` if no expected episode is finished. Does nothing for titles outside the watchlist.
 */
export function updateWatchState(facts: CompletionFacts): void {
  changeWatchState(facts, () => true)
}

/** Like `updateWatchState`, but only sets the state to `completed`. A `completed` entry stays completed. */
export function completeWatchState(facts: CompletionFacts): void {
  changeWatchState(facts, (watchState) => watchState === 'completed')
}

function changeWatchState(
  facts: CompletionFacts,
  isAllowed: (watchState: TrackingRow['state']) => boolean,
): void {
  const { title, changeSet, nowMs } = facts
  const watchlistEntry = changeSet.get('list', { title_id: title.title_id })
  if (watchlistEntry?.['in_watchlist'] !== 1) return
  const watchState = computeWatchState(facts, watchlistEntry)
  if (watchState !== watchlistEntry['state'] && isAllowed(watchState))
    changeSet.set('list', { ...watchlistEntry, state: watchState, updated_at: nowMs })
}

function computeWatchState(
  { title, episodes, changeSet, today }: CompletionFacts,
  watchlistEntry: TrackingRow,
): TrackingRow['state'] {
  const isEpisodeFinished = (season_number: number, episode_number: number) =>
    changeSet.get('progress', { title_id: title.title_id, season_number, episode_number })?.['finished'] === 1
  const expectedEpisodes =
    title.type === 'movie' ? [{ season_number: 0, episode_number: 0 }] : listExpectedEpisodes(episodes, today)
  if (expectedEpisodes.length === 0) return watchlistEntry['state'] ?? null
  const seenEpisodeCount = expectedEpisodes.filter((episode) =>
    isEpisodeFinished(episode.season_number, episode.episode_number),
  ).length
  if (seenEpisodeCount === expectedEpisodes.length) return 'completed'
  if (watchlistEntry['state'] !== 'completed') return watchlistEntry['state'] ?? null
  return seenEpisodeCount > 0 ? 'watching' : 'planned'
}

/**
 * Removes viewings, and changes their dates and notes, in the change set. Derives the progress from the remaining
 * viewings. Does no I/O.
 */
import type { ViewingRef, ViewingScope } from '../../../src/lib/contract/viewings.ts'
import type { EpisodeRef } from '../../../src/lib/rules/episode-order.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { TrackingRow } from '../../queries/tracking-row.ts'
import { findViewing } from '../history-import/find-viewing.ts'
import { UNKNOWN_NUMBER } from '../history-import/season-episode.ts'
import type { TrackingChangeSet } from '../history-import/tracking-change-set.ts'
import type { ViewingTimestamp } from '../history-import/viewing-timestamp.ts'
import { isInScope, requireValidScope } from './mark-title.ts'
import { type TrackedTitle, updateWatchState } from './series-completion.ts'

/**
 * Returns the stored viewing. Throws 404 when it does not exist. A reference without a time finds a viewing at or
 * before the start of 1970, because the API returns these viewings without a time.
 */
export function requireViewing({ title, changeSet }: TrackedTitle, viewingRef: ViewingRef): TrackingRow {
  const isMovie = title.type === 'movie'
  const viewingKey = {
    title_id: title.title_id,
    season_number: isMovie ? 0 : (viewingRef.season ?? UNKNOWN_NUMBER),
    episode_number: isMovie ? 0 : (viewingRef.episode ?? UNKNOWN_NUMBER),
    name: viewingRef.name ?? '',
  }
  const viewing =
    viewingRef.watched_at === null
      ? changeSet
          .getViewings(viewingKey)
          .find((row) => row['name'] === viewingKey.name && Number(row['watched_at']) <= 0)
      : changeSet.get('play', { ...viewingKey, watched_at: Date.parse(viewingRef.watched_at) })
  if (!viewing) throw new Problem('not_found')
  return viewing
}

/** Removes a viewing. The movie or episode counts as seen while it has another viewing. */
export function removeViewing(trackedTitle: TrackedTitle, viewing: TrackingRow): void {
  const { changeSet } = trackedTitle
  changeSet.delete('play', viewing)
  const progressRow = findProgressRow(changeSet, viewing)
  if (!progressRow) return
  const remainingTimesMs = listViewingTimesMs(changeSet, viewing)
  const playCount = Math.max(remainingTimesMs.length, Number(progressRow['plays']) - 1)
  if (progressRow['finished'] !== 1) changeSet.set('progress', { ...progressRow, plays: playCount })
  else if (remainingTimesMs.length === 0) changeSet.delete('progress', progressRow)
  else
    changeSet.set('progress', {
      ...updateLastViewingTime(trackedTitle, progressRow, viewing),
      plays: playCount,
    })
  updateWatchState(trackedTitle)
}

/**
 * Returns the movie or the episodes in the scope that have viewings or progress, also if they are not released or the
 * catalogue no longer contains them. A whole title or season includes imported viewings without numbers. Throws 422 for
 * an invalid scope, and for a season or episode that neither the catalogue nor the history contains.
 */
export function listRemovedEpisodes(trackedTitle: TrackedTitle, viewingScope: ViewingScope): EpisodeRef[] {
  const { title, episodes, changeSet } = trackedTitle
  requireValidScope(title, viewingScope)
  const isRemoved = (episode: EpisodeRef) => isInScope(episode, viewingScope)
  const removedEpisodes = changeSet.listTrackedEpisodes(title.title_id).filter(isRemoved)
  if (viewingScope.scope !== 'title' && removedEpisodes.length === 0 && !episodes.some(isRemoved))
    throw createFieldProblem('episode', 'unknown')
  return removedEpisodes
}

/** Removes all viewings and the progress of movies and episodes. Returns the number of removed viewings. */
export function removeEpisodes(trackedTitle: TrackedTitle, episodes: readonly EpisodeRef[]): number {
  const { title, changeSet } = trackedTitle
  let removedCount = 0
  for (const { season_number, episode_number } of episodes) {
    const episodeKey = { title_id: title.title_id, season_number, episode_number }
    for (const viewing of [...changeSet.getViewings(episodeKey)]) {
      changeSet.delete('play', viewing)
      removedCount += 1
    }
    if (changeSet.get('progress', episodeKey)) changeSet.delete('progress', episodeKey)
  }
  updateWatchState(trackedTitle)
  return removedCount
}

/** Sets the note of a viewing; null removes the note. Returns true if the note has changed. */
export function setViewingNote(
  { changeSet }: TrackedTitle,
  viewing: TrackingRow,
  note: string | null,
): boolean {
  const hasChanged = (viewing['note'] ?? null) !== note
  if (hasChanged) changeSet.set('play', { ...viewing, note })
  return hasChanged
}

/**
 * Changes the time of a viewing. Throws 422 when the movie or episode already has another viewing at this time or day.
 */
export function moveViewingToTime(
  trackedTitle: TrackedTitle,
  viewing: TrackingRow,
  time: ViewingTimestamp,
): void {
  const { changeSet } = trackedTitle
  const movedViewing = { ...viewing, watched_at: time.ms, by_day: time.isDateOnly ? 1 : 0 }
  const viewingAtTime = findViewing(changeSet, viewing, time)
  if (viewingAtTime && viewingAtTime['watched_at'] !== viewing['watched_at'])
    throw createFieldProblem('day', 'exists')
  changeSet.delete('play', viewing)
  changeSet.set('play', movedViewing)
  const progressRow = findProgressRow(changeSet, viewing)
  if (progressRow?.['finished'] === 1)
    changeSet.set('progress', updateLastViewingTime(trackedTitle, progressRow, viewing))
}

const findProgressRow = (
  changeSet: TrackingChangeSet,
  { title_id, season_number, episode_number }: TrackingRow,
) => changeSet.get('progress', { title_id, season_number, episode_number } as TrackingRow)
const listViewingTimesMs = (changeSet: TrackingChangeSet, viewing: TrackingRow) =>
  changeSet.getViewings(viewing).map((row) => Number(row['watched_at']))

/**
 * Returns the progress with the time of the last viewing, but at most the current time. Call this function after
 * `viewing` was removed or moved. A progress time later than `viewing` comes from the player, and is kept unless a
 * viewing is even later.
 */
function updateLastViewingTime(
  { changeSet, nowMs }: TrackedTitle,
  progress: TrackingRow,
  viewing: TrackingRow,
): TrackingRow {
  const updatedAtMs = Number(progress['updated_at'])
  const reportedAtMs = updatedAtMs > Number(viewing['watched_at']) ? updatedAtMs : 0
  const lastTimeMs = Math.max(reportedAtMs, ...listViewingTimesMs(changeSet, viewing))
  return { ...progress, updated_at: Math.min(lastTimeMs, nowMs) }
}

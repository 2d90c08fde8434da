/**
 * Decides how a new write changes the pending writes: the new write merges with an older write, or makes older writes
 * obsolete.
 */
import type { PlayedTime } from '../contract/viewing-time.ts'
import type { PendingWrite, WriteRequest } from './write-request.ts'

/** Maximum number of players whose playing time is part of one progress report. */
const MAX_PLAYBACK_SESSIONS = 20

/**
 * Combines two writes to the same object. Merges preferences, watchlist changes and playing times, and keeps the newer
 * progress. For all other kinds, the next write replaces the previous write.
 */
export function mergeWrites(previousWrite: WriteRequest | undefined, nextWrite: WriteRequest): WriteRequest {
  if (previousWrite?.kind === 'list' && nextWrite.kind === 'list') {
    const { in_watchlist } = nextWrite.body
    return {
      ...previousWrite,
      ...nextWrite,
      body: in_watchlist ? { ...previousWrite.body, ...nextWrite.body } : { in_watchlist },
    }
  }
  if (previousWrite?.kind === 'progress' && nextWrite.kind === 'progress')
    return {
      ...(previousWrite.at > nextWrite.at ? previousWrite : nextWrite),
      played: mergePlayedTime(previousWrite.played, nextWrite.played),
    }
  if (previousWrite && 'preferences' in previousWrite && 'preferences' in nextWrite)
    return { ...nextWrite, preferences: { ...previousWrite.preferences, ...nextWrite.preferences } }
  return nextWrite
}

/** Combines the playing time of two writes. Each player reports its total, so the larger number is the newer number. */
function mergePlayedTime(
  previousPlayedTimes: PlayedTime[] = [],
  nextPlayedTimes: PlayedTime[] = [],
): PlayedTime[] {
  const secondsBySession = new Map<string, number>()
  for (const { session, seconds } of [...previousPlayedTimes, ...nextPlayedTimes])
    secondsBySession.set(session, Math.max(seconds, secondsBySession.get(session) ?? 0))
  return [...secondsBySession]
    .map(([session, seconds]) => ({ session, seconds }))
    .slice(-MAX_PLAYBACK_SESSIONS)
}

/**
 * Returns true when `write` removes progress and makes `pendingWrite` obsolete. Obsolete writes are progress reports
 * for the titles whose progress is removed, earlier removals of that progress, and the `undo` writes of those removals.
 */
export function isObsoleteAfter(pendingWrite: PendingWrite, write: WriteRequest, writeKey: string): boolean {
  if (pendingWrite.kind === 'undo') return write.kind === 'clear' || pendingWrite.of === writeKey
  if (pendingWrite.kind !== 'progress' && pendingWrite.kind !== 'reset' && pendingWrite.kind !== 'clear')
    return false
  if (write.kind === 'clear') return true
  if (write.kind !== 'reset' || pendingWrite.kind === 'clear') return false
  return pendingWrite.title.type === write.title.type && pendingWrite.title.id === write.title.id
}

/**
 * Returns the write with only the type and id of its title, and only the fields of a card in `card`. Stores may pass
 * the full details of a title as `title` and as `card`.
 */
export function stripCard(write: WriteRequest): WriteRequest {
  if (!('title' in write)) return write
  const titleRef = { type: write.title.type, id: write.title.id }
  if (write.kind !== 'list' || !write.card) return { ...write, title: titleRef }
  const { id, type, slug, title, title_lang, original_title, release_date, year } = write.card
  const { poster_path, backdrop_path, color, language, rating, rating_votes, rated } = write.card
  const { safe_for_kids, high_quality, runtime } = write.card
  const card = {
    id,
    type,
    slug,
    title,
    ...(title_lang !== undefined && { title_lang }),
    original_title,
    release_date,
    year,
    poster_path,
    backdrop_path,
    color,
    language,
    rating,
    rating_votes,
    rated,
    safe_for_kids,
    high_quality,
    runtime,
    genres: [],
  }
  return { ...write, title: titleRef, card }
}

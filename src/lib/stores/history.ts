import { call } from '../client/call.ts'
import * as calls from '../contract/tracking.ts'
import { $continueWatching } from './media.ts'
import { $profile } from './profile.ts'
import { refetch } from './query.ts'
import { toast } from './toast.ts'
import type { Title } from './watchlist.ts'

const placeOf = ({ type, id }: Title) => ({ id: $profile.get()?.profile_id ?? '', type, mediaId: id })

/** Takes a card out of Continue Watching without losing the place. */
export async function dismissCard(title: Title): Promise<void> {
  const before = $continueWatching.get().data
  if (before)
    $continueWatching.mutate({
      ...before,
      results: before.results.filter(({ media }) => media.id !== title.id),
    })
  try {
    await call(calls.putInteraction, { params: placeOf(title), body: { event: 'dismiss' } })
    toast('home:removedFromRow', { undo: () => void undismiss(title) })
  } catch {
    $continueWatching.mutate(before)
    toast('errors:failed', { kind: 'bad' })
  }
}

async function undismiss(title: Title): Promise<void> {
  await call(calls.putInteraction, { params: placeOf(title), body: { event: 'undismiss' } })
  refetch(calls.continueWatching)
}

export interface Position {
  title: Title
  season?: number | undefined
  episode?: number | undefined
  /** Seconds. */
  progress: number
  duration: number
}

/** Saves where the player is; on page hide the request outlives the page. */
export async function saveProgress(
  { title, season, episode, progress, duration }: Position,
  leaving = false,
): Promise<void> {
  const profile = $profile.get()
  if (!profile || !(duration > 0) || progress <= 0) return
  await call(calls.postHistory, {
    params: { id: profile.profile_id },
    body: {
      type: title.type,
      media_id: title.id,
      ...(season !== undefined && { season }),
      ...(episode !== undefined && { episode }),
      progress,
      data: { video_duration: duration },
      at: new Date().toISOString(),
    },
    keepalive: leaving,
  })
  if (!leaving) refetch(calls.continueWatching, calls.getHistory)
}

export async function resetProgress(title: Title): Promise<void> {
  await call(calls.resetHistory, { params: placeOf(title) })
  refetch(calls.continueWatching, calls.getHistory)
  toast('detail:progressReset', { undo: () => void undoHistory() })
}

export async function clearHistory(): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  await call(calls.clearHistory, { params: { id: profile.profile_id } })
  refetch(calls.continueWatching, calls.getHistory)
  toast('account:historyCleared', { undo: () => void undoHistory() })
}

/** Brings back what was reset or cleared last. */
async function undoHistory(): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  try {
    await call(calls.undoHistory, { params: { id: profile.profile_id } })
    refetch(calls.continueWatching, calls.getHistory)
  } catch {
    toast('errors:failed', { kind: 'bad' })
  }
}

import { call } from '../client/call.ts'
import type { Waiting, Write } from '../client/queue.ts'
import * as progressCalls from '../contract/progress.ts'
import { deliver, takeBack } from './deliver.ts'
import { $continueWatching } from './media.ts'
import { $profile } from './profile.ts'
import { progressBody } from './progress-body.ts'
import { refetch } from './query.ts'
import { toast } from './toast.ts'
import type { Title } from './watchlist.ts'

/** Removes a card from Continue Watching. The progress is not deleted. */
export async function dismissCard(title: Title): Promise<void> {
  const previous = $continueWatching.get().data
  if (previous)
    $continueWatching.mutate({
      ...previous,
      results: previous.results.filter(({ media }) => media.id !== title.id),
    })
  try {
    await deliver({ kind: 'card', title, event: 'dismiss' })
    toast('home:removedFromRow', { undo: () => void undismiss(title) })
  } catch {
    $continueWatching.mutate(previous)
    toast('errors:failed', { kind: 'bad' })
  }
}

async function undismiss(title: Title): Promise<void> {
  await deliver({ kind: 'card', title, event: 'undismiss' })
  refetch(progressCalls.continueWatching)
}

export interface Position {
  title: Title
  season?: number | undefined
  episode?: number | undefined
  /** Seconds. */
  progress: number
  duration: number
}

/** Saves the position of the player. With `leaving`, the request continues after the page is closed. */
export async function saveProgress(
  { title, season, episode, progress, duration }: Position,
  leaving = false,
): Promise<void> {
  const profile = $profile.get()
  if (!profile || !(duration > 0) || progress <= 0) return
  const episodePosition = {
    ...(season !== undefined && { season }),
    ...(episode !== undefined && { episode }),
  }
  const at = new Date().toISOString()
  if (leaving && navigator.onLine) {
    // Must be sent synchronously, because a closing page does not run further tasks.
    const body = progressBody({ title, place: episodePosition, progress, duration, at })
    await call(progressCalls.postHistory, { params: { id: profile.profile_id }, body, keepalive: true })
    return
  }
  const saved = await deliver(
    { kind: 'progress', title, place: episodePosition, progress, duration, at },
    leaving,
  )
  if (saved) refetch(progressCalls.continueWatching, progressCalls.getHistory)
}

export async function resetProgress(title: Title): Promise<void> {
  const reset = { kind: 'reset', title } as const
  await deliver(reset)
  refetch(progressCalls.continueWatching, progressCalls.getHistory)
  toast('detail:progressReset', { undo: () => void undoRemoval(reset) })
}

export async function clearAllHistory(): Promise<void> {
  if (!$profile.get()) return
  await deliver({ kind: 'clear' })
  refetch(progressCalls.continueWatching, progressCalls.getHistory)
  toast('account:historyCleared', { undo: () => void undoRemoval({ kind: 'clear' }) })
}

/**
 * Reverts a pending removal, also after a reload; else asks the server to restore the progress that was deleted last.
 */
export async function undoRemoval(removal: Write): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  try {
    if (!(await takeBack(removal)))
      await call(progressCalls.undoHistory, { params: { id: profile.profile_id } })
    refetch(progressCalls.continueWatching, progressCalls.getHistory)
  } catch {
    toast('errors:failed', { kind: 'bad' })
  }
}

/** Returns the pending removal with this name, `clear` or `reset movie/1`, unless it was undone. */
export const removalIn = (pendingWrites: readonly Waiting[], name: string) =>
  pendingWrites.find((write) => write.key.endsWith(` ${name}`) && !write.undone)

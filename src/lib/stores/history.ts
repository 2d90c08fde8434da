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

/** Takes a card out of Continue Watching without losing the place. */
export async function dismissCard(title: Title): Promise<void> {
  const before = $continueWatching.get().data
  if (before)
    $continueWatching.mutate({
      ...before,
      results: before.results.filter(({ media }) => media.id !== title.id),
    })
  try {
    await deliver({ kind: 'card', title, event: 'dismiss' })
    toast('home:removedFromRow', { undo: () => void undismiss(title) })
  } catch {
    $continueWatching.mutate(before)
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

/** Saves where the player is; on page hide the request outlives the page. */
export async function saveProgress(
  { title, season, episode, progress, duration }: Position,
  leaving = false,
): Promise<void> {
  const profile = $profile.get()
  if (!profile || !(duration > 0) || progress <= 0) return
  const place = { ...(season !== undefined && { season }), ...(episode !== undefined && { episode }) }
  const at = new Date().toISOString()
  if (leaving && navigator.onLine) {
    /* At once: the page may run no more than this turn. */
    const body = progressBody({ title, place, progress, duration, at })
    await call(progressCalls.postHistory, { params: { id: profile.profile_id }, body, keepalive: true })
    return
  }
  const saved = await deliver({ kind: 'progress', title, place, progress, duration, at }, leaving)
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

/** Takes back what still waits, also after a reload; else brings back what was reset or cleared last. */
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

/** The removal that waits by that name, `clear` or `reset movie/1`, and was not taken back. */
export const removalIn = (waiting: readonly Waiting[], name: string) =>
  waiting.find((one) => one.key.endsWith(` ${name}`) && !one.undone)

/** Saves the position of the player, and loads the saved progress together with the reports that are not sent yet. */
import { callApi } from '../client/call.ts'
import { isOffline } from '../client/connectivity.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import * as progressCalls from '../contract/progress.ts'
import type { PlayedTime, ViewingTime } from '../contract/viewing-time.ts'
import { listStoredKeys, readStoredJson } from '../storage.ts'
import { PENDING_WRITES_KEY_PREFIX } from '../storage-keys.ts'
import { isOutboxLoaded, sendOrQueueWrite } from './lazy-outbox.ts'
import type { ProgressWithReports } from './merge-reports.ts'
import { $pendingWrites, getWriteOwner } from './pending-writes.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { isProgressRemovalPending, NO_PROGRESS } from './progress.ts'
import { type ProgressWrite, toProgressBody } from './progress-body.ts'
import { refetch } from './query.ts'
import type { TitleRef } from './watchlist.ts'

export interface PlaybackPosition {
  title: TitleRef
  season?: number | undefined
  episode?: number | undefined
  positionSeconds: number
  durationSeconds: number
  /** Start of the credits in seconds. */
  creditsAtSeconds?: number | undefined
  played?: PlayedTime[]
}

/** Reports that this tab is sending. Some of them are not stored as pending writes. */
const $reportsBeingSent = perProfile(() => new Set<ProgressWrite>())

/**
 * Saves the position of the player. Returns the viewing time in the reply. Returns undefined when the server does not
 * count the playing time of the profile, and when there is no reply: the write is sent later, or the page is closing.
 * With `isPageClosing`, the request continues after the page is closed.
 */
export async function saveProgress(
  { title, season, episode, positionSeconds, durationSeconds, creditsAtSeconds, played }: PlaybackPosition,
  isPageClosing = false,
): Promise<ViewingTime | undefined> {
  const profile = $profile.get()
  if (!profile || !(durationSeconds > 0) || positionSeconds <= 0) return undefined
  const report: ProgressWrite = {
    title,
    place: { season, episode },
    progress: positionSeconds,
    duration: durationSeconds,
    creditsAtSeconds,
    at: new Date().toISOString(),
    played,
  }
  const reportsBeingSent = $reportsBeingSent.get()
  reportsBeingSent.add(report)
  try {
    return await sendReport(report, profile.profile_id, isPageClosing)
  } finally {
    reportsBeingSent.delete(report)
  }
}

async function sendReport(
  report: ProgressWrite,
  profileId: string,
  isPageClosing: boolean,
): Promise<ViewingTime | undefined> {
  // A closing page cannot load the outbox, so it sends the position itself.
  if (isPageClosing && !isOutboxLoaded() && !isOffline())
    try {
      await callApi(progressCalls.postProgress, {
        params: { id: profileId },
        body: toProgressBody(report),
        keepalive: true,
      })
      return undefined
    } catch {
      // The page may stay open, for example if its tab is only hidden. The outbox below then repeats the request.
    }
  const reply = await sendOrQueueWrite({ kind: 'progress', ...report }, isPageClosing)
  if (reply) refetch(progressCalls.listContinueWatching, progressCalls.getTitleProgress)
  return (reply as ReplyOf<typeof progressCalls.postProgress> | undefined)?.viewing_time
}

/**
 * Loads the progress in a title for the player. Adds the reports that the server may not have stored yet, and omits
 * progress that a pending write deletes. With the reply alone, the player would resume at an earlier position and then
 * save this position, so the later position would be lost.
 */
export async function loadProgressWithReports(
  title: TitleRef,
  profileId: string,
): Promise<ProgressWithReports> {
  // The reports are listed before the request. The server may store a report after it has read the progress for the
  // reply. When the reply arrives, that report is no longer unsent, but the reply does not contain it.
  const reportsBeforeReply = listUnsentReports(title)
  const titleProgress = await callApi(progressCalls.getTitleProgress, {
    params: { id: profileId, type: title.type, mediaId: title.id },
  })
  if (isProgressRemovalPending($pendingWrites.get(), title)) return NO_PROGRESS
  if (reportsBeforeReply.length === 0) return titleProgress
  const { mergeReports } = await import('./merge-reports.ts')
  return mergeReports(titleProgress, reportsBeforeReply)
}

/**
 * Returns the reports about a title that are being sent or wait to be sent. Stored reports are read from the storage,
 * because the player can start before the outbox is loaded.
 */
function listUnsentReports({ type, id }: TitleRef): ProgressWrite[] {
  const owner = getWriteOwner()
  if (!owner) return []
  const keyPrefix = `${PENDING_WRITES_KEY_PREFIX} ${owner.accountId} ${owner.profileId} progress ${type}/${id} `
  const storedReports = listStoredKeys(keyPrefix).map((key) => readStoredJson(key) as ProgressWrite | null)
  return [...$reportsBeingSent.get(), ...storedReports].filter(
    (report) => report?.title.type === type && report.title.id === id,
  ) as ProgressWrite[]
}

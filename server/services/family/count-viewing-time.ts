/** Counts the playing time that players report with the progress (decision record 40). */
import type { PlayedTime, ViewingTime } from '../../../src/lib/contract/viewing-time.ts'
import { getLocalTime } from '../../../src/lib/rules/local-time.ts'
import { countPlayedTime, splitAtMidnight } from '../../../src/lib/rules/viewing-time.ts'
import type { Db } from '../../db/database.ts'
import {
  addToViewingDay,
  lockViewingTime,
  selectCountedUntilMs,
  selectViewingSession,
  updateViewingLimits,
  upsertViewingSession,
} from '../../queries/viewing-time.ts'
import { DEFAULT_TIME_ZONE, loadViewingFacts, toViewingTime } from './viewing-time.ts'

export interface PlayedVideo {
  profileId: string
  sid: string
  /** Key of the video (`getVideoKey`): title id, season number and episode number, such as `12/1/3`. */
  videoKey: string
  /** True when the video was played to its end. A video already counts as watched when its credits begin. */
  hasEnded: boolean
  playedTimes: readonly PlayedTime[]
}

export const getVideoKey = (titleId: number | string, season = 0, episode = 0) =>
  `${titleId}/${season}/${episode}`

/**
 * Counts reported playing time. Ends the grace if the video has ended or is not the video of the grace. Call
 * this function in a transaction. Returns the updated viewing time; undefined when the viewing time of the
 * profile is not counted.
 */
export async function countViewingTime(
  trx: Db,
  { profileId, sid, videoKey, hasEnded, playedTimes }: PlayedVideo,
  nowMs: number,
): Promise<ViewingTime | undefined> {
  await lockViewingTime(trx, profileId)
  const facts = await loadViewingFacts(trx, profileId, nowMs)
  if (!facts) return undefined
  const { localTime, rules } = facts
  for (const { session: sessionId, seconds: playedSeconds } of playedTimes) {
    const storedSession = await selectViewingSession(trx, profileId, sessionId)
    const countedTime = countPlayedTime({
      totalMs: Math.round(playedSeconds * 1_000),
      recordedTotalMs: storedSession?.played_ms ?? 0,
      coveredUntilMs: await selectCountedUntilMs(trx, profileId, sid),
      nowMs,
    })
    await upsertViewingSession(trx, {
      profile_id: profileId,
      session_id: sessionId,
      sid,
      played_ms: countedTime.recordedTotalMs,
      covered_until: Math.round(countedTime.coveredUntilMs),
      updated_at: nowMs,
    })
    const { todayMs, previousDayMs } = splitAtMidnight(Math.round(countedTime.countedMs), localTime)
    if (todayMs > 0) await addToViewingDay(trx, { profileId, day: localTime.day }, { playedMs: todayMs })
    if (previousDayMs > 0) {
      const { day } = getLocalTime(nowMs - localTime.timeOfDayMs - 1, rules.time_zone ?? DEFAULT_TIME_ZONE)
      await addToViewingDay(trx, { profileId, day }, { playedMs: previousDayMs })
    }
  }
  const shouldEndGrace =
    rules.grace_started_at !== null && rules.grace_ended !== 1 && (hasEnded || rules.grace_video !== videoKey)
  if (shouldEndGrace) await updateViewingLimits(trx, profileId, { grace_ended: 1 })
  return toViewingTime(await loadViewingFacts(trx, profileId, nowMs))
}

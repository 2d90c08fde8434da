/**
 * Puts the answer of a parent to a watch request into effect. A permission becomes a title rule of the profile. This
 * rule can expire.
 */
import type { WatchRequestAnswer } from '../../../src/lib/contract/watch-requests.ts'
import type { Db } from '../../db/database.ts'
import {
  deleteRequestRule,
  updateAudienceVersion,
  updateRequestRuleExpiry,
  upsertTitleRule,
  type WatchRequestRule,
} from '../../queries/title-rule.ts'
import {
  selectUnusedSinglePermission,
  updateWatchRequest,
  type WatchRequestRow,
} from '../../queries/watch-request.ts'

/**
 * Time for which a title that was allowed for one viewing stays visible after the computed end of its video. The real
 * end is later if the viewer pauses the video.
 */
const GRACE_AFTER_VIDEO_MS = 15 * 60_000

interface AppliedAnswer {
  answer: WatchRequestAnswer
  nowMs: number
  expiresAtMs: number | null
}

/**
 * Stores a permission as a title rule of the profile. A refusal removes the title rule of an earlier answer
 * instead.
 */
export async function applyRequestAnswer(
  trx: Db,
  request: WatchRequestRow,
  { answer, nowMs, expiresAtMs }: AppliedAnswer,
): Promise<void> {
  const { profile_id, title_id } = request
  if (answer !== 'no')
    await upsertTitleRule(trx, {
      profile_id,
      title_id,
      rule: 'allow',
      created_at: nowMs,
      expires_at: expiresAtMs,
    })
  // `deleteRequestRule` deletes only the rule of an earlier answer. A rule that a parent set directly stays.
  else if (!(await deleteRequestRule(trx, toRequestRule(request)))) return
  await updateAudienceVersion(trx, profile_id, nowMs)
}

const toRequestRule = ({
  profile_id,
  title_id,
  answered_at,
  expires_at,
}: WatchRequestRow): WatchRequestRule => ({
  profileId: profile_id,
  titleId: title_id,
  answeredAtMs: answered_at ?? 0,
  expiresAtMs: expires_at,
})

interface WatchedTitle {
  profileId: string
  titleId: number
  nowMs: number
  /**
   * Remaining time of the video. A video already counts as watched before it ends, so the title stays allowed until the
   * video ends.
   */
  remainingMs: number
}

/**
 * Ends the permission of a title that a parent allowed for one viewing, when the title counts as watched. The
 * permission then expires GRACE_AFTER_VIDEO_MS after the end of the video at the latest. Returns true when a permission
 * was ended. A title rule that a parent has stored after the permission stays. Call this function in a transaction.
 */
export async function endSingleViewingPermission(
  trx: Db,
  { profileId, titleId, nowMs, remainingMs }: WatchedTitle,
): Promise<boolean> {
  const permittedRequest = await selectUnusedSinglePermission(trx, { profileId, titleId, nowMs })
  if (!permittedRequest) return false
  const endMs = nowMs + Math.round(remainingMs) + GRACE_AFTER_VIDEO_MS
  const expiresAtMs = Math.min(endMs, permittedRequest.expires_at ?? endMs)
  if (!(await updateRequestRuleExpiry(trx, toRequestRule(permittedRequest), expiresAtMs))) return false
  await updateWatchRequest(trx, permittedRequest.request_id, { used_at: nowMs, expires_at: expiresAtMs })
  await updateAudienceVersion(trx, profileId, nowMs)
  return true
}

/** What the answers to requests allow: rules of a profile for one title, which end at their time. */
import type { RequestAnswer } from '../../../src/lib/contract/watch-requests.ts'
import type { Db } from '../../db/database.ts'
import { deleteTitleRule, updateAudienceVersion, upsertTitleRule } from '../../queries/title-rule.ts'
import {
  selectSingleAllowance,
  updateWatchRequest,
  type WatchRequestRow,
} from '../../queries/watch-request.ts'

/** A title that was allowed once stays visible for its credits after it was seen to its end. */
const CREDITS_MS = 15 * 60_000

interface AppliedAnswer {
  answer: RequestAnswer
  nowMs: number
  expiresAtMs: number | null
}

/** Stores an answer as a rule of the profile for the title. */
export async function applyAnswer(
  trx: Db,
  { profile_id, title_id, answer: previousAnswer }: WatchRequestRow,
  { answer, nowMs, expiresAtMs }: AppliedAnswer,
): Promise<void> {
  if (answer !== 'no')
    await upsertTitleRule(trx, {
      profile_id,
      title_id,
      rule: 'allow',
      created_at: nowMs,
      expires_at: expiresAtMs,
    })
  // A refusal removes the rule of an earlier answer, but no rule that a parent set in another way.
  else if (previousAnswer !== null && previousAnswer !== 'no')
    await deleteTitleRule(trx, profile_id, title_id)
  else return
  await updateAudienceVersion(trx, profile_id, nowMs)
}

/** Ends the permission of a title that was allowed once and has been seen to its end. Call it in a transaction. */
export async function consumeSingleAllowance(
  trx: Db,
  { profileId, titleId, nowMs }: { profileId: string; titleId: number; nowMs: number },
): Promise<boolean> {
  const request = await selectSingleAllowance(trx, { profileId, titleId, nowMs })
  if (!request) return false
  const expiresAtMs = Math.min(nowMs + CREDITS_MS, request.expires_at ?? nowMs + CREDITS_MS)
  await updateWatchRequest(trx, request.request_id, { used_at: nowMs, expires_at: expiresAtMs })
  await upsertTitleRule(trx, {
    profile_id: profileId,
    title_id: titleId,
    rule: 'allow',
    created_at: request.answered_at ?? nowMs,
    expires_at: expiresAtMs,
  })
  await updateAudienceVersion(trx, profileId, nowMs)
  return true
}

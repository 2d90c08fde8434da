/**
 * Sends the weekly email. The email lists new releases of the titles that a profile follows, and the releases of the
 * next week.
 */
import { createHmac } from 'node:crypto'
import { addDays } from '../../../src/lib/rules/calendar-days.ts'
import { runOptionalWrite } from '../../core/database-unavailable.ts'
import { DAY_MS, isInFuture } from '../../core/dates.ts'
import { toErrorFields } from '../../core/log.ts'
import type { InstallationKeys } from '../../providers/keys.ts'
import { sendEmail } from '../../providers/smtp.ts'
import { selectUnsentNotices } from '../../queries/notice.ts'
import {
  type DigestRecipient,
  selectDigestRecipients,
  updateDigestTime,
} from '../../queries/notice-setting.ts'
import { selectReleases } from '../../queries/release.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import { loadProfilesAudience } from '../auth/audience.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { sha256 } from '../auth/secret.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import type { Deps } from '../deps.ts'
import { type DigestContent, renderDigest } from './digest-email.ts'
import { deriveNotices, NOTICE_PERIOD_MS } from './notices.ts'
import { countQuietMinutesFrom, isInQuietHours, MINUTES_PER_DAY, toLocalTime } from './quiet-hours.ts'

const DAYS_PER_WEEK = 7
/** Minimum time between two emails to a profile, even if the profile changes the day or the time zone. */
const MIN_DIGEST_INTERVAL_MS = 3 * DAY_MS
/** Emails are sent from this minute of the day on, which is 17:00 in the time zone of the profile. */
const EARLIEST_DIGEST_MINUTE = 17 * 60
const RETRY_DELAY_MS = 900_000
const MAX_RELEASES = 30

/** Earliest time of the next attempt after a failed email, as a time of `monotonicNow()`, by profile. */
const retryTimesMsByDeps = new WeakMap<Deps, Map<string, number>>()

/** Sends the weekly emails that are due. Sends no email without content. */
export async function sendDueDigests(deps: Deps): Promise<void> {
  if (!deps.config.smtpUrl) return
  const [nowMs, monotonicMs] = [deps.now(), deps.monotonicNow()]
  const retryAtMsByProfileId = retryTimesMsByDeps.get(deps) ?? new Map<string, number>()
  retryTimesMsByDeps.set(deps, retryAtMsByProfileId)
  const recipients = await selectDigestRecipients(deps.database.primary, {
    sentBeforeMs: nowMs - MIN_DIGEST_INTERVAL_MS,
    nowMs,
  })
  for (const recipient of recipients) {
    if (!isDigestDue(recipient, nowMs) || (retryAtMsByProfileId.get(recipient.profile_id) ?? 0) > monotonicMs)
      continue
    const isDigestDone = await sendDigest(deps, recipient, nowMs).catch((error: unknown) => {
      deps.log.error('sending weekly email failed', toErrorFields(error))
      return false
    })
    if (isDigestDone) retryAtMsByProfileId.delete(recipient.profile_id)
    else retryAtMsByProfileId.set(recipient.profile_id, monotonicMs + RETRY_DELAY_MS)
  }
}

/**
 * True on the weekday that the profile has chosen, from EARLIEST_DIGEST_MINUTE on and outside quiet hours. If the quiet
 * hours cover the whole time from EARLIEST_DIGEST_MINUTE to midnight, the email is due on the next day, outside quiet
 * hours and before EARLIEST_DIGEST_MINUTE.
 */
function isDigestDue(recipient: DigestRecipient, nowMs: number): boolean {
  if (isInQuietHours(recipient, nowMs)) return false
  const { weekday, minuteOfDay } = toLocalTime(nowMs, recipient.time_zone)
  if (minuteOfDay >= EARLIEST_DIGEST_MINUTE) return weekday === recipient.digest_day
  const isEveningQuiet =
    countQuietMinutesFrom(recipient, EARLIEST_DIGEST_MINUTE) >= MINUTES_PER_DAY - EARLIEST_DIGEST_MINUTE
  return isEveningQuiet && weekday === (recipient.digest_day + 1) % DAYS_PER_WEEK
}

async function sendDigest(deps: Deps, recipient: DigestRecipient, nowMs: number): Promise<boolean> {
  const { primary } = deps.database
  const token = createUnsubscribeToken(deps.keys, recipient.profile_id)
  // The token changes when `keys.json` is replaced. The hash is therefore stored again with each email, so that the
  // unsubscribe link of the newest email is valid.
  const claim = { digest_sent_at: nowMs, unsubscribe_hash: sha256(token) }
  if (!(await updateDigestTime(primary, recipient, claim))) return true
  try {
    const digestContent = await loadDigestContent(deps, recipient, nowMs)
    if (digestContent.notices.length + digestContent.releases.length > 0)
      await sendEmail(deps.config.smtpUrl ?? '', renderDigest(deps.config, recipient, digestContent, token))
    return true
  } catch (error) {
    const claimedDigest = { profile_id: recipient.profile_id, digest_sent_at: nowMs }
    await updateDigestTime(primary, claimedDigest, { digest_sent_at: recipient.digest_sent_at })
    throw error
  }
}

async function loadDigestContent(
  deps: Deps,
  recipient: DigestRecipient,
  nowMs: number,
): Promise<DigestContent> {
  const { primary } = deps.database
  const { profile_id: profileId } = recipient
  const { date: today } = toLocalTime(nowMs, recipient.time_zone)
  await runOptionalWrite(() => deriveNotices(primary, profileId, { nowMs, today }))
  const audience = await loadProfilesAudience(deps, [recipient])
  const { digest_sent_at: sentAtMs } = recipient
  const hasKnownSentTime = sentAtMs !== null && !isInFuture(sentAtMs, nowMs)
  const notices = await selectUnsentNotices(primary, audience, {
    profileId,
    lastNoticeId: 0,
    // The notices that were derived for the last email have its time as `created_at`, so `+ 1` omits them. The last
    // email can be older than NOTICE_PERIOD_MS, for example when no email could be sent for weeks.
    sinceMs: Math.max(nowMs - NOTICE_PERIOD_MS, hasKnownSentTime ? sentAtMs + 1 : 0),
  })
  const releases = await selectReleases(primary, audience, {
    profileId,
    from: addDays(today, 1),
    until: addDays(today, 1 + DAYS_PER_WEEK),
    shouldExcludeMuted: true,
    limit: MAX_RELEASES,
  })
  const titleIds = [...new Set([...notices, ...releases].map((row) => row.title_id))]
  const titles = await selectTitlesByIds(primary, audience, titleIds)
  const titleLanguage = getTitleLanguage({ account: recipient, acting: recipient })
  return { notices, releases, cardsById: await loadCardsById(deps, titles, titleLanguage) }
}

/**
 * Returns the token for the unsubscribe link in the emails of a profile. All emails of a profile have the same token
 * until `keys.json` is replaced, so that the links of old emails continue to work.
 */
const createUnsubscribeToken = (keys: InstallationKeys, profileId: string) =>
  createHmac('sha256', keys.pepper).update(`unsubscribe:${profileId}`).digest('base64url')

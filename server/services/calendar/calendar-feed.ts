/** The address under which calendar programs read the calendar of a profile (security.md, decision 16). */
import { runOptionalWrite } from '../../core/database-unavailable.ts'
import { DAY_MS, isOlderThan, toIsoDate, toIsoTime, toIsoTimeOrNull } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import {
  type CalendarFeedOwner,
  deleteCalendarFeed,
  replaceCalendarFeed,
  selectCalendarFeed,
  selectCalendarFeedOwner,
  updateCalendarFeedReadTime,
} from '../../queries/calendar-feed.ts'
import { selectReleases } from '../../queries/release.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import { loadProfilesAudience } from '../auth/audience.ts'
import type { ProfileCaller } from '../auth/caller.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { computeAddressKey } from '../auth/password-check.ts'
import { createRandomToken, sha256 } from '../auth/secret.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import type { ProfileContext, RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { lockActiveCaller, recordLockedCallerAction } from '../operations/audit.ts'
import { renderCalendar } from './render-calendar.ts'

const INCLUDED_PAST_DAYS = 60
const INCLUDED_FUTURE_DAYS = 400
/**
 * Maximum number of events in a calendar. The number is limited, because calendar programs read the whole calendar each
 * time.
 */
const MAX_CALENDAR_EVENTS = 3_000
const HOUR_MS = 3_600_000
const QUOTA_WINDOW_MS = HOUR_MS / 4
/** Maximum number of reads per calendar in QUOTA_WINDOW_MS. Several devices of a household may read one calendar. */
const MAX_READS_PER_WINDOW = 60
const MAX_UNKNOWN_READS_PER_WINDOW = 60

export async function loadCalendarFeedState({ deps, caller }: ProfileContext) {
  const feed = await selectCalendarFeed(deps.database.primary, caller.profile)
  return {
    created_at: toIsoTimeOrNull(feed?.created_at ?? null),
    read_at: toIsoTimeOrNull(feed?.read_at ?? null),
  }
}

/**
 * Creates an address, which replaces an earlier address. Only the hash of the token in the address is stored,
 * so the address cannot be shown again.
 */
export async function createCalendarFeed(context: RequestContext<ProfileCaller>) {
  const { deps, caller } = context
  const { profile_id, pin_generation } = caller.profile
  const token = createRandomToken()
  const nowMs = deps.now()
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockActiveCaller(trx, caller)
    const row = { profile_id, pin_generation, token_hash: sha256(token), created_at: nowMs, read_at: null }
    await replaceCalendarFeed(trx, row)
    await recordLockedCallerAction(trx, context, { action: 'calendar_feed_create', profileId: profile_id })
  })
  return {
    url: new URL(`/api/calendar/${token}/releases.ics`, deps.config.publicUrl).href,
    created_at: toIsoTime(nowMs),
    read_at: null,
  }
}

export async function revokeCalendarFeed(context: RequestContext<ProfileCaller>): Promise<void> {
  const { deps, caller } = context
  const { profile_id } = caller.profile
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockActiveCaller(trx, caller)
    if (await deleteCalendarFeed(trx, profile_id))
      await recordLockedCallerAction(trx, context, { action: 'calendar_feed_revoke', profileId: profile_id })
  })
}

/**
 * Returns the calendar of a token, as iCalendar. Throws 404 for an unknown token, and 429 after too many reads. Reads
 * of a calendar are not limited by IP address, because many households share the addresses of a calendar service. Only
 * reads with unknown tokens are limited by IP address.
 */
export async function readCalendarFeed(deps: Deps, request: RequestInfo, token: string): Promise<string> {
  const owner = await selectCalendarFeedOwner(deps.database.primary, sha256(token))
  if (!owner) {
    await limitFeedReads(
      deps,
      `calendar-unknown ${computeAddressKey(deps.keys, request.address)}`,
      MAX_UNKNOWN_READS_PER_WINDOW,
    )
    throw new Problem('not_found')
  }
  await limitFeedReads(deps, `calendar-feed ${owner.profile.profile_id}`, MAX_READS_PER_WINDOW)
  const nowMs = deps.now()
  if (isOlderThan(owner.readAtMs ?? 0, HOUR_MS, nowMs))
    await runOptionalWrite(() =>
      updateCalendarFeedReadTime(deps.database.primary, owner.profile.profile_id, nowMs),
    )
  return buildCalendar(deps, owner, nowMs)
}

async function limitFeedReads(deps: Deps, bucketName: string, maxReads: number): Promise<void> {
  const waitMs = await deps.quota.consume(bucketName, maxReads, QUOTA_WINDOW_MS)
  if (waitMs > 0) throw new Problem('rate_limited', { retryAfterSeconds: waitMs / 1000 })
}

async function buildCalendar(
  deps: Deps,
  { account, profile }: CalendarFeedOwner,
  nowMs: number,
): Promise<string> {
  const { primary } = deps.database
  const audience = await loadProfilesAudience(deps, [profile])
  const releases = await selectReleases(primary, audience, {
    profileId: profile.profile_id,
    from: toIsoDate(nowMs - INCLUDED_PAST_DAYS * DAY_MS),
    until: toIsoDate(nowMs + INCLUDED_FUTURE_DAYS * DAY_MS),
    limit: MAX_CALENDAR_EVENTS,
  })
  const titles = await selectTitlesByIds(primary, audience, [...new Set(releases.map((row) => row.title_id))])
  const cardsByTitleId = await loadCardsById(deps, titles, getTitleLanguage({ account, acting: profile }))
  return renderCalendar({
    siteName: deps.config.siteName,
    publicUrl: deps.config.publicUrl,
    profileName: profile.name,
    language: profile.language,
    hidesSpoilers: profile.hide_spoilers === 1,
    releases,
    cardsByTitleId,
    changedAtMsByTitleId: new Map(titles.map((title) => [title.title_id, title.updated_at])),
    todayMs: Date.parse(toIsoDate(nowMs)),
  })
}

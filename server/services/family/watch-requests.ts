/**
 * Watch requests (decision record 40): a child finds a title outside its audience by the exact name and asks to watch
 * it. A permission of the parent becomes a title rule of the profile. This rule can expire.
 */
import type { MediaDetails } from '../../../src/lib/contract/media.ts'
import type {
  AskableTitle,
  WatchRequest,
  WatchRequestAnswer,
} from '../../../src/lib/contract/watch-requests.ts'
import { getHighestAskableAge } from '../../../src/lib/rules/askable-age.ts'
import { listAgeRatingsUpTo } from '../../../src/lib/rules/maturity.ts'
import { trimToVisibleText } from '../../../src/lib/rules/profile-name.ts'
import { toIsoTime, toIsoTimeOrNull } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import { deleteAnsweredRequestNotice, replaceTitleNotice } from '../../queries/notice.ts'
import { selectTitlesByIds, type TitleRow } from '../../queries/title.ts'
import { selectTitlesByExactName } from '../../queries/title-name.ts'
import { selectTitleRules } from '../../queries/title-rule.ts'
import { Audience } from '../../queries/title-scope.ts'
import {
  insertWatchRequest,
  lockWatchRequests,
  selectWatchRequest,
  selectWatchRequests,
  updateWatchRequest,
  type WatchRequestRow,
} from '../../queries/watch-request.ts'
import { loadProfilesAudience } from '../auth/audience.ts'
import { getTitleLanguage, type Viewer } from '../auth/caller.ts'
import { createRandomId } from '../auth/secret.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import { parseId } from '../catalogue/titles.ts'
import type { ProfileContext, RequestContext } from '../context.ts'
import { publishSharedEvent } from '../events/account-events.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { applyRequestAnswer } from './request-answers.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Requests are kept for this long. During this time, a refused title is reported as not found. */
const WATCH_REQUEST_LIFETIME_MS = 90 * DAY_MS
const MAX_OPEN_WATCH_REQUESTS = 5
const MAX_WATCH_REQUESTS_PER_DAY = 10
/** Wait that is recommended to a child with too many open requests. A parent may answer at any time. */
const RECOMMENDED_ANSWER_WAIT_MS = HOUR_MS
const SINGLE_VIEWING_PERMISSION_LIFETIME_MS = DAY_MS
const WEEK_MS = 7 * DAY_MS

interface NewWatchRequest {
  /** Text with which the child has searched for the title. */
  name: string
  type: 'movie' | 'tv'
  media_id: string
  reason?: string | undefined
}

export async function listAskableTitles(
  context: ProfileContext,
  name: string,
): Promise<{ results: AskableTitle[] }> {
  const { deps, caller } = context
  const { titles, requestIdsByTitleId } = await findAskableTitles(context, name)
  const cardsById = await loadCardsById(deps, titles, getTitleLanguage(caller))
  return {
    results: titles.flatMap((row) => {
      const card = cardsById.get(row.title_id)
      if (!card) return []
      const { type, id, title, poster_path } = card
      return [{ type, id, title, poster_path, request_id: requestIdsByTitleId.get(row.title_id) ?? null }]
    }),
  }
}

/**
 * Finds titles with exactly this name that the profile may not see, but whose age rating is close enough to
 * the age limit of the profile. A title that a parent has excluded or refused is not found. Finds nothing
 * unless a parent has allowed the profile to ask.
 */
async function findAskableTitles(
  { deps, caller }: ProfileContext,
  name: string,
): Promise<{ titles: TitleRow[]; requestIdsByTitleId: Map<number, string> }> {
  const { profile } = caller
  const { primary, reader } = deps.database
  if (profile.may_ask !== 1) return { titles: [], requestIdsByTitleId: new Map() }
  const namedTitles = await selectTitlesByExactName(reader, Audience.unrestricted, name)
  const audience = await loadProfilesAudience(deps, [profile])
  const namedTitleIds = namedTitles.map((row) => row.title_id)
  const visibleIds = new Set(
    (await selectTitlesByIds(reader, audience, namedTitleIds)).map((row) => row.title_id),
  )
  const rules = await selectTitleRules(primary, profile.profile_id, deps.now())
  const requests = await selectWatchRequests(
    primary,
    [profile.profile_id],
    deps.now() - WATCH_REQUEST_LIFETIME_MS,
  )
  const listTitleIds = (rows: { title_id: number }[]) => rows.map((row) => row.title_id)
  const excludedIds = new Set([
    ...listTitleIds(rules.filter(({ rule }) => rule === 'deny')),
    ...listTitleIds(requests.filter(({ answer }) => answer === 'no')),
  ])
  const allowedAgeRatings: readonly (string | null)[] = listAgeRatingsUpTo(getHighestAskableAge(profile))
  return {
    titles: namedTitles.filter(
      (row) =>
        !visibleIds.has(row.title_id) &&
        !excludedIds.has(row.title_id) &&
        allowedAgeRatings.includes(row.rated),
    ),
    requestIdsByTitleId: new Map(
      requests.flatMap(({ answer, title_id, request_id }) =>
        answer === null ? [[title_id, request_id]] : [],
      ),
    ),
  }
}

/**
 * Stores a watch request of the profile, with a notice for the main profile, and returns its id. If the profile already
 * has an open request for the title, returns the id of that request. Throws 404 for a title that the profile may not
 * ask for. Throws 429 when the profile has too many open requests or has sent too many requests within a day.
 */
export async function createWatchRequest(
  context: RequestContext<ProfileContext['caller']>,
  { name, type, media_id, reason }: NewWatchRequest,
): Promise<{ request_id: string }> {
  const { deps, caller } = context
  const profileId = caller.profile.profile_id
  const titleId = parseId(media_id)
  const { titles } = await findAskableTitles(context, name)
  if (!titles.some((row) => row.title_id === titleId && row.type === type)) throw new Problem('not_found')
  const nowMs = deps.now()
  const request_id = await deps.database.primary.transaction().execute(async (trx) => {
    await lockWatchRequests(trx, profileId)
    const requests = await selectWatchRequests(trx, [profileId], nowMs - WATCH_REQUEST_LIFETIME_MS)
    const openRequest = requests.find((row) => row.title_id === titleId && row.answer === null)
    if (openRequest) return openRequest.request_id
    const waitMs = computeRequestWaitMs(requests, await countAnswerableRequests(trx, requests), nowMs)
    if (waitMs > 0)
      throw new Problem('rate_limited', {
        errors: { request: ['too_many'] },
        retryAfterSeconds: waitMs / 1000,
      })
    const requestId = createRandomId()
    await insertWatchRequest(trx, {
      request_id: requestId,
      profile_id: profileId,
      title_id: titleId,
      reason: trimToVisibleText(reason ?? ''),
      created_at: nowMs,
      answer: null,
      answered_at: null,
      expires_at: null,
      used_at: null,
    })
    const parent = caller.profiles.find(({ main }) => main === 1)
    if (parent)
      await replaceTitleNotice(trx, { profileId: parent.profile_id, titleId, kind: 'request', nowMs })
    await recordCallerAction(trx, context, { action: 'watch_request', profileId })
    return requestId
  })
  publishSharedEvent({ deps, caller }, 'notices')
  publishSharedEvent({ deps, caller }, 'requests')
  return { request_id }
}

/**
 * Returns the number of open requests, without requests for titles that were blocked, hidden or deleted meanwhile.
 * Parents do not see these requests, and therefore cannot answer them.
 */
async function countAnswerableRequests(db: Db, requests: readonly WatchRequestRow[]): Promise<number> {
  const titleIds = requests.filter(({ answer }) => answer === null).map((row) => row.title_id)
  return (await selectTitlesByIds(db, Audience.unrestricted, titleIds)).length
}

/** Returns the time in milliseconds after which a profile with these requests may ask again; 0 if it may ask now. */
function computeRequestWaitMs(
  requests: readonly WatchRequestRow[],
  openRequestCount: number,
  nowMs: number,
): number {
  const answerWaitMs = openRequestCount >= MAX_OPEN_WATCH_REQUESTS ? RECOMMENDED_ANSWER_WAIT_MS : 0
  const requestTimesMs = requests.map((row) => row.created_at).toSorted((a, b) => b - a)
  const limitingRequestTimeMs = requestTimesMs[MAX_WATCH_REQUESTS_PER_DAY - 1]
  const dailyLimitWaitMs = limitingRequestTimeMs === undefined ? 0 : limitingRequestTimeMs + DAY_MS - nowMs
  return Math.max(answerWaitMs, dailyLimitWaitMs, 0)
}

export async function listWatchRequests({
  deps,
  caller,
}: RequestContext<Viewer>): Promise<{ results: WatchRequest[]; open: number }> {
  const namesByProfileId = new Map(caller.profiles.map(({ profile_id, name }) => [profile_id, name]))
  const rows = await selectWatchRequests(
    deps.database.primary,
    [...namesByProfileId.keys()],
    deps.now() - WATCH_REQUEST_LIFETIME_MS,
  )
  const titles = await selectTitlesByIds(deps.database.reader, caller.audience, [
    ...new Set(rows.map((row) => row.title_id)),
  ])
  const cardsById = await loadCardsById(deps, titles, getTitleLanguage(caller))
  const guidesByTitleId = new Map(titles.map((row) => [row.title_id, row.parental_guide]))
  const watchRequests = rows.flatMap((row): WatchRequest[] => {
    const card = cardsById.get(row.title_id)
    if (!card) return []
    return [
      {
        request_id: row.request_id,
        profile_id: row.profile_id,
        profile_name: namesByProfileId.get(row.profile_id) ?? '',
        media: card,
        parental_guide: JSON.parse(
          guidesByTitleId.get(row.title_id) ?? '[]',
        ) as MediaDetails['parental_guide'],
        reason: row.reason,
        created_at: toIsoTime(row.created_at),
        answer: row.answer as WatchRequestAnswer | null,
        expires_at: toIsoTimeOrNull(row.expires_at),
      },
    ]
  })
  return { results: watchRequests, open: watchRequests.filter(({ answer }) => answer === null).length }
}

/**
 * Answers a request. A request that was answered before can be answered again. Throws 404 if the account has no
 * request with this id.
 */
export async function answerWatchRequest(
  context: RequestContext,
  requestId: string,
  answer: WatchRequestAnswer,
) {
  const { deps, caller } = context
  const nowMs = deps.now()
  const expiresAtMs =
    answer === 'once'
      ? nowMs + SINGLE_VIEWING_PERMISSION_LIFETIME_MS
      : answer === 'week'
        ? nowMs + WEEK_MS
        : null
  await deps.database.primary.transaction().execute(async (trx) => {
    const watchRequest = await selectWatchRequest(trx, requestId)
    const isOwnProfile = caller.profiles.some(({ profile_id }) => profile_id === watchRequest?.profile_id)
    if (!watchRequest || !isOwnProfile)
      throw new Problem('not_found', isOwnProfile ? {} : { deniedObjectId: requestId })
    await lockWatchRequests(trx, watchRequest.profile_id)
    // Another parent may have answered before the lock. A refusal must remove the permission of that answer.
    const lockedRequest = await selectWatchRequest(trx, requestId)
    if (!lockedRequest) throw new Problem('not_found')
    await updateWatchRequest(trx, requestId, {
      answer,
      answered_at: nowMs,
      expires_at: expiresAtMs,
      used_at: null,
    })
    await applyRequestAnswer(trx, lockedRequest, { answer, nowMs, expiresAtMs })
    const parent = caller.profiles.find(({ main }) => main === 1)
    if (parent)
      await deleteAnsweredRequestNotice(trx, {
        profileId: parent.profile_id,
        titleId: watchRequest.title_id,
        childIds: caller.profiles.map(({ profile_id }) => profile_id),
        sinceMs: nowMs - WATCH_REQUEST_LIFETIME_MS,
      })
    await recordCallerAction(trx, context, {
      action: `watch_request_${answer}`,
      profileId: watchRequest.profile_id,
    })
  })
  for (const kind of ['requests', 'notices'] as const) publishSharedEvent({ deps, caller }, kind)
  return { answer, expires_at: toIsoTimeOrNull(expiresAtMs) }
}

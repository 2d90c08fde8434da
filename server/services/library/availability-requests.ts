/** Stores changes of the availability of titles, and the availability requests of profiles. */
import { DAY_MS, isOlderThan } from '../../core/dates.ts'
import type { DbTransaction } from '../../db/database.ts'
import {
  deleteAvailabilityRequest,
  hasAvailabilityRequest,
  insertAvailabilityNotices,
  insertAvailabilityRequest,
  type NotifiedProfile,
} from '../../queries/availability-request.ts'
import { updateSourcesVersion } from '../../queries/sources-version.ts'
import { type TitleRow, updateResolverFound } from '../../queries/title.ts'
import { updateTitlesInLibrary } from '../../queries/title-in-library.ts'
import { createRandomId } from '../auth/secret.ts'
import { type ProfileContext, requireTitle, type TitleRef } from '../context.ts'
import type { Deps } from '../deps.ts'
import { publishAccountEvent, publishProfileEvent } from '../events/account-events.ts'

/** Minimum time between two writes of an unchanged negative reply, because each write changes the catalogue version. */
const REWRITE_INTERVAL_MS = DAY_MS / 24

/**
 * Stores whether the stream resolver has a title. For a series, the reply is about one episode. A negative reply
 * therefore does not change a series of which the resolver had another episode. If the title becomes available, creates
 * a notice for each profile that waits for it.
 */
export async function saveResolverReply(deps: Deps, title: TitleRow, isFound: boolean): Promise<void> {
  const nowMs = deps.now()
  if (isFound && title.resolver_found === 1) return
  if (!isFound && title.type === 'tv' && title.resolver_found === 1) return
  const wasResolverAskedRecently = !isOlderThan(
    Number(title.resolver_asked_at ?? 0),
    REWRITE_INTERVAL_MS,
    nowMs,
  )
  if (!isFound && title.resolver_found === 0 && wasResolverAskedRecently) return
  const { primary } = deps.database
  const { title_id: titleId } = title
  const notifiedProfiles = await primary.transaction().execute(async (trx) => {
    await updateResolverFound(trx, { titleId, isFound, nowMs })
    return isFound ? insertAvailabilityNotices(trx, [titleId], nowMs) : []
  })
  publishAvailabilityNotices(deps, notifiedProfiles)
}

/**
 * Calls `changeSources`, which writes rows of library files or of media server items and returns true when it has
 * changed a row. Then updates which titles are available. Tells the open tabs to reload when a row or the availability
 * of a title has changed. Creates a notice for each profile that waits for a title that has become available.
 */
export async function changeSourcesAndUpdateAvailability(
  deps: Deps,
  changeSources: (trx: DbTransaction) => Promise<boolean>,
): Promise<void> {
  const { hasChanged, notifiedProfiles } = await deps.database.primary.transaction().execute(async (trx) => {
    const hasChangedSources = await changeSources(trx)
    const { addedIds, removedCount } = await updateTitlesInLibrary(trx)
    if (hasChangedSources) await updateSourcesVersion(trx, createRandomId(), deps.now())
    return {
      hasChanged: hasChangedSources || addedIds.length + removedCount > 0,
      notifiedProfiles: await insertAvailabilityNotices(trx, addedIds, deps.now()),
    }
  })
  if (hasChanged) deps.bus.publish('catalogue', { kind: 'library' })
  publishAvailabilityNotices(deps, notifiedProfiles)
}

/** Tells the open tabs of the profiles that they have a new notice. Call it after the change is committed. */
function publishAvailabilityNotices(deps: Deps, profiles: readonly NotifiedProfile[]): void {
  for (const { account_id, profile_id } of profiles)
    publishProfileEvent(deps, { accountId: account_id, profileId: profile_id }, 'notices')
}

/**
 * Returns whether the profile waits for the title to become available. Throws 404 when the caller may not see the
 * title.
 */
export async function loadAvailabilityRequest(context: ProfileContext, titleRef: TitleRef) {
  const { title_id: titleId } = await requireTitle(context, titleRef)
  const { profile_id: profileId } = context.caller.profile
  return { requested: await hasAvailabilityRequest(context.deps.database.primary, { profileId, titleId }) }
}

/**
 * Stores or deletes the request of the profile for a notice when the title becomes available. Throws 404 when the
 * caller may not see the title.
 */
export async function changeAvailabilityRequest(
  context: ProfileContext,
  titleRef: TitleRef,
  isRequested: boolean,
) {
  const { deps, caller } = context
  const { title_id: titleId } = await requireTitle(context, titleRef)
  const { profile_id: profileId } = caller.profile
  const { primary } = deps.database
  if (isRequested) await insertAvailabilityRequest(primary, { profileId, titleId, nowMs: deps.now() })
  else await deleteAvailabilityRequest(primary, { profileId, titleId })
  publishAccountEvent(context, 'notices')
  return { requested: isRequested }
}

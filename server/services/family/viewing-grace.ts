/** The grace of the viewing time (decision record 40): a video may be finished after the viewing time is used up. */
import type { ViewingTime } from '../../../src/lib/contract/viewing-time.ts'
import { Problem } from '../../core/problem.ts'
import { lockViewingTime, updateViewingLimits } from '../../queries/viewing-time.ts'
import { listViewerIds } from '../auth/caller.ts'
import type { ProfileContext } from '../context.ts'
import { publishSharedEvent } from '../events/account-events.ts'
import { findStrictestViewingTime, loadStrictestViewingTime, loadViewerTimes } from './viewing-time.ts'

/**
 * Starts the grace for a video, for each viewer whose time is over. Throws 409 if one of these viewers has used the
 * grace of today, or if the time of no viewer is over.
 */
export async function startGrace(context: ProfileContext, videoKey: string): Promise<ViewingTime> {
  const { deps, caller } = context
  const nowMs = deps.now()
  const viewingTime = await deps.database.primary.transaction().execute(async (trx) => {
    const profileIds = listViewerIds(caller).toSorted()
    for (const profileId of profileIds) await lockViewingTime(trx, profileId)
    const viewers = await loadViewerTimes(trx, profileIds, nowMs)
    const strictestViewingTime = findStrictestViewingTime(viewers.map((viewer) => viewer.viewingTime))
    // The client repeats a request if the first response was lost. Both requests get the same response.
    if (
      strictestViewingTime?.status === 'grace' &&
      viewers.every(
        ({ facts, viewingTime: { status } }) => status !== 'grace' || facts?.rules.grace_video === videoKey,
      )
    )
      return strictestViewingTime
    if (!strictestViewingTime?.can_finish_episode)
      throw new Problem('conflict', { errors: { grace: ['not_available'] } })
    for (const { profileId, facts, viewingTime: viewerTime } of viewers)
      if (facts && viewerTime.status === 'over')
        await updateViewingLimits(trx, profileId, {
          grace_started_at: nowMs,
          grace_day: facts.localTime.day,
          grace_video: videoKey,
          grace_ended: 0,
        })
    return loadStrictestViewingTime(trx, profileIds, nowMs)
  })
  publishSharedEvent({ deps, caller }, 'viewing_time')
  return viewingTime
}

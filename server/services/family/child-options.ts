/** Options that a parent can turn on for a profile: watch requests and spoken labels. */
import { updateChildOptions } from '../../queries/watch-request.ts'
import type { ProfileCaller } from '../auth/caller.ts'
import type { ProfileContext, RequestContext } from '../context.ts'
import { publishSharedEvent } from '../events/account-events.ts'
import { recordCallerAction } from '../operations/audit.ts'

interface ChildOptions {
  may_ask: boolean
  spoken_labels: boolean
}

export const loadChildOptions = ({ caller: { profile } }: ProfileContext): ChildOptions => ({
  may_ask: profile.may_ask === 1,
  spoken_labels: profile.spoken_labels === 1,
})

export async function saveChildOptions(
  context: RequestContext<ProfileCaller>,
  { may_ask, spoken_labels }: ChildOptions,
): Promise<ChildOptions> {
  const { deps, caller } = context
  const profileId = caller.profile.profile_id
  await deps.database.primary.transaction().execute(async (trx) => {
    await updateChildOptions(trx, profileId, {
      may_ask: Number(may_ask),
      spoken_labels: Number(spoken_labels),
    })
    await recordCallerAction(trx, context, { action: 'child_options', profileId })
  })
  publishSharedEvent({ deps, caller }, 'profiles')
  return { may_ask, spoken_labels }
}

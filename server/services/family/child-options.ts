/** Options that a parent can turn on for a profile: watch requests and spoken labels. */
import { Problem } from '../../core/problem.ts'
import { type ProfileRow, updateProfile } from '../../queries/profile.ts'
import type { ProfileCaller } from '../auth/caller.ts'
import type { ProfileContext, RequestContext } from '../context.ts'
import { publishSharedEvent } from '../events/account-events.ts'
import { recordCallerAction } from '../operations/audit.ts'

interface ChildOptions {
  may_ask: boolean
  spoken_labels: boolean
}

const toChildOptions = (row: Pick<ProfileRow, 'may_ask' | 'spoken_labels'>): ChildOptions => ({
  may_ask: row.may_ask === 1,
  spoken_labels: row.spoken_labels === 1,
})

export const loadChildOptions = ({ caller }: ProfileContext): ChildOptions => toChildOptions(caller.profile)

export async function saveChildOptions(
  context: RequestContext<ProfileCaller>,
  { may_ask, spoken_labels }: { [Option in keyof ChildOptions]?: boolean | undefined },
): Promise<ChildOptions> {
  const { deps, caller } = context
  const profileId = caller.profile.profile_id
  const profile = await deps.database.primary.transaction().execute(async (trx) => {
    const updatedRow = await updateProfile(trx, profileId, {
      ...(may_ask !== undefined && { may_ask: Number(may_ask) }),
      ...(spoken_labels !== undefined && { spoken_labels: Number(spoken_labels) }),
    })
    if (!updatedRow) throw new Problem('not_found')
    await recordCallerAction(trx, context, { action: 'child_options', profileId })
    return updatedRow
  })
  publishSharedEvent({ deps, caller }, 'profiles')
  return toChildOptions(profile)
}

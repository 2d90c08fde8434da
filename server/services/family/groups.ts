/** Profiles that watch together on a device (docs/decisions/0039-audiences-and-groups.md). */
import { createFieldProblem, Problem } from '../../core/problem.ts'
import { UNLOCK_IDLE_MS } from '../../queries/caller.ts'
import { endGroupOfLogin, startGroupOfLogin } from '../../queries/login.ts'
import type { ProfileRow } from '../../queries/profile.ts'
import type { ProfileCaller } from '../auth/caller.ts'
import type { RequestContext } from '../context.ts'
import { publishSharedEvent } from '../events/account-events.ts'
import { requireProfileSecret } from '../profiles/pin.ts'

interface GroupMemberInput {
  profile_id: string
  pin?: string | undefined
  password?: string | undefined
}

/**
 * Lets other profiles watch together with the acting profile. The group belongs to the login. The group ends when the
 * acting profile changes. A member leaves the group when the PIN of the member changes.
 * @throws Problem with status 403 for a wrong PIN, exit PIN or password, 409 when the profile in the path is not the
 * acting profile, 422 for unknown members or a missing PIN, and 429 after too many wrong passwords.
 */
export async function startGroup(
  context: RequestContext<ProfileCaller>,
  memberInputs: readonly GroupMemberInput[],
): Promise<{ group: string[] }> {
  const { deps, caller } = context
  const { profile: leader } = caller
  if (caller.acting?.profile_id !== leader.profile_id) throw new Problem('conflict')
  const members: ProfileRow[] = []
  for (const { profile_id, pin, password } of memberInputs) {
    const member = caller.profiles.find((profile) => profile.profile_id === profile_id)
    const isValidMember =
      member && member !== leader && profile_id !== leader.profile_id && !members.includes(member)
    if (!isValidMember) throw createFieldProblem('members', 'unknown')
    // The secret of a profile that is already in the group was checked before.
    const isSecretNeeded = member.pin_hash !== null || !member.enterable
    if (isSecretNeeded && !caller.group.includes(member))
      await requireProfileSecret({ ...context, caller: { ...caller, profile: member } }, { pin, password })
    members.push(member)
  }
  await startGroupOfLogin(
    deps.database.primary,
    {
      sid: caller.login.sid,
      profileId: leader.profile_id,
      generation: leader.pin_generation,
      untilMs: deps.now() + UNLOCK_IDLE_MS,
    },
    JSON.stringify(members.map((member) => ({ id: member.profile_id, generation: member.pin_generation }))),
  )
  publishSharedEvent({ deps, caller }, 'profiles')
  return { group: [leader, ...members].map((profile) => profile.profile_id) }
}

/** Ends the group of the device. The acting profile stays. */
export async function endGroup({ deps, caller }: RequestContext<ProfileCaller>): Promise<void> {
  const { login, account } = caller
  await endGroupOfLogin(deps.database.primary, login.sid)
  publishSharedEvent({ deps, caller: { account } }, 'profiles')
}

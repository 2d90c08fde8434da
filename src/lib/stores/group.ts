/** Profiles that watch together on this device (docs/decisions/0039-audiences-and-groups.md). */
import { callApi } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import * as calls from '../contract/family.ts'
import { $groupIds, loadProfiles } from './profile.ts'
import { waitUntilProfileLeft } from './profile-changes.ts'
import { enterProfile } from './route-guard.ts'
import { showFailure } from './toast.ts'

/**
 * Sets the profiles that watch together. The leader is the profile that acts for the group. Members that are already in
 * the group need no PIN. For a forgotten PIN, the account password can be sent instead. Returns the ids of the profiles
 * in the group. Throws `ApiError`, for example for a wrong PIN. If a PIN is missing or wrong, reloads the profiles
 * before it throws, because further profiles may now be `locked`: if a restricted profile leads the group, members
 * without a PIN need the exit PIN.
 */
export async function setGroupMembers(
  leaderId: string,
  members: readonly { profile_id: string; pin?: string; password?: string }[],
): Promise<string[]> {
  await waitUntilProfileLeft()
  try {
    const { group } = await callApi(calls.startGroup, {
      params: { id: leaderId },
      body: { members: [...members] },
      profile: leaderId,
    })
    return group
  } catch (error) {
    if (error instanceof ApiError && error.errors['pin']) await loadProfiles()
    throw error
  }
}

/** Opens the requested page, or the home page, for a group. */
export function enterGroup(memberIds: readonly string[], requestedPath: string | null): void {
  const [leaderId] = memberIds
  if (leaderId === undefined) return
  enterProfile(leaderId, requestedPath)
  $groupIds.set(memberIds)
}

/** Ends the group of this device. The acting profile stays. */
export async function endGroup(leaderId: string): Promise<void> {
  try {
    await callApi(calls.endGroup, { params: { id: leaderId } })
    await loadProfiles()
  } catch (error) {
    showFailure(error)
  }
}

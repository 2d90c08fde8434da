/** Whether pages offer the functions for adults and parents. The server checks each permission itself. */
import { computed } from 'nanostores'
import { $groupIds, $profile, $profiles } from './profile.ts'

/**
 * True while the acting profile or a member of its group is restricted. The server then rejects everything that needs
 * an adult profile (`proof: 'adult'`), unless the account password is sent.
 */
export const $isRestricted = computed([$profile, $profiles, $groupIds], (profile, profiles, groupIds) => {
  const groupMembers = profiles?.filter(({ profile_id }) => groupIds?.includes(profile_id)) ?? []
  return [profile, ...groupMembers].some((viewer) => viewer?.restricted)
})

/**
 * True when a PIN opens the main profile on this device, so that a parent can prove with it to be here while another
 * profile acts: the PIN of the main profile or, if it has none, the exit PIN.
 */
export const $hasParentPin = computed(
  $profiles,
  (profiles) => profiles?.some((profile) => profile.main && profile.locked) ?? false,
)

/** True while a parent acts: the main profile acts, and no restricted profile is in the group. */
export const $isParentActing = computed(
  [$profile, $isRestricted],
  (profile, isRestricted) => profile?.main === true && !isRestricted,
)

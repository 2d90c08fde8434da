/** Whether pages offer the functions for parents. The server checks the permission for each function itself. */
import { computed } from 'nanostores'
import { $groupIds, $profile, $profiles } from './profile.ts'

/** True while a parent acts: the main profile acts, and no restricted profile is in the group. */
export const $isParentActing = computed([$profile, $profiles, $groupIds], (profile, profiles, groupIds) => {
  const viewers = profiles?.filter(({ profile_id }) => groupIds?.includes(profile_id)) ?? []
  return profile?.main === true && !viewers.some(({ restricted }) => restricted)
})

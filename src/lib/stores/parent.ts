/** Whether a parent uses the site, so that pages offer what only parents may do. The server decides. */
import { computed } from 'nanostores'
import { $groupIds, $profile, $profiles } from './profile.ts'

/** True while a parent acts: the main profile, without a restricted profile that watches along. */
export const $isParentActing = computed([$profile, $profiles, $groupIds], (profile, profiles, groupIds) => {
  const viewers = profiles?.filter(({ profile_id }) => groupIds?.includes(profile_id)) ?? []
  return profile?.main === true && !viewers.some(({ restricted }) => restricted)
})

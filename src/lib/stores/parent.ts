/**
 * Stores that decide whether pages offer the functions for adults and parents. The stores affect only what is
 * displayed: the server checks each permission itself.
 */
import { computed } from 'nanostores'
import { $groupIds, $profile, $profiles } from './profile.ts'

/**
 * True while the acting profile or a member of its group is restricted. The server then rejects everything that needs
 * an adult profile (`proof: 'adult'`), unless the account password is sent.
 */
export const $hasRestrictedViewer = computed(
  [$profile, $profiles, $groupIds],
  (profile, profiles, groupIds) => {
    const groupMembers = profiles?.filter(({ profile_id }) => groupIds?.includes(profile_id)) ?? []
    return [profile, ...groupMembers].some((viewer) => viewer?.restricted)
  },
)

/** True while a parent acts: the main profile acts, and no restricted profile is in the group. */
export const $isParentActing = computed(
  [$profile, $hasRestrictedViewer],
  (profile, hasRestrictedViewer) => profile?.main === true && !hasRestrictedViewer,
)

/** True while a parent acts and the account has other profiles, for which the parent can show or hide titles. */
export const $isParentOfOthers = computed(
  [$isParentActing, $profiles],
  (isParentActing, profiles) => isParentActing && (profiles?.length ?? 0) > 1,
)

import { useEffect, useRef, useState } from 'react'
import type { Profile } from '../../lib/contract/profiles.ts'
import { enterGroup, setGroupMembers } from '../../lib/stores/group.ts'
import { $profiles } from '../../lib/stores/profile.ts'
import { showToast } from '../../lib/stores/toast.ts'
import { PinDialog } from './PinDialog.tsx'

interface Props {
  /** The profiles that watch together; the first one acts. */
  profiles: readonly Profile[]
  redirectTarget: string | null
  onCancel: () => void
}

/**
 * Starts a group. It asks for the PIN of each locked profile, one after the other, and then opens the site
 * for the group.
 */
export default function GroupStart({ profiles, redirectTarget, onCancel }: Props) {
  const [joinedCount, setJoinedCount] = useState(0)
  const groupProfileIdsRef = useRef<string[]>([])
  const [leader] = profiles
  const nextProfile = profiles[joinedCount]
  const addMember = async (member: Profile, secret?: { pin: string } | { password: string }) => {
    if (!leader || member === leader) return
    const members = profiles.slice(1, profiles.indexOf(member)).map(({ profile_id }) => ({ profile_id }))
    const newMember = { profile_id: member.profile_id, ...secret }
    groupProfileIdsRef.current = await setGroupMembers(leader.profile_id, [...members, newMember])
  }
  /*
   * A second call for the same profile changes nothing. This is needed when the password removes the PIN of a
   * profile, because both the dialog and the effect then call this function.
   */
  const showNextProfile = () => setJoinedCount((currentCount) => Math.max(currentCount, joinedCount + 1))
  /* Profiles without a PIN join without a dialog, one after the other. The effect runs again after each one. */
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each profile that joins
  useEffect(() => {
    if (!nextProfile) enterGroup(groupProfileIdsRef.current, redirectTarget)
    else if (!nextProfile.locked)
      addMember(nextProfile).then(showNextProfile, () => {
        /* If the exit PIN is needed, the reloaded profile is locked. The dialog then asks for the exit PIN. */
        if ($profiles.get()?.find(({ profile_id }) => profile_id === nextProfile.profile_id)?.locked) return
        showToast('profiles:togetherFailed', { kind: 'bad' })
        onCancel()
      })
  }, [nextProfile?.profile_id, nextProfile?.locked])
  if (!nextProfile?.locked) return null
  return (
    <PinDialog
      key={nextProfile.profile_id}
      profile={nextProfile}
      onClose={onCancel}
      onUnlock={showNextProfile}
      {...(nextProfile !== leader && {
        sendPin: (pin: string) => addMember(nextProfile, { pin }),
        sendPassword: (password: string) => addMember(nextProfile, { password }),
      })}
    />
  )
}

import { navigate } from 'astro:transitions/client'
import type { Profile } from '../../lib/contract/profiles.ts'
import { getCurrentLocale } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import { $profileToUnlock, enterProfile } from '../../lib/stores/route-guard.ts'
import { PinDialog } from '../profiles/PinDialog.tsx'

interface Props {
  profile: Profile
  onClose: () => void
}

/** Asks for the PIN of a locked profile, and then opens its home page. */
export default function UnlockDialog({ profile, onClose }: Props) {
  const enter = () => {
    onClose()
    enterProfile(profile.profile_id, href('home', getCurrentLocale()))
  }
  // Only the profile picker has the texts for the account password.
  const openProfilePicker = () => {
    onClose()
    $profileToUnlock.set(profile.profile_id)
    void navigate(href('profiles', getCurrentLocale()))
  }
  return <PinDialog profile={profile} onClose={onClose} onUnlock={enter} onForgot={openProfilePicker} />
}

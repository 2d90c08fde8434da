import { useStore } from '@nanostores/react'
import { t } from '../../lib/i18n/t.ts'
import { $profiles } from '../../lib/stores/profile.ts'
import { isAdultProfileWithoutPin } from '../../lib/stores/profile-changes.ts'
import { Button } from '../../ui/Button.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { Name } from '../media/Name.tsx'
import { Avatar } from './Avatar.tsx'
import { ProfileLockSection } from './ProfileLockSection.tsx'

/**
 * Last step after a kids profile was saved or a child was set up. It offers a PIN for each adult profile that a child
 * could open.
 */
export function ProtectProfilesStep({ onDone }: { onDone: () => void }) {
  const adultProfilesWithoutPin = useStore($profiles)?.filter(isAdultProfileWithoutPin) ?? []
  return (
    <>
      {adultProfilesWithoutPin.length > 0 && <p className="text-muted">{t('profiles:protectText')}</p>}
      <ul className="flex flex-col gap-5">
        {adultProfilesWithoutPin.map((profile) => (
          <li key={profile.profile_id} className="flex flex-col gap-3">
            <p className="flex items-center gap-3 font-semibold">
              <Avatar avatarNumber={profile.avatar} className="size-10" />
              <Name text={profile.name} />
            </p>
            <ProfileLockSection profile={profile} />
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button variant={adultProfilesWithoutPin.length > 0 ? 'plain' : 'primary'} onClick={onDone}>
          {t(adultProfilesWithoutPin.length > 0 ? 'profiles:protectLater' : 'common:done')}
        </Button>
      </DialogActions>
    </>
  )
}

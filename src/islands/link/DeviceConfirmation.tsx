import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { TriangleAlert } from '../../icons/index.ts'
import type { RequestingDevice } from '../../lib/contract/device-sign-in.ts'
import { formatRelativeTime, formatStandaloneTime } from '../../lib/i18n/format-instant.ts'
import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { t } from '../../lib/i18n/t.ts'
import { $profiles } from '../../lib/stores/profile.ts'
import { Button } from '../../ui/Button.tsx'
import { useAction } from '../../ui/use-action.ts'
import { formatDeviceName } from '../format-device-name.ts'
import { Avatar } from '../profiles/Avatar.tsx'

export interface DeviceLinkDecision {
  isApproved: boolean
  profileId: string | null
}

function formatDeviceLocation({ ip, same_network: isSameNetwork }: RequestingDevice): string {
  if (!ip) return t('link:unknownPlace')
  return t(isSameNetwork ? 'link:sameNetwork' : 'link:otherNetwork', { address: isolateBidi(ip) })
}

/**
 * Describes the device that asks to be signed in, and warns of phishing. The user approves or denies the
 * request.
 */
export function DeviceConfirmation({
  code,
  device,
  onDecide,
}: {
  code: string
  device: RequestingDevice
  onDecide: (choice: DeviceLinkDecision) => Promise<void>
}) {
  const [profileId, setProfileId] = useState<string | null>(null)
  const [isDeciding, runAction] = useAction()
  const sendDecision = (isApproved: boolean) =>
    runAction(() => onDecide({ isApproved, profileId: isApproved ? profileId : null }))
  const facts = [
    [t('link:account'), device.account_email],
    [t('link:device'), formatDeviceName(device.name)],
    [t('link:place'), formatDeviceLocation(device)],
    [t('link:requested'), formatStandaloneTime(formatRelativeTime(device.requested_at))],
  ]
  return (
    <div className="flex flex-col gap-6">
      <div>
        <p>{t('link:compare')}</p>
        <p dir="ltr" className="mt-2 text-center text-xl font-bold tracking-widest sm:text-2xl text-accent">
          {code}
        </p>
      </div>
      <dl className="divide-y divide-line border-y border-line">
        {facts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4 py-3">
            <dt className="text-muted">{name}</dt>
            <dd className="text-end wrap-anywhere">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex gap-3 rounded-md border border-accent px-4 py-3">
        <TriangleAlert aria-hidden className="mt-1 text-accent" size={20} />
        <div className="flex flex-col gap-2">
          {!device.same_network && <p className="font-bold">{t('link:networkWarning')}</p>}
          <p>{t('link:warning')}</p>
        </div>
      </div>
      <ProfileChoice profileId={profileId} onChange={setProfileId} />
      <div className="flex flex-col gap-3">
        <Button
          variant="primary"
          aria-disabled={isDeciding}
          className="min-h-12"
          onClick={() => void sendDecision(true)}
        >
          {t('link:approve')}
        </Button>
        <Button
          variant="danger"
          aria-disabled={isDeciding}
          className="min-h-12"
          onClick={() => void sendDecision(false)}
        >
          {t('link:deny')}
        </Button>
      </div>
    </div>
  )
}

function ProfileChoice({
  profileId,
  onChange,
}: {
  profileId: string | null
  onChange: (profileId: string | null) => void
}) {
  const profiles = useStore($profiles) ?? []
  if (profiles.length < 2) return null
  const profileOptions = [
    { id: null, name: t('link:askThere'), avatar: null },
    ...profiles.map(createProfileOption),
  ]
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-2 text-sm font-medium text-muted">{t('link:profile')}</legend>
      {profileOptions.map(({ id, name, avatar }) => (
        <label
          key={id}
          className="flex min-h-12 cursor-pointer items-center gap-3 rounded-md px-3 hover:bg-overlay has-checked:bg-overlay"
        >
          <input
            type="radio"
            name="profile"
            checked={profileId === id}
            onChange={() => onChange(id)}
            className="size-5 accent-accent"
          />
          {avatar !== null && <Avatar avatarNumber={avatar} className="size-8" />}
          <bdi>{name}</bdi>
        </label>
      ))}
    </fieldset>
  )
}

const createProfileOption = ({
  profile_id,
  name,
  avatar,
}: {
  profile_id: string
  name: string
  avatar: number
}) => ({
  id: profile_id,
  name,
  avatar,
})

import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Check, Lock, LockOpen, Pencil, Plus, Users } from '../icons/index.ts'
import type { Profile } from '../lib/contract/profiles.ts'
import { t } from '../lib/i18n/t.ts'
import { MAX_PROFILES } from '../lib/rules/limits.ts'
import { $profiles, getLastProfileId } from '../lib/stores/profile.ts'
import {
  hasPickerLeftProfile,
  isAdultProfileWithoutPin,
  leaveProfile,
  resetHasLeftProfile,
} from '../lib/stores/profile-changes.ts'
import { enterProfile } from '../lib/stores/route-guard.ts'
import { Button } from '../ui/Button.tsx'
import { GuardedPage } from './GuardedPage.tsx'
import { Wordmark } from './header/Wordmark.tsx'
import { Name } from './media/Name.tsx'
import { Avatar } from './profiles/Avatar.tsx'
import { PinDialog } from './profiles/PinDialog.tsx'
import { ProfileDialog } from './profiles/ProfileDialog.tsx'

const GroupStart = lazy(() => import('./profiles/GroupStart.tsx'))

export default function ProfilesPage() {
  return (
    <GuardedPage>
      <ProfilePicker />
    </GuardedPage>
  )
}

/** Returns the id of the profile that the link to this page asks to unlock, else null. */
const getRequestedProfileId = () => new URLSearchParams(location.search).get('unlock')
const getRedirectTarget = () => new URLSearchParams(location.search).get('redirect')
/**
 * True if the link "Manage profiles" opened this page. The acting profile then stays selected, because an unlocked
 * adult profile proves that an adult makes the changes.
 */
const isOpenedToManage = () => new URLSearchParams(location.search).has('manage')

function ProfilePicker() {
  const profiles = useStore($profiles) ?? []
  const [isManaging, setIsManaging] = useState(isOpenedToManage)
  const [editedProfile, setEditedProfile] = useState<Profile | 'new' | null>(null)
  const [profileToUnlock, setProfileToUnlock] = useState<Profile | null>(null)
  /** Ids of the profiles that are chosen to watch together; null while the user chooses a single profile. */
  const [chosenIds, setChosenIds] = useState<string[] | null>(null)
  const [isGroupStarting, setIsGroupStarting] = useState(false)
  const listRef = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (!isOpenedToManage()) leaveProfile()
    const requestedProfileId = getRequestedProfileId()
    const requestedProfile = $profiles
      .get()
      ?.find((profile) => profile.profile_id === requestedProfileId && profile.locked)
    if (requestedProfile) setProfileToUnlock(requestedProfile)
    const lastProfileId = getLastProfileId()
    const lastProfileTile = listRef.current?.querySelector<HTMLElement>(
      `[data-profile="${CSS.escape(lastProfileId ?? '')}"]`,
    )
    ;(lastProfileTile ?? listRef.current?.querySelector('button'))?.focus()
    return resetHasLeftProfile
  }, [])
  const handleProfileSelect = (profile: Profile) => {
    const { profile_id: id } = profile
    if (chosenIds)
      setChosenIds(
        chosenIds.includes(id) ? chosenIds.filter((chosenId) => chosenId !== id) : [...chosenIds, id],
      )
    else if (isManaging) setEditedProfile(profile)
    else if (profile.locked) setProfileToUnlock(profile)
    else enterProfile(profile.profile_id, getRedirectTarget())
  }
  const toggleManaging = () => {
    if (isManaging) leaveProfile()
    setIsManaging(!isManaging)
  }
  const cancelGroupStart = () => {
    setIsGroupStarting(false)
    leaveProfile()
  }
  const hasRestrictedProfiles = profiles.some((profile) => profile.restricted)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape bubbles from the tiles
    <div
      className="flex min-h-dvh flex-col items-center justify-center gap-12 px-4 py-20"
      onKeyDown={(event) => {
        /* While a dialog is open, the browser handles Escape. */
        if (event.key !== 'Escape' || editedProfile || profileToUnlock || isGroupStarting) return
        if (!isManaging && !chosenIds) return
        event.preventDefault()
        if (chosenIds) setChosenIds(null)
        else toggleManaging()
      }}
    >
      <div className="fixed start-(--edge) top-5">
        <Wordmark />
      </div>
      <h1 className="max-w-full text-center text-2xl font-bold wrap-anywhere">
        {t(
          chosenIds ? 'profiles:togetherHeading' : isManaging ? 'profiles:manageHeading' : 'profiles:heading',
        )}
      </h1>
      <ul ref={listRef} className="flex max-w-5xl flex-wrap justify-center gap-6 md:gap-8">
        {profiles.map((profile) => (
          <li key={profile.profile_id}>
            <ProfileTile
              profile={profile}
              isManaging={isManaging}
              isChosen={chosenIds?.includes(profile.profile_id)}
              canKidsEnter={hasRestrictedProfiles && !chosenIds && isAdultProfileWithoutPin(profile)}
              onClick={() => handleProfileSelect(profile)}
            />
          </li>
        ))}
        {!chosenIds && profiles.length < MAX_PROFILES && (
          <li>
            <button
              type="button"
              onClick={() => setEditedProfile('new')}
              className="group flex w-[clamp(84px,10vw,200px)] flex-col items-center gap-3 rounded-md text-muted hover:text-ink"
            >
              <span className="grid aspect-square w-full place-items-center rounded-md border-2 border-dashed border-line group-hover:border-ink">
                <Plus aria-hidden size={40} />
              </span>
              {t('profiles:add')}
            </button>
          </li>
        )}
      </ul>
      {chosenIds ? (
        <div className="flex flex-col items-center gap-4">
          <p className="text-center text-muted">{t('profiles:togetherHint')}</p>
          <div className="flex flex-wrap justify-center gap-3">
            <Button
              onClick={() => {
                setChosenIds(null)
                if (isGroupStarting) cancelGroupStart()
              }}
            >
              {t('common:cancel')}
            </Button>
            <Button
              variant="primary"
              disabled={chosenIds.length < 2}
              onClick={() => setIsGroupStarting(true)}
            >
              {t('profiles:togetherStart')}
            </Button>
          </div>
        </div>
      ) : (
        <div className="flex flex-wrap justify-center gap-3">
          {!isManaging && profiles.length > 1 && (
            <Button icon={<Users aria-hidden size={18} />} onClick={() => setChosenIds([])}>
              {t('profiles:together')}
            </Button>
          )}
          <Button variant={isManaging ? 'primary' : 'plain'} onClick={toggleManaging}>
            {t(isManaging ? 'common:done' : 'profiles:manage')}
          </Button>
        </div>
      )}
      {chosenIds && isGroupStarting && (
        <Suspense>
          <GroupStart
            profiles={chosenIds.flatMap((id) => profiles.find((profile) => profile.profile_id === id) ?? [])}
            redirectTarget={getRedirectTarget()}
            onCancel={cancelGroupStart}
          />
        </Suspense>
      )}
      {editedProfile && (
        <ProfileDialog
          profile={editedProfile === 'new' ? null : editedProfile}
          onClose={() => {
            setEditedProfile(null)
            // The dialog may have unlocked an adult profile, to prove that an adult makes the changes. If the picker
            // had left the acting profile before, the unlocked profile must not keep acting.
            if (hasPickerLeftProfile()) leaveProfile()
          }}
        />
      )}
      {profileToUnlock && (
        <PinDialog
          profile={profileToUnlock}
          onClose={() => setProfileToUnlock(null)}
          onUnlock={() => enterProfile(profileToUnlock.profile_id, getRedirectTarget())}
        />
      )}
    </div>
  )
}

function ProfileTile({
  profile,
  isManaging,
  isChosen,
  canKidsEnter,
  onClick,
}: {
  profile: Profile
  isManaging: boolean
  /** True if this profile is chosen to watch together; undefined while a single profile is being chosen. */
  isChosen: boolean | undefined
  canKidsEnter: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      data-profile={profile.profile_id}
      aria-pressed={isChosen}
      onClick={onClick}
      className="group flex w-[clamp(84px,10vw,200px)] flex-col items-center gap-3 rounded-md text-muted hover:text-ink focus-visible:text-ink"
    >
      <span className="relative block aspect-square w-full">
        <Avatar
          avatarNumber={profile.avatar}
          className="size-full outline-3 outline-transparent transition-colors group-hover:outline-ink"
        />
        {isManaging && (
          <span className="absolute inset-0 grid place-items-center rounded-md bg-black/60 text-white">
            <Pencil aria-hidden size={36} />
          </span>
        )}
        {isChosen && (
          <span className="absolute inset-0 grid place-items-center rounded-md bg-black/60 text-white">
            <Check aria-hidden size={36} />
          </span>
        )}
        {profile.kids && (
          <span className="absolute inset-x-0 bottom-0 rounded-b-md bg-black/70 py-0.5 text-center text-sm font-semibold text-white">
            {t('profiles:kids')}{' '}
          </span>
        )}
      </span>
      <span className="flex max-w-full items-center gap-1.5">
        {isManaging && <span className="sr-only">{t('common:edit')} </span>}
        <Name text={profile.name} className="truncate" />
        {profile.locked && <span className="sr-only"> {t('profiles:locked')}</span>}
        {profile.locked && <Lock aria-hidden size={16} />}
      </span>
      {canKidsEnter && (
        <span className="-mt-2 text-center text-xs">
          <LockOpen aria-hidden size={14} className="inline" /> {t('profiles:open')}
        </span>
      )}
    </button>
  )
}

import { useStore } from '@nanostores/react'
import { lazy, Suspense, useId, useState } from 'react'
import { Baby, ChevronDown } from '../../icons/index.ts'
import type { Profile } from '../../lib/contract/profiles.ts'
import { t } from '../../lib/i18n/t.ts'
import { MAX_PROFILES } from '../../lib/rules/limits.ts'
import { getLimitsStore, getTitleRulesStore } from '../../lib/stores/family.ts'
import { $profiles } from '../../lib/stores/profile.ts'
import { $watchRequests } from '../../lib/stores/watch-requests.ts'
import { Button } from '../../ui/Button.tsx'
import { Name } from '../media/Name.tsx'
import { Avatar } from '../profiles/Avatar.tsx'
import { useSettledCount } from '../use-settled-count.ts'
import { ADDITIONAL_ACCOUNT_SECTIONS, ADDITIONAL_PROFILE_SECTIONS } from './additional-sections.ts'
import { LimitsSection } from './LimitsSection.tsx'
import type { ProfileSection } from './section-types.ts'
import { TitleRulesSection } from './TitleRulesSection.tsx'

const ChildSetupDialog = lazy(() => import('./ChildSetupDialog.tsx'))

const PROFILE_SECTIONS: readonly ProfileSection[] = [
  { id: 'limits', Section: LimitsSection, getReadStore: getLimitsStore },
  { id: 'titles', Section: TitleRulesSection, getReadStore: getTitleRulesStore },
  ...ADDITIONAL_PROFILE_SECTIONS,
]

/**
 * The Family tab of the account page. It contains the watch requests and, for each profile, what the profile may see,
 * its viewing time and its activity. The tab is shown only while a parent acts (`$isParentActing`).
 */
export default function FamilyTab() {
  const profiles = useStore($profiles) ?? []
  const otherProfiles = profiles.filter((profile) => !profile.main)
  const [isSetUpOpen, setIsSetUpOpen] = useState(false)
  const [openProfileId, setOpenProfileId] = useState(otherProfiles.find(({ kids }) => kids)?.profile_id)
  const areRequestsSettled = useSettledCount([$watchRequests]) > 0
  return (
    <section aria-label={t('family:title')} className="flex flex-col gap-6">
      <p className="max-w-3xl text-muted">
        {t(otherProfiles.length > 0 ? 'family:intro' : 'family:noProfiles')}
      </p>
      {profiles.length < MAX_PROFILES && (
        <Button
          variant="primary"
          className="self-start"
          icon={<Baby aria-hidden size={20} />}
          onClick={() => setIsSetUpOpen(true)}
        >
          {t('family:setUp')}
        </Button>
      )}
      {isSetUpOpen && (
        <Suspense>
          <ChildSetupDialog
            onClose={(profile) => {
              setIsSetUpOpen(false)
              if (profile) setOpenProfileId(profile.profile_id)
            }}
          />
        </Suspense>
      )}
      {ADDITIONAL_ACCOUNT_SECTIONS.filter((section) => !section.isBelowProfiles).map(({ id, Section }) => (
        <Section key={id} />
      ))}
      {/* The profiles are loaded together with the requests above them. They stay invisible until the requests are
          loaded, because the requests would shift them. */}
      <ul className={`flex flex-col gap-4 ${areRequestsSettled ? '' : 'invisible'}`}>
        {[...otherProfiles, ...profiles.filter((profile) => profile.main)].map((profile) => (
          <ProfileItem
            key={profile.profile_id}
            profile={profile}
            isOpen={openProfileId === profile.profile_id}
            onToggle={() =>
              setOpenProfileId(openProfileId === profile.profile_id ? undefined : profile.profile_id)
            }
          />
        ))}
      </ul>
      {ADDITIONAL_ACCOUNT_SECTIONS.filter((section) => section.isBelowProfiles).map(({ id, Section }) => (
        <Section key={id} />
      ))}
    </section>
  )
}

function ProfileItem({
  profile,
  isOpen,
  onToggle,
}: {
  profile: Profile
  isOpen: boolean
  onToggle: () => void
}) {
  const panelId = useId()
  return (
    <li className="rounded-lg border border-line">
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={onToggle}
          className="flex min-h-12 w-full items-center gap-4 rounded-lg p-4 text-start hover:bg-raised"
        >
          <Avatar avatarNumber={profile.avatar} className="size-12" />
          <span className="min-w-0 grow">
            <Name text={profile.name} className="block truncate text-lg font-semibold" />
            <span className="text-sm text-muted">{describeProfile(profile)}</span>
          </span>
          <ChevronDown aria-hidden className={isOpen ? 'rotate-180' : ''} />
        </button>
      </h2>
      {isOpen && (
        <div id={panelId} className="flex flex-col gap-8 border-t border-line p-4">
          <ProfileSections profile={profile} />
        </div>
      )}
    </li>
  )
}

/**
 * Renders the sections of a profile up to the first section that is still loading. Until all sections are loaded, an
 * empty space as high as the window follows, so that the profiles below do not shift in view.
 */
function ProfileSections({ profile }: { profile: Profile }) {
  const sections = PROFILE_SECTIONS.filter(({ isShownFor }) => !isShownFor || isShownFor(profile))
  const settledReadCount = useSettledCount(
    sections.map(({ getReadStore }) => getReadStore(profile.profile_id)),
  )
  return (
    <>
      {sections.slice(0, settledReadCount + 1).map(({ id, Section }) => (
        <Section key={id} profile={profile} />
      ))}
      {settledReadCount < sections.length && <div className="min-h-dvh" />}
    </>
  )
}

function describeProfile({ main, kids, restricted }: Profile): string {
  if (main) return t('family:main')
  if (kids) return t('profiles:kidsProfile')
  return t(restricted ? 'family:limited' : 'family:noLimit')
}

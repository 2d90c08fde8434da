import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Profile } from '../lib/contract/profiles.ts'
import { formatLocalDate } from '../lib/i18n/format-instant.ts'
import type { TranslationKey } from '../lib/i18n/keys.ts'
import { getCurrentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import { reloadUser } from '../lib/stores/account.ts'
import { $isParentActing } from '../lib/stores/parent.ts'
import { $profile } from '../lib/stores/profile.ts'
import { $user } from '../lib/stores/session.ts'
import { Button, getButtonClass } from '../ui/Button.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { DevicesTab } from './account/DevicesTab.tsx'
import { KidsPreferences, PreferencesTab } from './account/PreferencesTab.tsx'
import { GuardedPage } from './GuardedPage.tsx'
import { Name } from './media/Name.tsx'
import { Avatar } from './profiles/Avatar.tsx'
import { SecondFactorPrompt } from './second-factor/SecondFactorPrompt.tsx'

const EmailChangeDialog = lazy(() => import('./account/EmailChangeDialog.tsx'))

const ImportExportTab = lazy(() => import('./account/ImportExportTab.tsx'))

const FamilyTab = lazy(() => import('./family/FamilyTab.tsx'))

const SecurityTab = lazy(() => import('./account/SecurityTab.tsx'))

const TasteTab = lazy(() => import('./account/TasteTab.tsx'))

const NoticesTab = lazy(() => import('./account/NoticesTab.tsx'))

const BinTab = lazy(() => import('./account/BinTab.tsx'))

const ACCOUNT_TABS = [
  'profile',
  'security',
  'devices',
  'preferences',
  'family',
  'notices',
  'taste',
  'transfer',
  'bin',
] as const
type AccountTab = (typeof ACCOUNT_TABS)[number]

export default function AccountPage() {
  return (
    <GuardedPage>
      <AccountPageContent />
    </GuardedPage>
  )
}

function AccountPageContent() {
  const profile = useStore($profile)
  if (!profile) return null
  return profile.kids ? <KidsSettings profile={profile} /> : <AccountTabs />
}

/**
 * The settings that a kids profile may change for itself. The settings of the account are only for adult
 * profiles.
 */
function KidsSettings({ profile }: { profile: Profile }) {
  return (
    <div className="edge flex max-w-[84rem] flex-col gap-8 pt-6 pb-24">
      <h1 className="text-2xl font-black wrap-anywhere">{t('account:kidsTitle')}</h1>
      <KidsPreferences profile={profile} />
      <section className="flex max-w-xl flex-col items-start gap-4 border-t border-line pt-8">
        <p className="text-muted">{t('account:kidsText')}</p>
        <a className={getButtonClass('plain')} href={href('profiles', getCurrentLocale())}>
          {t('account:openAdult')}
        </a>
      </section>
    </div>
  )
}

const TAB_LABELS: Record<AccountTab, TranslationKey> = {
  profile: 'account:profile',
  security: 'account:security',
  devices: 'account:devices',
  preferences: 'account:preferences',
  family: 'family:title',
  notices: 'notices:title',
  taste: 'taste:title',
  transfer: 'transfer:title',
  bin: 'bin:title',
}

function AccountTabs() {
  const canOpenFamilyTab = useStore($isParentActing)
  const tabs = ACCOUNT_TABS.filter((tabName) => tabName !== 'family' || canOpenFamilyTab)
  const requestedTab = new URLSearchParams(location.search).get('tab')
  const [tab, setTab] = useState<AccountTab>(tabs.find((tabName) => tabName === requestedTab) ?? 'profile')
  const isEmailUnknown = useStore($user)?.email === null
  // Loads the user again if the email address is missing. The server omits the address until an adult profile acts, and
  // an adult profile may begin to act only after the session has started.
  useEffect(() => {
    if (isEmailUnknown) void reloadUser().catch(() => {})
  }, [isEmailUnknown])
  const selectTab = (nextTab: AccountTab) => {
    setTab(nextTab)
    history.replaceState(
      history.state,
      '',
      `${location.pathname}${nextTab === 'profile' ? '' : `?tab=${nextTab}`}`,
    )
  }
  return (
    <div className="edge flex max-w-[84rem] flex-col gap-8 pt-6 pb-24">
      <h1 className="text-2xl font-black wrap-anywhere">{t('account:title')}</h1>
      <Tabs
        label={t('account:title')}
        value={tab}
        tabs={tabs.map((value) => ({ value, label: t(TAB_LABELS[value]) }))}
        onChange={selectTab}
      />
      {tab === 'profile' && <ProfileOverview />}
      {tab === 'security' && (
        <Suspense>
          <SecurityTab />
        </Suspense>
      )}
      {tab === 'devices' && <DevicesTab />}
      {tab === 'preferences' && <PreferencesTab />}
      {tab === 'family' && (
        <Suspense>
          <FamilyTab />
        </Suspense>
      )}
      {tab === 'taste' && (
        <Suspense>
          <TasteTab />
        </Suspense>
      )}
      {tab === 'transfer' && (
        <Suspense>
          <ImportExportTab />
        </Suspense>
      )}
      {tab === 'notices' && (
        <Suspense>
          <NoticesTab />
        </Suspense>
      )}
      {tab === 'bin' && (
        <Suspense>
          <BinTab />
        </Suspense>
      )}
      <SecondFactorPrompt />
    </div>
  )
}

function ProfileOverview() {
  const user = useStore($user)
  const profile = useStore($profile)
  const [isChangingEmail, setIsChangingEmail] = useState(false)
  if (!user || !profile) return null
  return (
    <section aria-label={t('account:profile')} className="flex flex-col gap-6">
      <div className="flex items-center gap-5">
        <Avatar avatarNumber={profile.avatar} className="size-24 shrink-0" />
        <Name text={profile.name} className="min-w-0 text-xl font-bold wrap-anywhere" />
      </div>
      <dl className="divide-y divide-line">
        {/* The email address is unknown offline, and until an adult profile acts. */}
        {user.email !== null && (
          <div className="grid grid-cols-2 py-3">
            <dt className="text-muted">{t('account:email')}</dt>
            <dd className="min-w-0 wrap-anywhere">
              <bdi>{user.email}</bdi>
            </dd>
          </div>
        )}
        <div className="grid grid-cols-2 py-3">
          <dt className="text-muted">{t('account:memberSince')}</dt>
          <dd>
            <bdi>{formatLocalDate(user.created_at)}</bdi>
          </dd>
        </div>
      </dl>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => setIsChangingEmail(true)}>{t('security:emailChange')}</Button>
        <a
          className={getButtonClass('plain')}
          href={href('profiles', getCurrentLocale(), { query: { manage: 1 } })}
        >
          {t('header:manageProfiles')}
        </a>
      </div>
      {isChangingEmail && (
        <Suspense>
          <EmailChangeDialog onClose={() => setIsChangingEmail(false)} />
        </Suspense>
      )}
    </section>
  )
}

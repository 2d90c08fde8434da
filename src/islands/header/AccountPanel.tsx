import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import {
  CalendarRange,
  ChartPie,
  Check,
  CirclePlay,
  History,
  LayoutDashboard,
  LibraryBig,
  Lock,
  LogOut,
  Settings,
  Smartphone,
  UserRoundPen,
  UserRoundX,
  Users,
} from '../../icons/index.ts'
import { navigate } from '../../lib/client-navigation.ts'
import type { Profile } from '../../lib/contract/profiles.ts'
import { formatNames } from '../../lib/i18n/format-names.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import { endGroup } from '../../lib/stores/group.ts'
import { $isParentActing } from '../../lib/stores/parent.ts'
import { $groupIds, $profiles } from '../../lib/stores/profile.ts'
import { enterProfile } from '../../lib/stores/route-guard.ts'
import { $user } from '../../lib/stores/session.ts'
import { signOut } from '../../lib/stores/sign-out.ts'
import { $theme, setTheme, type Theme } from '../../lib/stores/theme.ts'
import { waitForPaint } from '../../lib/wait-for-paint.ts'
import { isPhone } from '../../ui/is-phone.ts'
import { menuItemClass } from '../../ui/Menu.tsx'
import { Name } from '../media/Name.tsx'
import { Avatar } from '../profiles/Avatar.tsx'

const THEMES = [
  ['system', 'header:themeSystem'],
  ['light', 'header:themeLight'],
  ['dark', 'header:themeDark'],
] as const

interface Props {
  /** The acting profile. */
  profile: Profile
  /** Called when the user selects a profile, ends the group, or opens the dialog for a phone. */
  onSelect: () => void
}

export default function AccountPanel({ profile, onSelect }: Props) {
  const profiles = useStore($profiles) ?? []
  const user = useStore($user)
  const theme = useStore($theme)
  const locale = getCurrentLocale()
  const handleProfileSelect = async (otherProfile: Profile) => {
    onSelect()
    if (otherProfile.profile_id === profile.profile_id) return
    await waitForPaint()
    if (otherProfile.locked)
      await navigate(href('profiles', locale, { query: { unlock: otherProfile.profile_id } }))
    else enterProfile(otherProfile.profile_id, href('home', locale))
  }
  const isParentActing = useStore($isParentActing)
  const groupIds = useStore($groupIds) ?? []
  const viewers = profiles.filter(({ profile_id }) => groupIds.includes(profile_id))
  // The last entries stick to the bottom only in a tall window. On a phone in landscape, they would cover half of the
  // menu.
  const isWindowTall = innerHeight > 480
  const lastMenuEntriesRef = useRef<HTMLUListElement>(null)
  const [hasEntriesBelow, setHasEntriesBelow] = useState(false)
  useEffect(() => {
    const panel = lastMenuEntriesRef.current?.closest<HTMLElement>('[data-panel]')
    if (!panel) return
    const updateHasEntriesBelow = () =>
      setHasEntriesBelow(panel.scrollTop + panel.clientHeight < panel.scrollHeight - 1)
    updateHasEntriesBelow()
    panel.addEventListener('scroll', updateHasEntriesBelow)
    return () => panel.removeEventListener('scroll', updateHasEntriesBelow)
  }, [])
  const openPhoneDialog = async () => {
    const { showRemoteDialog } = await import('../remote/show-remote-dialog.tsx')
    onSelect()
    showRemoteDialog()
  }
  return (
    <>
      {viewers.length > 0 && (
        <div className="border-b border-line pb-1">
          <p className="px-3 py-2 text-sm text-muted">
            {t('header:group', { names: formatNames(viewers.map(({ name }) => name)) })}
          </p>
          <button
            type="button"
            className={menuItemClass}
            onClick={() => {
              onSelect()
              void endGroup(profile.profile_id)
            }}
          >
            <UserRoundX aria-hidden size={20} />
            {t('header:endGroup')}
          </button>
        </div>
      )}
      <ul>
        {profiles.map((listedProfile) => (
          <li key={listedProfile.profile_id}>
            <ProfileItem
              profile={listedProfile}
              isCurrent={listedProfile.profile_id === profile.profile_id}
              onSelect={() => void handleProfileSelect(listedProfile)}
            />
          </li>
        ))}
      </ul>
      <ul className="border-t border-line pt-1">
        <MenuLink
          href={href('profiles', locale)}
          icon={<Users aria-hidden size={20} />}
          text={t('header:whoIsWatching')}
        />
        {!profile.kids && (
          <MenuLink
            href={href('profiles', locale, { query: { manage: 1 } })}
            icon={<UserRoundPen aria-hidden size={20} />}
            text={t('header:manageProfiles')}
          />
        )}
        <MenuLink
          href={href('watch-next', locale)}
          icon={<CirclePlay aria-hidden size={20} />}
          text={t('header:watchNext')}
        />
        <MenuLink
          href={href('lists', locale)}
          icon={<LibraryBig aria-hidden size={20} />}
          text={t('header:lists')}
        />
        <MenuLink
          href={href('calendar', locale)}
          icon={<CalendarRange aria-hidden size={20} />}
          text={t('header:calendar')}
        />
        <MenuLink
          href={href('history', locale)}
          icon={<History aria-hidden size={20} />}
          text={t('header:history')}
        />
        <MenuLink
          href={href('statistics', locale)}
          icon={<ChartPie aria-hidden size={20} />}
          text={t('header:statistics')}
        />
        <MenuLink
          href={href('account', locale)}
          icon={<Settings aria-hidden size={20} />}
          text={t(profile.kids ? 'header:kidsSettings' : 'header:account')}
        />
        {user?.role === 'admin' && isParentActing && (
          <MenuLink
            href={href('dashboard', locale)}
            icon={<LayoutDashboard aria-hidden size={20} />}
            text={t('header:dashboard')}
          />
        )}
      </ul>
      <fieldset className="border-t border-line px-3 py-2">
        <legend className="sr-only">{t('header:theme')}</legend>
        <div className="grid grid-cols-3 gap-1">
          {THEMES.map(([value, labelKey]) => (
            <button
              key={value}
              type="button"
              aria-pressed={theme === value}
              onClick={() => setTheme(value as Theme)}
              className="min-h-11 rounded-md text-sm text-muted hover:text-ink aria-pressed:bg-raised aria-pressed:font-semibold aria-pressed:text-ink"
            >
              {t(labelKey)}
            </button>
          ))}
        </div>
      </fieldset>
      {/* The list sticks to the bottom edge of a long menu. The negative offset covers the padding of the
          panel. */}
      <ul
        ref={lastMenuEntriesRef}
        data-last-row
        className="border-t border-line bg-overlay pt-1"
        style={isWindowTall ? { position: 'sticky', bottom: '-0.5rem' } : {}}
      >
        {/* Fades the entries above the list while the list covers further entries. This shows that the menu can be
            scrolled. */}
        {isWindowTall && hasEntriesBelow && (
          <li
            role="presentation"
            className="pointer-events-none absolute inset-x-0 bottom-full h-12"
            style={{ background: 'linear-gradient(to top, var(--color-overlay), transparent)' }}
          />
        )}
        {/* On a phone, the entry opens the page with the remote keys, because the phone itself is the remote control.
            On other screens, the entry opens a dialog with a code for a phone. */}
        {isPhone() ? (
          <MenuLink
            href={href('remote', locale)}
            icon={<Smartphone aria-hidden size={20} />}
            text={t('header:usePhone')}
          />
        ) : (
          <li>
            <button type="button" className={menuItemClass} onClick={() => void openPhoneDialog()}>
              <Smartphone aria-hidden size={20} />
              {t('header:usePhone')}
            </button>
          </li>
        )}
        <li>
          <button type="button" className={menuItemClass} onClick={() => void signOut()}>
            <LogOut aria-hidden size={20} className="rtl:-scale-x-100" />
            {t('header:logout')}
          </button>
        </li>
      </ul>
    </>
  )
}

interface ProfileItemProps {
  profile: Profile
  isCurrent: boolean
  onSelect: () => void
}

/** A profile to switch to. The acting profile is marked; pressing the acting profile only closes the menu. */
function ProfileItem({ profile, isCurrent, onSelect }: ProfileItemProps) {
  const { name, avatar, locked } = profile
  return (
    <button
      type="button"
      className={menuItemClass}
      aria-current={isCurrent || undefined}
      aria-label={
        isCurrent
          ? t('header:currentProfile', { name })
          : t(locked ? 'header:switchToLocked' : 'header:switchTo', { name })
      }
      onClick={onSelect}
    >
      <Avatar avatarNumber={avatar} className="size-8 shrink-0" />
      <Name text={name} className={isCurrent ? 'truncate font-semibold' : 'truncate'} />
      <span className="ms-auto flex shrink-0 items-center gap-2 text-muted">
        {locked && <Lock aria-hidden size={16} />}
        {isCurrent && <Check aria-hidden size={18} />}
      </span>
    </button>
  )
}

function MenuLink({ href, icon, text }: { href: string; icon: React.ReactNode; text: string }) {
  return (
    <li>
      <a href={href} className={menuItemClass}>
        {icon}
        {text}
      </a>
    </li>
  )
}

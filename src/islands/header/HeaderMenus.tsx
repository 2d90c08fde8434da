import { useStore } from '@nanostores/react'
import { lazy, Suspense } from 'react'
import { Bell } from '../../icons/index.ts'
import type { Profile } from '../../lib/contract/profiles.ts'
import { formatNames } from '../../lib/i18n/format-names.ts'
import { t } from '../../lib/i18n/t.ts'
import { $unseenNoticeCount } from '../../lib/stores/notices.ts'
import { $groupIds, $profiles } from '../../lib/stores/profile.ts'
import { Menu } from '../../ui/Menu.tsx'
import { Avatar } from '../profiles/Avatar.tsx'

/* The content of a menu is loaded when the menu first opens. */
const AccountPanel = lazy(() => import('./AccountPanel.tsx'))
const NoticePanel = lazy(() => import('./NoticePanel.tsx'))

export function AccountMenu({ profile }: { profile: Profile }) {
  const groupIds = useStore($groupIds) ?? []
  const profiles = useStore($profiles) ?? []
  const viewers = groupIds.flatMap((id) => profiles.find(({ profile_id }) => profile_id === id) ?? [])
  const viewerNamesText = formatNames(viewers.map(({ name }) => name))
  return (
    <Menu
      label={
        viewerNamesText
          ? t('header:group', { names: viewerNamesText })
          : t('header:menu', { name: profile.name })
      }
      button={
        <span className="flex gap-1">
          {(viewerNamesText ? viewers.slice(0, 3) : [profile]).map(({ profile_id, avatar }) => (
            <Avatar key={profile_id} avatarNumber={avatar} className="size-[max(36px,min(2.25rem,10vw))]" />
          ))}
        </span>
      }
    >
      {(closeMenu) => (
        <Suspense>
          <AccountPanel profile={profile} onSelect={closeMenu} />
        </Suspense>
      )}
    </Menu>
  )
}

export function NoticeMenu() {
  const unseenCount = useStore($unseenNoticeCount)
  const countLabel = unseenCount > 9 ? '9+' : String(unseenCount)
  const label =
    unseenCount > 0
      ? t('common:pair', { name: t('header:notifications'), value: countLabel })
      : t('header:notifications')
  const bellIcon = (
    <>
      <Bell aria-hidden size={22} />
      {unseenCount > 0 && (
        <span
          aria-hidden
          className="numbers absolute end-0 top-0 min-w-5 rounded-full bg-accent px-1 text-xs font-bold text-accent-ink"
        >
          {countLabel}
        </span>
      )}
    </>
  )
  return (
    <Menu isWide label={label} button={bellIcon}>
      {() => (
        <Suspense>
          <NoticePanel />
        </Suspense>
      )}
    </Menu>
  )
}

import {
  Ban,
  CircleCheck,
  KeyRound,
  LogOut,
  Mail,
  MonitorSmartphone,
  ShieldCheck,
  ShieldMinus,
  ShieldOff,
  Trash2,
} from '../../../icons/index.ts'
import type { AccountSummary } from '../../../lib/contract/admin-users.ts'
import { formatLocalDate } from '../../../lib/i18n/format-instant.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import { formatNumber, t } from '../../../lib/i18n/t.ts'
import { setUserBlocked, setUserRole } from '../../../lib/stores/admin/users.ts'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { RowMenu, type RowMenuItem } from '../kit/RowMenu.tsx'
import { StatusBadge } from '../kit/StatusBadge.tsx'
import type { DataTableColumn } from '../kit/table-columns.ts'
import type { UserAction } from './UserActionDialog.tsx'

export function createUserColumns(
  isOwnAccount: (account: AccountSummary) => boolean,
  requestAction: (action: UserAction) => void,
): DataTableColumn<AccountSummary>[] {
  return [
    {
      key: 'email',
      label: t('dashboardpeople:account'),
      fillsWidth: true,
      renderCell: (account) => <AccountName account={account} isOwnAccount={isOwnAccount(account)} />,
    },
    {
      key: 'role',
      label: t('dashboardpeople:role'),
      minBreakpoint: 'md',
      renderCell: (account) => t(`dashboardpeople:role_${account.role}`),
    },
    {
      key: 'profiles',
      label: t('dashboardpeople:profiles'),
      minBreakpoint: 'xl',
      isEndAligned: true,
      renderCell: (account) => <span className="numbers">{formatNumber(account.profiles)}</span>,
    },
    {
      key: 'devices',
      label: t('dashboardpeople:devices'),
      minBreakpoint: 'lg',
      isEndAligned: true,
      renderCell: (account) => <span className="numbers">{formatNumber(account.devices)}</span>,
    },
    {
      key: 'since',
      label: t('dashboardpeople:since'),
      minBreakpoint: 'xl',
      renderCell: (account) => (
        <bdi className="numbers text-muted">{formatLocalDate(account.created_at)}</bdi>
      ),
    },
    {
      key: 'active',
      label: t('dashboardpeople:lastActive'),
      minBreakpoint: 'md',
      renderCell: (account) => (
        <span className="text-muted">
          {account.last_active ? <RelativeTime instant={account.last_active} /> : '—'}
        </span>
      ),
    },
    {
      key: 'actions',
      label: t('dashboard:actions'),
      hasHiddenLabel: true,
      isEndAligned: true,
      renderCell: (account) => (
        <RowMenu
          label={t('dashboard:actionsFor', { name: isolateBidi(account.email) })}
          items={createMenuItems(account, isOwnAccount(account), requestAction)}
        />
      ),
    },
  ]
}

function AccountName({ account, isOwnAccount }: { account: AccountSummary; isOwnAccount: boolean }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <span
        aria-hidden
        className="grid size-9 shrink-0 place-items-center rounded-full bg-ink/8 font-semibold text-muted uppercase"
      >
        {account.email.slice(0, 1)}
      </span>
      <div className="min-w-0">
        <p className="flex items-center gap-2">
          <bdi className="truncate font-medium">{account.email}</bdi>
          {isOwnAccount && <span className="shrink-0 text-xs text-faint">{t('dashboardpeople:you')}</span>}
          {account.blocked && <StatusBadge tone="bad">{t('dashboardpeople:account_blocked')}</StatusBadge>}
        </p>
        <p className="truncate text-xs text-muted md:hidden">
          {t(`dashboardpeople:role_${account.role}`)}
          {account.last_active && (
            <>
              {' · '}
              <RelativeTime isAfterText instant={account.last_active} />
            </>
          )}
        </p>
      </div>
    </div>
  )
}

/**
 * Returns the menu items of a row. An administrator's own account has only the items for devices and email
 * address, so that administrators cannot lock themselves out.
 */
function createMenuItems(
  account: AccountSummary,
  isOwnAccount: boolean,
  requestAction: (action: UserAction) => void,
): RowMenuItem[] {
  const devicesMenuItem: RowMenuItem = {
    label: t('dashboardpeople:showDevices'),
    icon: <MonitorSmartphone size={16} />,
    onSelect: () => requestAction({ kind: 'devices', account }),
  }
  const emailMenuItem: RowMenuItem = {
    label: t('dashboardpeople:changeEmail'),
    icon: <Mail size={16} />,
    onSelect: () => requestAction({ kind: 'email', account }),
  }
  if (isOwnAccount) return [devicesMenuItem, emailMenuItem]
  const isAdmin = account.role === 'admin'
  return [
    devicesMenuItem,
    {
      label: t(isAdmin ? 'dashboardpeople:makeUser' : 'dashboardpeople:makeAdmin'),
      icon: isAdmin ? <ShieldMinus size={16} /> : <ShieldCheck size={16} />,
      onSelect: () => void setUserRole(account, isAdmin ? 'user' : 'admin'),
    },
    emailMenuItem,
    {
      label: t('dashboardpeople:resetPassword'),
      icon: <KeyRound size={16} />,
      onSelect: () => requestAction({ kind: 'resetPassword', account }),
    },
    {
      label: t('dashboardpeople:resetSecondFactor'),
      icon: <ShieldOff size={16} />,
      onSelect: () => requestAction({ kind: 'resetSecondFactor', account }),
    },
    {
      label: t('dashboardpeople:signOutEverywhere'),
      icon: <LogOut size={16} />,
      onSelect: () => requestAction({ kind: 'signOut', account }),
    },
    account.blocked
      ? {
          label: t('dashboardpeople:unblock'),
          icon: <CircleCheck size={16} />,
          onSelect: () => void setUserBlocked(account, false),
        }
      : {
          label: t('dashboardpeople:block'),
          icon: <Ban size={16} />,
          isDestructive: true,
          onSelect: () => requestAction({ kind: 'block', account }),
        },
    {
      label: t('dashboardpeople:delete'),
      icon: <Trash2 size={16} />,
      isDestructive: true,
      onSelect: () => requestAction({ kind: 'delete', account }),
    },
  ]
}

import { useStore } from '@nanostores/react'
import {
  Ban,
  CircleCheck,
  LogOut,
  MonitorSmartphone,
  ShieldCheck,
  ShieldMinus,
  Trash2,
  UsersRound,
} from 'lucide-react'
import { useState } from 'react'
import type { Account } from '../../lib/contract/auth.ts'
import { formatAgo, formatDate } from '../../lib/i18n/format.ts'
import { isolate } from '../../lib/i18n/isolate.ts'
import { formatNumber, t } from '../../lib/i18n/t.ts'
import { $users, ROLES, setBlocked, setRole } from '../../lib/stores/admin/users.ts'
import { $view, filterBy, openSection } from '../../lib/stores/admin/view.ts'
import { $user } from '../../lib/stores/session.ts'
import { Action } from './kit/Action.tsx'
import { Badge } from './kit/Badge.tsx'
import { Choice, Filters, SearchBox } from './kit/Filters.tsx'
import { Head } from './kit/Head.tsx'
import { type Item, RowMenu } from './kit/RowMenu.tsx'
import { Blank, type Column, Table } from './kit/Table.tsx'
import { useAnswer } from './kit/use-answer.ts'
import { UserDialogs, type UserWish } from './people/UserDialogs.tsx'

export default function Users() {
  const usersQuery = useAnswer($users)
  const { filters } = useStore($view)
  const signedInUser = useStore($user)
  const [pendingAction, setPendingAction] = useState<UserWish | null>(null)
  const isOwnAccount = (account: Account) => account.user_id === signedInUser?.user_id
  return (
    <div className="flex flex-col gap-6">
      <Head
        title={t('dashboard:section_users')}
        hint={t('dashboardpeople:usersHint')}
        action={
          <Action look="primary" onClick={() => openSection('invitations')}>
            {t('dashboardpeople:invite')}
          </Action>
        }
      />
      <Filters>
        <SearchBox label={t('dashboardpeople:searchUsers')} value={filters['search'] ?? ''} />
        <Choice
          label={t('dashboardpeople:role')}
          any={t('dashboardpeople:anyRole')}
          value={filters['role'] ?? ''}
          options={ROLES.map((value) => ({ value, label: t(`dashboardpeople:role_${value}`) }))}
          onChange={(role) => filterBy({ role })}
        />
        <Choice
          label={t('dashboardpeople:state')}
          any={t('dashboardpeople:anyState')}
          value={filters['state'] ?? ''}
          options={(['active', 'blocked'] as const).map((value) => ({
            value,
            label: t(`dashboardpeople:account_${value}`),
          }))}
          onChange={(state) => filterBy({ state })}
        />
      </Filters>
      <Table
        label={t('dashboard:section_users')}
        answer={usersQuery}
        keyOf={(account) => account.user_id}
        columns={createColumns(isOwnAccount, setPendingAction)}
        empty={<Blank icon={<UsersRound />} title={t('dashboardpeople:noUsers')} />}
      />
      {pendingAction && <UserDialogs action={pendingAction} onClose={() => setPendingAction(null)} />}
    </div>
  )
}

function createColumns(
  isOwnAccount: (account: Account) => boolean,
  requestAction: (action: UserWish) => void,
): Column<Account>[] {
  return [
    {
      key: 'email',
      label: t('dashboardpeople:account'),
      wide: true,
      cell: (account) => <AccountName account={account} isOwn={isOwnAccount(account)} />,
    },
    {
      key: 'role',
      label: t('dashboardpeople:role'),
      from: 'md',
      cell: (account) => t(`dashboardpeople:role_${account.role}`),
    },
    {
      key: 'profiles',
      label: t('dashboardpeople:profiles'),
      from: 'xl',
      end: true,
      cell: (account) => <span className="numbers">{formatNumber(account.profiles)}</span>,
    },
    {
      key: 'devices',
      label: t('dashboardpeople:devices'),
      from: 'lg',
      end: true,
      cell: (account) => <span className="numbers">{formatNumber(account.devices)}</span>,
    },
    {
      key: 'since',
      label: t('dashboardpeople:since'),
      from: 'xl',
      cell: (account) => <bdi className="numbers text-muted">{formatDate(account.created_at)}</bdi>,
    },
    {
      key: 'active',
      label: t('dashboardpeople:lastActive'),
      from: 'md',
      cell: (account) => (
        <span className="text-muted">{account.last_active ? formatAgo(account.last_active) : '—'}</span>
      ),
    },
    {
      key: 'actions',
      label: t('dashboard:actions'),
      bare: true,
      end: true,
      cell: (account) => (
        <RowMenu
          label={t('dashboard:actionsFor', { name: isolate(account.email) })}
          items={createMenuItems(account, isOwnAccount(account), requestAction)}
        />
      ),
    },
  ]
}

function AccountName({ account, isOwn }: { account: Account; isOwn: boolean }) {
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
          {isOwn && <span className="shrink-0 text-xs text-faint">{t('dashboardpeople:you')}</span>}
          {account.blocked && <Badge tone="bad">{t('dashboardpeople:account_blocked')}</Badge>}
        </p>
        <p className="truncate text-xs text-muted md:hidden">
          {t(`dashboardpeople:role_${account.role}`)}
          {account.last_active && ` · ${formatAgo(account.last_active)}`}
        </p>
      </div>
    </div>
  )
}

/**
 * Menu items of a row. The own account lacks the destructive ones, so that administrators cannot lock themselves out.
 */
function createMenuItems(
  account: Account,
  isOwn: boolean,
  requestAction: (action: UserWish) => void,
): Item[] {
  const devicesItem: Item = {
    label: t('dashboardpeople:showDevices'),
    icon: <MonitorSmartphone size={16} />,
    onSelect: () => requestAction({ kind: 'devices', account }),
  }
  if (isOwn) return [devicesItem]
  const isAdmin = account.role === 'admin'
  return [
    devicesItem,
    {
      label: t(isAdmin ? 'dashboardpeople:makeUser' : 'dashboardpeople:makeAdmin'),
      icon: isAdmin ? <ShieldMinus size={16} /> : <ShieldCheck size={16} />,
      onSelect: () => void setRole(account, isAdmin ? 'user' : 'admin'),
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
          onSelect: () => void setBlocked(account, false),
        }
      : {
          label: t('dashboardpeople:block'),
          icon: <Ban size={16} />,
          danger: true,
          onSelect: () => requestAction({ kind: 'block', account }),
        },
    {
      label: t('dashboardpeople:delete'),
      icon: <Trash2 size={16} />,
      danger: true,
      onSelect: () => requestAction({ kind: 'delete', account }),
    },
  ]
}

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
  const answer = useAnswer($users)
  const { filters } = useStore($view)
  const self = useStore($user)
  const [wish, setWish] = useState<UserWish | null>(null)
  const mine = (account: Account) => account.user_id === self?.user_id
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
        answer={answer}
        keyOf={(account) => account.user_id}
        columns={columns(mine, setWish)}
        empty={<Blank icon={<UsersRound />} title={t('dashboardpeople:noUsers')} />}
      />
      {wish && <UserDialogs wish={wish} onClose={() => setWish(null)} />}
    </div>
  )
}

function columns(mine: (account: Account) => boolean, wish: (wish: UserWish) => void): Column<Account>[] {
  return [
    {
      key: 'email',
      label: t('dashboardpeople:account'),
      wide: true,
      cell: (account) => <Name account={account} mine={mine(account)} />,
    },
    {
      key: 'role',
      label: t('dashboardpeople:role'),
      from: 'md',
      cell: (one) => t(`dashboardpeople:role_${one.role}`),
    },
    {
      key: 'profiles',
      label: t('dashboardpeople:profiles'),
      from: 'xl',
      end: true,
      cell: (one) => <span className="numbers">{formatNumber(one.profiles)}</span>,
    },
    {
      key: 'devices',
      label: t('dashboardpeople:devices'),
      from: 'lg',
      end: true,
      cell: (one) => <span className="numbers">{formatNumber(one.devices)}</span>,
    },
    {
      key: 'since',
      label: t('dashboardpeople:since'),
      from: 'xl',
      cell: (one) => <bdi className="numbers text-muted">{formatDate(one.created_at)}</bdi>,
    },
    {
      key: 'active',
      label: t('dashboardpeople:lastActive'),
      from: 'md',
      cell: (one) => <span className="text-muted">{one.last_active ? formatAgo(one.last_active) : '—'}</span>,
    },
    {
      key: 'actions',
      label: t('dashboard:actions'),
      bare: true,
      end: true,
      cell: (one) => (
        <RowMenu
          label={t('dashboard:actionsFor', { name: isolate(one.email) })}
          items={itemsFor(one, mine(one), wish)}
        />
      ),
    },
  ]
}

function Name({ account, mine }: { account: Account; mine: boolean }) {
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
          {mine && <span className="shrink-0 text-xs text-faint">{t('dashboardpeople:you')}</span>}
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

/** Nobody takes their own rights away by a slip: one's own account offers less. */
function itemsFor(account: Account, mine: boolean, wish: (wish: UserWish) => void): Item[] {
  const devices: Item = {
    label: t('dashboardpeople:showDevices'),
    icon: <MonitorSmartphone size={16} />,
    onSelect: () => wish({ kind: 'devices', account }),
  }
  if (mine) return [devices]
  const admin = account.role === 'admin'
  return [
    devices,
    {
      label: t(admin ? 'dashboardpeople:makeUser' : 'dashboardpeople:makeAdmin'),
      icon: admin ? <ShieldMinus size={16} /> : <ShieldCheck size={16} />,
      onSelect: () => void setRole(account, admin ? 'user' : 'admin'),
    },
    {
      label: t('dashboardpeople:signOutEverywhere'),
      icon: <LogOut size={16} />,
      onSelect: () => wish({ kind: 'signOut', account }),
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
          onSelect: () => wish({ kind: 'block', account }),
        },
    {
      label: t('dashboardpeople:delete'),
      icon: <Trash2 size={16} />,
      danger: true,
      onSelect: () => wish({ kind: 'delete', account }),
    },
  ]
}

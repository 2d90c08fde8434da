import { useStore } from '@nanostores/react'
import { lazy, Suspense, useState } from 'react'
import { UsersRound } from '../../icons/index.ts'
import type { AccountSummary } from '../../lib/contract/admin-users.ts'
import { t } from '../../lib/i18n/t.ts'
import {
  $dashboardView,
  changeDashboardFilters,
  openDashboardSection,
} from '../../lib/stores/admin/dashboard-view.ts'
import { $users, ACCOUNT_ROLES } from '../../lib/stores/admin/users.ts'
import { $user } from '../../lib/stores/session.ts'
import { ActionButton } from './kit/ActionButton.tsx'
import { DataTable } from './kit/DataTable.tsx'
import { CompactSelect, FilterBar, SearchFilter } from './kit/FilterBar.tsx'
import { SectionHeader } from './kit/SectionHeader.tsx'
import { EmptyTableState } from './kit/TableStates.tsx'
import { useStoreQuery } from './kit/use-store-query.ts'
import { type UserAction, UserActionDialog } from './people/UserActionDialog.tsx'
import { createUserColumns } from './people/user-columns.tsx'

const CreateUserDialog = lazy(() => import('./people/CreateUserDialog.tsx'))

export default function Users() {
  const usersQuery = useStoreQuery($users)
  const { filters } = useStore($dashboardView)
  const signedInUser = useStore($user)
  const [pendingAction, setPendingAction] = useState<UserAction | null>(null)
  const [isCreating, setIsCreating] = useState(false)
  const isOwnAccount = (account: AccountSummary) => account.user_id === signedInUser?.user_id
  return (
    <div className="flex flex-col gap-6">
      <SectionHeader
        title={t('dashboard:section_users')}
        hint={t('dashboardpeople:usersHint')}
        action={
          <div className="flex flex-wrap gap-2">
            <ActionButton onClick={() => setIsCreating(true)}>{t('dashboardpeople:create')}</ActionButton>
            <ActionButton variant="primary" onClick={() => openDashboardSection('invitations')}>
              {t('dashboardpeople:invite')}
            </ActionButton>
          </div>
        }
      />
      <FilterBar>
        <SearchFilter label={t('dashboardpeople:searchUsers')} value={filters['search'] ?? ''} />
        <CompactSelect
          label={t('dashboardpeople:role')}
          emptyLabel={t('dashboardpeople:anyRole')}
          value={filters['role'] ?? ''}
          options={ACCOUNT_ROLES.map((value) => ({ value, label: t(`dashboardpeople:role_${value}`) }))}
          onChange={(role) => changeDashboardFilters({ role })}
        />
        <CompactSelect
          label={t('dashboardpeople:state')}
          emptyLabel={t('dashboardpeople:anyState')}
          value={filters['state'] ?? ''}
          options={(['active', 'blocked'] as const).map((value) => ({
            value,
            label: t(`dashboardpeople:account_${value}`),
          }))}
          onChange={(state) => changeDashboardFilters({ state })}
        />
      </FilterBar>
      <DataTable
        label={t('dashboard:section_users')}
        query={usersQuery}
        getKey={(account) => account.user_id}
        columns={createUserColumns(isOwnAccount, setPendingAction)}
        emptyState={<EmptyTableState icon={<UsersRound />} title={t('dashboardpeople:noUsers')} />}
      />
      {isCreating && (
        <Suspense>
          <CreateUserDialog onClose={() => setIsCreating(false)} />
        </Suspense>
      )}
      {pendingAction && <UserActionDialog action={pendingAction} onClose={() => setPendingAction(null)} />}
    </div>
  )
}

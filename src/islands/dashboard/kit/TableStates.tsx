import type { ReactNode } from 'react'
import { CircleAlert, SearchX } from '../../../icons/index.ts'
import { t } from '../../../lib/i18n/t.ts'
import {
  $dashboardView,
  changeDashboardFilters,
  listActiveFilters,
} from '../../../lib/stores/admin/dashboard-view.ts'
import { getErrorMessageKey } from '../../../lib/stores/admin/run-action.ts'
import { ActionButton } from './ActionButton.tsx'
import type { StoreQuery } from './use-store-query.ts'

export function LoadError({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  return (
    <EmptyTableState icon={<CircleAlert />} title={reason}>
      <ActionButton onClick={onRetry}>{t('common:tryAgain')}</ActionButton>
    </EmptyTableState>
  )
}

/** Shows why the first failed query has failed, with a button that repeats every failed query. */
export function FailedQueries({
  queries,
}: {
  queries: readonly Pick<StoreQuery<unknown>, 'error' | 'retry'>[]
}) {
  const failedQueries = queries.filter(({ error }) => error)
  const error = failedQueries[0]?.error
  if (!error) return null
  return (
    <LoadError
      reason={t(getErrorMessageKey(error))}
      onRetry={() => {
        for (const { retry } of failedQueries) retry()
      }}
    />
  )
}

export function NothingFound() {
  const clearFilters = () =>
    changeDashboardFilters(
      Object.fromEntries(listActiveFilters($dashboardView.get()).map((name) => [name, ''])),
    )
  return (
    <EmptyTableState
      icon={<SearchX />}
      title={t('dashboard:nothingFound')}
      hint={t('dashboard:nothingFoundHint')}
    >
      <ActionButton onClick={clearFilters}>{t('dashboard:clearFilters')}</ActionButton>
    </EmptyTableState>
  )
}

/** Message for a page after the last one, for example after rows were deleted. */
export function NoSuchPage({ pageCount }: { pageCount: number }) {
  return (
    <EmptyTableState icon={<SearchX />} title={t('dashboard:noSuchPage')}>
      <ActionButton onClick={() => changeDashboardFilters({ page: String(Math.max(1, pageCount)) })}>
        {t('dashboard:lastPage')}
      </ActionButton>
    </EmptyTableState>
  )
}

interface EmptyTableStateProps {
  icon: ReactNode
  title: string
  hint?: string
  children?: ReactNode
}

/** Message for an empty or failed list, with the reason and the next action. */
export function EmptyTableState({ icon, title, hint, children }: EmptyTableStateProps) {
  return (
    <div className="flex min-h-72 flex-col items-center justify-center gap-3 rounded-lg border border-dashed border-line px-6 py-12 text-center">
      <div aria-hidden className="grid size-12 place-items-center rounded-full bg-overlay text-muted">
        {icon}
      </div>
      <p className="font-semibold">{title}</p>
      {hint && <p className="max-w-prose text-sm text-muted">{hint}</p>}
      {children}
    </div>
  )
}

import { CircleAlert, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../../lib/i18n/t.ts'
import {
  $dashboardView,
  changeDashboardFilters,
  listActiveFilters,
} from '../../../lib/stores/admin/dashboard-view.ts'
import { ActionButton } from './ActionButton.tsx'

export function LoadError({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  return (
    <EmptyTableState icon={<CircleAlert />} title={reason}>
      <ActionButton onClick={onRetry}>{t('common:tryAgain')}</ActionButton>
    </EmptyTableState>
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

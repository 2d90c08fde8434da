import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { FileClock, ShieldAlert, ShieldCheck, X } from '../../icons/index.ts'
import type { AuditEvent } from '../../lib/contract/admin-audit.ts'
import { t } from '../../lib/i18n/t.ts'
import {
  $auditEvents,
  $auditVerification,
  AUDIT_OUTCOMES,
  verifyAuditLog,
} from '../../lib/stores/admin/audit.ts'
import { $dashboardView, changeDashboardFilters } from '../../lib/stores/admin/dashboard-view.ts'
import { useAction } from '../../ui/use-action.ts'
import { ActionButton } from './kit/ActionButton.tsx'
import { DataTable } from './kit/DataTable.tsx'
import { CompactSelect, FilterBar, SearchFilter } from './kit/FilterBar.tsx'
import { SectionHeader } from './kit/SectionHeader.tsx'
import { EmptyTableState } from './kit/TableStates.tsx'
import { useStoreQuery } from './kit/use-store-query.ts'
import { AuditEventDialog } from './system/AuditEventDialog.tsx'
import { createAuditColumns, formatAuditAction } from './system/audit-columns.tsx'
import { DateFilter } from './system/DateFilter.tsx'

export default function Audit() {
  const auditQuery = useStoreQuery($auditEvents)
  const { filters } = useStore($dashboardView)
  const [selectedEvent, setSelectedEvent] = useState<AuditEvent | null>(null)
  const actions = auditQuery.data?.actions ?? (filters['action'] ? [filters['action']] : [])
  const eventOfFilteredAccount = auditQuery.data?.results.find(
    ({ actor }) => actor?.user_id === filters['user'],
  )
  return (
    <div className="flex flex-col gap-6">
      <SectionHeader
        title={t('dashboard:section_audit')}
        hint={t('dashboardsystem:auditHint')}
        action={<VerifyAuditLogButton />}
      />
      <VerificationResult />
      <FilterBar>
        <SearchFilter label={t('dashboardsystem:searchAudit')} value={filters['search'] ?? ''} />
        <CompactSelect
          label={t('dashboardsystem:action')}
          emptyLabel={t('dashboardsystem:anyAction')}
          value={filters['action'] ?? ''}
          options={actions.map((value) => ({ value, label: formatAuditAction(value) }))}
          onChange={(action) => changeDashboardFilters({ action })}
        />
        <CompactSelect
          label={t('dashboardsystem:outcome')}
          emptyLabel={t('dashboardsystem:anyOutcome')}
          value={filters['outcome'] ?? ''}
          options={AUDIT_OUTCOMES.map((value) => ({ value, label: t(`dashboardsystem:outcome_${value}`) }))}
          onChange={(outcome) => changeDashboardFilters({ outcome })}
        />
        <div className="flex flex-wrap items-center gap-2">
          <DateFilter label={t('dashboardsystem:from')} name="from" value={filters['from'] ?? ''} />
          <DateFilter label={t('dashboardsystem:to')} name="to" value={filters['to'] ?? ''} />
        </div>
        {filters['user'] && (
          <ActionButton
            icon={<X aria-hidden size={16} />}
            onClick={() => changeDashboardFilters({ user: '' })}
          >
            <bdi>{eventOfFilteredAccount?.actor?.email ?? t('dashboardsystem:sameAccount')}</bdi>
            <span className="sr-only">{t('dashboardsystem:clearAccountFilter')}</span>
          </ActionButton>
        )}
      </FilterBar>
      <DataTable
        label={t('dashboard:section_audit')}
        query={auditQuery}
        getKey={(event) => event.id}
        columns={createAuditColumns(setSelectedEvent)}
        emptyState={<EmptyTableState icon={<FileClock />} title={t('dashboardsystem:noEvents')} />}
      />
      {selectedEvent && <AuditEventDialog event={selectedEvent} onClose={() => setSelectedEvent(null)} />}
    </div>
  )
}

function VerifyAuditLogButton() {
  const [isVerifying, runAction] = useAction()
  return (
    <ActionButton
      icon={<ShieldCheck aria-hidden size={16} />}
      aria-disabled={isVerifying}
      onClick={() => void runAction(verifyAuditLog)}
    >
      {t('dashboardsystem:verify')}
    </ActionButton>
  )
}

function VerificationResult() {
  const verification = useStore($auditVerification)
  return (
    <div role="status" className="empty:hidden">
      {verification && (
        <p className="flex items-center gap-3 rounded-md border border-line bg-raised px-4 py-2.5 text-sm">
          {verification.verified ? (
            <ShieldCheck aria-hidden size={18} className="text-good" />
          ) : (
            <ShieldAlert aria-hidden size={18} className="text-danger" />
          )}
          {verification.verified
            ? t('dashboardsystem:verified', { count: verification.events })
            : t('dashboardsystem:broken', { id: verification.broken_at ?? '—' })}
        </p>
      )}
    </div>
  )
}

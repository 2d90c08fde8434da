import { useStore } from '@nanostores/react'
import { FileClock, ShieldAlert, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { AuditEvent } from '../../lib/contract/admin-audit.ts'
import { t } from '../../lib/i18n/t.ts'
import { $audit, $verdict, OUTCOMES, verifyAudit } from '../../lib/stores/admin/audit.ts'
import { $view, filterBy } from '../../lib/stores/admin/view.ts'
import { Action } from './kit/Action.tsx'
import { Choice, Filters, SearchBox } from './kit/Filters.tsx'
import { Head } from './kit/Head.tsx'
import { Blank, Table } from './kit/Table.tsx'
import { useAnswer } from './kit/use-answer.ts'
import { actionName, auditColumns } from './system/audit-columns.tsx'
import { DayField } from './system/DayField.tsx'
import { EventDialog } from './system/EventDialog.tsx'

export default function Audit() {
  const auditQuery = useAnswer($audit)
  const { filters } = useStore($view)
  const [openEvent, setOpenEvent] = useState<AuditEvent | null>(null)
  const actions = auditQuery.data?.actions ?? (filters['action'] ? [filters['action']] : [])
  return (
    <div className="flex flex-col gap-6">
      <Head
        title={t('dashboard:section_audit')}
        hint={t('dashboardsystem:auditHint')}
        action={<VerifyButton />}
      />
      <VerificationResult />
      <Filters>
        <SearchBox label={t('dashboardsystem:searchAudit')} value={filters['search'] ?? ''} />
        <Choice
          label={t('dashboardsystem:action')}
          any={t('dashboardsystem:anyAction')}
          value={filters['action'] ?? ''}
          options={actions.map((value) => ({ value, label: actionName(value) }))}
          onChange={(action) => filterBy({ action })}
        />
        <Choice
          label={t('dashboardsystem:outcome')}
          any={t('dashboardsystem:anyOutcome')}
          value={filters['outcome'] ?? ''}
          options={OUTCOMES.map((value) => ({ value, label: t(`dashboardsystem:outcome_${value}`) }))}
          onChange={(outcome) => filterBy({ outcome })}
        />
        <div className="flex flex-wrap items-center gap-2">
          <DayField label={t('dashboardsystem:from')} name="from" value={filters['from'] ?? ''} />
          <DayField label={t('dashboardsystem:to')} name="to" value={filters['to'] ?? ''} />
        </div>
      </Filters>
      <Table
        label={t('dashboard:section_audit')}
        answer={auditQuery}
        keyOf={(event) => event.id}
        columns={auditColumns(setOpenEvent)}
        empty={<Blank icon={<FileClock />} title={t('dashboardsystem:noEvents')} />}
      />
      {openEvent && <EventDialog event={openEvent} onClose={() => setOpenEvent(null)} />}
    </div>
  )
}

function VerifyButton() {
  const [isVerifying, setIsVerifying] = useState(false)
  return (
    <Action
      icon={<ShieldCheck aria-hidden size={16} />}
      disabled={isVerifying}
      onClick={() => {
        setIsVerifying(true)
        void verifyAudit().finally(() => setIsVerifying(false))
      }}
    >
      {t('dashboardsystem:verify')}
    </Action>
  )
}

function VerificationResult() {
  const verification = useStore($verdict)
  return (
    <div role="status" className="empty:hidden">
      {verification && (
        <p className="flex items-center gap-3 rounded-md border border-line bg-raised px-4 py-2.5 text-sm">
          {verification.verified ? (
            <ShieldCheck aria-hidden size={18} className="shrink-0 text-good" />
          ) : (
            <ShieldAlert aria-hidden size={18} className="shrink-0 text-danger" />
          )}
          {verification.verified
            ? t('dashboardsystem:verified', { count: verification.events })
            : t('dashboardsystem:broken', { id: verification.broken_at ?? '—' })}
        </p>
      )}
    </div>
  )
}

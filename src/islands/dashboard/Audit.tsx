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
  const answer = useAnswer($audit)
  const { filters } = useStore($view)
  const [looking, setLooking] = useState<AuditEvent | null>(null)
  const actions = answer.data?.actions ?? (filters['action'] ? [filters['action']] : [])
  return (
    <div className="flex flex-col gap-6">
      <Head title={t('dashboard:section_audit')} hint={t('dashboardsystem:auditHint')} action={<Verify />} />
      <Verdict />
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
        answer={answer}
        keyOf={(event) => event.id}
        columns={auditColumns(setLooking)}
        empty={<Blank icon={<FileClock />} title={t('dashboardsystem:noEvents')} />}
      />
      {looking && <EventDialog event={looking} onClose={() => setLooking(null)} />}
    </div>
  )
}

function Verify() {
  const [busy, setBusy] = useState(false)
  return (
    <Action
      icon={<ShieldCheck aria-hidden size={16} />}
      disabled={busy}
      onClick={() => {
        setBusy(true)
        void verifyAudit().finally(() => setBusy(false))
      }}
    >
      {t('dashboardsystem:verify')}
    </Action>
  )
}

function Verdict() {
  const verdict = useStore($verdict)
  return (
    <div role="status" className="empty:hidden">
      {verdict && (
        <p className="flex items-center gap-3 rounded-md border border-line bg-raised px-4 py-2.5 text-sm">
          {verdict.verified ? (
            <ShieldCheck aria-hidden size={18} className="shrink-0 text-good" />
          ) : (
            <ShieldAlert aria-hidden size={18} className="shrink-0 text-danger" />
          )}
          {verdict.verified
            ? t('dashboardsystem:verified', { count: verdict.events })
            : t('dashboardsystem:broken', { id: verdict.broken_at ?? '—' })}
        </p>
      )}
    </div>
  )
}

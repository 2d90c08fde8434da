import type { AuditEvent } from '../../../lib/contract/admin-audit.ts'
import { t, translateDynamicKey } from '../../../lib/i18n/t.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { formatLocalDateTime } from '../kit/formatters.ts'
import { type BadgeTone, StatusBadge } from '../kit/StatusBadge.tsx'
import type { DataTableColumn } from '../kit/table-columns.ts'

const TONES_BY_OUTCOME: Record<AuditEvent['outcome'], BadgeTone> = {
  ok: 'good',
  denied: 'busy',
  failed: 'bad',
}

/**
 * Returns the name of an action. The namespace `activity` has the names of the actions that users see in the activity
 * list of their own account. `dashboardsystem` has the names that only administrators see.
 */
export const formatAuditAction = (action: string) =>
  translateDynamicKey(`dashboardsystem:action_${action}`, translateDynamicKey(`activity:${action}`, action))

/**
 * Returns the email address of the actor, or "deleted account" if the address is unknown. For an event without an
 * actor, returns "the service itself" or, if the event has an IP address, "unknown": the event was caused by an
 * anonymous visitor.
 */
export function formatAuditActor({ actor, ip }: AuditEvent): string {
  if (!actor) return t(ip === null ? 'dashboardsystem:service' : 'dashboardsystem:nobody')
  return actor.email ?? t('dashboardsystem:goneAccount')
}

export function createAuditColumns(
  onShowDetails: (event: AuditEvent) => void,
): DataTableColumn<AuditEvent>[] {
  return [
    {
      key: 'action',
      label: t('dashboardsystem:action'),
      fillsWidth: true,
      renderCell: (event) => (
        <div className="min-w-0">
          <span className="block truncate font-medium">{formatAuditAction(event.action)}</span>
          <span className="block truncate text-xs text-muted lg:hidden">
            <bdi>{formatAuditActor(event)}</bdi>
            <span className="md:hidden">
              {' · '}
              <bdi className="numbers">{formatLocalDateTime(event.at)}</bdi>
            </span>
          </span>
        </div>
      ),
    },
    {
      key: 'actor',
      label: t('dashboardsystem:actor'),
      minBreakpoint: 'lg',
      renderCell: (event) => <bdi className="block max-w-64 truncate">{formatAuditActor(event)}</bdi>,
    },
    {
      key: 'outcome',
      label: t('dashboardsystem:outcome'),
      minBreakpoint: 'md',
      renderCell: (event) => (
        <StatusBadge tone={TONES_BY_OUTCOME[event.outcome]}>
          {t(`dashboardsystem:outcome_${event.outcome}`)}
        </StatusBadge>
      ),
    },
    {
      key: 'at',
      label: t('dashboardsystem:at'),
      minBreakpoint: 'md',
      renderCell: (event) => (
        <bdi dir="ltr" className="numbers text-muted">
          {formatLocalDateTime(event.at)}
        </bdi>
      ),
    },
    {
      key: 'actions',
      label: t('dashboard:actions'),
      hasHiddenLabel: true,
      isEndAligned: true,
      renderCell: (event) => (
        <ActionButton
          variant="quiet"
          aria-label={t('dashboardsystem:detailsOf', {
            name: formatAuditAction(event.action),
            when: formatLocalDateTime(event.at),
          })}
          onClick={() => onShowDetails(event)}
        >
          {t('dashboard:details')}
        </ActionButton>
      ),
    },
  ]
}

import type { AuditEvent } from '../../../lib/contract/admin-audit.ts'
import { t, tData } from '../../../lib/i18n/t.ts'
import { Action } from '../kit/Action.tsx'
import { Badge, type Tone } from '../kit/Badge.tsx'
import { formatMoment } from '../kit/figures.ts'
import type { Column } from '../kit/Table.tsx'

const TONE_OF_OUTCOME: Record<AuditEvent['outcome'], Tone> = { ok: 'good', denied: 'busy', failed: 'bad' }

/** Translated name of an action. Actions of users are translated in `activity`, those of administrators here. */
export const actionName = (action: string) =>
  tData(`dashboardsystem:action_${action}`, tData(`activity:${action}`, action))

/** The actor: an email address or "deleted account"; without an actor, the service itself or an anonymous visitor. */
export function actorName({ actor, ip }: AuditEvent): string {
  if (!actor) return t(ip === null ? 'dashboardsystem:service' : 'dashboardsystem:nobody')
  return actor.email ?? t('dashboardsystem:goneAccount')
}

export function auditColumns(onLook: (event: AuditEvent) => void): Column<AuditEvent>[] {
  return [
    {
      key: 'action',
      label: t('dashboardsystem:action'),
      wide: true,
      cell: (event) => (
        <div className="min-w-0">
          <span className="block truncate font-medium">{actionName(event.action)}</span>
          <span className="block truncate text-xs text-muted lg:hidden">
            <bdi>{actorName(event)}</bdi>
            <span className="md:hidden">
              {' · '}
              <bdi className="numbers">{formatMoment(event.at)}</bdi>
            </span>
          </span>
        </div>
      ),
    },
    {
      key: 'actor',
      label: t('dashboardsystem:actor'),
      from: 'lg',
      cell: (event) => <bdi className="block max-w-64 truncate">{actorName(event)}</bdi>,
    },
    {
      key: 'outcome',
      label: t('dashboardsystem:outcome'),
      from: 'md',
      cell: (event) => (
        <Badge tone={TONE_OF_OUTCOME[event.outcome]}>{t(`dashboardsystem:outcome_${event.outcome}`)}</Badge>
      ),
    },
    {
      key: 'at',
      label: t('dashboardsystem:at'),
      from: 'md',
      cell: (event) => (
        <bdi dir="ltr" className="numbers text-muted">
          {formatMoment(event.at)}
        </bdi>
      ),
    },
    {
      key: 'actions',
      label: t('dashboard:actions'),
      bare: true,
      end: true,
      cell: (event) => (
        <Action
          look="quiet"
          aria-label={t('dashboardsystem:detailsOf', {
            name: actionName(event.action),
            when: formatMoment(event.at),
          })}
          onClick={() => onLook(event)}
        >
          {t('dashboard:details')}
        </Action>
      ),
    },
  ]
}

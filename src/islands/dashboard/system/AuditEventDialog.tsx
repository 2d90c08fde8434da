import type { AuditEvent } from '../../../lib/contract/admin-audit.ts'
import { t } from '../../../lib/i18n/t.ts'
import { openDashboardSection } from '../../../lib/stores/admin/dashboard-view.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { DialogActions } from '../../../ui/DialogActions.tsx'
import { formatDeviceName } from '../../format-device-name.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { formatLocalDateTime } from '../kit/formatters.ts'
import { formatAuditAction, formatAuditActor } from './audit-columns.tsx'

/** The fields of an audit event that have a value. */
export function AuditEventDialog({ event, onClose }: { event: AuditEvent; onClose: () => void }) {
  const userId = event.actor?.user_id
  const detailRows: [string, string | null][] = [
    [t('dashboardsystem:actor'), formatAuditActor(event)],
    [t('dashboardsystem:outcome'), t(`dashboardsystem:outcome_${event.outcome}`)],
    [t('dashboardsystem:at'), formatLocalDateTime(event.at)],
    [t('dashboardsystem:target'), event.target],
    [t('dashboardsystem:device'), event.device_name && formatDeviceName(event.device_name)],
    [t('dashboardsystem:ip'), event.ip],
    [t('dashboardsystem:request'), event.request_id],
    [t('dashboardsystem:pseudonym'), event.actor?.pseudonym ?? null],
  ]
  return (
    <Dialog title={formatAuditAction(event.action)} closeLabel={t('common:close')} onClose={onClose} isWide>
      <dl className="divide-y divide-line border-y border-line text-sm">
        {detailRows.map(
          ([label, value]) =>
            value !== null && (
              <div key={label} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-2.5">
                <dt className="text-muted">{label}</dt>
                <dd className="numbers min-w-0 break-all">
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ),
        )}
      </dl>
      {userId && (
        <DialogActions>
          <ActionButton
            onClick={() => {
              onClose()
              openDashboardSection('audit', { user: userId })
            }}
          >
            {t('dashboardsystem:sameAccount')}
          </ActionButton>
        </DialogActions>
      )}
    </Dialog>
  )
}

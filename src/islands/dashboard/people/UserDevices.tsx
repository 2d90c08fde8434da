import { MonitorSmartphone } from 'lucide-react'
import { useEffect } from 'react'
import type { Account } from '../../../lib/contract/auth.ts'
import { formatAgo } from '../../../lib/i18n/format.ts'
import { isolate } from '../../../lib/i18n/isolate.ts'
import { t } from '../../../lib/i18n/t.ts'
import { reasonOf } from '../../../lib/stores/admin/act.ts'
import { $devicesOf, $userDevices, signOutDevice } from '../../../lib/stores/admin/users.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { deviceName } from '../../device-name.ts'
import { Action } from '../kit/Action.tsx'
import { Failed } from '../kit/Table.tsx'
import { useAnswer } from '../kit/use-answer.ts'

/** The devices on which an account is signed in, each with a button to sign it out. */
export function UserDevices({ account, onClose }: { account: Account; onClose: () => void }) {
  useEffect(() => {
    $devicesOf.set(account.user_id)
    return () => $devicesOf.set(null)
  }, [account.user_id])
  const { data, error, retry } = useAnswer($userDevices)
  return (
    <Dialog
      title={t('dashboardpeople:devicesOf', { name: isolate(account.email) })}
      closeLabel={t('common:close')}
      onClose={onClose}
      wide
    >
      {error && <Failed reason={t(reasonOf(error))} onRetry={retry} />}
      {data?.results.length === 0 && <p className="text-muted">{t('dashboardpeople:noDevices')}</p>}
      {!data && !error && <div role="status" aria-label={t('common:loading')} className="skeleton h-24" />}
      <ul className="divide-y divide-line">
        {data?.results.map((device) => (
          <li key={device.device_id} className="flex flex-wrap items-center gap-4 py-3 text-sm">
            <MonitorSmartphone aria-hidden size={20} className="text-muted" />
            <div className="min-w-0 grow">
              <bdi className="font-medium">{deviceName(device.name)}</bdi>
              <p className="text-muted">
                {formatAgo(device.last_active)}
                {device.ip && (
                  <>
                    {' · '}
                    <bdi>{device.ip}</bdi>
                  </>
                )}
              </p>
            </div>
            <Action
              aria-label={t('dashboardpeople:signOutNamed', { name: isolate(deviceName(device.name)) })}
              onClick={() => void signOutDevice(account.user_id, device.device_id)}
            >
              {t('dashboardpeople:signOut')}
            </Action>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

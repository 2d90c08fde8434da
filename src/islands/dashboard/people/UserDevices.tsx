import { useEffect, useState } from 'react'
import { MonitorSmartphone } from '../../../icons/index.ts'
import type { Device } from '../../../lib/contract/account.ts'
import type { AccountSummary } from '../../../lib/contract/admin-users.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import { t } from '../../../lib/i18n/t.ts'
import { getErrorMessageKey } from '../../../lib/stores/admin/run-action.ts'
import { $deviceListUserId, $userDevices, signOutDeviceOfUser } from '../../../lib/stores/admin/users.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { DeviceActivity } from '../../DeviceActivity.tsx'
import { formatDeviceName } from '../../format-device-name.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { LoadError } from '../kit/TableStates.tsx'
import { useStoreQuery } from '../kit/use-store-query.ts'

/**
 * The devices on which an account is signed in. Each has a button that signs it out, except the device that displays
 * this list.
 */
export function UserDevices({ account, onClose }: { account: AccountSummary; onClose: () => void }) {
  useEffect(() => {
    $deviceListUserId.set(account.user_id)
    return () => $deviceListUserId.set(null)
  }, [account.user_id])
  const { data: devicesReply, error, retry } = useStoreQuery($userDevices)
  const [deviceToSignOut, setDeviceToSignOut] = useState<Device | null>(null)
  return (
    <>
      <Dialog
        title={t('dashboardpeople:devicesOf', { name: isolateBidi(account.email) })}
        closeLabel={t('common:close')}
        onClose={onClose}
        isWide
      >
        {error && <LoadError reason={t(getErrorMessageKey(error))} onRetry={retry} />}
        {devicesReply?.results.length === 0 && <p className="text-muted">{t('dashboardpeople:noDevices')}</p>}
        {!devicesReply && !error && (
          <div role="status" aria-label={t('common:loading')} className="skeleton h-24" />
        )}
        <ul className="divide-y divide-line">
          {devicesReply?.results.map((device) => (
            <li key={device.device_id} className="flex flex-wrap items-center gap-4 py-3 text-sm">
              <MonitorSmartphone aria-hidden size={20} className="text-muted" />
              <div className="min-w-0 grow">
                <bdi className="font-medium">{formatDeviceName(device.name)}</bdi>
                <p className="text-muted">
                  <DeviceActivity
                    device={device}
                    currentDeviceText={t('dashboardpeople:thisDevice')}
                    lastActive={<RelativeTime instant={device.last_active} />}
                  />
                </p>
              </div>
              {!device.current && (
                <ActionButton
                  aria-label={t('dashboardpeople:signOutNamed', {
                    name: isolateBidi(formatDeviceName(device.name)),
                  })}
                  onClick={() => setDeviceToSignOut(device)}
                >
                  {t('dashboardpeople:signOut')}
                </ActionButton>
              )}
            </li>
          ))}
        </ul>
      </Dialog>
      {deviceToSignOut && (
        <ConfirmDialog
          title={t('dashboardpeople:signOutDeviceTitle', {
            name: isolateBidi(formatDeviceName(deviceToSignOut.name)),
          })}
          confirmLabel={t('dashboardpeople:signOut')}
          onConfirm={() => signOutDeviceOfUser(account.user_id, deviceToSignOut.device_id)}
          onClose={() => setDeviceToSignOut(null)}
        >
          <p>{t('dashboardpeople:signOutText', { count: 1 })}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { MonitorSmartphone } from '../../icons/index.ts'
import type { Device } from '../../lib/contract/account.ts'
import { formatRelativeTime } from '../../lib/i18n/format-instant.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import { $devices, revokeDevice } from '../../lib/stores/account.ts'
import { Button, getButtonClass } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { DeviceActivity } from '../DeviceActivity.tsx'
import { formatDeviceName } from '../format-device-name.ts'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'

export function DevicesTab() {
  const { data: devicesReply } = useStore($devices)
  const [deviceToRevoke, setDeviceToRevoke] = useState<Device | null>(null)
  return (
    <section aria-label={t('account:devices')} className="max-w-3xl">
      <SectionPlaceholder $read={$devices}>
        <div role="status" aria-label={t('common:loading')} className="skeleton h-18" />
      </SectionPlaceholder>
      <ul className="divide-y divide-line">
        {devicesReply?.results.map((device) => (
          <li key={device.device_id} className="flex flex-wrap items-center gap-4 py-4">
            <MonitorSmartphone aria-hidden className="text-muted" />
            <div className="min-w-0 grow">
              <p className="font-semibold">
                <bdi>{formatDeviceName(device.name)}</bdi>
              </p>
              <p className="text-sm text-muted">
                <DeviceActivity
                  device={device}
                  currentDeviceText={t('account:thisDevice')}
                  lastActive={t('common:pair', {
                    name: t('account:lastActive'),
                    value: formatRelativeTime(device.last_active),
                  })}
                />
              </p>
            </div>
            {!device.current && (
              <Button onClick={() => setDeviceToRevoke(device)}>{t('account:revoke')}</Button>
            )}
          </li>
        ))}
      </ul>
      <a className={`${getButtonClass('plain')} mt-6`} href={href('link', getCurrentLocale())}>
        {t('account:linkDevice')}
      </a>
      {deviceToRevoke && (
        <Dialog
          title={t('account:revokeText', { name: formatDeviceName(deviceToRevoke.name) })}
          closeLabel={t('common:close')}
          onClose={() => setDeviceToRevoke(null)}
        >
          <DialogActions>
            <Button onClick={() => setDeviceToRevoke(null)}>{t('common:cancel')}</Button>
            <Button
              variant="danger"
              onClick={() => {
                void revokeDevice(deviceToRevoke.device_id)
                setDeviceToRevoke(null)
              }}
            >
              {t('account:revoke')}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </section>
  )
}

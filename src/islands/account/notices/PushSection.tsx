import { useState } from 'react'
import { MonitorSmartphone } from '../../../icons/index.ts'
import type { NoticeSettings, PushDevice } from '../../../lib/contract/notice-delivery.ts'
import { formatRelativeTime } from '../../../lib/i18n/format-instant.ts'
import type { TranslationKey } from '../../../lib/i18n/keys.ts'
import { t } from '../../../lib/i18n/t.ts'
import { getPushSupport, sendTestPush, turnOffPush, turnOnPush } from '../../../lib/stores/notice-settings.ts'
import { Button } from '../../../ui/Button.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { formatDeviceName } from '../../format-device-name.ts'

const TEXT_KEYS_BY_PROBLEM = {
  unsupported: 'notices:pushUnsupported',
  blocked: 'notices:pushBlocked',
  dismissed: 'notices:pushDismissed',
  failed: 'notices:pushFailed',
} as const satisfies Record<string, TranslationKey>

/** The switch for push notifications in this browser, and the devices that receive the notices of the profile. */
export function PushSection({ settings }: { settings: NoticeSettings }) {
  const [problem, setProblem] = useState<keyof typeof TEXT_KEYS_BY_PROBLEM | null>(() => {
    const pushSupport = getPushSupport()
    return pushSupport === 'available' ? null : pushSupport
  })
  // Screen readers announce a problem only after the user has pressed the switch, not when the section appears.
  const [isProblemAnnounced, setIsProblemAnnounced] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const thisDevice = settings.devices.find((device) => device.current)
  const togglePush = async (isOn: boolean) => {
    setIsBusy(true)
    setIsProblemAnnounced(true)
    if (isOn) setProblem(await turnOnPush(settings.push_key))
    else if (thisDevice) await turnOffPush(thisDevice.device_id)
    setIsBusy(false)
  }
  return (
    <section aria-labelledby="notices-devices" className="flex flex-col gap-3">
      <h2 id="notices-devices" className="text-lg font-bold">
        {t('notices:devices')}
      </h2>
      <Switch
        label={t('notices:push')}
        hint={t('notices:pushHint')}
        checked={thisDevice !== undefined}
        isDisabled={isBusy || problem === 'unsupported'}
        onChange={(isOn) => void togglePush(isOn)}
      />
      {problem && !thisDevice && (
        <p role={isProblemAnnounced ? 'alert' : undefined} className="text-sm text-muted">
          {t(TEXT_KEYS_BY_PROBLEM[problem])}
        </p>
      )}
      {thisDevice && (
        <Button className="self-start" onClick={() => void sendTestPush()}>
          {t('notices:test')}
        </Button>
      )}
      <ul className="divide-y divide-line">
        {settings.devices.map((device) => (
          <DeviceRow key={device.device_id} device={device} />
        ))}
      </ul>
    </section>
  )
}

function DeviceRow({ device }: { device: PushDevice }) {
  const name = formatDeviceName(device.name)
  return (
    <li className="flex flex-wrap items-center gap-4 py-3">
      <MonitorSmartphone aria-hidden className="text-muted" />
      <div className="min-w-0 grow basis-64">
        <p className="font-semibold wrap-anywhere">
          <bdi>{name}</bdi>
        </p>
        <p className="text-sm text-muted">
          {device.current && <span className="text-good">{t('account:thisDevice')} · </span>}
          {formatLastDelivery(device)}
        </p>
      </div>
      {!device.current && (
        <Button
          aria-label={t('notices:turnOffNamed', { name })}
          onClick={() => void turnOffPush(device.device_id)}
        >
          {t('notices:turnOff')}
        </Button>
      )}
    </li>
  )
}

function formatLastDelivery({ failed_at, delivered_at }: PushDevice): string {
  const [name, timestamp] = failed_at
    ? [t('notices:deliveryFailed'), failed_at]
    : [t('notices:delivered'), delivered_at]
  return timestamp
    ? t('common:pair', { name, value: formatRelativeTime(timestamp) })
    : t('notices:notDelivered')
}

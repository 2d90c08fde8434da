import { useStore } from '@nanostores/react'
import { useId, useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { $familySettings, saveExitPin, saveFamilySettings } from '../../lib/stores/viewing-limits.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { PinInput } from '../../ui/PinInput.tsx'
import { Select } from '../../ui/Select.tsx'
import { useAction } from '../../ui/use-action.ts'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'

/** Time zone, weekend and exit PIN of the account. */
export function AccountTimeSection() {
  const headingId = useId()
  const { data: settings } = useStore($familySettings)
  const [isPinOpen, setIsPinOpen] = useState(false)
  if (!settings) return <SectionPlaceholder $read={$familySettings} />
  const timeZones = [...new Set([settings.time_zone, ...Intl.supportedValuesOf('timeZone')])].sort()
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4">
      <h2 id={headingId} className="text-lg font-bold">
        {t('viewingtime:household')}
      </h2>
      <div className="grid max-w-2xl items-end gap-4 sm:grid-cols-2">
        <Select
          label={t('viewingtime:timeZone')}
          value={settings.time_zone}
          options={timeZones.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
          onChange={(time_zone) => void saveFamilySettings({ time_zone })}
        />
        <Select
          label={t('viewingtime:weekendDays')}
          value={settings.weekend}
          options={[
            { value: 'sat_sun', label: t('viewingtime:sat_sun') },
            { value: 'fri_sat', label: t('viewingtime:fri_sat') },
          ]}
          onChange={(weekend) => void saveFamilySettings({ weekend })}
        />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <p className="max-w-xl grow text-muted">{t('viewingtime:exitPinHint')}</p>
        <Button onClick={() => setIsPinOpen(true)}>
          {t(settings.has_exit_pin ? 'viewingtime:changeExitPin' : 'viewingtime:setExitPin')}
        </Button>
        {settings.has_exit_pin && (
          <Button variant="danger" onClick={() => void saveExitPin(null)}>
            {t('viewingtime:removeExitPin')}
          </Button>
        )}
      </div>
      {isPinOpen && <ExitPinDialog onClose={() => setIsPinOpen(false)} />}
    </section>
  )
}

function ExitPinDialog({ onClose }: { onClose: () => void }) {
  const messageId = useId()
  const [isSaving, runAction] = useAction()
  const [error, setError] = useState<'incomplete' | 'failed' | null>(null)
  const savePin = async (pin: string) => {
    setError(null)
    if (await saveExitPin(pin)) onClose()
    else setError('failed')
  }
  return (
    <Dialog title={t('viewingtime:setExitPin')} closeLabel={t('common:close')} onClose={onClose}>
      <p className="text-muted">{t('viewingtime:exitPinHint')}</p>
      <PinInput
        label={t('viewingtime:setExitPin')}
        getDigitLabel={(digitNumber) => t('profiles:pinDigit', { number: digitNumber })}
        eraseLabel={t('common:delete')}
        // PinInput does not display this value. Any value clears the typed digits and marks the field as invalid.
        error={error}
        messageId={messageId}
        isDisabled={isSaving}
        onComplete={(pin) => void runAction(() => savePin(pin))}
        onIncomplete={() => setError('incomplete')}
      />
      <p id={messageId} role="alert" className="min-h-6 text-center text-danger">
        {/* No text for a failed save, because the store has already displayed the failure. */}
        {error === 'incomplete' && t('profiles:pinDigits')}
      </p>
    </Dialog>
  )
}

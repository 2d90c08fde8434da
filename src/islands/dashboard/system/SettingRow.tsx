import { useId, useState } from 'react'
import type { Setting } from '../../../lib/contract/admin.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import type { TranslationKey } from '../../../lib/i18n/keys.ts'
import { t, translateDynamicKey } from '../../../lib/i18n/t.ts'
import { saveSetting } from '../../../lib/stores/admin/settings.ts'
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx'
import { formatSettingValue, getSettingName } from './format-setting.ts'
import { type SaveSettingValue, SettingInput } from './SettingInput.tsx'

/** A change that deletes a secret, and therefore waits for a confirmation. */
interface PendingSettingChange {
  value: Setting['value']
  resolve: (isSaved: boolean) => void
}

/** A setting with its description and input. Each setting is saved separately. */
export function SettingRow({ setting }: { setting: Setting }) {
  const errorId = useId()
  const [errorKey, setErrorKey] = useState<TranslationKey | null>(null)
  const [pendingChange, setPendingChange] = useState<PendingSettingChange | null>(null)
  const saveImmediately = async (value: Setting['value']) => {
    const failureKey = await saveSetting(setting, value)
    setErrorKey(failureKey)
    return failureKey === null
  }
  const saveValue: SaveSettingValue = (value) =>
    setting.clears !== null || (setting.kind === 'secret' && value === '')
      ? new Promise((resolve) => setPendingChange({ value, resolve }))
      : saveImmediately(value)
  const hasCustomValue =
    setting.variable === null && setting.kind !== 'secret' && setting.value !== setting.default
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-4">
      <div className="min-w-0 grow basis-64">
        <p className="font-medium">{getSettingName(setting)}</p>
        <p className="max-w-prose text-sm text-muted wrap-anywhere">
          {translateDynamicKey(`dashboardsystem:settingHint_${setting.key}`, '')}
        </p>
        {hasCustomValue && (
          <p className="mt-1 text-xs text-faint">
            {t('dashboardsystem:normally', {
              value: isolateBidi(formatSettingValue(setting, setting.default)),
            })}{' '}
            <button
              type="button"
              className="min-h-6 text-ink underline underline-offset-4"
              onClick={() => void saveValue(setting.default)}
            >
              {t('dashboardsystem:reset')}
            </button>
          </p>
        )}
        {errorKey && (
          <p id={errorId} role="alert" className="text-sm text-danger">
            {t(errorKey)}
          </p>
        )}
      </div>
      {setting.variable !== null ? (
        <EnvironmentValue setting={setting} environmentVariable={setting.variable} />
      ) : (
        <SettingInput
          setting={setting}
          saveValue={saveValue}
          errorId={errorKey ? errorId : undefined}
          onCancel={() => setErrorKey(null)}
        />
      )}
      {pendingChange && (
        <ConfirmDialog
          title={getSettingName(setting)}
          confirmLabel={t(setting.kind === 'secret' ? 'dashboardsystem:removeSecret' : 'common:save')}
          onConfirm={() => saveImmediately(pendingChange.value).then(pendingChange.resolve)}
          onClose={() => {
            pendingChange.resolve(false)
            setPendingChange(null)
          }}
        >
          <p>{t('dashboardsystem:removeSecretText')}</p>
          <p>{t('dashboard:cannotUndo')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

/** The value of a setting that an environment variable sets. It cannot be edited here. */
function EnvironmentValue({
  setting,
  environmentVariable,
}: {
  setting: Setting
  environmentVariable: string
}) {
  return (
    <div className="flex min-w-0 flex-col items-end gap-1 text-sm">
      <bdi className="max-w-full truncate">
        {setting.kind === 'secret'
          ? t(setting.is_set ? 'dashboardsystem:secretSet' : 'dashboardsystem:secretMissing')
          : formatSettingValue(setting, setting.value)}
      </bdi>
      <span className="text-muted">
        {t('dashboardsystem:setByVariable', { variable: isolateBidi(environmentVariable) })}
      </span>
    </div>
  )
}

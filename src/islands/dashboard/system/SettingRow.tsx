import { type FormEvent, useEffect, useId, useState } from 'react'
import type { Setting } from '../../../lib/contract/admin.ts'
import { getLanguageName } from '../../../lib/i18n/format.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import type { TranslationKey } from '../../../lib/i18n/keys.ts'
import { isLocale, LOCALE_NAMES } from '../../../lib/i18n/locales.ts'
import { formatNumber, getCurrentLocale, t, translateDynamicKey } from '../../../lib/i18n/t.ts'
import { parseWholeNumber } from '../../../lib/rules/number-input.ts'
import { saveSetting } from '../../../lib/stores/admin/settings.ts'
import { useAction } from '../../../ui/use-action.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx'
import { CompactSelect } from '../kit/FilterBar.tsx'
import { validateNumberSetting } from './validate-number-setting.ts'

const getSettingName = (setting: Setting) =>
  translateDynamicKey(`dashboardsystem:setting_${setting.key}`, setting.key)

/** Saves a value. Resolves with false after a failure, whose reason the row displays. */
type SaveValue = (value: Setting['value']) => Promise<boolean>

/** A change that deletes a secret, and therefore waits for a confirmation. */
interface PendingChange {
  value: Setting['value']
  resolve: (isSaved: boolean) => void
}

/** A setting with its description and input. Each setting is saved separately. */
export function SettingRow({ setting }: { setting: Setting }) {
  const errorId = useId()
  const [errorKey, setErrorKey] = useState<TranslationKey | null>(null)
  const [pendingChange, setPendingChange] = useState<PendingChange | null>(null)
  const saveAtOnce = async (value: Setting['value']) => {
    const failureKey = await saveSetting(setting, value)
    setErrorKey(failureKey)
    return failureKey === null
  }
  const saveValue: SaveValue = (value) =>
    setting.clears !== null || (setting.kind === 'secret' && value === '')
      ? new Promise((resolve) => setPendingChange({ value, resolve }))
      : saveAtOnce(value)
  const isChanged =
    setting.variable === null && setting.kind !== 'secret' && setting.value !== setting.default
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-4">
      <div className="min-w-0 grow basis-64">
        <p className="font-medium">{getSettingName(setting)}</p>
        <p className="max-w-prose text-sm text-muted wrap-anywhere">
          {translateDynamicKey(`dashboardsystem:settingHint_${setting.key}`, '')}
        </p>
        {isChanged && (
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
        <FixedValue setting={setting} environmentVariable={setting.variable} />
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
          onConfirm={() => saveAtOnce(pendingChange.value).then(pendingChange.resolve)}
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

interface InputProps {
  setting: Setting
  saveValue: SaveValue
}
interface TextInputProps extends InputProps {
  /** Id of the element with the error of the last attempt to save the value. */
  errorId: string | undefined
  /** Called when the administrator cancels the editing of a text. The row then removes its error message. */
  onCancel: () => void
}

function SettingInput({ setting, saveValue, errorId, onCancel }: TextInputProps) {
  return (
    <>
      {setting.kind === 'choice' && (
        <CompactSelect
          label={getSettingName(setting)}
          value={String(setting.value)}
          options={(setting.choices ?? []).map((value) => ({
            value,
            label: formatSettingValue(setting, value),
          }))}
          onChange={(value) => void saveValue(value)}
        />
      )}
      {setting.kind === 'flag' && <BooleanInput setting={setting} saveValue={saveValue} />}
      {setting.kind === 'whole' && <NumberInput setting={setting} saveValue={saveValue} />}
      {(setting.kind === 'text' || setting.kind === 'secret') && (
        <TextInput setting={setting} saveValue={saveValue} errorId={errorId} onCancel={onCancel} />
      )}
    </>
  )
}

/** The value of a setting that an environment variable sets. It cannot be edited here. */
function FixedValue({ setting, environmentVariable }: { setting: Setting; environmentVariable: string }) {
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

/**
 * Shows the value of a text setting. For a secret, shows only whether a value is stored. The input opens only after a
 * click on a button, so that nothing changes by accident.
 */
function TextInput({ setting, saveValue, errorId, onCancel }: TextInputProps) {
  const [draftText, setDraftText] = useState<string | null>(null)
  const [isSaving, runAction] = useAction()
  const isSecret = setting.kind === 'secret'
  const discardText = () => {
    setDraftText(null)
    onCancel()
  }
  const saveText = async (event: FormEvent) => {
    event.preventDefault()
    if (draftText === null) return
    await runAction(async () => {
      if (await saveValue(draftText)) setDraftText(null)
    })
  }
  if (draftText === null)
    return (
      <div className="flex min-w-0 flex-wrap items-center justify-end gap-3">
        <bdi className="max-w-64 truncate text-sm text-muted">
          {isSecret || !setting.is_set
            ? t(setting.is_set ? 'dashboardsystem:secretSet' : 'dashboardsystem:secretMissing')
            : String(setting.value)}
        </bdi>
        {isSecret && setting.is_set && (
          <ActionButton
            variant="danger"
            aria-label={t('common:pair', {
              name: t('dashboardsystem:removeSecret'),
              value: getSettingName(setting),
            })}
            onClick={() => void saveValue('')}
          >
            {t('dashboardsystem:removeSecret')}
          </ActionButton>
        )}
        <ActionButton
          aria-label={t('common:pair', {
            name: t('dashboardsystem:changeText'),
            value: getSettingName(setting),
          })}
          onClick={() => setDraftText(isSecret ? '' : String(setting.value))}
        >
          {t(isSecret && setting.is_set ? 'dashboardsystem:replaceSecret' : 'dashboardsystem:changeText')}
        </ActionButton>
      </div>
    )
  return (
    <form
      onSubmit={(event) => void saveText(event)}
      className="flex min-w-0 flex-wrap items-center justify-end gap-2"
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the administrator has just asked for this field
        autoFocus
        type={isSecret ? 'password' : 'text'}
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        aria-label={getSettingName(setting)}
        aria-invalid={errorId !== undefined || undefined}
        aria-describedby={errorId}
        value={draftText}
        maxLength={1_000}
        onChange={(event) => setDraftText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && discardText()}
        className="min-h-9 w-72 max-w-full rounded-md border border-line bg-ground px-3 text-sm hover:border-faint pointer-coarse:min-h-11"
      />
      <ActionButton
        variant="primary"
        type="submit"
        disabled={isSecret && draftText.trim() === ''}
        aria-disabled={isSaving}
      >
        {t('common:save')}
      </ActionButton>
      <ActionButton onClick={discardText}>{t('common:cancel')}</ActionButton>
    </form>
  )
}

function BooleanInput({ setting, saveValue }: InputProps) {
  const isOn = setting.value === true
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={getSettingName(setting)}
      onClick={() => void saveValue(!isOn)}
      className={`relative h-7 w-12 shrink-0 rounded-full border transition-colors ${isOn ? 'border-accent bg-accent' : 'border-faint bg-overlay'}`}
    >
      <span
        aria-hidden
        className={`absolute inset-y-0.5 size-5.5 rounded-full ${isOn ? 'start-[calc(100%-1.5rem)] bg-accent-ink' : 'start-0.5 bg-muted'}`}
      />
    </button>
  )
}

function NumberInput({ setting, saveValue }: InputProps) {
  const id = useId()
  const [numberText, setNumberText] = useState(String(setting.value))
  const resetNumber = () => setNumberText(String(setting.value))
  useEffect(resetNumber, [setting.value])
  const validationError = validateNumberSetting(setting, numberText)
  const parsedNumber = parseWholeNumber(numberText)
  // A number is saved on Enter or when the field loses the focus, without a Save button.
  const saveNumber = async (event?: FormEvent) => {
    event?.preventDefault()
    if (validationError || parsedNumber === null || parsedNumber === setting.value) return
    if (!(await saveValue(parsedNumber))) resetNumber()
  }
  return (
    <form onSubmit={(event) => void saveNumber(event)} className="flex flex-col items-end gap-1">
      <div className="flex items-center gap-2">
        <input
          inputMode="numeric"
          dir="ltr"
          aria-label={getSettingName(setting)}
          aria-invalid={validationError ? true : undefined}
          aria-describedby={validationError ? id : undefined}
          value={numberText}
          onChange={(event) => setNumberText(event.target.value)}
          onBlur={() => void saveNumber()}
          onKeyDown={(event) => event.key === 'Escape' && resetNumber()}
          className={`numbers min-h-9 w-24 rounded-md border bg-ground px-3 text-sm pointer-coarse:min-h-11 ${validationError ? 'border-danger' : 'border-line hover:border-faint'}`}
        />
        {setting.unit && setting.unit !== 'count' && (
          <span className="text-sm text-muted">
            {t(`dashboardsystem:unit_${setting.unit}`, { count: parsedNumber ?? 0 })}
          </span>
        )}
      </div>
      {validationError && (
        <p id={id} role="alert" className="text-sm text-danger">
          {t('dashboardsystem:between', {
            min: formatNumber(setting.min ?? 0),
            max: formatNumber(setting.max ?? Number.MAX_SAFE_INTEGER),
          })}
        </p>
      )}
    </form>
  )
}

/** Returns the value as text, for example a language name, a translated choice, or a number with its unit. */
function formatSettingValue(setting: Setting, value: Setting['value']): string {
  if (typeof value === 'boolean') return t(value ? 'dashboard:isOn' : 'dashboard:isOff')
  if (typeof value === 'number') {
    const formattedNumber = formatNumber(value)
    return setting.unit && setting.unit !== 'count'
      ? `${formattedNumber} ${t(`dashboardsystem:unit_${setting.unit}`, { count: value })}`
      : formattedNumber
  }
  if (setting.key.endsWith('language'))
    return isLocale(value) ? LOCALE_NAMES[value] : getLanguageName(value, getCurrentLocale())
  return translateDynamicKey(`dashboardsystem:choice_${value}`, value)
}

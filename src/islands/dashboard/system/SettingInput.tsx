/** The input of a setting, by the kind of its value. */
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { Setting } from '../../../lib/contract/admin.ts'
import { formatNumber, t } from '../../../lib/i18n/t.ts'
import { parseWholeNumber } from '../../../lib/rules/number-input.ts'
import { useAction } from '../../../ui/use-action.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { CompactSelect } from '../kit/FilterBar.tsx'
import { formatSettingValue, getSettingName } from './format-setting.ts'
import { validateNumberSetting } from './validate-number-setting.ts'

/**
 * Saves a value. Resolves with false if the administrator cancels the confirmation of the change, or after a failure,
 * whose reason the row displays.
 */
export type SaveSettingValue = (value: Setting['value']) => Promise<boolean>

interface SettingInputProps {
  setting: Setting
  saveValue: SaveSettingValue
}
interface TextInputProps extends SettingInputProps {
  /** Id of the element with the error of the last attempt to save the value. */
  errorId: string | undefined
  /** Called when the administrator cancels the editing of a text. The row then removes its error message. */
  onCancel: () => void
}

export function SettingInput({ setting, saveValue, errorId, onCancel }: TextInputProps) {
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
      {setting.kind === 'integer' && <NumberInput setting={setting} saveValue={saveValue} />}
      {(setting.kind === 'text' || setting.kind === 'secret') && (
        <TextInput setting={setting} saveValue={saveValue} errorId={errorId} onCancel={onCancel} />
      )}
    </>
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

function BooleanInput({ setting, saveValue }: SettingInputProps) {
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
      {/* With forced colours, the browser removes the background and makes the border visible. */}
      <span
        aria-hidden
        className={`absolute inset-y-0.5 size-5.5 rounded-full border border-transparent ${isOn ? 'start-[calc(100%-1.5rem)] bg-accent-ink' : 'start-0.5 bg-muted'}`}
      />
    </button>
  )
}

function NumberInput({ setting, saveValue }: SettingInputProps) {
  const id = useId()
  const [numberText, setNumberText] = useState(String(setting.value))
  const savedTextRef = useRef(numberText)
  const savedText = String(setting.value)
  const resetNumber = () => setNumberText(savedText)
  useEffect(() => {
    // Keeps a number that the administrator is typing while an earlier number is saved.
    const previousSavedText = savedTextRef.current
    savedTextRef.current = savedText
    setNumberText((text) => (text === previousSavedText ? savedText : text))
  }, [savedText])
  const validationError = validateNumberSetting(setting, numberText)
  const parsedNumber = parseWholeNumber(numberText)
  // A number is saved on Enter or when the field loses the focus, without a Save button.
  const saveNumber = async (event?: FormEvent) => {
    event?.preventDefault()
    if (validationError || parsedNumber === null || parsedNumber === setting.value) return
    if (!(await saveValue(parsedNumber))) setNumberText((text) => (text === numberText ? savedText : text))
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

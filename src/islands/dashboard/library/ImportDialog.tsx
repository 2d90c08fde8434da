import { type FormEvent, useState } from 'react'
import type { Importer } from '../../../lib/contract/admin-imports.ts'
import type { TranslationKey } from '../../../lib/i18n/keys.ts'
import { t, translateDynamicKey } from '../../../lib/i18n/t.ts'
import { startImporter } from '../../../lib/stores/admin/imports.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { FormActions } from '../kit/FormActions.tsx'
import { type ImporterOption, parseImporterOptions } from './import-options.ts'

/** Asks for the options of an importer and starts the import. */
export function ImportDialog({ importer, onClose }: { importer: Importer; onClose: () => void }) {
  const [valuesByOption, setValuesByOption] = useState<Record<string, string | boolean>>({})
  const [isSubmitting, runAction] = useAction()
  const [errorKey, setErrorKey] = useState<TranslationKey | null>(null)
  const isFormIncomplete = importer.options.some((option) => option.required && !valuesByOption[option.name])
  const startImport = async () => {
    const failureKey = await startImporter({
      importer: importer.name,
      options: parseImporterOptions(importer.options, valuesByOption),
    })
    if (failureKey) setErrorKey(failureKey)
    else onClose()
  }
  const submitForm = (event: FormEvent) => {
    event.preventDefault()
    void runAction(startImport)
  }
  const setOptionValue = (name: string, value: string | boolean) =>
    setValuesByOption((previousValues) => ({ ...previousValues, [name]: value }))
  return (
    <Dialog
      title={translateDynamicKey(`dashboardlibrary:importer_${importer.name}`, importer.name)}
      closeLabel={t('common:close')}
      onClose={onClose}
    >
      <form onSubmit={submitForm} className="flex flex-col gap-5">
        <p className="text-muted">{t('dashboardlibrary:importText')}</p>
        {importer.options.map((option) =>
          option.kind === 'flag' ? (
            <Switch
              key={option.name}
              label={getOptionLabel(option)}
              checked={valuesByOption[option.name] === true}
              onChange={(isOn) => setOptionValue(option.name, isOn)}
            />
          ) : (
            <Field
              key={option.name}
              label={getOptionLabel(option)}
              dir="ltr"
              autoComplete="off"
              required={option.required}
              value={String(valuesByOption[option.name] ?? '')}
              {...(option.kind === 'integer' && { inputMode: 'numeric' as const, pattern: '\\p{Nd}*' })}
              onChange={(event) => setOptionValue(option.name, event.target.value)}
              hint={<ImportOptionHint option={option} />}
            />
          ),
        )}
        <FormActions
          errorKey={errorKey}
          isSubmitting={isSubmitting}
          isFormIncomplete={isFormIncomplete}
          submitLabel={t('dashboardlibrary:startImport')}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

const getOptionLabel = (option: ImporterOption) =>
  translateDynamicKey(`dashboardlibrary:option_${option.name}`, option.name)

function ImportOptionHint({ option }: { option: ImporterOption }) {
  const hintText = translateDynamicKey(`dashboardlibrary:optionHint_${option.name}`, '')
  return hintText && <p className="text-sm text-muted">{hintText}</p>
}

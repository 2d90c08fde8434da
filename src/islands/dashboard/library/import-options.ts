import type { Importer } from '../../../lib/contract/admin-imports.ts'
import { parseWholeNumber } from '../../../lib/rules/number-input.ts'

export type ImporterOption = Importer['options'][number]

/**
 * Converts form values to the types that the importer declares. Options without a value are left out. If an option
 * needs a whole number, any other text is returned as text, which the server rejects.
 */
export function parseImporterOptions(
  declaredOptions: readonly ImporterOption[],
  formValues: Readonly<Record<string, string | boolean>>,
): Record<string, string | number | boolean> {
  const optionValuesByName: Record<string, string | number | boolean> = {}
  for (const { name, kind } of declaredOptions) {
    const formValue = formValues[name]
    if (kind === 'flag') {
      if (formValue === true) optionValuesByName[name] = true
    } else if (typeof formValue === 'string' && formValue.trim() !== '') {
      optionValuesByName[name] =
        kind === 'integer' ? (parseWholeNumber(formValue) ?? formValue.trim()) : formValue.trim()
    }
  }
  return optionValuesByName
}

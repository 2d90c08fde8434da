import type { Importer } from '../../../lib/contract/admin-imports.ts'

export type ImporterOption = Importer['options'][number]

/** Converts form values to the types that the importer declares. Options without a value are left out. */
export function parseImporterOptions(
  declaredOptions: readonly ImporterOption[],
  formValues: Readonly<Record<string, string | boolean>>,
): Record<string, string | number | boolean> {
  const options: Record<string, string | number | boolean> = {}
  for (const { name, kind } of declaredOptions) {
    const value = formValues[name]
    if (kind === 'flag') {
      if (value === true) options[name] = true
    } else if (typeof value === 'string' && value.trim() !== '') {
      options[name] = kind === 'whole' ? Number(value) : value.trim()
    }
  }
  return options
}

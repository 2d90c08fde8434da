import type { Importer } from '../../../lib/contract/admin-imports.ts'

export type Option = Importer['options'][number]

/** What was typed, as the kinds that the importer asks for; what was left out is not there. */
export function optionsFrom(
  options: readonly Option[],
  typed: Readonly<Record<string, string | boolean>>,
): Record<string, string | number | boolean> {
  const given: Record<string, string | number | boolean> = {}
  for (const { name, kind } of options) {
    const value = typed[name]
    if (kind === 'flag') {
      if (value === true) given[name] = true
    } else if (typeof value === 'string' && value.trim() !== '') {
      given[name] = kind === 'whole' ? Number(value) : value.trim()
    }
  }
  return given
}

import { readFileSync } from 'node:fs'
import { getDecimalSeparator } from '../lib/i18n/decimal-separator.ts'

/**
 * Returns the texts of translation namespaces by namespace and key, as pages embed them for `lib/i18n/t.ts`. The
 * text of the key `number:decimal` is the character before the decimals of a number.
 */
export function readPageTexts(
  locale: string,
  namespaces: readonly string[],
): Record<string, Record<string, string>> {
  const namespaceEntries = namespaces.map((name) => [
    name,
    JSON.parse(readFileSync(`src/i18n/${locale}/${name}.json`, 'utf8')),
  ])
  return { ...Object.fromEntries(namespaceEntries), number: { decimal: getDecimalSeparator(locale) } }
}

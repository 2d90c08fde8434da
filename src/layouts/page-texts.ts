import { readFileSync } from 'node:fs'

/**
 * Returns the texts of translation namespaces by namespace and key, as pages embed them for `lib/i18n/t.ts`. The
 * key `number:decimal` is the character before the decimals of a number.
 */
export function readPageTexts(
  locale: string,
  namespaces: readonly string[],
): Record<string, Record<string, string>> {
  const namespaceEntries = namespaces.map((name) => [
    name,
    JSON.parse(readFileSync(`src/i18n/${locale}/${name}.json`, 'utf8')),
  ])
  const parts = new Intl.NumberFormat(`${locale}-u-nu-latn`).formatToParts(0.1)
  const decimalSeparator = parts.find(({ type }) => type === 'decimal')?.value ?? '.'
  return { ...Object.fromEntries(namespaceEntries), number: { decimal: decimalSeparator } }
}

/**
 * Validates, encodes and decodes the values of settings. Values are stored as JSON. The values of secrets are
 * encrypted.
 */
import { parseDecimal } from '../../../src/lib/contract/common-schemas.ts'
import type { InstallationKeys } from '../../providers/keys.ts'
import { parseStoredValue } from '../../queries/setting.ts'
import { openSealedText, sealText } from '../auth/sealed-text.ts'
import type { SettingDefinition } from './setting-definitions.ts'

export type SettingValue = string | number | boolean

/**
 * Returns the validated value, or undefined when it is invalid. Also accepts numbers and flags as text, because
 * HTML forms submit text.
 */
export function validateSettingValue(
  definition: SettingDefinition,
  value: unknown,
): SettingValue | undefined {
  if (definition.kind === 'choice') return definition.choices.find((choice) => choice === value)
  if (definition.kind === 'flag') return parseFlag(value)
  if ('pattern' in definition) return validateText(definition, value)
  const parsedNumber = typeof value === 'string' ? parseDecimal(value) : value
  if (typeof parsedNumber !== 'number' || !Number.isInteger(parsedNumber)) return undefined
  return parsedNumber >= definition.min && parsedNumber <= definition.max ? parsedNumber : undefined
}

function parseFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  return value === 'true' || (value === 'false' ? false : undefined)
}

function validateText(
  { maxLength, pattern, isUrl = false }: Extract<SettingDefinition, { kind: 'text' | 'secret' }>,
  value: unknown,
): string | undefined {
  if (typeof value !== 'string') return undefined
  const trimmedText = value.trim()
  if (trimmedText.length > maxLength || !pattern.test(trimmedText)) return undefined
  return isUrl && trimmedText !== '' && !URL.parse(trimmedText)?.hostname ? undefined : trimmedText
}

/** Returns the text to store for a valid value. */
export function encodeSettingValue(
  keys: InstallationKeys,
  definition: SettingDefinition,
  value: SettingValue,
): string {
  return JSON.stringify(definition.kind === 'secret' ? sealText(keys, String(value)) : value)
}

/**
 * Returns the stored value if it is valid; otherwise the default. A stored value can become invalid when it was written
 * by an older version, when the keys were replaced, or when the database was changed by hand. Secrets can be read only
 * with `keys`.
 */
export function getCurrentSettingValue(
  definition: SettingDefinition,
  row: { value: string } | undefined,
  keys?: InstallationKeys,
): SettingValue {
  if (!row) return definition.defaultValue
  const storedValue = parseStoredValue(row.value)
  const decodedValue =
    definition.kind === 'secret' && typeof storedValue === 'string'
      ? keys && openSealedText(keys, storedValue)
      : storedValue
  return validateSettingValue(definition, decodedValue) ?? definition.defaultValue
}

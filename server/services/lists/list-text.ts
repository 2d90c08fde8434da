/** Names and descriptions of named lists, as they are stored. */
import { isDisplayable, validateVisibleText } from '../../../src/lib/rules/profile-name.ts'
import { LIST_LIMITS } from '../../../src/lib/rules/tracking-limits.ts'

/** Returns the name of an imported list as it is stored; undefined for a name without visible characters. */
export function normaliseListName(name: string): string | undefined {
  const validatedName = validateVisibleText(name.slice(0, LIST_LIMITS.nameLength))
  return 'text' in validatedName ? validatedName.text : undefined
}

/** Trims a description and normalises it to NFC. Rejects forbidden characters other than line feeds. */
export function validateListDescription(
  input: string,
): { text: string } | { error: 'forbidden_characters' } {
  const text = input.trim().normalize('NFC')
  return text.split('\n').every(isDisplayable) ? { text } : { error: 'forbidden_characters' }
}

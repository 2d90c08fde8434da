/** Names and descriptions of named lists, as they are stored. */
import { countCharacters } from '../../../src/lib/rules/count-characters.ts'
import { isDisplayable, trimToVisibleText, validateVisibleText } from '../../../src/lib/rules/profile-name.ts'
import { NAMED_LIST_LIMITS } from '../../../src/lib/rules/tracking-limits.ts'

/** Cuts a text to a number of characters (code points). */
const truncateText = (text: string, maxLength: number): string =>
  text.length > maxLength ? [...text].slice(0, maxLength).join('') : text

/** Cuts a name to the maximum length that the API accepts. */
export const truncateListName = (name: string): string =>
  truncateText(name, NAMED_LIST_LIMITS.nameLength).trimEnd()

/** Cuts a description to the maximum length that the API accepts. */
export const truncateListDescription = (description: string): string =>
  truncateText(description, NAMED_LIST_LIMITS.descriptionLength).trimEnd()

/**
 * Returns the name of an imported list as it is stored; undefined for a name without visible characters. A long
 * name is cut before the normalisation, and again afterwards, because the normalisation can lengthen the name.
 */
export function normaliseListName(name: string): string | undefined {
  const nameResult = validateVisibleText(truncateListName(name))
  return 'text' in nameResult ? truncateListName(nameResult.text) : undefined
}

/** Returns the name with a number, such as `Rainy days (2)`. A long name is cut to make room for the number. */
export function addCopyNumber(name: string, copyNumber: number): string {
  const suffix = ` (${copyNumber})`
  return truncateText(name, NAMED_LIST_LIMITS.nameLength - suffix.length).trimEnd() + suffix
}

/**
 * Trims a description and normalises it to NFC. A description without visible characters becomes empty. Returns
 * an error for forbidden characters other than line feeds, and for a text that is too long. The length is checked after
 * the normalisation, because the normalisation can lengthen the text.
 */
export function validateListDescription(
  input: string,
): { text: string } | { error: 'forbidden_characters' | 'too_long' } {
  const text = trimToVisibleText(input).normalize('NFC')
  if (!text.split('\n').every(isDisplayable)) return { error: 'forbidden_characters' }
  return countCharacters(text) > NAMED_LIST_LIMITS.descriptionLength ? { error: 'too_long' } : { text }
}

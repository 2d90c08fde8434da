import { MAX_PROFILE_NAME_GRAPHEMES } from './limits.ts'

export type ProfileNameError = 'empty' | 'too_long' | 'forbidden_characters'

/**
 * Control characters, bidi embeddings, overrides and isolates (UAX 9), line and paragraph separators, interlinear
 * annotations, and the language tag. Other tag characters are allowed, because emoji of some flags contain them. Bidi
 * marks are allowed too, because Arabic and Hebrew keyboards insert them, and the site isolates every name.
 */
export const FORBIDDEN_CHARACTERS = /[\p{Cc}\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0000}-\u{e001f}]/u

/** True for text without lone surrogates and without characters that change how the text around them is displayed. */
export function isDisplayable(text: string): boolean {
  return !FORBIDDEN_CHARACTERS.test(text) && text.isWellFormed()
}

/**
 * Characters that are invisible on their own. A name may contain joiners, because emoji and Arabic and Persian words
 * contain them, but it must also contain visible characters.
 */
const INVISIBLE_CHARACTERS = /[\p{Cf}\p{Zs}\p{M}\u{115f}-\u{1160}\u3164\uffa0\u2800]/gu

const hasVisibleCharacters = (text: string): boolean => text.replace(INVISIBLE_CHARACTERS, '').trim() !== ''

/** Returns the text without surrounding white space, or an empty text if it has no visible characters. */
export const trimToVisibleText = (text: string): string => (hasVisibleCharacters(text) ? text.trim() : '')

/** Trims a text and normalises it to NFC. Rejects forbidden characters, and text without visible characters. */
export function validateVisibleText(
  input: string,
): { text: string } | { error: 'empty' | 'forbidden_characters' } {
  const text = input.trim().normalize('NFC')
  if (!isDisplayable(text)) return { error: 'forbidden_characters' }
  return hasVisibleCharacters(text) ? { text } : { error: 'empty' }
}

/** True for a text that `validateVisibleText` accepts. */
export const isVisibleText = (text: string): boolean => 'text' in validateVisibleText(text)

/** Validates and normalises the name of a profile. Its length is limited in graphemes and in UTF-16 code units. */
export function validateProfileName(input: string): { name: string } | { error: ProfileNameError } {
  const validation = validateVisibleText(input)
  if ('error' in validation) return validation
  const { text: name } = validation
  const graphemeCount = [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(name)].length
  if (graphemeCount > MAX_PROFILE_NAME_GRAPHEMES || name.length > 400) return { error: 'too_long' }
  return { name }
}

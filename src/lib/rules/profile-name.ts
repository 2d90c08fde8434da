import { LIMITS } from './limits.ts'

export type NameError = 'empty' | 'too_long' | 'forbidden_characters'

/** Controls, bidi marks, embeddings, overrides and isolates (UAX 9), line and paragraph separators, unassigned tags. */
const FORBIDDEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0000}-\u{e001f}]/u
/** Joiners are part of emoji and of Arabic and Persian words, but a name needs something that shows. */
const INVISIBLE = /[\p{Cf}\p{Zs}\p{M}\u{115f}-\u{1160}\u3164\uffa0\u2800]/gu

/** A text somebody typed as it is kept: trimmed, NFC, with something in it that shows and nothing that turns it round. */
export function shownText(given: string): { text: string } | { error: 'empty' | 'forbidden_characters' } {
  const text = given.trim().normalize('NFC')
  if (FORBIDDEN.test(text) || !text.isWellFormed()) return { error: 'forbidden_characters' }
  return text.replace(INVISIBLE, '') === '' ? { error: 'empty' } : { text }
}

/** A profile's name as it is kept. Length is in graphemes. */
export function profileName(given: string): { name: string } | { error: NameError } {
  const shown = shownText(given)
  if ('error' in shown) return shown
  const { text: name } = shown
  const graphemes = [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(name)].length
  if (graphemes > LIMITS.profileNameGraphemes || name.length > 400) return { error: 'too_long' }
  return { name }
}

import {
  ARABIC_LETTER_FOLDS,
  createLetterFolder,
  LATIN_LETTER_FOLDS,
  removeCombiningMarks,
} from './fold-letters.ts'

const foldLetters = createLetterFolder({ ...LATIN_LETTER_FOLDS, ...ARABIC_LETTER_FOLDS })

/**
 * Normalises text for search: lower case, Western digits, no accents or letter variants, and no punctuation except `+`,
 * `%` and `#`.
 */
export function foldSearchText(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return foldAscii(text)
  const lowerCaseText = removeCombiningMarks(text).replaceAll('\u0640', '').toLowerCase()
  return foldLetters(lowerCaseText)
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/&/g, ' and ')
    .replace(/['’`ʼ]/g, '')
    .replace(/[^\p{L}\p{N}+%#]+/gu, ' ')
    .trim()
}

/** Faster equivalent of `foldSearchText` for ASCII text, which is the most frequent case. */
function foldAscii(text: string): string {
  return text
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/['`]/g, '')
    .replace(/[^a-z0-9+%#]+/g, ' ')
    .trim()
}

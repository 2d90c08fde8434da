/**
 * Folding functions that search, title matching and slugs share. Each of the three also has folding rules of its own.
 */

/** Returns the text in compatibility form (NFKD) without combining marks, such as accents and Arabic vowel marks. */
export function removeCombiningMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}+/gu, '')
}

export type LetterFolds = Readonly<Record<string, string>>

/** Letters that readers consider equal although NFKD normalisation does not unify them. */
export const LATIN_LETTER_FOLDS: LetterFolds = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** Letters with hamza, taa marbuta, alif maqsura, and the Persian and Urdu forms of Arabic letters. */
export const ARABIC_LETTER_FOLDS: LetterFolds = {
  آ: 'ا',
  أ: 'ا',
  إ: 'ا',
  ٱ: 'ا',
  ؤ: 'و',
  ئ: 'ي',
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ې: 'ي',
  ک: 'ك',
  گ: 'ك',
  پ: 'ب',
  چ: 'ج',
  ژ: 'ز',
}

/** Returns a function that replaces every letter in the table with its fold. */
export function createLetterFolder(folds: LetterFolds): (text: string) => string {
  const letterPattern = new RegExp(`[${Object.keys(folds).join('')}]`, 'g')
  return (text) => text.replace(letterPattern, (letter) => folds[letter] ?? letter)
}

/**
 * Returns the ASCII digit for a Unicode decimal digit. In Unicode, the ten digits of a script are consecutive code
 * points, from the digit 0 to the digit 9.
 */
export function toAsciiDigit(char: string): string {
  // The mathematical digits are the exception: several series of ten follow each other.
  const compatibleChar = char.normalize('NFKC')
  if (/^[0-9]$/.test(compatibleChar)) return compatibleChar
  let zeroCodePoint = char.codePointAt(0) ?? 0
  const codePoint = zeroCodePoint
  while (codePoint - zeroCodePoint < 9 && /\p{Nd}/u.test(String.fromCodePoint(zeroCodePoint - 1)))
    zeroCodePoint -= 1
  return String(codePoint - zeroCodePoint)
}

/** Replaces the decimal digits of every script with ASCII digits. Arabic and Persian keyboards have other digits. */
export const toAsciiDigits = (text: string): string => text.replace(/(?![0-9])\p{Nd}/gu, toAsciiDigit)

/**
 * Returns the letters and digits of a code that a user has typed or pasted, in upper case. Full-width letters and the
 * digits of all scripts become ASCII. Everything else is removed: spaces, all kinds of separators, and the invisible
 * marks that are copied together with a code out of right-to-left text.
 */
export const normaliseTypedCode = (typedCode: string): string =>
  toAsciiDigits(typedCode.normalize('NFKC'))
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Letter folding that search, the matching of imported titles, slugs and sort keys share. */

/** Latin letters that Unicode normalisation (NFKD) does not decompose. */
const LATIN_LETTERS: Readonly<Record<string, string>> = {
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
/** Arabic letters that are often written instead of each other at the end of a word. */
export const ARABIC_FINAL_LETTERS: Readonly<Record<string, string>> = { ة: 'ه', ى: 'ي' }

/** Returns a function that replaces the letters of a table. */
export function createLetterReplacer(table: Readonly<Record<string, string>>): (text: string) => string {
  const letters = new RegExp(`[${Object.keys(table).join('')}]`, 'g')
  return (text) => text.replace(letters, (letter) => table[letter] ?? letter)
}

const replaceLatinLetters = createLetterReplacer(LATIN_LETTERS)

/** Returns the text in lower case, without accents, vowel marks and tatweel, and with ligatures expanded. */
export const foldLetters = (text: string): string =>
  replaceLatinLetters(
    text
      .normalize('NFKD')
      .replace(/[\p{M}\u0640]+/gu, '')
      .toLowerCase(),
  )

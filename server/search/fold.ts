/**
 * Text folding: two spellings that a viewer would call the same become one string.
 * Pure, no state. Everything stored and everything typed goes through here.
 */

const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  ə: 'e',
  ĸ: 'k',
  ς: 'σ',
  '×': 'x',
  // Arabic: hamza seats, taa marbuta, alif maqsura, and the Persian and Urdu forms of the same letters.
  آ: 'ا',
  أ: 'ا',
  إ: 'ا',
  ٱ: 'ا',
  ء: '',
  ؤ: 'و',
  ئ: 'ي',
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ې: 'ي',
  ے: 'ي',
  ک: 'ك',
  ڪ: 'ك',
  گ: 'ك',
  ڭ: 'ك',
  پ: 'ب',
  چ: 'ج',
  ژ: 'ز',
  ڤ: 'ف',
  ڥ: 'ف',
  ہ: 'ه',
  ھ: 'ه',
  ە: 'ه',
  ۀ: 'ه',
  ۃ: 'ه',
  ں: 'ن',
}
const special = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')

// Marks that a keyboard leaves out: Latin, Greek and Cyrillic accents, Hebrew points, Arabic vowel marks.
const marks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]/g
const apostrophes = /[\u2018\u2019\u201b\u02bc\u02b9\u2032\u00b4`\uff07]/g
const invisible =
  /\p{Cf}|\u034f|[\u115f\u1160]|\u17b4|\u17b5|\u3164|\uffa0|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu

/** The longest text looked at, in UTF-16 units; the rest of a longer name is not searchable. */
const maxNameLength = 300

/**
 * Lower case, no accents, ligatures opened, one form of every Arabic letter, ASCII digits, hiragana for katakana.
 * Punctuation stays; runs of white space become one space. Invisible and bidirectional controls vanish.
 */
export function foldText(text: string): string {
  return (
    text
      .slice(0, maxNameLength)
      .toWellFormed()
      .replace(apostrophes, "'")
      .normalize('NFKD')
      .toLowerCase()
      .replace(marks, '')
      .replace(invisible, '')
      .normalize('NFC')
      .replace(special, (c) => letters[c] ?? c)
      .replace(/[\u30a1-\u30f6]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0x60))
      .replace(/[^\0-\u007f]/gu, (c) => (/\p{Nd}/u.test(c) ? digit(c) : c))
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here
      .replace(/[\s\u0000-\u001f\u007f-\u009f\ufffd]+/g, ' ')
      .trim()
  )
}

/** Every decimal digit block of Unicode is ten code points in a row, 0 first. */
function digit(c: string): string {
  let zero = c.codePointAt(0) ?? 0
  const at = zero
  while (at - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(at - zero)
}

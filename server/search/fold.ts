/**
 * Text folding: spellings that readers consider equal become the same string. All stored names and all queries
 * are folded.
 */
import {
  ARABIC_LETTER_FOLDS,
  createLetterFolder,
  LATIN_LETTER_FOLDS,
  toAsciiDigit,
} from '../../src/lib/rules/fold-letters.ts'

const foldLetters = createLetterFolder({
  ...LATIN_LETTER_FOLDS,
  ...ARABIC_LETTER_FOLDS,
  ħ: 'h',
  ŋ: 'n',
  ə: 'e',
  ĸ: 'k',
  ς: 'σ',
  '×': 'x',
  ء: '',
  ے: 'ي',
  ڪ: 'ك',
  ڭ: 'ك',
  ڤ: 'ف',
  ڥ: 'ف',
  ہ: 'ه',
  ھ: 'ه',
  ە: 'ه',
  ۀ: 'ه',
  ۃ: 'ه',
  ں: 'ن',
})

// Diacritics that people omit when typing: Latin, Greek and Cyrillic accents, Hebrew points, Arabic vowel marks.
const diacriticsPattern =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]/g
const apostrophePattern = /[\u2018\u2019\u201b\u02bc\u02b9\u2032\u00b4`\uff07]/g
const invisibleCharacterPattern =
  /\p{Cf}|\u034f|[\u115f\u1160]|\u17b4|\u17b5|\u3164|\uffa0|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu

// Text of only these characters needs no normalisation; most names are such text. The backtick is missing
// because it is replaced with an apostrophe.
const plainAsciiPattern = /^[ -_a-~]*$/
const nonAsciiDigitPattern = /(?![0-9])\p{Nd}/gu

/** Number of UTF-16 code units of a name that are searchable; the rest is ignored. */
const maxNameLength = 300

/**
 * Returns the folded text. Letters become lower case and lose their accents. Ligatures are expanded. Each
 * Arabic letter gets one form. Digits become ASCII digits, and katakana becomes hiragana. Punctuation stays.
 * White space becomes single spaces. Invisible and bidirectional control characters are removed.
 */
export function foldText(text: string): string {
  const searchableText = text.slice(0, maxNameLength)
  if (plainAsciiPattern.test(searchableText))
    return searchableText.toLowerCase().replace(/ {2,}/g, ' ').trim()
  const normalisedText = searchableText
    .toWellFormed()
    .replace(apostrophePattern, "'")
    .normalize('NFKD')
    .toLowerCase()
    .replace(diacriticsPattern, '')
    .replace(invisibleCharacterPattern, '')
    .normalize('NFC')
  return (
    foldLetters(normalisedText)
      .replace(/[\u30a1-\u30f6]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0x60))
      .replace(nonAsciiDigitPattern, toAsciiDigit)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here
      .replace(/[\s\u0000-\u001f\u007f-\u009f\ufffd]+/g, ' ')
      .trim()
  )
}

import { ARABIC_FINAL_LETTERS, createLetterReplacer, foldLetters } from './fold-letters.ts'

/** Variants of Arabic letters, also Persian ones, with the letter that search compares. */
const replaceArabicLetters = createLetterReplacer({
  ...ARABIC_FINAL_LETTERS,
  ٱ: 'ا',
  ی: 'ي',
  ې: 'ي',
  ک: 'ك',
  گ: 'ك',
  پ: 'ب',
  چ: 'ج',
  ژ: 'ز',
})

/** Normalises text for search: lower case, Western digits, without accents, punctuation and letter variants. */
export function foldSearchText(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return foldAscii(text)
  return replaceArabicLetters(foldLetters(text))
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/&/g, ' and ')
    .replace(/['’`ʼ]/g, '')
    .replace(/[^\p{L}\p{N}+%#]+/gu, ' ')
    .trim()
}

/** Faster equivalent for ASCII text, which is the most frequent case. */
function foldAscii(text: string): string {
  return text
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/['`]/g, '')
    .replace(/[^a-z0-9+%#]+/g, ' ')
    .trim()
}

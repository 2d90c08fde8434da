/** Letters with the form that search compares. */
const LETTER_REPLACEMENTS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ې: 'ي',
  ک: 'ك',
  ؤ: 'و',
  ئ: 'ي',
  گ: 'ك',
  پ: 'ب',
  چ: 'ج',
  ژ: 'ز',
}

/** Normalises text for search: lower case, Western digits, without accents, punctuation and letter variants. */
export function foldSearchText(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return foldAscii(text)
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\u0640]+/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþıأإآٱةىیېکؤئگپچژ]/g, (letter) => LETTER_REPLACEMENTS[letter] ?? letter)
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

/**
 * Decodes text files of unknown encoding. Tries in this order: a byte order mark, UTF-16 without a byte order mark, UTF-8,
 * and the legacy code page of the language.
 */

/** Legacy code pages by language. For other languages, the code page is guessed. */
const CODE_PAGES: Record<string, string> = {
  ar: 'windows-1256',
  fa: 'windows-1256',
  ru: 'windows-1251',
  uk: 'windows-1251',
  bg: 'windows-1251',
  sr: 'windows-1250',
  el: 'windows-1253',
  tr: 'windows-1254',
  he: 'windows-1255',
  cs: 'windows-1250',
  pl: 'windows-1250',
  hu: 'windows-1250',
  ro: 'windows-1250',
  hr: 'windows-1250',
  sk: 'windows-1250',
  sl: 'windows-1250',
  et: 'windows-1257',
  lv: 'windows-1257',
  lt: 'windows-1257',
  vi: 'windows-1258',
  th: 'windows-874',
  ja: 'shift_jis',
  ko: 'euc-kr',
  zh: 'gb18030',
}

/** Decodes a text. Never throws; invalid bytes become U+FFFD. `lang` is an ISO 639-1 code. */
export function decodeText(bytes: Uint8Array, lang?: string): string {
  const encoding = detectMarkedEncoding(bytes) ?? detectUnmarkedUtf16(bytes)
  if (encoding) return new TextDecoder(encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder(CODE_PAGES[lang ?? ''] ?? guessCodePage(bytes)).decode(bytes)
  }
}

/** Bytes that are Latin letters in Windows-1256 and frequent small letters in Windows-1251. */
const LATIN_IN_ARABIC_PAGE = new Set([0xe0, 0xe2, 0xe7, 0xe8, 0xe9, 0xea, 0xeb, 0xee, 0xef, 0xf1, 0xf2])
/** Share of the letters outside ASCII above which a text is not written in Latin letters. */
const MIN_FOREIGN_LETTERS = 0.5
const MIN_CYRILLIC_LETTERS = 0.3

/**
 * Guesses the code page of a text whose language is not known. Considers the three most common code pages. A text in Latin
 * letters has few letters outside ASCII.
 */
function guessCodePage(bytes: Uint8Array): string {
  let asciiLetters = 0
  let otherLetters = 0
  let latinInArabicPage = 0
  for (const byte of bytes) {
    if (byte >= 0xc0) otherLetters += 1
    else if ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) asciiLetters += 1
    if (LATIN_IN_ARABIC_PAGE.has(byte)) latinInArabicPage += 1
  }
  if (otherLetters <= (asciiLetters + otherLetters) * MIN_FOREIGN_LETTERS) return 'windows-1252'
  return latinInArabicPage > otherLetters * MIN_CYRILLIC_LETTERS ? 'windows-1251' : 'windows-1256'
}

function detectMarkedEncoding(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  return null
}

/** Detects UTF-16 without a byte order mark. In UTF-16, every second byte of digits, spaces and line ends is zero. */
function detectUnmarkedUtf16(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, 2_000)
  let evenZeros = 0
  let oddZeros = 0
  for (const [index, byte] of sample.entries()) {
    if (byte === 0 && index % 2 === 0) evenZeros += 1
    if (byte === 0 && index % 2 === 1) oddZeros += 1
  }
  const minZeros = sample.length / 10
  if (oddZeros > minZeros && oddZeros > evenZeros * 4) return 'utf-16le'
  return evenZeros > minZeros && evenZeros > oddZeros * 4 ? 'utf-16be' : null
}

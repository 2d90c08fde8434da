/**
 * Decodes text files of unknown encoding. Tries in this order: a byte order mark, UTF-16 without a byte order mark,
 * UTF-8, and a legacy encoding. The language of the text determines the legacy encoding. If the language is not given
 * or the tables below do not contain it, the legacy encoding is guessed.
 */

import { guessEncoding } from './guess-encoding.ts'

/**
 * Legacy code pages by language, or by language and script or region. WESTERN_LANGUAGES use Windows-1252. For all other
 * languages, the code page is guessed.
 */
const CODE_PAGES_BY_LANGUAGE: Record<string, string> = {
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
  'zh-Hant': 'big5',
  'zh-TW': 'big5',
  'zh-HK': 'big5',
}
/** Languages whose letters are all in Windows-1252. */
const WESTERN_LANGUAGES = new Set(
  'af ca da de en es eu fi fil fr ga gl id is it ms nb nl nn no pt sv sw tl'.split(' '),
)
/** Code page of the languages in WESTERN_LANGUAGES, and of texts whose code page cannot be guessed. */
const DEFAULT_CODE_PAGE = 'windows-1252'
/** Number of bytes that are examined to guess the encoding of a text. */
const SAMPLE_BYTES = 65_536
/**
 * Highest ratio of invalid bytes to valid multi-byte sequences at which a text is still decoded as UTF-8. At a higher
 * ratio, a legacy code page is used.
 */
const MAX_INVALID_UTF8_RATIO = 0.2

/** Decodes a text. Never throws; invalid bytes become U+FFFD. `lang` is a code such as `zh` or `zh-TW`. */
export function decodeText(bytes: Uint8Array, lang?: string): string {
  const encoding = detectMarkedEncoding(bytes) ?? detectUnmarkedUtf16(bytes)
  if (encoding) return new TextDecoder(encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder(isDamagedUtf8(bytes) ? 'utf-8' : selectCodePage(bytes, lang)).decode(bytes)
  }
}

function selectCodePage(bytes: Uint8Array, lang = ''): string {
  const [baseLanguage = ''] = lang.split('-')
  const codePage = CODE_PAGES_BY_LANGUAGE[lang] ?? CODE_PAGES_BY_LANGUAGE[baseLanguage]
  if (codePage) return codePage
  return (!WESTERN_LANGUAGES.has(baseLanguage) && guessEncodingOfSample(bytes)) || DEFAULT_CODE_PAGE
}

/**
 * True for UTF-8 with a few invalid bytes, for example when the file was cut in the middle of a character. Letters of a
 * legacy code page rarely form valid sequences of UTF-8.
 */
export function isDamagedUtf8(bytes: Uint8Array, maxInvalidRatio = MAX_INVALID_UTF8_RATIO): boolean {
  let validSequenceCount = 0
  let invalidByteCount = 0
  for (let index = 0; index < bytes.length; ) {
    const sequenceLength = getUtf8SequenceLength(bytes, index)
    if (sequenceLength === 0) invalidByteCount += 1
    if (sequenceLength > 1) validSequenceCount += 1
    index += Math.max(sequenceLength, 1)
  }
  return validSequenceCount > 0 && invalidByteCount <= validSequenceCount * maxInvalidRatio
}

/** Returns the length of a UTF-8 sequence that begins with this byte; 0 if no sequence begins with the byte. */
function getLengthFromFirstByte(firstByte: number): number {
  if (firstByte < 0x80) return 1
  if (firstByte >= 0xc2 && firstByte <= 0xdf) return 2
  if (firstByte >> 4 === 0xe) return 3
  return firstByte >> 3 === 0x1e ? 4 : 0
}

/** Returns the number of bytes of the UTF-8 sequence at `index`; 0 if there is no valid sequence. */
function getUtf8SequenceLength(bytes: Uint8Array, index: number): number {
  const length = getLengthFromFirstByte(bytes[index] ?? 0)
  for (let offset = 1; offset < length; offset++) if (((bytes[index + offset] ?? 0) & 0xc0) !== 0x80) return 0
  return length
}

/**
 * Guesses the encoding from SAMPLE_BYTES bytes that begin with the first byte outside ASCII; null if the text is in no
 * known language.
 */
function guessEncodingOfSample(bytes: Uint8Array): string | null {
  const sampleStart = bytes.findIndex((byte) => byte >= 0x80)
  return guessEncoding(bytes.subarray(sampleStart, sampleStart + SAMPLE_BYTES))
}

/** Detects the encoding from a byte order mark of UTF-8 or UTF-16; null if there is none. */
export function detectMarkedEncoding(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  return null
}

/**
 * Detects UTF-16 without a byte order mark; null if the text is not UTF-16. In UTF-16, every second byte of digits,
 * spaces and line ends is zero.
 */
export function detectUnmarkedUtf16(bytes: Uint8Array): string | null {
  const sampledBytes = bytes.subarray(0, 2_000)
  let evenZeroCount = 0
  let oddZeroCount = 0
  for (const [index, byte] of sampledBytes.entries()) {
    if (byte === 0 && index % 2 === 0) evenZeroCount += 1
    if (byte === 0 && index % 2 === 1) oddZeroCount += 1
  }
  const minZeroCount = sampledBytes.length / 10
  if (oddZeroCount > minZeroCount && oddZeroCount > evenZeroCount * 4) return 'utf-16le'
  return evenZeroCount > minZeroCount && evenZeroCount > oddZeroCount * 4 ? 'utf-16be' : null
}

/** Text files of unknown encoding: byte order marks, UTF-16 without one, UTF-8, else the code page of the language. */

/** Code pages that subtitles of a language were written in before UTF-8; Windows-1252 for all others. */
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

/** Never throws; bytes that fit nothing become U+FFFD. `lang` is an ISO 639-1 code. */
export function decodeText(bytes: Uint8Array, lang?: string): string {
  const encoding = marked(bytes) ?? unmarkedUtf16(bytes)
  if (encoding) return new TextDecoder(encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder(CODE_PAGES[lang ?? ''] ?? 'windows-1252').decode(bytes)
  }
}

function marked(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  return null
}

/** Subtitles and notes are full of digits, spaces and line ends: in UTF-16 every second byte of those is zero. */
function unmarkedUtf16(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, 2_000)
  let even = 0
  let odd = 0
  for (const [at, byte] of sample.entries()) {
    if (byte === 0 && at % 2 === 0) even += 1
    if (byte === 0 && at % 2 === 1) odd += 1
  }
  const least = sample.length / 10
  if (odd > least && odd > even * 4) return 'utf-16le'
  return even > least && even > odd * 4 ? 'utf-16be' : null
}

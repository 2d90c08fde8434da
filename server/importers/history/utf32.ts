/** Decodes UTF-32, which some statistics programs write and which `TextDecoder` does not support. */

const CODE_UNIT_BYTES = 4
const REPLACEMENT_CHARACTER = 0xfffd

/**
 * Detects UTF-32 from a byte order mark, or from the zero bytes of the first two characters; null for any other
 * encoding.
 */
export function detectUtf32(bytes: Uint8Array): 'utf-32le' | 'utf-32be' | null {
  if (bytes.length < 2 * CODE_UNIT_BYTES) return null
  const [a, b, c, d, e, f, g, h] = bytes
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return 'utf-32le'
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'utf-32be'
  if (a && !b && !c && !d && e && !f && !g && !h) return 'utf-32le'
  return !a && !b && !c && d && !e && !f && !g && h ? 'utf-32be' : null
}

export class Utf32Decoder {
  readonly #isLittleEndian: boolean
  #pendingBytes: Uint8Array = Buffer.of()
  #isFileStart = true

  constructor(isLittleEndian: boolean) {
    this.#isLittleEndian = isLittleEndian
  }

  /** Returns the text of the bytes, without a byte order mark. Invalid code points become U+FFFD. */
  decode(bytes: Uint8Array = Buffer.of(), { stream } = { stream: false }): string {
    const allBytes = Buffer.concat([this.#pendingBytes, bytes])
    const unitCount = Math.floor(allBytes.length / CODE_UNIT_BYTES)
    let text = ''
    for (let unitIndex = 0; unitIndex < unitCount; unitIndex++) {
      const offset = unitIndex * CODE_UNIT_BYTES
      const codePoint = this.#isLittleEndian ? allBytes.readUInt32LE(offset) : allBytes.readUInt32BE(offset)
      const isByteOrderMark = this.#isFileStart && codePoint === 0xfeff
      this.#isFileStart = false
      const isValid = codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff)
      if (!isByteOrderMark) text += String.fromCodePoint(isValid ? codePoint : REPLACEMENT_CHARACTER)
    }
    this.#pendingBytes = allBytes.subarray(unitCount * CODE_UNIT_BYTES)
    return !stream && this.#pendingBytes.length > 0 ? `${text}\ufffd` : text
  }
}

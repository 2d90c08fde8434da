/**
 * Decodes the bytes of a text file. Programs save text as UTF-8, UTF-16 or UTF-32; spreadsheet programs also use the
 * legacy code page of the language. A sample of the file, from its first byte that is not ASCII, determines the
 * encoding. A file of any size can therefore be decoded while it is read.
 */
import { isUtf8 } from 'node:buffer'
import { guessEncoding } from '../../../src/lib/rules/guess-encoding.ts'
import {
  detectMarkedEncoding,
  detectUnmarkedUtf16,
  isDamagedUtf8,
} from '../../../src/lib/rules/text-encoding.ts'
import { detectUtf32, Utf32Decoder } from './utf32.ts'

/** Thrown for a text whose encoding is unknown. */
export class EncodingError extends Error {
  constructor() {
    super('the text is in an unknown encoding')
  }
}

/** Number of bytes at the start of a file that are needed to recognise UTF-16 and UTF-32. */
const UNICODE_DETECTION_BYTES = 64
/**
 * Size of the sample that determines the encoding of a file that is neither UTF-16 nor UTF-32. The sample starts at the
 * first byte that is not ASCII.
 */
const SAMPLE_BYTES = 8192
/**
 * Highest ratio of invalid bytes to valid sequences at which a file counts as UTF-8 with damaged characters. In a text
 * with another multi-byte encoding, only about one character in seven is valid UTF-8, so the ratio is much higher.
 */
const MAX_INVALID_UTF8_RATIO = 0.5
/** Length of the longest character in UTF-8. */
const MAX_CHARACTER_BYTES = 4

/** Yields the text of a file, usually one string per chunk of bytes. Throws `EncodingError`. */
export async function* decodeTextChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new UnknownTextDecoder()
  for await (const chunk of chunks) {
    const text = decoder.push(chunk)
    if (text) yield text
  }
  const remainingText = decoder.end()
  if (remainingText) yield remainingText
}

/** Returns the text of the first bytes of a file. The bytes may end within a character. Throws `EncodingError`. */
export function decodeFileHead(headBytes: Uint8Array): string {
  const decoder = new UnknownTextDecoder()
  return decoder.push(headBytes) + decoder.flushUndecidedBytes()
}

interface TextChunkDecoder {
  decode(bytes?: Uint8Array, options?: { stream: boolean }): string
}

class UnknownTextDecoder {
  #decoder: TextChunkDecoder | null = null
  #isFileStart = true
  #undecidedBytes: Uint8Array = Buffer.of()

  /**
   * Returns the decoded text. While the bytes do not show their encoding, they are kept, and a later call returns their
   * text.
   */
  push(bytes: Uint8Array): string {
    if (this.#decoder) return this.#decoder.decode(bytes, { stream: true })
    this.#undecidedBytes = Buffer.concat([this.#undecidedBytes, bytes])
    return this.#isFileStart && this.#undecidedBytes.length < UNICODE_DETECTION_BYTES
      ? ''
      : this.#decodeUndecided(false)
  }

  /**
   * Returns the text of the bytes that were kept because they did not show their encoding yet. More bytes may be pushed
   * afterwards.
   */
  flushUndecidedBytes(): string {
    return this.#decoder ? '' : this.#decodeUndecided(true)
  }

  end(): string {
    return this.flushUndecidedBytes() + (this.#decoder?.decode() ?? '')
  }

  #decodeUndecided(isComplete: boolean): string {
    const encoding = this.#isFileStart ? detectUnicode(this.#undecidedBytes) : null
    this.#isFileStart = false
    let asciiText = ''
    if (encoding === null) {
      const firstNonAsciiIndex = findNonAsciiIndex(this.#undecidedBytes)
      asciiText = Buffer.from(this.#undecidedBytes.subarray(0, firstNonAsciiIndex)).toString('latin1')
      this.#undecidedBytes = this.#undecidedBytes.subarray(firstNonAsciiIndex)
      const isDecided = this.#undecidedBytes.length >= SAMPLE_BYTES || isComplete
      if (!isDecided || this.#undecidedBytes.length === 0) return asciiText
    }
    const bytes = this.#undecidedBytes
    this.#undecidedBytes = Buffer.of()
    this.#decoder = createDecoder(encoding ?? detectEncoding(bytes))
    return asciiText + this.#decoder.decode(bytes, { stream: true })
  }
}

const createDecoder = (encoding: string): TextChunkDecoder =>
  encoding === 'utf-32le' || encoding === 'utf-32be'
    ? new Utf32Decoder(encoding === 'utf-32le')
    : new TextDecoder(encoding)

/** Returns the position of the first byte that is not ASCII, or the number of bytes if all bytes are ASCII. */
function findNonAsciiIndex(bytes: Uint8Array): number {
  const index = bytes.findIndex((byte) => byte > 0x7f)
  return index < 0 ? bytes.length : index
}

/**
 * Detects UTF-16 and UTF-32 from the start of a file, and UTF-8 with a byte order mark; returns null for any other
 * encoding. UTF-32 comes first, because its byte order mark begins with that of UTF-16.
 */
const detectUnicode = (bytes: Uint8Array): string | null =>
  detectUtf32(bytes) ?? detectMarkedEncoding(bytes) ?? detectUnmarkedUtf16(bytes)

/**
 * Detects UTF-8, or a legacy encoding, from bytes that begin with a character that is not ASCII and may end within a
 * character. Throws `EncodingError`.
 */
function detectEncoding(bytes: Uint8Array): string {
  if (isUtf8Prefix(bytes) || isDamagedUtf8(bytes, MAX_INVALID_UTF8_RATIO)) return 'utf-8'
  const encoding = guessEncoding(bytes)
  if (encoding === null) throw new EncodingError()
  return encoding
}

/**
 * True for UTF-8 text that may end within a character. A text of fewer than MAX_CHARACTER_BYTES bytes must end with a
 * complete character, because letters of a legacy encoding can look like the start of a UTF-8 character.
 */
function isUtf8Prefix(bytes: Uint8Array): boolean {
  if (bytes.length < MAX_CHARACTER_BYTES) return isUtf8(bytes)
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/**
 * Decodes the bytes of a text file. Spreadsheets save UTF-8, UTF-16, or, on Windows, the code page of the language. The
 * first character that is not ASCII determines the encoding, so that a file of any size can be decoded while it is
 * read. The code page is guessed from this character and the characters after it in the same chunk.
 */
import { isUtf8 } from 'node:buffer'
import { detectUnmarkedUtf16, guessCodePage } from '../../../src/lib/rules/text-encoding.ts'

/** Length of the longest character in UTF-8. */
const MAX_CHARACTER_BYTES = 4

/** Yields the text of a file, usually one string per chunk of bytes. */
export async function* decodeTextChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null
  let isFileStart = true
  /** Bytes from the first one that is not ASCII, until they are enough to detect the encoding. */
  let undecidedBytes: Uint8Array = Buffer.of()
  for await (const chunk of chunks) {
    let bytes = chunk
    if (!decoder) {
      bytes = Buffer.concat([undecidedBytes, chunk])
      const unmarkedEncoding = isFileStart ? detectUnmarkedUtf16(bytes) : null
      if (unmarkedEncoding) {
        decoder = new TextDecoder(unmarkedEncoding)
        yield decoder.decode(bytes, { stream: true })
        continue
      }
      const firstNonAsciiIndex = findNonAscii(bytes)
      if (firstNonAsciiIndex > 0) {
        yield Buffer.from(bytes.subarray(0, firstNonAsciiIndex)).toString('latin1')
        isFileStart = false
        bytes = bytes.subarray(firstNonAsciiIndex)
      }
      undecidedBytes = bytes
      if (undecidedBytes.length < MAX_CHARACTER_BYTES) continue
      decoder = new TextDecoder(detectCharacterEncoding(bytes, isFileStart))
    }
    const text = decoder.decode(bytes, { stream: true })
    if (text) yield text
  }
  const remainingText = decoder
    ? decoder.decode()
    : new TextDecoder(detectCharacterEncoding(undecidedBytes, isFileStart)).decode(undecidedBytes)
  if (remainingText) yield remainingText
}

/** Detects the encoding of a file from its first bytes, which may end within a character. */
export function detectEncoding(headBytes: Uint8Array): string {
  const unmarkedEncoding = detectUnmarkedUtf16(headBytes)
  if (unmarkedEncoding) return unmarkedEncoding
  const nonAsciiIndex = findNonAscii(headBytes)
  const mayEndWithinCharacter = headBytes.length - nonAsciiIndex < MAX_CHARACTER_BYTES
  return nonAsciiIndex > 0 && mayEndWithinCharacter
    ? 'utf-8'
    : detectCharacterEncoding(headBytes.subarray(nonAsciiIndex), nonAsciiIndex === 0)
}

/** Returns the position of the first byte that is not ASCII, or the number of bytes. */
function findNonAscii(bytes: Uint8Array): number {
  const index = bytes.findIndex((byte) => byte > 0x7f)
  return index < 0 ? bytes.length : index
}

/**
 * Detects the encoding from bytes that begin with a character that is not ASCII. A byte order mark counts
 * only at the start of a file.
 */
function detectCharacterEncoding(bytes: Uint8Array, isFileStart: boolean): string {
  const [firstByte = 0, secondByte] = bytes
  if (isFileStart && firstByte === 0xff && secondByte === 0xfe) return 'utf-16le'
  if (isFileStart && firstByte === 0xfe && secondByte === 0xff) return 'utf-16be'
  const characterByteCount = firstByte >= 0xf0 ? 4 : firstByte >= 0xe0 ? 3 : 2
  return isUtf8(bytes.subarray(0, characterByteCount)) ? 'utf-8' : guessCodePage(bytes)
}

/**
 * Checks subtitles and fonts that were extracted from video files, because browsers must not get untrusted
 * data unchecked.
 */
import { isAssSubtitle } from '../../../../src/lib/rules/ass-subtitles.ts'
import { decodeText } from '../../../../src/lib/rules/text-encoding.ts'
import { hasCues } from '../../../../src/lib/rules/webvtt.ts'

/**
 * Subtitles of a Blu-ray have 1920 × 1080 pixels. Much larger pictures are rejected, because they could
 * exhaust the memory of a browser.
 */
const MAX_PICTURE_WIDTH_PIXELS = 4096
const MAX_PICTURE_HEIGHT_PIXELS = 2304
const PGS_HEADER_BYTES = 13
/** Types of the segments of a PGS stream. */
const [PGS_PALETTE, PGS_OBJECT, PGS_COMPOSITION, PGS_WINDOWS, PGS_END] = [0x14, 0x15, 0x16, 0x17, 0x80]
const PGS_TYPES = new Set([PGS_PALETTE, PGS_OBJECT, PGS_COMPOSITION, PGS_WINDOWS, PGS_END])
const PGS_FIRST_IN_SEQUENCE = 0x80
const SFNT_SIGNATURES = new Set(['\0\u0001\0\0', 'OTTO', 'true', 'ttcf'])

/** True for a script with styles and at least one line of dialogue. */
export const isStyledScript = (bytes: Uint8Array) => {
  const scriptText = decodeText(bytes)
  return isAssSubtitle(scriptText) && /^[ \t]*Dialogue[ \t]*:/im.test(scriptText)
}

export const isWebVtt = (bytes: Uint8Array) => hasCues(Buffer.from(bytes).toString('utf8'))

/** True for TrueType and OpenType fonts and collections. */
export const isFont = (bytes: Uint8Array) =>
  SFNT_SIGNATURES.has(Buffer.from(bytes.subarray(0, 4)).toString('latin1'))

/**
 * True when the bytes are a complete PGS stream (.sup) whose pictures have a size that browsers can draw. No
 * segment may extend beyond the end of the stream, and the stream must contain a composition.
 */
export function isPgsStream(bytes: Buffer): boolean {
  let byteOffset = 0
  let compositionCount = 0
  while (byteOffset < bytes.length) {
    if (
      byteOffset + PGS_HEADER_BYTES > bytes.length ||
      bytes.toString('latin1', byteOffset, byteOffset + 2) !== 'PG'
    )
      return false
    const segmentType = bytes.readUInt8(byteOffset + 10)
    const startByte = byteOffset + PGS_HEADER_BYTES
    const endByte = startByte + bytes.readUInt16BE(byteOffset + 11)
    if (endByte > bytes.length || !PGS_TYPES.has(segmentType)) return false
    const segment = bytes.subarray(startByte, endByte)
    if (segmentType === PGS_COMPOSITION) {
      if (segment.length < 11 || !hasDrawableSize(segment, 0)) return false
      compositionCount += 1
    }
    if (segmentType === PGS_OBJECT && !isDrawableObject(segment)) return false
    byteOffset = endByte
  }
  return compositionCount > 0
}

/**
 * True if a picture object has a size that browsers can draw. Only the first segment of an object contains its size, so
 * later segments are accepted.
 */
function isDrawableObject(segment: Buffer): boolean {
  if (segment.length < 4) return false
  const isFirstInSequence = (segment.readUInt8(3) & PGS_FIRST_IN_SEQUENCE) !== 0
  return !isFirstInSequence || (segment.length >= 11 && hasDrawableSize(segment, 7))
}

const hasDrawableSize = (segment: Buffer, byteOffset: number) =>
  segment.readUInt16BE(byteOffset) <= MAX_PICTURE_WIDTH_PIXELS &&
  segment.readUInt16BE(byteOffset + 2) <= MAX_PICTURE_HEIGHT_PIXELS

/** Reads EBML, the container format of Matroska and WebM (RFC 8794): nested elements, each with an id and a size. */
import type { ReadAt } from './video-header.ts'

/** Maximum size of an element header: four bytes of id and eight bytes of size. */
const MAX_ELEMENT_HEADER_BYTES = 12

export interface EbmlElement {
  id: number
  /** Byte offsets of the content in the file. */
  startOffset: number
  endOffset: number
}
export interface EbmlSource {
  readAt: ReadAt
  sizeBytes: number
  /** Number of elements that may still be read; a file with more is broken or malicious. */
  remainingElements: number
}

/** Yields the child elements of an element. */
export async function* readChildElements(
  source: EbmlSource,
  parent: EbmlElement,
): AsyncGenerator<EbmlElement> {
  for (let offset = parent.startOffset; offset < parent.endOffset; ) {
    const element = await readElement(source, offset, parent.endOffset)
    if (!element || element.endOffset <= offset) return
    yield element
    offset = element.endOffset
  }
}

/**
 * Reads the header of the element at `offset`. `endOffset` is the end of the parent element. Returns null if the header
 * is malformed, if `offset` is beyond the end of the file, or if no more elements may be read (`remainingElements`).
 */
export async function readElement(
  source: EbmlSource,
  offset: number,
  endOffset: number,
): Promise<EbmlElement | null> {
  source.remainingElements -= 1
  if (source.remainingElements < 0 || offset >= source.sizeBytes) return null
  const header = await source.readAt(offset, MAX_ELEMENT_HEADER_BYTES)
  const idLengthBytes = getVintLength(header[0])
  const sizeFieldBytes = getVintLength(header[idLengthBytes])
  if (
    idLengthBytes === 0 ||
    idLengthBytes > 4 ||
    sizeFieldBytes === 0 ||
    header.length < idLengthBytes + sizeFieldBytes
  )
    return null
  const startOffset = offset + idLengthBytes + sizeFieldBytes
  const lengthBytes = decodeVint(header.subarray(idLengthBytes, idLengthBytes + sizeFieldBytes))
  return {
    id: header.readUIntBE(0, idLengthBytes),
    startOffset,
    endOffset: lengthBytes === null ? endOffset : Math.min(startOffset + lengthBytes, endOffset),
  }
}

/**
 * Returns the length in bytes of a variable-length integer with this first byte: the position of its first 1 bit,
 * counted from 1. Returns 0 if the byte is 0 or missing.
 */
const getVintLength = (byte: number | undefined) => (byte ? Math.clz32(byte) - 23 : 0)

/** Decodes a variable-length integer; null for the reserved value "unknown size", whose bits are all ones. */
function decodeVint(bytes: Buffer): number | null {
  const markerBit = 1 << (8 - bytes.length)
  let value = (bytes[0] ?? 0) & (markerBit - 1)
  let isUnknownSize = value === markerBit - 1
  for (const byte of bytes.subarray(1)) {
    value = value * 256 + byte
    isUnknownSize &&= byte === 0xff
  }
  return isUnknownSize ? null : value
}

/** Reads an unsigned integer; 0 when its length is invalid. */
export async function readUnsignedInteger(source: EbmlSource, element: EbmlElement): Promise<number> {
  const lengthBytes = element.endOffset - element.startOffset
  if (lengthBytes < 1 || lengthBytes > 8) return 0
  const bytes = await source.readAt(element.startOffset, lengthBytes)
  let value = 0
  for (const byte of bytes) value = value * 256 + byte
  return value
}

/** Reads a UTF-8 string up to its first NUL character; at most 200 bytes. */
export async function readText(source: EbmlSource, element: EbmlElement): Promise<string> {
  const bytes = await source.readAt(
    element.startOffset,
    Math.min(200, element.endOffset - element.startOffset),
  )
  return bytes.toString('utf8').replace(/\0.*$/s, '')
}

/** EBML, the container under Matroska and WebM (RFC 8794): elements within elements, each with an id and a size. */
import type { ReadAt } from './probe.ts'

/** Longest header of an element: four bytes of id, eight of size. */
const HEADER_BYTES = 12

export interface Element {
  id: number
  /** Where its content begins and ends in the file. */
  start: number
  end: number
}
export interface Source {
  readAt: ReadAt
  size: number
  /** Elements that may still be looked at: headers that need more are broken, or made to keep us busy. */
  left: number
}

export async function* children(source: Source, parent: Element): AsyncGenerator<Element> {
  for (let at = parent.start; at < parent.end; ) {
    const element = await elementAt(source, at, parent.end)
    if (!element || element.end <= at) return
    yield element
    at = element.end
  }
}

export async function elementAt(source: Source, at: number, limit: number): Promise<Element | null> {
  source.left -= 1
  if (source.left < 0 || at >= source.size) return null
  const header = await source.readAt(at, HEADER_BYTES)
  const idLength = vintLength(header[0])
  const sizeLength = vintLength(header[idLength])
  if (idLength === 0 || idLength > 4 || sizeLength === 0 || header.length < idLength + sizeLength) return null
  const start = at + idLength + sizeLength
  const length = vint(header.subarray(idLength, idLength + sizeLength))
  return {
    id: header.readUIntBE(0, idLength),
    start,
    end: length === null ? limit : Math.min(start + length, limit),
  }
}

const vintLength = (byte: number | undefined) => (byte ? Math.clz32(byte) - 23 : 0)

/** Null for the size that says "unknown": all ones. */
function vint(bytes: Buffer): number | null {
  const marker = 1 << (8 - bytes.length)
  let value = (bytes[0] ?? 0) & (marker - 1)
  let ones = value === marker - 1
  for (const byte of bytes.subarray(1)) {
    value = value * 256 + byte
    ones &&= byte === 0xff
  }
  return ones ? null : value
}

/** 0 for a number that is none. */
export async function unsigned(source: Source, element: Element): Promise<number> {
  const length = element.end - element.start
  if (length < 1 || length > 8) return 0
  const bytes = await source.readAt(element.start, length)
  let value = 0
  for (const byte of bytes) value = value * 256 + byte
  return value
}

/** UTF-8, at most 200 bytes of it. */
export async function words(source: Source, element: Element): Promise<string> {
  const bytes = await source.readAt(element.start, Math.min(200, element.end - element.start))
  return bytes.toString('utf8').replace(/\0.*$/s, '')
}

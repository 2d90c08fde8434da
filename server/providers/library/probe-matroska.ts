/** Picture size and length from a Matroska / WebM header (RFC 8794, RFC 9559): Tracks, wherever SeekHead says they are. */
import type { Picture, ReadAt } from './probe.ts'

const MOST_ELEMENTS = 4_000
/** Longest header of an element: four bytes of id, eight of size. */
const HEADER_BYTES = 12

const EBML = 0x1a45dfa3
const SEGMENT = 0x18538067
const SEEK_HEAD = 0x114d9b74
const SEEK = 0x4dbb
const SEEK_ID = 0x53ab
const SEEK_POSITION = 0x53ac
const INFO = 0x1549a966
const TIMESTAMP_SCALE = 0x2ad7b1
const DURATION = 0x4489
const TRACKS = 0x1654ae6b
const TRACK = 0xae
const VIDEO = 0xe0
const PIXEL_WIDTH = 0xb0
const PIXEL_HEIGHT = 0xba
const CLUSTER = 0x1f43b675

interface Element {
  id: number
  start: number
  end: number
}
interface Source {
  readAt: ReadAt
  size: number
  left: number
}

/** Null when there is no video track or the file is no Matroska. */
export async function probeMatroska(readAt: ReadAt, size: number): Promise<Picture | null> {
  const source = { readAt, size, left: MOST_ELEMENTS }
  const first = await elementAt(source, 0, size)
  if (first?.id !== EBML) return null
  const segment = await elementAt(source, first.end, size)
  if (segment?.id !== SEGMENT) return null
  let tracks: Element | null = null
  let elsewhere: number | null = null
  let seconds: number | null = null
  for await (const element of children(source, segment)) {
    if (element.id === SEEK_HEAD) elsewhere = await soughtTracks(source, element)
    if (element.id === INFO) seconds = await lengthOf(source, element)
    if (element.id === TRACKS) tracks = element
    if (tracks || element.id === CLUSTER) break
  }
  if (!tracks && elsewhere !== null) {
    const found = await elementAt(source, segment.start + elsewhere, size)
    if (found?.id === TRACKS) tracks = found
  }
  const picture = tracks && (await largestPicture(source, tracks))
  return picture && { ...picture, seconds }
}

async function soughtTracks(source: Source, head: Element): Promise<number | null> {
  for await (const seek of children(source, head)) {
    if (seek.id !== SEEK) continue
    let id = 0
    let position: number | null = null
    for await (const part of children(source, seek)) {
      if (part.id === SEEK_ID) id = await unsigned(source, part)
      if (part.id === SEEK_POSITION) position = await unsigned(source, part)
    }
    if (id === TRACKS) return position
  }
  return null
}

async function lengthOf(source: Source, info: Element): Promise<number | null> {
  let scale = 1_000_000
  let duration: number | null = null
  for await (const part of children(source, info)) {
    if (part.id === TIMESTAMP_SCALE) scale = await unsigned(source, part)
    if (part.id !== DURATION) continue
    const bytes = await source.readAt(part.start, Math.min(8, part.end - part.start))
    duration = bytes.length === 8 ? bytes.readDoubleBE(0) : bytes.length === 4 ? bytes.readFloatBE(0) : null
  }
  return duration && duration > 0 ? (duration * scale) / 1e9 : null
}

async function largestPicture(source: Source, tracks: Element) {
  let largest = { width: 0, height: 0 }
  for await (const track of children(source, tracks)) {
    if (track.id !== TRACK) continue
    for await (const part of children(source, track)) {
      if (part.id !== VIDEO) continue
      const picture = { width: 0, height: 0 }
      for await (const one of children(source, part)) {
        if (one.id === PIXEL_WIDTH) picture.width = await unsigned(source, one)
        if (one.id === PIXEL_HEIGHT) picture.height = await unsigned(source, one)
      }
      if (picture.height > largest.height) largest = picture
    }
  }
  return largest.height > 0 ? largest : null
}

async function* children(source: Source, parent: Element): AsyncGenerator<Element> {
  for (let at = parent.start; at < parent.end; ) {
    const element = await elementAt(source, at, parent.end)
    if (!element || element.end <= at) return
    yield element
    at = element.end
  }
}

async function elementAt(source: Source, at: number, limit: number): Promise<Element | null> {
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

async function unsigned(source: Source, element: Element): Promise<number> {
  const length = element.end - element.start
  if (length < 1 || length > 8) return 0
  const bytes = await source.readAt(element.start, length)
  let value = 0
  for (const byte of bytes) value = value * 256 + byte
  return value
}

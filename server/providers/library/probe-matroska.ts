/** Picture size, length and chapters from a Matroska / WebM header (RFC 8794, RFC 9559): Tracks, wherever SeekHead says they are. */
import { type Chapter, MOST_CHAPTERS } from './chapters.ts'
import { children, type Element, elementAt, type Source, unsigned, words } from './ebml.ts'
import type { Picture, ReadAt } from './probe.ts'

const MOST_ELEMENTS = 4_000

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
const CHAPTERS = 0x1043a770
const EDITION = 0x45b9
const CHAPTER = 0xb6
const CHAPTER_START = 0x91
const CHAPTER_DISPLAY = 0x80
const CHAPTER_STRING = 0x85

/** Null when there is no video track or the file is no Matroska. */
export async function probeMatroska(readAt: ReadAt, size: number): Promise<Picture | null> {
  const source = { readAt, size, left: MOST_ELEMENTS }
  const first = await elementAt(source, 0, size)
  if (first?.id !== EBML) return null
  const segment = await elementAt(source, first.end, size)
  if (segment?.id !== SEGMENT) return null
  const found = await parts(source, segment)
  const tracks = found.get(TRACKS)
  const info = found.get(INFO)
  const chapters = found.get(CHAPTERS)
  const picture = tracks && (await largestPicture(source, tracks))
  if (!picture) return null
  return {
    ...picture,
    seconds: info ? await lengthOf(source, info) : null,
    chapters: chapters ? await chaptersOf(source, chapters) : [],
  }
}

const WANTED = [INFO, TRACKS, CHAPTERS]

/** Up to the first pictures by reading on, beyond them where SeekHead says. */
async function parts(source: Source, segment: Element): Promise<Map<number, Element>> {
  const found = new Map<number, Element>()
  const elsewhere = new Map<number, number>()
  for await (const element of children(source, segment)) {
    if (element.id === SEEK_HEAD) await readSeekHead(source, element, elsewhere)
    if (WANTED.includes(element.id)) found.set(element.id, element)
    if (element.id === CLUSTER || found.size === WANTED.length) break
  }
  for (const id of WANTED) {
    const position = elsewhere.get(id)
    if (found.has(id) || position === undefined) continue
    const element = await elementAt(source, segment.start + position, source.size)
    if (element?.id === id) found.set(id, element)
  }
  return found
}

async function readSeekHead(source: Source, head: Element, positions: Map<number, number>): Promise<void> {
  for await (const seek of children(source, head)) {
    if (seek.id !== SEEK) continue
    let id = 0
    for await (const part of children(source, seek)) {
      if (part.id === SEEK_ID) id = await unsigned(source, part)
      if (part.id === SEEK_POSITION) positions.set(id, await unsigned(source, part))
    }
  }
}

async function chaptersOf(source: Source, chapters: Element): Promise<Chapter[]> {
  const found: Chapter[] = []
  for await (const edition of children(source, chapters)) {
    if (edition.id !== EDITION || found.length > 0) continue
    for await (const atom of children(source, edition)) {
      if (atom.id === CHAPTER && found.length < MOST_CHAPTERS) found.push(await chapterOf(source, atom))
    }
  }
  return found
}

async function chapterOf(source: Source, atom: Element): Promise<Chapter> {
  const chapter = { start: 0, title: '' }
  for await (const part of children(source, atom)) {
    if (part.id === CHAPTER_START) chapter.start = (await unsigned(source, part)) / 1e9
    if (part.id !== CHAPTER_DISPLAY) continue
    for await (const one of children(source, part))
      if (one.id === CHAPTER_STRING) chapter.title ||= await words(source, one)
  }
  return chapter
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

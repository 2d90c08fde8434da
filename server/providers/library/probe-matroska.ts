/** Reads picture size, duration and chapters from a Matroska or WebM header (RFC 8794, RFC 9559), wherever its SeekHead says they are. */
import { type Chapter, MOST_CHAPTERS } from './chapters.ts'
import { children, type Element, elementAt, type Source, unsigned, words } from './ebml.ts'
import type { Picture, ReadAt } from './probe.ts'

const MAX_ELEMENTS = 4_000

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

/** Returns null when there is no video track or the file is not Matroska. */
export async function probeMatroska(readAt: ReadAt, size: number): Promise<Picture | null> {
  const source: Source = { readAt, size, left: MAX_ELEMENTS }
  const first = await elementAt(source, 0, size)
  if (first?.id !== EBML) return null
  const segment = await elementAt(source, first.end, size)
  if (segment?.id !== SEGMENT) return null
  const elements = await findElements(source, segment)
  const tracks = elements.get(TRACKS)
  const info = elements.get(INFO)
  const chapters = elements.get(CHAPTERS)
  const picture = tracks && (await findLargestPicture(source, tracks))
  if (!picture) return null
  return {
    ...picture,
    seconds: info ? await readDurationSeconds(source, info) : null,
    chapters: chapters ? await readChapters(source, chapters) : [],
  }
}

const WANTED_IDS = [INFO, TRACKS, CHAPTERS]

/** Finds the wanted elements: in sequence up to the first cluster, beyond it by the positions in SeekHead. */
async function findElements(source: Source, segment: Element): Promise<Map<number, Element>> {
  const elements = new Map<number, Element>()
  const seekPositions = new Map<number, number>()
  for await (const element of children(source, segment)) {
    if (element.id === SEEK_HEAD) await readSeekHead(source, element, seekPositions)
    if (WANTED_IDS.includes(element.id)) elements.set(element.id, element)
    if (element.id === CLUSTER || elements.size === WANTED_IDS.length) break
  }
  for (const id of WANTED_IDS) {
    const position = seekPositions.get(id)
    if (elements.has(id) || position === undefined) continue
    const element = await elementAt(source, segment.start + position, source.size)
    if (element?.id === id) elements.set(id, element)
  }
  return elements
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

async function readChapters(source: Source, chapters: Element): Promise<Chapter[]> {
  const chapterList: Chapter[] = []
  for await (const edition of children(source, chapters)) {
    if (edition.id !== EDITION || chapterList.length > 0) continue
    for await (const atom of children(source, edition)) {
      if (atom.id === CHAPTER && chapterList.length < MOST_CHAPTERS)
        chapterList.push(await readChapter(source, atom))
    }
  }
  return chapterList
}

async function readChapter(source: Source, atom: Element): Promise<Chapter> {
  const chapter = { start: 0, title: '' }
  for await (const part of children(source, atom)) {
    if (part.id === CHAPTER_START) chapter.start = (await unsigned(source, part)) / 1e9
    if (part.id !== CHAPTER_DISPLAY) continue
    for await (const displayPart of children(source, part))
      if (displayPart.id === CHAPTER_STRING) chapter.title ||= await words(source, displayPart)
  }
  return chapter
}

async function readDurationSeconds(source: Source, info: Element): Promise<number | null> {
  let timestampScaleNs = 1_000_000
  let duration: number | null = null
  for await (const part of children(source, info)) {
    if (part.id === TIMESTAMP_SCALE) timestampScaleNs = await unsigned(source, part)
    if (part.id !== DURATION) continue
    const bytes = await source.readAt(part.start, Math.min(8, part.end - part.start))
    duration = bytes.length === 8 ? bytes.readDoubleBE(0) : bytes.length === 4 ? bytes.readFloatBE(0) : null
  }
  return duration && duration > 0 ? (duration * timestampScaleNs) / 1e9 : null
}

async function findLargestPicture(source: Source, tracks: Element) {
  let largest = { width: 0, height: 0 }
  for await (const track of children(source, tracks)) {
    if (track.id !== TRACK) continue
    for await (const part of children(source, track)) {
      if (part.id !== VIDEO) continue
      const picture = { width: 0, height: 0 }
      for await (const videoPart of children(source, part)) {
        if (videoPart.id === PIXEL_WIDTH) picture.width = await unsigned(source, videoPart)
        if (videoPart.id === PIXEL_HEIGHT) picture.height = await unsigned(source, videoPart)
      }
      if (picture.height > largest.height) largest = picture
    }
  }
  return largest.height > 0 ? largest : null
}

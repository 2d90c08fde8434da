/**
 * Reads picture size, duration and chapters from a Matroska or WebM header (RFC 8794, RFC 9559). The SeekHead
 * of the file states where these elements are.
 */

import {
  type EbmlElement,
  type EbmlSource,
  readChildren,
  readElement,
  readText,
  readUnsigned,
} from './ebml.ts'
import { type Chapter, MAX_CHAPTERS } from './playback-marks.ts'
import type { ReadAt, VideoHeader } from './video-header.ts'

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
const CODEC = 0x86
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
export async function probeMatroska(readAt: ReadAt, size: number): Promise<VideoHeader | null> {
  const source: EbmlSource = { readAt, size, remainingElements: MAX_ELEMENTS }
  const first = await readElement(source, 0, size)
  if (first?.id !== EBML) return null
  const segment = await readElement(source, first.end, size)
  if (segment?.id !== SEGMENT) return null
  const elements = await findElements(source, segment)
  const tracks = elements.get(TRACKS)
  const info = elements.get(INFO)
  const chapters = elements.get(CHAPTERS)
  const picture = tracks && (await findPictureSize(source, tracks))
  if (!picture) return null
  return {
    ...picture,
    seconds: info ? await readDurationSeconds(source, info) : null,
    chapters: chapters ? await readChapters(source, chapters) : [],
  }
}

const SEARCHED_IDS = [INFO, TRACKS, CHAPTERS]

/**
 * Finds the elements of SEARCHED_IDS. It reads elements in sequence up to the first cluster; SeekHead locates the
 * others.
 */
async function findElements(source: EbmlSource, segment: EbmlElement): Promise<Map<number, EbmlElement>> {
  const elements = new Map<number, EbmlElement>()
  const seekPositions = new Map<number, number>()
  for await (const element of readChildren(source, segment)) {
    if (element.id === SEEK_HEAD) await readSeekHead(source, element, seekPositions)
    if (SEARCHED_IDS.includes(element.id)) elements.set(element.id, element)
    if (element.id === CLUSTER || elements.size === SEARCHED_IDS.length) break
  }
  for (const id of SEARCHED_IDS) {
    const position = seekPositions.get(id)
    if (elements.has(id) || position === undefined) continue
    const element = await readElement(source, segment.start + position, source.size)
    if (element?.id === id) elements.set(id, element)
  }
  return elements
}

async function readSeekHead(
  source: EbmlSource,
  head: EbmlElement,
  positions: Map<number, number>,
): Promise<void> {
  for await (const seek of readChildren(source, head)) {
    if (seek.id !== SEEK) continue
    let id = 0
    for await (const part of readChildren(source, seek)) {
      if (part.id === SEEK_ID) id = await readUnsigned(source, part)
      if (part.id === SEEK_POSITION) positions.set(id, await readUnsigned(source, part))
    }
  }
}

async function readChapters(source: EbmlSource, chapters: EbmlElement): Promise<Chapter[]> {
  const chapterList: Chapter[] = []
  for await (const edition of readChildren(source, chapters)) {
    if (edition.id !== EDITION || chapterList.length > 0) continue
    for await (const atom of readChildren(source, edition)) {
      if (atom.id === CHAPTER && chapterList.length < MAX_CHAPTERS)
        chapterList.push(await readChapter(source, atom))
    }
  }
  return chapterList
}

async function readChapter(source: EbmlSource, atom: EbmlElement): Promise<Chapter> {
  const chapter = { start: 0, title: '' }
  for await (const part of readChildren(source, atom)) {
    if (part.id === CHAPTER_START) chapter.start = (await readUnsigned(source, part)) / 1e9
    if (part.id !== CHAPTER_DISPLAY) continue
    for await (const displayPart of readChildren(source, part))
      if (displayPart.id === CHAPTER_STRING) chapter.title ||= await readText(source, displayPart)
  }
  return chapter
}

async function readDurationSeconds(source: EbmlSource, info: EbmlElement): Promise<number | null> {
  let timestampScaleNs = 1_000_000
  let durationTicks: number | null = null
  for await (const part of readChildren(source, info)) {
    if (part.id === TIMESTAMP_SCALE) timestampScaleNs = await readUnsigned(source, part)
    if (part.id !== DURATION) continue
    const bytes = await source.readAt(part.start, Math.min(8, part.end - part.start))
    durationTicks =
      bytes.length === 8 ? bytes.readDoubleBE(0) : bytes.length === 4 ? bytes.readFloatBE(0) : null
  }
  return durationTicks && durationTicks > 0 ? (durationTicks * timestampScaleNs) / 1e9 : null
}

/**
 * Codec ids of covers that are written as a video track: Motion JPEG, and the general id that Windows
 * programs write.
 */
const STILL_PICTURE_CODEC = /^V_(?:MJPEG|MS\/VFW\/FOURCC)$/

/** Returns the size of the largest video, or of the largest picture when there is nothing else; null without both. */
async function findPictureSize(source: EbmlSource, tracks: EbmlElement) {
  let largest = { width: 0, height: 0, isStill: true }
  for await (const track of readChildren(source, tracks)) {
    if (track.id !== TRACK) continue
    const picture = { width: 0, height: 0, isStill: false }
    for await (const part of readChildren(source, track)) {
      if (part.id === CODEC) picture.isStill = STILL_PICTURE_CODEC.test(await readText(source, part))
      if (part.id !== VIDEO) continue
      for await (const videoPart of readChildren(source, part)) {
        if (videoPart.id === PIXEL_WIDTH) picture.width = await readUnsigned(source, videoPart)
        if (videoPart.id === PIXEL_HEIGHT) picture.height = await readUnsigned(source, videoPart)
      }
    }
    const isPreferred =
      picture.isStill === largest.isStill ? picture.height > largest.height : largest.isStill
    if (picture.height > 0 && isPreferred) largest = picture
  }
  return largest.height > 0 ? { width: largest.width, height: largest.height } : null
}

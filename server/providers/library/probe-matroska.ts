/**
 * Reads picture size, duration and chapters from a Matroska or WebM header (RFC 8794, RFC 9559). The SeekHead
 * of the file states where these elements are.
 */

import {
  type EbmlElement,
  type EbmlSource,
  readChildElements,
  readElement,
  readText,
  readUnsignedInteger,
} from './ebml.ts'
import { readSeekHead, SEEK_HEAD_ELEMENT } from './matroska-seek-head.ts'
import { type Chapter, MAX_CHAPTERS } from './playback-marks.ts'
import type { ReadAt, VideoHeader } from './video-header.ts'

const MAX_EBML_ELEMENTS = 4_000

const EBML_ELEMENT = 0x1a45dfa3
const SEGMENT_ELEMENT = 0x18538067
const INFO_ELEMENT = 0x1549a966
const TIMESTAMP_SCALE_ELEMENT = 0x2ad7b1
const DURATION_ELEMENT = 0x4489
const TRACKS_ELEMENT = 0x1654ae6b
const TRACK_ENTRY_ELEMENT = 0xae
const CODEC_ID_ELEMENT = 0x86
const VIDEO_ELEMENT = 0xe0
const PIXEL_WIDTH_ELEMENT = 0xb0
const PIXEL_HEIGHT_ELEMENT = 0xba
const CLUSTER_ELEMENT = 0x1f43b675
const CHAPTERS_ELEMENT = 0x1043a770
const EDITION_ENTRY_ELEMENT = 0x45b9
const CHAPTER_ATOM_ELEMENT = 0xb6
const CHAPTER_TIME_START_ELEMENT = 0x91
const CHAPTER_DISPLAY_ELEMENT = 0x80
const CHAPTER_STRING_ELEMENT = 0x85

/** Returns the information in the header; null when there is no video track or the file is not Matroska. */
export async function probeMatroska(readAt: ReadAt, sizeBytes: number): Promise<VideoHeader | null> {
  const source: EbmlSource = { readAt, sizeBytes, remainingElements: MAX_EBML_ELEMENTS }
  const firstElement = await readElement(source, 0, sizeBytes)
  if (firstElement?.id !== EBML_ELEMENT) return null
  const segment = await readElement(source, firstElement.endOffset, sizeBytes)
  if (segment?.id !== SEGMENT_ELEMENT) return null
  const elementsById = await findElements(source, segment)
  const tracksElement = elementsById.get(TRACKS_ELEMENT)
  const infoElement = elementsById.get(INFO_ELEMENT)
  const chaptersElement = elementsById.get(CHAPTERS_ELEMENT)
  const pictureSize = tracksElement && (await findPictureSize(source, tracksElement))
  if (!pictureSize) return null
  return {
    ...pictureSize,
    durationSeconds: infoElement ? await readDurationSeconds(source, infoElement) : null,
    chapters: chaptersElement ? await readChapters(source, chaptersElement) : [],
  }
}

const SEARCHED_ELEMENT_IDS = [INFO_ELEMENT, TRACKS_ELEMENT, CHAPTERS_ELEMENT]

/**
 * Finds the elements of SEARCHED_ELEMENT_IDS. Reads the elements up to the first cluster in sequence. For the elements
 * after it, uses the offsets in SeekHead.
 */
async function findElements(source: EbmlSource, segment: EbmlElement): Promise<Map<number, EbmlElement>> {
  const elementsById = new Map<number, EbmlElement>()
  const seekOffsetsById = new Map<number, number>()
  for await (const element of readChildElements(source, segment)) {
    if (element.id === SEEK_HEAD_ELEMENT)
      for (const { elementId, offset } of await readSeekHead(source, element))
        seekOffsetsById.set(elementId, offset)
    if (SEARCHED_ELEMENT_IDS.includes(element.id)) elementsById.set(element.id, element)
    if (element.id === CLUSTER_ELEMENT || elementsById.size === SEARCHED_ELEMENT_IDS.length) break
  }
  for (const searchedId of SEARCHED_ELEMENT_IDS) {
    const seekOffset = seekOffsetsById.get(searchedId)
    if (elementsById.has(searchedId) || seekOffset === undefined) continue
    const element = await readElement(source, segment.startOffset + seekOffset, source.sizeBytes)
    if (element?.id === searchedId) elementsById.set(searchedId, element)
  }
  return elementsById
}

async function readChapters(source: EbmlSource, chaptersElement: EbmlElement): Promise<Chapter[]> {
  const chapterList: Chapter[] = []
  for await (const edition of readChildElements(source, chaptersElement)) {
    if (edition.id !== EDITION_ENTRY_ELEMENT || chapterList.length > 0) continue
    for await (const chapterAtom of readChildElements(source, edition)) {
      if (chapterAtom.id === CHAPTER_ATOM_ELEMENT && chapterList.length < MAX_CHAPTERS)
        chapterList.push(await readChapter(source, chapterAtom))
    }
  }
  return chapterList
}

async function readChapter(source: EbmlSource, chapterAtom: EbmlElement): Promise<Chapter> {
  const chapter = { start: 0, title: '' }
  for await (const atomChild of readChildElements(source, chapterAtom)) {
    if (atomChild.id === CHAPTER_TIME_START_ELEMENT)
      chapter.start = (await readUnsignedInteger(source, atomChild)) / 1e9
    if (atomChild.id !== CHAPTER_DISPLAY_ELEMENT) continue
    for await (const displayChild of readChildElements(source, atomChild))
      if (displayChild.id === CHAPTER_STRING_ELEMENT) chapter.title ||= await readText(source, displayChild)
  }
  return chapter
}

async function readDurationSeconds(source: EbmlSource, infoElement: EbmlElement): Promise<number | null> {
  let timestampScaleNs = 1_000_000
  let durationTicks: number | null = null
  for await (const infoChild of readChildElements(source, infoElement)) {
    if (infoChild.id === TIMESTAMP_SCALE_ELEMENT)
      timestampScaleNs = await readUnsignedInteger(source, infoChild)
    if (infoChild.id !== DURATION_ELEMENT) continue
    const bytes = await source.readAt(
      infoChild.startOffset,
      Math.min(8, infoChild.endOffset - infoChild.startOffset),
    )
    durationTicks =
      bytes.length === 8 ? bytes.readDoubleBE(0) : bytes.length === 4 ? bytes.readFloatBE(0) : null
  }
  return durationTicks && durationTicks > 0 ? (durationTicks * timestampScaleNs) / 1e9 : null
}

/**
 * Codec ids of covers that are written as a video track: Motion JPEG, and the generic id that Windows programs write.
 */
const STILL_PICTURE_CODEC_PATTERN = /^V_(?:MJPEG|MS\/VFW\/FOURCC)$/

/** Returns the size of the largest video, or of the largest still picture if there is no video; null without either. */
async function findPictureSize(source: EbmlSource, tracksElement: EbmlElement) {
  let largestPicture = { width: 0, height: 0, isStill: true }
  for await (const trackElement of readChildElements(source, tracksElement)) {
    if (trackElement.id !== TRACK_ENTRY_ELEMENT) continue
    const picture = { width: 0, height: 0, isStill: false }
    for await (const trackChild of readChildElements(source, trackElement)) {
      if (trackChild.id === CODEC_ID_ELEMENT)
        picture.isStill = STILL_PICTURE_CODEC_PATTERN.test(await readText(source, trackChild))
      if (trackChild.id !== VIDEO_ELEMENT) continue
      for await (const videoChild of readChildElements(source, trackChild)) {
        if (videoChild.id === PIXEL_WIDTH_ELEMENT)
          picture.width = await readUnsignedInteger(source, videoChild)
        if (videoChild.id === PIXEL_HEIGHT_ELEMENT)
          picture.height = await readUnsignedInteger(source, videoChild)
      }
    }
    const isPreferred =
      picture.isStill === largestPicture.isStill
        ? picture.height > largestPicture.height
        : largestPicture.isStill
    if (picture.height > 0 && isPreferred) largestPicture = picture
  }
  return largestPicture.height > 0 ? { width: largestPicture.width, height: largestPicture.height } : null
}

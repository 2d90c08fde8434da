/**
 * Reads picture size, duration and chapters from an MP4 or QuickTime header (ISO/IEC 14496-12): the boxes
 * moov, trak, tkhd, mvhd and chpl.
 */

import { type Mp4Box, readMp4Boxes } from './mp4-boxes.ts'
import { type Chapter, MAX_CHAPTERS } from './playback-marks.ts'
import type { ReadAt, VideoHeader } from './video-header.ts'

/** A header with more boxes is broken or malicious. */
const MAX_BOXES = 4_000
const MAX_CHAPTER_LIST_BYTES = 70_000

/** Returns the information in the header; null when there is no video track or the file is not MP4. */
export async function probeMp4(readAt: ReadAt, sizeBytes: number): Promise<VideoHeader | null> {
  const budget = { remainingBoxes: MAX_BOXES }
  for await (const box of readMp4Boxes(readAt, 0, sizeBytes, budget)) {
    if (box.type === 'moov') return readMovieBox(readAt, box, budget)
  }
  return null
}

async function readMovieBox(
  readAt: ReadAt,
  moov: Mp4Box,
  budget: { remainingBoxes: number },
): Promise<VideoHeader | null> {
  let largestPicture = { width: 0, height: 0 }
  let durationSeconds: number | null = null
  let chapters: Chapter[] = []
  for await (const box of readMp4Boxes(readAt, moov.startOffset, moov.endOffset, budget)) {
    if (box.type === 'mvhd') durationSeconds = readDurationSeconds(await readAt(box.startOffset, 32))
    if (box.type !== 'trak' && box.type !== 'udta') continue
    for await (const childBox of readMp4Boxes(readAt, box.startOffset, box.endOffset, budget)) {
      if (childBox.type === 'chpl' && box.type === 'udta') {
        chapters = readChapters(
          await readAt(
            childBox.startOffset,
            Math.min(childBox.endOffset - childBox.startOffset, MAX_CHAPTER_LIST_BYTES),
          ),
        )
      }
      if (childBox.type !== 'tkhd') continue
      const picture = readPictureSize(await readAt(Math.max(childBox.startOffset, childBox.endOffset - 8), 8))
      if (picture.height > largestPicture.height) largestPicture = picture
    }
  }
  return largestPicture.height > 0 ? { ...largestPicture, durationSeconds, chapters } : null
}

/** Width and height are the last eight bytes of a track header, as 16.16 fixed-point numbers. */
function readPictureSize(bytes: Buffer): { width: number; height: number } {
  if (bytes.length < 8) return { width: 0, height: 0 }
  return { width: bytes.readUInt32BE(0) >>> 16, height: bytes.readUInt32BE(4) >>> 16 }
}

function readDurationSeconds(bytes: Buffer): number | null {
  const is64Bit = bytes[0] === 1
  if (bytes.length < (is64Bit ? 32 : 20)) return null
  const unitsPerSecond = bytes.readUInt32BE(is64Bit ? 20 : 12)
  const durationTicks = is64Bit ? Number(bytes.readBigUInt64BE(24)) : bytes.readUInt32BE(16)
  return unitsPerSecond > 0 && durationTicks > 0 ? durationTicks / unitsPerSecond : null
}

/**
 * Reads Nero's chapter list, which most tools write: start times in units of 100 ns, and titles with a length prefix.
 */
function readChapters(bytes: Buffer): Chapter[] {
  const chapters: Chapter[] = []
  let offset = bytes[0] === 1 ? 9 : 5
  const chapterCount = Math.min(bytes[offset - 1] ?? 0, MAX_CHAPTERS)
  while (chapters.length < chapterCount && offset + 9 <= bytes.length) {
    const titleLengthBytes = bytes[offset + 8] ?? 0
    const title = bytes.toString('utf8', offset + 9, offset + 9 + titleLengthBytes)
    chapters.push({ start: Number(bytes.readBigUInt64BE(offset)) / 1e7, title })
    offset += 9 + titleLengthBytes
  }
  return chapters
}

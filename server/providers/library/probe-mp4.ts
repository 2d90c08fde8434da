/** Picture size, length and chapters from an MP4 / QuickTime header (ISO/IEC 14496-12): the boxes moov, trak, tkhd, mvhd, chpl. */
import { type Chapter, MOST_CHAPTERS } from './chapters.ts'
import type { Picture, ReadAt } from './probe.ts'

/** Headers that need more steps than this are broken, or made to keep us busy. */
const MOST_BOXES = 4_000
const HEADER_BYTES = 16
const MOST_LIST_BYTES = 70_000

interface Box {
  type: string
  /** Where its content begins and ends in the file. */
  start: number
  end: number
}

/** Null when there is no video track or the file is no MP4. */
export async function probeMp4(readAt: ReadAt, size: number): Promise<Picture | null> {
  const budget = { boxes: MOST_BOXES }
  for await (const box of boxes(readAt, 0, size, budget)) {
    if (box.type === 'moov') return movie(readAt, box, budget)
  }
  return null
}

async function movie(readAt: ReadAt, moov: Box, budget: { boxes: number }): Promise<Picture | null> {
  let largest = { width: 0, height: 0 }
  let seconds: number | null = null
  let chapters: Chapter[] = []
  for await (const box of boxes(readAt, moov.start, moov.end, budget)) {
    if (box.type === 'mvhd') seconds = lengthOf(await readAt(box.start, 32))
    if (box.type !== 'trak' && box.type !== 'udta') continue
    for await (const inner of boxes(readAt, box.start, box.end, budget)) {
      if (inner.type === 'chpl' && box.type === 'udta') {
        chapters = chaptersIn(await readAt(inner.start, Math.min(inner.end - inner.start, MOST_LIST_BYTES)))
      }
      if (inner.type !== 'tkhd') continue
      const picture = pictureOf(await readAt(Math.max(inner.start, inner.end - 8), 8))
      if (picture.height > largest.height) largest = picture
    }
  }
  return largest.height > 0 ? { ...largest, seconds, chapters } : null
}

/** Width and height close a track header, as 16.16 fixed point. */
function pictureOf(bytes: Buffer): { width: number; height: number } {
  if (bytes.length < 8) return { width: 0, height: 0 }
  return { width: bytes.readUInt32BE(0) >>> 16, height: bytes.readUInt32BE(4) >>> 16 }
}

function lengthOf(bytes: Buffer): number | null {
  const long = bytes[0] === 1
  if (bytes.length < (long ? 32 : 20)) return null
  const scale = bytes.readUInt32BE(long ? 20 : 12)
  const duration = long ? Number(bytes.readBigUInt64BE(24)) : bytes.readUInt32BE(16)
  return scale > 0 && duration > 0 ? duration / scale : null
}

/** Nero's chapter list, which most tools write: times of 100 ns, names with their length before them. */
function chaptersIn(bytes: Buffer): Chapter[] {
  const chapters: Chapter[] = []
  let at = bytes[0] === 1 ? 9 : 5
  const count = Math.min(bytes[at - 1] ?? 0, MOST_CHAPTERS)
  while (chapters.length < count && at + 9 <= bytes.length) {
    const length = bytes[at + 8] ?? 0
    const title = bytes.toString('utf8', at + 9, at + 9 + length)
    chapters.push({ start: Number(bytes.readBigUInt64BE(at)) / 1e7, title })
    at += 9 + length
  }
  return chapters
}

async function* boxes(
  readAt: ReadAt,
  from: number,
  to: number,
  budget: { boxes: number },
): AsyncGenerator<Box> {
  for (let at = from; at + 8 <= to; ) {
    budget.boxes -= 1
    if (budget.boxes < 0) return
    const header = await readAt(at, HEADER_BYTES)
    if (header.length < 8) return
    const short = header.readUInt32BE(0)
    if (short === 1 && header.length < 16) return
    const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? to - at : short
    const head = short === 1 ? 16 : 8
    if (length < head) return
    yield { type: header.toString('latin1', 4, 8), start: at + head, end: Math.min(at + length, to) }
    at += length
  }
}

/**
 * Reads the times at which a copied video can be cut, from the index of the container: the Cues of Matroska (RFC 9559) and
 * the sample tables of MP4 (ISO/IEC 14496-12). No media is read, so it takes milliseconds even for a large file.
 */
import { open } from 'node:fs/promises'
import { type EbmlElement, type EbmlSource, readChildren, readElement, readUnsigned } from './ebml.ts'
import { type Box, readBoxes } from './mp4-boxes.ts'
import { createReadAhead } from './read-ahead.ts'
import type { ReadAt } from './video-header.ts'

/** Minimum size of a read: an index has many small elements in sequence. */
const READ_AHEAD_BYTES = 256 * 1024
const MAX_INDEX_BYTES = 64 * 1024 * 1024
const MAX_ELEMENTS = 600_000
const [EBML, SEGMENT, SEEK_HEAD, SEEK, SEEK_ID, SEEK_POSITION] = [
  0x1a45dfa3, 0x18538067, 0x114d9b74, 0x4dbb, 0x53ab, 0x53ac,
]
const [INFO, TIMESTAMP_SCALE, CUES, CUE_POINT, CUE_TIME, CUE_POSITIONS, CUE_TRACK, CLUSTER] = [
  0x1549a966, 0x2ad7b1, 0x1c53bb6b, 0xbb, 0xb3, 0xb7, 0xf7, 0x1f43b675,
]

/**
 * Returns the times of the keyframes of a video track in seconds, ascending, in the file's own clock; null when the
 * container has no usable index. `trackNumber` counts the tracks of the file from 1.
 */
export async function readKeyframeTimes(path: string, trackNumber: number): Promise<number[] | null> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const readAt = createReadAhead(file, READ_AHEAD_BYTES)
    const signature = await readAt(0, 8)
    const times =
      signature.length === 8 && signature.readUInt32BE(0) === EBML
        ? await readMatroskaCues({ readAt, size, remainingElements: MAX_ELEMENTS }, trackNumber)
        : await readMp4Keyframes(readAt, size, trackNumber)
    return times && times.length > 0 ? [...new Set(times)].sort((a, b) => a - b) : null
  } catch {
    return null
  } finally {
    await file.close()
  }
}

async function readMatroskaCues(source: EbmlSource, trackNumber: number): Promise<number[] | null> {
  const first = await readElement(source, 0, source.size)
  const segment = first && (await readElement(source, first.end, source.size))
  if (segment?.id !== SEGMENT) return null
  let cues: EbmlElement | null = null
  let cuesPosition: number | null = null
  let scaleNs = 1_000_000
  for await (const element of readChildren(source, segment)) {
    if (element.id === CLUSTER) break
    if (element.id === CUES) cues = element
    if (element.id === SEEK_HEAD) cuesPosition = await findCuesPosition(source, element)
    if (element.id !== INFO) continue
    for await (const part of readChildren(source, element))
      if (part.id === TIMESTAMP_SCALE) scaleNs = await readUnsigned(source, part)
  }
  if (!cues && cuesPosition !== null)
    cues = await readElement(source, segment.start + cuesPosition, source.size)
  if (cues?.id !== CUES) return null
  const times: number[] = []
  for await (const point of readChildren(source, cues)) {
    if (point.id !== CUE_POINT) continue
    const cue = await readCuePoint(source, point)
    if (cue.tracks.includes(trackNumber)) times.push((cue.time * scaleNs) / 1e9)
  }
  return times
}

async function findCuesPosition(source: EbmlSource, seekHead: EbmlElement): Promise<number | null> {
  for await (const seek of readChildren(source, seekHead)) {
    if (seek.id !== SEEK) continue
    let id = 0
    let position = 0
    for await (const part of readChildren(source, seek)) {
      if (part.id === SEEK_ID) id = await readUnsigned(source, part)
      if (part.id === SEEK_POSITION) position = await readUnsigned(source, part)
    }
    if (id === CUES) return position
  }
  return null
}

async function readCuePoint(
  source: EbmlSource,
  point: EbmlElement,
): Promise<{ time: number; tracks: number[] }> {
  const cue = { time: 0, tracks: [] as number[] }
  for await (const part of readChildren(source, point)) {
    if (part.id === CUE_TIME) cue.time = await readUnsigned(source, part)
    if (part.id !== CUE_POSITIONS) continue
    for await (const position of readChildren(source, part))
      if (position.id === CUE_TRACK) cue.tracks.push(await readUnsigned(source, position))
  }
  return cue
}

async function readMp4Keyframes(readAt: ReadAt, size: number, trackNumber: number): Promise<number[] | null> {
  const budget = { boxes: 4_000 }
  const findBox = async (parent: Box, type: string): Promise<Box | null> => {
    for await (const box of readBoxes(readAt, parent.start, parent.end, budget))
      if (box.type === type) return box
    return null
  }
  const findPath = async (parent: Box, ...types: string[]): Promise<Box | null> => {
    let box: Box | null = parent
    for (const type of types) box = box && (await findBox(box, type))
    return box
  }
  const moov = await findBox({ type: 'file', start: 0, end: size }, 'moov')
  if (!moov) return null
  let number = 0
  for await (const trak of readBoxes(readAt, moov.start, moov.end, budget)) {
    if (trak.type !== 'trak') continue
    number += 1
    if (number !== trackNumber) continue
    const read = async (box: Box | null) =>
      box && box.end - box.start <= MAX_INDEX_BYTES ? await readAt(box.start, box.end - box.start) : null
    const table = await findPath(trak, 'mdia', 'minf', 'stbl')
    if (!table) return null
    // The reader reuses its buffer, so each table is copied before the next one is read.
    const copy = async (box: Box | null) => Buffer.from((await read(box)) ?? [])
    const mediaHeader = await copy(await findPath(trak, 'mdia', 'mdhd'))
    const editList = await copy(await findPath(trak, 'edts', 'elst'))
    const tables = {
      syncSamples: await copy(await findBox(table, 'stss')),
      durations: await copy(await findBox(table, 'stts')),
      offsets: await copy(await findBox(table, 'ctts')),
    }
    const unitsPerSecond =
      mediaHeader.length >= 24 ? mediaHeader.readUInt32BE(mediaHeader[0] === 1 ? 20 : 12) : 0
    if (unitsPerSecond === 0 || tables.syncSamples.length < 8) return null
    const shift = readEditShift(editList)
    return computeSampleTimes(tables).map((units) => (units - shift) / unitsPerSecond)
  }
  return null
}

/** Returns the media time at which the first edit starts, which is time 0 of the presentation. */
function readEditShift(editList: Buffer): number {
  const isLong = editList[0] === 1
  const entryBytes = isLong ? 20 : 12
  for (let offset = 8; offset + entryBytes <= editList.length; offset += entryBytes) {
    const mediaTime = isLong ? Number(editList.readBigInt64BE(offset + 8)) : editList.readInt32BE(offset + 4)
    if (mediaTime >= 0) return mediaTime
  }
  return 0
}

interface SampleTables {
  syncSamples: Buffer
  durations: Buffer
  offsets: Buffer
}

/** Returns the presentation times of the sync samples, in units of the track. */
function computeSampleTimes({ syncSamples, durations, offsets }: SampleTables): number[] {
  const durationRuns = readRuns(durations)
  const offsetRuns = readRuns(offsets)
  const times: number[] = []
  let [durationRun, samplesBeforeRun, unitsBeforeRun] = [0, 0, 0]
  let [offsetRun, samplesBeforeOffsets] = [0, 0]
  for (let position = 8; position + 4 <= syncSamples.length; position += 4) {
    const sample = syncSamples.readUInt32BE(position) - 1
    for (;;) {
      const run = durationRuns[durationRun]
      if (!run || sample < samplesBeforeRun + run.count) break
      samplesBeforeRun += run.count
      unitsBeforeRun += run.count * run.value
      durationRun += 1
    }
    for (;;) {
      const run = offsetRuns[offsetRun]
      if (!run || sample < samplesBeforeOffsets + run.count) break
      samplesBeforeOffsets += run.count
      offsetRun += 1
    }
    const units = unitsBeforeRun + (sample - samplesBeforeRun) * (durationRuns[durationRun]?.value ?? 0)
    times.push(units + (offsetRuns[offsetRun]?.value ?? 0))
  }
  return times
}

function readRuns(table: Buffer): { count: number; value: number }[] {
  const runs: { count: number; value: number }[] = []
  for (let position = 8; position + 8 <= table.length; position += 8)
    runs.push({ count: table.readUInt32BE(position), value: table.readInt32BE(position + 4) })
  return runs
}

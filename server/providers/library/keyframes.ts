/**
 * Reads the times at which a copied video can be cut. They are in the index of the container: the Cues of Matroska
 * (RFC 9559) or the sample tables of MP4 (ISO/IEC 14496-12). No media is read, so reading takes milliseconds even for
 * a large file.
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
const [
  EBML_ELEMENT,
  SEGMENT_ELEMENT,
  SEEK_HEAD_ELEMENT,
  SEEK_ELEMENT,
  SEEK_ID_ELEMENT,
  SEEK_POSITION_ELEMENT,
] = [0x1a45dfa3, 0x18538067, 0x114d9b74, 0x4dbb, 0x53ab, 0x53ac]
const [
  INFO_ELEMENT,
  TIMESTAMP_SCALE_ELEMENT,
  CUES_ELEMENT,
  CUE_POINT_ELEMENT,
  CUE_TIME_ELEMENT,
  CUE_POSITIONS_ELEMENT,
  CUE_TRACK_ELEMENT,
  CLUSTER_ELEMENT,
] = [0x1549a966, 0x2ad7b1, 0x1c53bb6b, 0xbb, 0xb3, 0xb7, 0xf7, 0x1f43b675]

/**
 * Returns the times of the keyframes of a video track in seconds, ascending, in the file's own clock; null when the
 * container has no usable index. `trackNumber` counts the tracks of the file from 1.
 */
export async function readKeyframeTimes(path: string, trackNumber: number): Promise<number[] | null> {
  const file = await open(path, 'r')
  try {
    const { size: sizeBytes } = await file.stat()
    const readAt = createReadAhead(file, READ_AHEAD_BYTES)
    const signature = await readAt(0, 8)
    const timesSeconds =
      signature.length === 8 && signature.readUInt32BE(0) === EBML_ELEMENT
        ? await readMatroskaCues({ readAt, sizeBytes, remainingElements: MAX_ELEMENTS }, trackNumber)
        : await readMp4Keyframes(readAt, sizeBytes, trackNumber)
    return timesSeconds && timesSeconds.length > 0 ? [...new Set(timesSeconds)].sort((a, b) => a - b) : null
  } catch {
    return null
  } finally {
    await file.close()
  }
}

async function readMatroskaCues(source: EbmlSource, trackNumber: number): Promise<number[] | null> {
  const firstElement = await readElement(source, 0, source.sizeBytes)
  const segment = firstElement && (await readElement(source, firstElement.endOffset, source.sizeBytes))
  if (segment?.id !== SEGMENT_ELEMENT) return null
  let cues: EbmlElement | null = null
  let cuesOffset: number | null = null
  let timestampScaleNs = 1_000_000
  for await (const element of readChildren(source, segment)) {
    if (element.id === CLUSTER_ELEMENT) break
    if (element.id === CUES_ELEMENT) cues = element
    if (element.id === SEEK_HEAD_ELEMENT) cuesOffset = await findCuesOffset(source, element)
    if (element.id !== INFO_ELEMENT) continue
    for await (const infoChild of readChildren(source, element))
      if (infoChild.id === TIMESTAMP_SCALE_ELEMENT) timestampScaleNs = await readUnsigned(source, infoChild)
  }
  if (!cues && cuesOffset !== null)
    cues = await readElement(source, segment.startOffset + cuesOffset, source.sizeBytes)
  if (cues?.id !== CUES_ELEMENT) return null
  const timesSeconds: number[] = []
  for await (const cuePoint of readChildren(source, cues)) {
    if (cuePoint.id !== CUE_POINT_ELEMENT) continue
    const parsedCue = await readCuePoint(source, cuePoint)
    if (parsedCue.trackNumbers.includes(trackNumber))
      timesSeconds.push((parsedCue.timeTicks * timestampScaleNs) / 1e9)
  }
  return timesSeconds
}

async function findCuesOffset(source: EbmlSource, seekHead: EbmlElement): Promise<number | null> {
  for await (const seekElement of readChildren(source, seekHead)) {
    if (seekElement.id !== SEEK_ELEMENT) continue
    let elementId = 0
    let elementOffset = 0
    for await (const seekChild of readChildren(source, seekElement)) {
      if (seekChild.id === SEEK_ID_ELEMENT) elementId = await readUnsigned(source, seekChild)
      if (seekChild.id === SEEK_POSITION_ELEMENT) elementOffset = await readUnsigned(source, seekChild)
    }
    if (elementId === CUES_ELEMENT) return elementOffset
  }
  return null
}

async function readCuePoint(
  source: EbmlSource,
  cuePoint: EbmlElement,
): Promise<{ timeTicks: number; trackNumbers: number[] }> {
  const cue = { timeTicks: 0, trackNumbers: [] as number[] }
  for await (const cuePointChild of readChildren(source, cuePoint)) {
    if (cuePointChild.id === CUE_TIME_ELEMENT) cue.timeTicks = await readUnsigned(source, cuePointChild)
    if (cuePointChild.id !== CUE_POSITIONS_ELEMENT) continue
    for await (const positionsChild of readChildren(source, cuePointChild))
      if (positionsChild.id === CUE_TRACK_ELEMENT)
        cue.trackNumbers.push(await readUnsigned(source, positionsChild))
  }
  return cue
}

async function readMp4Keyframes(
  readAt: ReadAt,
  sizeBytes: number,
  trackNumber: number,
): Promise<number[] | null> {
  const budget = { remainingBoxes: 4_000 }
  const findBox = async (parent: Box, type: string): Promise<Box | null> => {
    for await (const box of readBoxes(readAt, parent.startOffset, parent.endOffset, budget))
      if (box.type === type) return box
    return null
  }
  const findBoxByPath = async (parent: Box, ...types: string[]): Promise<Box | null> => {
    let box: Box | null = parent
    for (const type of types) box = box && (await findBox(box, type))
    return box
  }
  const moov = await findBox({ type: 'file', startOffset: 0, endOffset: sizeBytes }, 'moov')
  if (!moov) return null
  let trackCount = 0
  for await (const trak of readBoxes(readAt, moov.startOffset, moov.endOffset, budget)) {
    if (trak.type !== 'trak') continue
    trackCount += 1
    if (trackCount !== trackNumber) continue
    const readBox = async (box: Box | null) =>
      box && box.endOffset - box.startOffset <= MAX_INDEX_BYTES
        ? await readAt(box.startOffset, box.endOffset - box.startOffset)
        : null
    const sampleTableBox = await findBoxByPath(trak, 'mdia', 'minf', 'stbl')
    if (!sampleTableBox) return null
    // The reader reuses its buffer, so each table is copied before the next one is read.
    const readBoxCopy = async (box: Box | null) => Buffer.from((await readBox(box)) ?? [])
    const mediaHeader = await readBoxCopy(await findBoxByPath(trak, 'mdia', 'mdhd'))
    const editList = await readBoxCopy(await findBoxByPath(trak, 'edts', 'elst'))
    const sampleTables = {
      syncSamples: await readBoxCopy(await findBox(sampleTableBox, 'stss')),
      durations: await readBoxCopy(await findBox(sampleTableBox, 'stts')),
      compositionOffsets: await readBoxCopy(await findBox(sampleTableBox, 'ctts')),
    }
    const unitsPerSecond =
      mediaHeader.length >= 24 ? mediaHeader.readUInt32BE(mediaHeader[0] === 1 ? 20 : 12) : 0
    if (unitsPerSecond === 0 || sampleTables.syncSamples.length < 8) return null
    const editShiftUnits = readEditShift(editList)
    return computeSampleTimes(sampleTables).map(
      (sampleUnits) => (sampleUnits - editShiftUnits) / unitsPerSecond,
    )
  }
  return null
}

/** Returns the media time at which the first edit starts, which is time 0 of the presentation. */
function readEditShift(editList: Buffer): number {
  const is64Bit = editList[0] === 1
  const entryBytes = is64Bit ? 20 : 12
  for (let offset = 8; offset + entryBytes <= editList.length; offset += entryBytes) {
    const mediaTimeUnits = is64Bit
      ? Number(editList.readBigInt64BE(offset + 8))
      : editList.readInt32BE(offset + 4)
    if (mediaTimeUnits >= 0) return mediaTimeUnits
  }
  return 0
}

interface SampleTables {
  syncSamples: Buffer
  durations: Buffer
  compositionOffsets: Buffer
}

/** Returns the presentation times of the sync samples, in units of the track's timescale. */
function computeSampleTimes({ syncSamples, durations, compositionOffsets }: SampleTables): number[] {
  const durationRuns = readRuns(durations)
  const offsetRuns = readRuns(compositionOffsets)
  const timesUnits: number[] = []
  let [durationRunIndex, sampleCountBeforeDurationRun, unitsBeforeRun] = [0, 0, 0]
  let [offsetRunIndex, sampleCountBeforeOffsetRun] = [0, 0]
  for (let offset = 8; offset + 4 <= syncSamples.length; offset += 4) {
    const sampleIndex = syncSamples.readUInt32BE(offset) - 1
    for (;;) {
      const run = durationRuns[durationRunIndex]
      if (!run || sampleIndex < sampleCountBeforeDurationRun + run.count) break
      sampleCountBeforeDurationRun += run.count
      unitsBeforeRun += run.count * run.value
      durationRunIndex += 1
    }
    for (;;) {
      const run = offsetRuns[offsetRunIndex]
      if (!run || sampleIndex < sampleCountBeforeOffsetRun + run.count) break
      sampleCountBeforeOffsetRun += run.count
      offsetRunIndex += 1
    }
    const decodeTimeUnits =
      unitsBeforeRun +
      (sampleIndex - sampleCountBeforeDurationRun) * (durationRuns[durationRunIndex]?.value ?? 0)
    timesUnits.push(decodeTimeUnits + (offsetRuns[offsetRunIndex]?.value ?? 0))
  }
  return timesUnits
}

function readRuns(table: Buffer): { count: number; value: number }[] {
  const runs: { count: number; value: number }[] = []
  for (let offset = 8; offset + 8 <= table.length; offset += 8)
    runs.push({ count: table.readUInt32BE(offset), value: table.readInt32BE(offset + 4) })
  return runs
}

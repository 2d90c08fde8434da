/**
 * Reads the times at which a copied video can be cut, from the index of the container: the Cues of Matroska (RFC 9559)
 * or the sample tables of MP4 (ISO/IEC 14496-12). No media is read, so reading takes milliseconds even for a large
 * file.
 */

import {
  type EbmlElement,
  type EbmlSource,
  readChildElements,
  readElement,
  readUnsignedInteger,
} from './ebml.ts'
import { readSeekHead, SEEK_HEAD_ELEMENT } from './matroska-seek-head.ts'
import { type Mp4Box, readMp4Boxes } from './mp4-boxes.ts'
import { createReadAhead } from './read-ahead.ts'
import { openWithoutBlocking } from './safe-open.ts'
import type { ReadAt } from './video-header.ts'

/** Minimum number of bytes per read, because an index has many small elements in sequence. */
const READ_AHEAD_BYTES = 256 * 1024
/**
 * Maximum size of a table of samples. The longest tables list each frame of a video with a variable frame rate: ten
 * hours at 60 frames per second have 17 MB.
 */
const MAX_SAMPLE_TABLE_BYTES = 32 * 1024 * 1024
/**
 * Maximum size of the table of keyframes: a million entries of four bytes. A video of 48 hours with four keyframes per
 * second has fewer entries.
 */
const MAX_SYNC_SAMPLE_TABLE_BYTES = 4 * 1_000_000
const MAX_EBML_ELEMENTS = 600_000
const [EBML_ELEMENT, SEGMENT_ELEMENT] = [0x1a45dfa3, 0x18538067]
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
 * Returns the time stamps of the keyframes of a video track in seconds, ascending; null when the container has no
 * usable index. The time stamps need not start at 0. `trackNumber` counts the tracks of the file from 1.
 */
export async function readKeyframeTimes(path: string, trackNumber: number): Promise<number[] | null> {
  const file = await openWithoutBlocking(path)
  try {
    const { size: sizeBytes } = await file.stat()
    const readAt = createReadAhead(file, READ_AHEAD_BYTES)
    const signature = await readAt(0, 8)
    const timesSeconds =
      signature.length === 8 && signature.readUInt32BE(0) === EBML_ELEMENT
        ? await readMatroskaCues({ readAt, sizeBytes, remainingElements: MAX_EBML_ELEMENTS }, trackNumber)
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
  for await (const element of readChildElements(source, segment)) {
    if (element.id === CLUSTER_ELEMENT) break
    if (element.id === CUES_ELEMENT) cues = element
    if (element.id === SEEK_HEAD_ELEMENT) cuesOffset ??= await findCuesOffset(source, segment, element)
    if (element.id !== INFO_ELEMENT) continue
    for await (const infoChild of readChildElements(source, element))
      if (infoChild.id === TIMESTAMP_SCALE_ELEMENT)
        timestampScaleNs = await readUnsignedInteger(source, infoChild)
  }
  if (!cues && cuesOffset !== null)
    cues = await readElement(source, segment.startOffset + cuesOffset, source.sizeBytes)
  if (cues?.id !== CUES_ELEMENT) return null
  const timesSeconds: number[] = []
  for await (const cuePoint of readChildElements(source, cues)) {
    if (cuePoint.id !== CUE_POINT_ELEMENT) continue
    const parsedCue = await readCuePoint(source, cuePoint)
    if (parsedCue.trackNumbers.includes(trackNumber))
      timesSeconds.push((parsedCue.timeTicks * timestampScaleNs) / 1e9)
  }
  return timesSeconds
}

/**
 * Returns the offset of the Cues from the start of the content of the segment; null if the SeekHead does not state it.
 * A SeekHead may refer to a second one at the end of the file, which is then read too.
 */
async function findCuesOffset(
  source: EbmlSource,
  segment: EbmlElement,
  seekHead: EbmlElement,
): Promise<number | null> {
  const seekEntries = await readSeekHead(source, seekHead)
  const linkedEntry = seekEntries.findLast(({ elementId }) => elementId === SEEK_HEAD_ELEMENT)
  const linkedSeekHead =
    linkedEntry && (await readElement(source, segment.startOffset + linkedEntry.offset, source.sizeBytes))
  if (linkedSeekHead?.id === SEEK_HEAD_ELEMENT)
    seekEntries.push(...(await readSeekHead(source, linkedSeekHead)))
  return seekEntries.find(({ elementId }) => elementId === CUES_ELEMENT)?.offset ?? null
}

async function readCuePoint(
  source: EbmlSource,
  cuePoint: EbmlElement,
): Promise<{ timeTicks: number; trackNumbers: number[] }> {
  const cue = { timeTicks: 0, trackNumbers: [] as number[] }
  for await (const cuePointChild of readChildElements(source, cuePoint)) {
    if (cuePointChild.id === CUE_TIME_ELEMENT)
      cue.timeTicks = await readUnsignedInteger(source, cuePointChild)
    if (cuePointChild.id !== CUE_POSITIONS_ELEMENT) continue
    for await (const positionsChild of readChildElements(source, cuePointChild))
      if (positionsChild.id === CUE_TRACK_ELEMENT)
        cue.trackNumbers.push(await readUnsignedInteger(source, positionsChild))
  }
  return cue
}

async function readMp4Keyframes(
  readAt: ReadAt,
  sizeBytes: number,
  trackNumber: number,
): Promise<number[] | null> {
  const budget = { remainingBoxes: 4_000 }
  const findBox = async (parent: Mp4Box, type: string): Promise<Mp4Box | null> => {
    for await (const box of readMp4Boxes(readAt, parent.startOffset, parent.endOffset, budget))
      if (box.type === type) return box
    return null
  }
  const findBoxByPath = async (parent: Mp4Box, ...types: string[]): Promise<Mp4Box | null> => {
    let box: Mp4Box | null = parent
    for (const type of types) box = box && (await findBox(box, type))
    return box
  }
  const moov = await findBox({ type: 'file', startOffset: 0, endOffset: sizeBytes }, 'moov')
  if (!moov) return null
  let trackCount = 0
  for await (const trak of readMp4Boxes(readAt, moov.startOffset, moov.endOffset, budget)) {
    if (trak.type !== 'trak') continue
    trackCount += 1
    if (trackCount !== trackNumber) continue
    const sampleTableBox = await findBoxByPath(trak, 'mdia', 'minf', 'stbl')
    if (!sampleTableBox) return null
    const syncSampleBox = await findBox(sampleTableBox, 'stss')
    const durationBox = await findBox(sampleTableBox, 'stts')
    const compositionOffsetBox = await findBox(sampleTableBox, 'ctts')
    // A table that is too large is not read. The times cannot be computed without it, so there is no result.
    if (getSizeBytes(syncSampleBox) > MAX_SYNC_SAMPLE_TABLE_BYTES) return null
    if ([durationBox, compositionOffsetBox].some((box) => getSizeBytes(box) > MAX_SAMPLE_TABLE_BYTES))
      return null
    // The reader reuses its buffer, so each table is copied before the next one is read.
    const readBoxCopy = async (box: Mp4Box | null) =>
      Buffer.from(
        box && getSizeBytes(box) <= MAX_SAMPLE_TABLE_BYTES
          ? await readAt(box.startOffset, getSizeBytes(box))
          : [],
      )
    const mediaHeader = await readBoxCopy(await findBoxByPath(trak, 'mdia', 'mdhd'))
    const editList = await readBoxCopy(await findBoxByPath(trak, 'edts', 'elst'))
    const sampleTables = {
      syncSamples: await readBoxCopy(syncSampleBox),
      durations: await readBoxCopy(durationBox),
      compositionOffsets: await readBoxCopy(compositionOffsetBox),
    }
    const unitsPerSecond = readUnitsPerSecond(mediaHeader)
    if (unitsPerSecond === 0 || sampleTables.syncSamples.length < 8) return null
    const movieHeader = await readBoxCopy(await findBox(moov, 'mvhd'))
    const { startUnits, delayMovieUnits } = readFirstEdit(editList)
    const movieUnitsPerSecond = readUnitsPerSecond(movieHeader)
    if (delayMovieUnits > 0 && movieUnitsPerSecond === 0) return null
    const delaySeconds = delayMovieUnits === 0 ? 0 : delayMovieUnits / movieUnitsPerSecond
    return computeSampleTimes(sampleTables).map(
      (sampleUnits) => (sampleUnits - startUnits) / unitsPerSecond + delaySeconds,
    )
  }
  return null
}

const getSizeBytes = (box: Mp4Box | null) => (box ? box.endOffset - box.startOffset : 0)

/** Returns the timescale of the box `mvhd` or `mdhd`; 0 when the box is damaged. */
const readUnitsPerSecond = (header: Buffer) =>
  header.length >= 24 ? header.readUInt32BE(header[0] === 1 ? 20 : 12) : 0

/**
 * Returns the media time at which the first edit starts, and the duration of the empty edits before it, which delay the
 * track. The delay is in units of the timescale of the movie (`mvhd`).
 */
function readFirstEdit(editList: Buffer): { startUnits: number; delayMovieUnits: number } {
  let delayMovieUnits = 0
  const is64Bit = editList[0] === 1
  const entryBytes = is64Bit ? 20 : 12
  for (let offset = 8; offset + entryBytes <= editList.length; offset += entryBytes) {
    const mediaTimeUnits = is64Bit
      ? Number(editList.readBigInt64BE(offset + 8))
      : editList.readInt32BE(offset + 4)
    if (mediaTimeUnits >= 0) return { startUnits: mediaTimeUnits, delayMovieUnits }
    delayMovieUnits += is64Bit ? Number(editList.readBigUInt64BE(offset)) : editList.readUInt32BE(offset)
  }
  return { startUnits: 0, delayMovieUnits: 0 }
}

interface SampleTables {
  syncSamples: Buffer
  durations: Buffer
  compositionOffsets: Buffer
}

/**
 * Returns the presentation times of the sync samples, in units of the timescale of the track. The tables are read from
 * their bytes, because an object for each run would take many times their size.
 */
function computeSampleTimes({ syncSamples, durations, compositionOffsets }: SampleTables): number[] {
  const durationRunReader = createRunReader(durations)
  const offsetRunReader = createRunReader(compositionOffsets)
  const sampleTimesUnits: number[] = []
  for (let offset = 8; offset + 4 <= syncSamples.length; offset += 4) {
    const sampleIndex = syncSamples.readUInt32BE(offset) - 1
    durationRunReader.moveToSample(sampleIndex)
    offsetRunReader.moveToSample(sampleIndex)
    const decodeTimeUnits =
      durationRunReader.sumBeforeRun +
      (sampleIndex - durationRunReader.firstSampleIndex) * durationRunReader.value
    sampleTimesUnits.push(decodeTimeUnits + offsetRunReader.value)
  }
  return sampleTimesUnits
}

interface SampleRunReader {
  /** Moves to the run that contains a sample. Sample indexes must ascend. */
  moveToSample: (sampleIndex: number) => void
  firstSampleIndex: number
  /** Value of each sample of the run; 0 after the last run. */
  value: number
  /** Sum of the values of all samples before the run. */
  sumBeforeRun: number
}

/** Reads a table of runs, each with a number of samples and the value of these samples. */
function createRunReader(table: Buffer): SampleRunReader {
  let offset = 8
  const hasNextRun = () => offset + 8 <= table.length
  const readValue = () => (hasNextRun() ? table.readInt32BE(offset + 4) : 0)
  const reader: SampleRunReader = {
    firstSampleIndex: 0,
    value: readValue(),
    sumBeforeRun: 0,
    moveToSample(sampleIndex) {
      while (hasNextRun()) {
        const sampleCount = table.readUInt32BE(offset)
        if (sampleIndex < reader.firstSampleIndex + sampleCount) return
        reader.firstSampleIndex += sampleCount
        reader.sumBeforeRun += sampleCount * reader.value
        offset += 8
        reader.value = readValue()
      }
    },
  }
  return reader
}

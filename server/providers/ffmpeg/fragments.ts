/**
 * Splits the fragmented MP4 that ffmpeg writes to its standard output into the initialisation segment and fragments,
 * and reads the start time of each fragment (ISO/IEC 14496-12: ftyp, moov, moof, mdat).
 */
import { GrowingBuffer } from './growing-buffer.ts'

type FragmentEvent =
  | { kind: 'initialization'; bytes: Buffer }
  | { kind: 'fragment'; bytes: Buffer; startSeconds: number; isVideo: boolean }

interface TrackTimescales {
  videoTrackId: number
  unitsPerSecondByTrack: Map<number, number>
}

/** A larger box means that the stream is broken. A fragment of one second of 4K video has about 20 MB. */
const MAX_BOX_BYTES = 512 * 1024 * 1024
/** Size of a box header, which consists of the length and the type of the box. */
const BOX_HEADER_BYTES = 8
/** Initial size of the buffer: room for a fragment of a tenth of a second of 1080p video. */
const INITIAL_BUFFER_BYTES = 512 * 1024

/**
 * Yields the initialisation segment first, then the fragments. The bytes of a fragment are overwritten when the next
 * fragment is requested. Throws when the stream is not fragmented MP4.
 */
export async function* readFragments(stream: AsyncIterable<Buffer>): AsyncGenerator<FragmentEvent> {
  let initializationBoxes: Buffer[] = []
  let trackTimescales: TrackTimescales | null = null
  for await (const { type, bytes } of readFragmentBoxes(stream)) {
    if (type === 'ftyp') initializationBoxes = [Buffer.from(bytes)]
    else if (type === 'moov') {
      trackTimescales = readTrackTimescales(bytes)
      yield { kind: 'initialization', bytes: Buffer.concat([...initializationBoxes, bytes]) }
    } else if (type === 'moof' && trackTimescales)
      yield { kind: 'fragment', bytes, ...readFragmentStart(bytes, trackTimescales) }
  }
}

/**
 * Yields complete top-level boxes. A moof box is yielded together with the mdat box that follows it. An incomplete
 * box at the end is dropped, because the process was stopped while it wrote that box.
 */
async function* readFragmentBoxes(stream: AsyncIterable<Buffer>): AsyncGenerator<BufferedBox> {
  const receivedBytes = new GrowingBuffer(INITIAL_BUFFER_BYTES)
  for await (const chunk of stream) {
    receivedBytes.append(chunk)
    for (;;) {
      const { bytes } = receivedBytes
      const boxSizeBytes = readBoxSizeBytes(bytes, 0)
      if (boxSizeBytes === null || bytes.length < boxSizeBytes) break
      const boxType = bytes.toString('latin1', 4, 8)
      const dataBoxSizeBytes = boxType === 'moof' ? readBoxSizeBytes(bytes, boxSizeBytes) : 0
      if (dataBoxSizeBytes === null || bytes.length < boxSizeBytes + dataBoxSizeBytes) break
      yield { type: boxType, bytes: bytes.subarray(0, boxSizeBytes + dataBoxSizeBytes) }
      receivedBytes.remove(boxSizeBytes + dataBoxSizeBytes)
    }
  }
}

/** Returns the size in bytes of the box at `offset`; null when the header of the box has not been received yet. */
function readBoxSizeBytes(bytes: Buffer, offset: number): number | null {
  if (bytes.length < offset + BOX_HEADER_BYTES) return null
  const boxSizeBytes = bytes.readUInt32BE(offset)
  if (boxSizeBytes < BOX_HEADER_BYTES || boxSizeBytes > MAX_BOX_BYTES)
    throw new Error('not a fragmented MP4 stream')
  return boxSizeBytes
}

interface BufferedBox {
  type: string
  bytes: Buffer
}

function* listBoxes(bytes: Buffer, startOffset = 8): Generator<BufferedBox> {
  for (let offset = startOffset; offset + 8 <= bytes.length; ) {
    const lengthBytes = bytes.readUInt32BE(offset)
    if (lengthBytes < 8 || offset + lengthBytes > bytes.length) return
    yield {
      type: bytes.toString('latin1', offset + 4, offset + 8),
      bytes: bytes.subarray(offset, offset + lengthBytes),
    }
    offset += lengthBytes
  }
}
const findBox = (bytes: Buffer, ...boxTypes: string[]): Buffer | undefined =>
  boxTypes.reduce<Buffer | undefined>(
    (parent, type) => parent && [...listBoxes(parent)].find((box) => box.type === type)?.bytes,
    bytes,
  )

function readTrackTimescales(moov: Buffer): TrackTimescales {
  const trackTimescales: TrackTimescales = { videoTrackId: 0, unitsPerSecondByTrack: new Map() }
  for (const { type, bytes } of listBoxes(moov)) {
    if (type !== 'trak') continue
    const trackHeader = findBox(bytes, 'tkhd')
    const mediaHeader = findBox(bytes, 'mdia', 'mdhd')
    const handlerBox = findBox(bytes, 'mdia', 'hdlr')
    if (!trackHeader || !mediaHeader) continue
    const trackId = trackHeader.readUInt32BE(trackHeader[8] === 1 ? 28 : 20)
    trackTimescales.unitsPerSecondByTrack.set(
      trackId,
      mediaHeader.readUInt32BE(mediaHeader[8] === 1 ? 28 : 20),
    )
    if (handlerBox?.toString('latin1', 16, 20) === 'vide') trackTimescales.videoTrackId = trackId
  }
  return trackTimescales
}

/**
 * Returns the presentation time of the first video frame, or of the first audio sample when the fragment has no video.
 */
function readFragmentStart(
  moof: Buffer,
  trackTimescales: TrackTimescales,
): { startSeconds: number; isVideo: boolean } {
  let fragmentStart = { startSeconds: 0, isVideo: false }
  for (const { type, bytes } of listBoxes(moof)) {
    if (type !== 'traf') continue
    const trackHeader = findBox(bytes, 'tfhd')
    const decodeTimeBox = findBox(bytes, 'tfdt')
    if (!trackHeader || !decodeTimeBox) continue
    const trackId = trackHeader.readUInt32BE(12)
    const isVideo = trackId === trackTimescales.videoTrackId
    const decodeTimeUnits =
      decodeTimeBox[8] === 1 ? Number(decodeTimeBox.readBigInt64BE(12)) : decodeTimeBox.readUInt32BE(12)
    const compositionOffsetUnits = isVideo ? readFirstCompositionOffset(findBox(bytes, 'trun')) : 0
    const startSeconds =
      (decodeTimeUnits + compositionOffsetUnits) / (trackTimescales.unitsPerSecondByTrack.get(trackId) || 1)
    if (isVideo || !fragmentStart.isVideo) fragmentStart = { startSeconds, isVideo }
    if (isVideo) break
  }
  return fragmentStart
}

/**
 * Returns the composition offset of the first sample: its presentation time minus its decode time, in units of the
 * timescale of the track.
 */
function readFirstCompositionOffset(trackRun: Buffer | undefined): number {
  if (!trackRun) return 0
  const flags = trackRun.readUIntBE(9, 3)
  if ((flags & 0x800) === 0) return 0
  let fieldOffset = 16
  for (const flag of [0x1, 0x4, 0x100, 0x200, 0x400]) if (flags & flag) fieldOffset += 4
  return fieldOffset + 4 <= trackRun.length ? trackRun.readInt32BE(fieldOffset) : 0
}

/**
 * Splits the fragmented MP4 that ffmpeg writes to its standard output into the initialisation segment and fragments, and
 * reads the start time of each fragment (ISO/IEC 14496-12: ftyp, moov, moof, mdat).
 */
import type { Readable } from 'node:stream'

type FragmentEvent =
  | { kind: 'initialization'; bytes: Buffer }
  | { kind: 'fragment'; bytes: Buffer; startSeconds: number; isVideo: boolean }

interface TrackTimes {
  videoTrackId: number
  unitsPerSecondByTrack: Map<number, number>
}

/** A box larger than this is broken; a fragment of one second of 4K video has about 20 MB. */
const MAX_BOX_BYTES = 512 * 1024 * 1024

/** Yields the initialisation segment first, then the fragments. Throws when the stream is not fragmented MP4. */
export async function* readFragments(stream: Readable): AsyncGenerator<FragmentEvent> {
  let initialization: Buffer[] = []
  let times: TrackTimes | null = null
  let header: Buffer | null = null
  for await (const box of readBoxes(stream)) {
    const type = box.toString('latin1', 4, 8)
    if (type === 'ftyp') initialization = [box]
    else if (type === 'moov') {
      times = readTrackTimes(box)
      yield { kind: 'initialization', bytes: Buffer.concat([...initialization, box]) }
    } else if (type === 'moof') header = box
    else if (type === 'mdat' && header && times) {
      yield { kind: 'fragment', bytes: Buffer.concat([header, box]), ...readFragmentStart(header, times) }
      header = null
    }
  }
}

/** Yields whole top-level boxes. An incomplete box at the end is dropped, because the process was stopped there. */
async function* readBoxes(stream: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let lengthBytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    lengthBytes += chunk.length
    for (;;) {
      const first = chunks[0]
      if (!first || lengthBytes < 8) break
      if (first.length < 8) chunks = [Buffer.concat(chunks)]
      const boxBytes = (chunks[0] as Buffer).readUInt32BE(0)
      if (boxBytes < 8 || boxBytes > MAX_BOX_BYTES) throw new Error('not a fragmented MP4 stream')
      if (lengthBytes < boxBytes) break
      const joined = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      yield joined.subarray(0, boxBytes)
      const rest = joined.subarray(boxBytes)
      chunks = rest.length > 0 ? [rest] : []
      lengthBytes = rest.length
    }
  }
}

interface InnerBox {
  type: string
  bytes: Buffer
}

function* listBoxes(bytes: Buffer, from = 8): Generator<InnerBox> {
  for (let offset = from; offset + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(offset)
    if (length < 8 || offset + length > bytes.length) return
    yield {
      type: bytes.toString('latin1', offset + 4, offset + 8),
      bytes: bytes.subarray(offset, offset + length),
    }
    offset += length
  }
}
const findBox = (bytes: Buffer, ...path: string[]): Buffer | undefined =>
  path.reduce<Buffer | undefined>(
    (parent, type) => parent && [...listBoxes(parent)].find((box) => box.type === type)?.bytes,
    bytes,
  )

function readTrackTimes(moov: Buffer): TrackTimes {
  const times: TrackTimes = { videoTrackId: 0, unitsPerSecondByTrack: new Map() }
  for (const { type, bytes } of listBoxes(moov)) {
    if (type !== 'trak') continue
    const trackHeader = findBox(bytes, 'tkhd')
    const mediaHeader = findBox(bytes, 'mdia', 'mdhd')
    const handler = findBox(bytes, 'mdia', 'hdlr')
    if (!trackHeader || !mediaHeader) continue
    const trackId = trackHeader.readUInt32BE(trackHeader[8] === 1 ? 28 : 20)
    times.unitsPerSecondByTrack.set(trackId, mediaHeader.readUInt32BE(mediaHeader[8] === 1 ? 28 : 20))
    if (handler?.toString('latin1', 16, 20) === 'vide') times.videoTrackId = trackId
  }
  return times
}

/** Returns the presentation time of the first video frame, or of the first sound when the fragment has no picture. */
function readFragmentStart(moof: Buffer, times: TrackTimes): { startSeconds: number; isVideo: boolean } {
  let start = { startSeconds: 0, isVideo: false }
  for (const { type, bytes } of listBoxes(moof)) {
    if (type !== 'traf') continue
    const trackHeader = findBox(bytes, 'tfhd')
    const decodeTime = findBox(bytes, 'tfdt')
    if (!trackHeader || !decodeTime) continue
    const trackId = trackHeader.readUInt32BE(12)
    const isVideo = trackId === times.videoTrackId
    const units = decodeTime[8] === 1 ? Number(decodeTime.readBigInt64BE(12)) : decodeTime.readUInt32BE(12)
    const offset = isVideo ? readFirstCompositionOffset(findBox(bytes, 'trun')) : 0
    const startSeconds = (units + offset) / (times.unitsPerSecondByTrack.get(trackId) || 1)
    if (isVideo || !start.isVideo) start = { startSeconds, isVideo }
    if (isVideo) break
  }
  return start
}

/** The composition offset of the first sample: the difference of its presentation and decode time. */
function readFirstCompositionOffset(run: Buffer | undefined): number {
  if (!run) return 0
  const flags = run.readUIntBE(9, 3)
  if ((flags & 0x800) === 0) return 0
  let offset = 16
  for (const flag of [0x1, 0x4, 0x100, 0x200, 0x400]) if (flags & flag) offset += 4
  return offset + 4 <= run.length ? run.readInt32BE(offset) : 0
}

/** Creates minimal valid MP4 and Matroska files byte by byte, without an encoder. */

export const encodeUint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}
export const createMp4Box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  return Buffer.concat([encodeUint32(body.length + 8), Buffer.from(type, 'latin1'), body])
}

/** Chapters, each with a start time and a title. */
type ChapterList = [startSeconds: number, title: string][]

/** Returns an MP4 box `udta` with the chapters in a box `chpl`, the chapter format of the program Nero. */
function buildNeroChapters(chapters: ChapterList): Buffer {
  const chapterEntries = chapters.map(([startSeconds, title]) => {
    const timeBytes = Buffer.alloc(8)
    timeBytes.writeBigUInt64BE(BigInt(startSeconds) * 10_000_000n)
    return Buffer.concat([timeBytes, Buffer.from([Buffer.byteLength(title)]), Buffer.from(title)])
  })
  return createMp4Box(
    'udta',
    createMp4Box(
      'chpl',
      encodeUint32(1 << 24),
      encodeUint32(0),
      Buffer.from([chapters.length]),
      ...chapterEntries,
    ),
  )
}

/** Returns the chapters as the Matroska element `Chapters`. */
function buildMatroskaChapters(chapters: ChapterList): Buffer {
  const chapterAtoms = chapters.map(([startSeconds, title]) => {
    const timeBytes = Buffer.alloc(8)
    timeBytes.writeBigUInt64BE(BigInt(startSeconds) * 1_000_000_000n)
    return createMatroskaElement(
      0xb6,
      createMatroskaElement(0x91, timeBytes),
      createMatroskaElement(0x80, createMatroskaElement(0x85, Buffer.from(title))),
    )
  })
  return createMatroskaElement(0x1043a770, createMatroskaElement(0x45b9, ...chapterAtoms))
}

interface VideoShape {
  width: number
  height: number
  durationSeconds?: number
}

function buildTrack({ width, height }: VideoShape, version = 0): Buffer {
  const timeFields = Buffer.alloc(version === 1 ? 32 : 20)
  const otherFields = Buffer.alloc(52)
  return createMp4Box(
    'trak',
    createMp4Box(
      'tkhd',
      encodeUint32(version << 24),
      timeFields,
      otherFields,
      encodeUint32(width << 16),
      encodeUint32(height << 16),
    ),
  )
}

/**
 * Returns the bytes of an MP4 file.
 * With `hasLateHeader`, the `moov` box follows the media data, as in files of cameras.
 * With `hasAudio`, an audio track of 0 × 0 pixels precedes the video track.
 * `version` is the version of the track header. Version 1 has 64-bit times.
 */
export function createMp4(
  shape: VideoShape,
  {
    hasLateHeader = false,
    hasAudio = false,
    version = 0,
    payloadBytes = 64,
    chapters = [] as ChapterList,
  } = {},
): Buffer {
  const mvhd = createMp4Box(
    'mvhd',
    encodeUint32(0),
    encodeUint32(0),
    encodeUint32(0),
    encodeUint32(1000),
    encodeUint32((shape.durationSeconds ?? 60) * 1000),
    Buffer.alloc(80),
  )
  const tracks = [...(hasAudio ? [buildTrack({ width: 0, height: 0 })] : []), buildTrack(shape, version)]
  const moov = createMp4Box(
    'moov',
    mvhd,
    ...tracks,
    ...(chapters.length > 0 ? [buildNeroChapters(chapters)] : []),
  )
  const mdat = createMp4Box('mdat', createPatternBytes(payloadBytes))
  const ftyp = createMp4Box('ftyp', Buffer.from('isom\0\0\0\0isom', 'latin1'))
  return Buffer.concat(hasLateHeader ? [ftyp, mdat, moov] : [ftyp, moov, mdat])
}

const encodeElementId = (id: number) => Buffer.from(id.toString(16), 'hex')
export const createMatroskaElement = (id: number, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  const sizeField = Buffer.alloc(8)
  sizeField.writeBigUInt64BE(BigInt(body.length) | (1n << 56n))
  return Buffer.concat([encodeElementId(id), sizeField, body])
}
/** Returns a SeekHead with one entry: the id of an element, and its offset in the content of the segment. */
export const createSeekHead = (elementId: number, offset: number) =>
  createMatroskaElement(
    0x114d9b74,
    createMatroskaElement(
      0x4dbb,
      createMatroskaElement(0x53ab, encodeUint32(elementId)),
      createMatroskaElement(0x53ac, encodeUint32(offset)),
    ),
  )
const UNKNOWN_SIZE = Buffer.from('01ffffffffffffff', 'hex')

/**
 * Returns the bytes of a Matroska file.
 * With `hasLateTracks`, the tracks follow the clusters, and a SeekHead element refers to the tracks.
 * With `isLive`, the size of the segment is unknown, as in live recordings.
 * With `hasCover`, a picture track precedes the video track. The picture is larger than the video.
 */
export function createMatroska(
  shape: VideoShape,
  {
    hasLateTracks = false,
    isLive = false,
    hasCover = false,
    payloadBytes = 64,
    chapters = [] as ChapterList,
  } = {},
): Buffer {
  const ebmlHeader = createMatroskaElement(0x1a45dfa3, createMatroskaElement(0x4282, Buffer.from('matroska')))
  const durationField = Buffer.alloc(8)
  durationField.writeDoubleBE((shape.durationSeconds ?? 60) * 1000)
  const infoElement = createMatroskaElement(
    0x1549a966,
    createMatroskaElement(0x2ad7b1, encodeUint32(1_000_000)),
    createMatroskaElement(0x4489, durationField),
  )
  const createVideoTrack = (codec: string, width: number, height: number) =>
    createMatroskaElement(
      0xae,
      createMatroskaElement(0x86, Buffer.from(codec)),
      createMatroskaElement(
        0xe0,
        createMatroskaElement(0xb0, encodeUint32(width)),
        createMatroskaElement(0xba, encodeUint32(height)),
      ),
    )
  const tracks = createMatroskaElement(
    0x1654ae6b,
    createMatroskaElement(0xae, createMatroskaElement(0x83, Buffer.from([2]))),
    ...(hasCover ? [createVideoTrack('V_MJPEG', 3_000, 4_500)] : []),
    createVideoTrack('V_MPEG4/ISO/AVC', shape.width, shape.height),
  )
  const cluster = createMatroskaElement(0x1f43b675, createPatternBytes(payloadBytes))
  const tracksPositionBytes = createSeekHead(0x1654ae6b, 0).length + infoElement.length + cluster.length
  const segmentElements = hasLateTracks
    ? [createSeekHead(0x1654ae6b, tracksPositionBytes), infoElement, cluster, tracks]
    : [infoElement, ...(chapters.length > 0 ? [buildMatroskaChapters(chapters)] : []), tracks, cluster]
  const body = Buffer.concat(segmentElements)
  return Buffer.concat([
    ebmlHeader,
    isLive
      ? Buffer.concat([encodeElementId(0x18538067), UNKNOWN_SIZE, body])
      : createMatroskaElement(0x18538067, body),
  ])
}

/** Returns bytes whose values depend on the offset. A test can thus detect a range that was read at a wrong offset. */
export function createPatternBytes(lengthBytes: number): Buffer {
  const bytes = Buffer.alloc(lengthBytes)
  for (let offset = 0; offset < lengthBytes; offset++)
    bytes[offset] = (offset * 31 + (offset >>> 8) * 17 + (offset >>> 16) * 7) & 0xff
  return bytes
}

/** Smallest files that are still what they say: headers written by hand, no encoder needed. */

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}
export const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body])
}

/** Seconds and name. */
type Chapters = [start: number, title: string][]

function nero(chapters: Chapters): Buffer {
  const list = chapters.map(([start, title]) => {
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(BigInt(start) * 10_000_000n)
    return Buffer.concat([time, Buffer.from([Buffer.byteLength(title)]), Buffer.from(title)])
  })
  return box('udta', box('chpl', u32(1 << 24), u32(0), Buffer.from([chapters.length]), ...list))
}

function editions(chapters: Chapters): Buffer {
  const atoms = chapters.map(([start, title]) => {
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(BigInt(start) * 1_000_000_000n)
    return element(0xb6, element(0x91, time), element(0x80, element(0x85, Buffer.from(title))))
  })
  return element(0x1043a770, element(0x45b9, ...atoms))
}

interface Shape {
  width: number
  height: number
  seconds?: number
}

function track({ width, height }: Shape, version = 0): Buffer {
  const times = Buffer.alloc(version === 1 ? 32 : 20)
  const rest = Buffer.alloc(52)
  return box('trak', box('tkhd', u32(version << 24), times, rest, u32(width << 16), u32(height << 16)))
}

/** `late` puts the header behind the pictures, as cameras do; `audio` adds a track without a picture. */
export function makeMp4(
  shape: Shape,
  { late = false, audio = false, version = 0, payload = 64, chapters = [] as Chapters } = {},
): Buffer {
  const mvhd = box(
    'mvhd',
    u32(0),
    u32(0),
    u32(0),
    u32(1000),
    u32((shape.seconds ?? 60) * 1000),
    Buffer.alloc(80),
  )
  const tracks = [...(audio ? [track({ width: 0, height: 0 })] : []), track(shape, version)]
  const moov = box('moov', mvhd, ...tracks, ...(chapters.length > 0 ? [nero(chapters)] : []))
  const mdat = box('mdat', pattern(payload))
  const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0isom', 'latin1'))
  return Buffer.concat(late ? [ftyp, mdat, moov] : [ftyp, moov, mdat])
}

const idBytes = (id: number) => Buffer.from(id.toString(16), 'hex')
export const element = (id: number, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(body.length) | (1n << 56n))
  return Buffer.concat([idBytes(id), size, body])
}
const UNKNOWN_SIZE = Buffer.from('01ffffffffffffff', 'hex')

/** `late` puts the tracks behind the clusters, found through SeekHead; `live` gives the segment no size. */
export function makeMatroska(
  shape: Shape,
  { late = false, live = false, payload = 64, chapters = [] as Chapters } = {},
): Buffer {
  const head = element(0x1a45dfa3, element(0x4282, Buffer.from('matroska')))
  const length = Buffer.alloc(8)
  length.writeDoubleBE((shape.seconds ?? 60) * 1000)
  const info = element(0x1549a966, element(0x2ad7b1, u32(1_000_000)), element(0x4489, length))
  const video = element(0xe0, element(0xb0, u32(shape.width)), element(0xba, u32(shape.height)))
  const tracks = element(0x1654ae6b, element(0xae, element(0x83, Buffer.from([2]))), element(0xae, video))
  const cluster = element(0x1f43b675, pattern(payload))
  const seekHead = (position: number) =>
    element(0x114d9b74, element(0x4dbb, element(0x53ab, u32(0x1654ae6b)), element(0x53ac, u32(position))))
  const position = seekHead(0).length + info.length + cluster.length
  const parts = late
    ? [seekHead(position), info, cluster, tracks]
    : [info, ...(chapters.length > 0 ? [editions(chapters)] : []), tracks, cluster]
  const body = Buffer.concat(parts)
  return Buffer.concat([
    head,
    live ? Buffer.concat([idBytes(0x18538067), UNKNOWN_SIZE, body]) : element(0x18538067, body),
  ])
}

/** Bytes of which every place can be told from every other. */
export function pattern(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at++) bytes[at] = (at * 31 + (at >>> 8) * 17 + (at >>> 16) * 7) & 0xff
  return bytes
}

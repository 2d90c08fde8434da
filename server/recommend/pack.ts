import type { Content } from './content.ts'
import type { Crowd } from './crowd.ts'
import { assemble, type Model } from './model.ts'

/**
 * One model as one ArrayBuffer: "MQREC" and a format number, the length of a JSON header, the header, then the
 * arrays, each at a multiple of 8. Little endian, as every machine Node runs on.
 */
const magic = 'MQREC\0'
const format = 1

const kinds = { Uint8Array, Int16Array, Int32Array, Uint32Array, Float32Array } as const
type Kind = keyof typeof kinds
type Arrays = InstanceType<(typeof kinds)[Kind]>

interface Header {
  readonly version: string
  readonly size: number
  readonly profiles: number
  readonly side: 'profiles' | 'titles'
  readonly arrays: readonly { name: string; kind: Kind; at: number; length: number }[]
}

const aligned = (bytes: number): number => Math.ceil(bytes / 8) * 8

function arraysOf(model: Model): [string, Arrays][] {
  const { size: _size, ...content } = model.content
  const { titles, profiles: _profiles, ...table } = model.crowd
  const named = (part: string, arrays: object): [string, Arrays][] =>
    Object.entries(arrays).map(([name, array]) => [`${part}.${name}`, array as Arrays])
  return [...named('content', content), ...named('crowd', table), ['crowd.cells', titles.cells as Arrays]]
}

/** The buffer can be written to a file or transferred between threads. */
export function packModel(model: Model): ArrayBuffer {
  const arrays = arraysOf(model)
  let at = 0
  const places = arrays.map(([name, array]) => {
    const place = { name, kind: array.constructor.name as Kind, at, length: array.length }
    at += aligned(array.byteLength)
    return place
  })
  const header: Header = {
    version: model.version,
    size: model.content.size,
    profiles: model.crowd.profiles,
    side: model.crowd.titles.side,
    arrays: places,
  }
  const text = new TextEncoder().encode(JSON.stringify(header))
  const base = aligned(16 + text.length)
  const buffer = new ArrayBuffer(base + at)
  const bytes = new Uint8Array(buffer)
  bytes.set(new TextEncoder().encode(magic))
  new DataView(buffer).setUint32(8, format, true)
  new DataView(buffer).setUint32(12, text.length, true)
  bytes.set(text, 16)
  for (const [index, [, array]] of arrays.entries())
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), base + places[index]!.at)
  return buffer
}

/** Views into the buffer, nothing is copied. Throws RangeError on anything `packModel` of this format did not write. */
export function loadModel(buffer: ArrayBuffer): Model {
  const refuse = (): never => {
    throw new RangeError('This is not a recommendation model of this version.')
  }
  if (buffer.byteLength < 16) refuse()
  const bytes = new Uint8Array(buffer)
  const view = new DataView(buffer)
  const length = view.getUint32(12, true)
  if (new TextDecoder().decode(bytes.subarray(0, magic.length)) !== magic) refuse()
  if (view.getUint32(8, true) !== format || 16 + length > buffer.byteLength) refuse()
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(16, 16 + length))) as Header
  const base = aligned(16 + length)
  const parts: Record<string, Record<string, Arrays>> = { content: {}, crowd: {} }
  for (const { name, kind, at, length: items } of header.arrays) {
    if (base + at + items * kinds[kind].BYTES_PER_ELEMENT > buffer.byteLength) refuse()
    const [part, field] = name.split('.') as [string, string]
    parts[part]![field] = new kinds[kind](buffer, base + at, items)
  }
  const { cells, ...table } = parts['crowd']!
  const content = { size: header.size, ...parts['content'] } as unknown as Content
  const titles = { side: header.side, cells: cells as Float32Array }
  const crowd = { profiles: header.profiles, ...table, titles } as unknown as Crowd
  return assemble(header.version, content, crowd)
}

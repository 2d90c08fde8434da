import type { CollaborativeModel } from './collaborative.ts'
import type { Content } from './content.ts'
import { assembleModel, type RecommendationModel } from './model.ts'

/**
 * Model file format: "MQREC" and a format number, the length of a JSON header, the header, then the arrays, each
 * aligned to 8 bytes. Numbers are little endian, like on all platforms of Node.js. The header names each array
 * `content.<field>` or `crowd.<field>`, so the fields of `Content` and `CollaborativeModel` cannot be renamed without
 * a new format number.
 */
const magic = 'MQREC\0'
const formatNumber = 2

const arrayTypes = { Uint8Array, Int16Array, Int32Array, Uint32Array, Float32Array } as const
type ArrayType = keyof typeof arrayTypes
type ModelArray = InstanceType<(typeof arrayTypes)[ArrayType]>

interface Header {
  readonly version: string
  readonly size: number
  readonly profiles: number
  readonly side: 'profiles' | 'titles'
  readonly arrays: readonly { name: string; kind: ArrayType; at: number; length: number }[]
}

const alignTo8 = (bytes: number): number => Math.ceil(bytes / 8) * 8

function listArrays(model: RecommendationModel): [string, ModelArray][] {
  const { size: _size, ...content } = model.content
  const { titles, profiles: _profiles, ...table } = model.crowd
  const nameArrays = (section: string, arrays: object): [string, ModelArray][] =>
    Object.entries(arrays).map(([name, array]) => [`${section}.${name}`, array as ModelArray])
  return [
    ...nameArrays('content', content),
    ...nameArrays('crowd', table),
    ['crowd.cells', titles.cells as ModelArray],
  ]
}

/** Serialises a model. The buffer can be written to a file or transferred between threads. */
export function packModel(model: RecommendationModel): ArrayBuffer {
  const arrays = listArrays(model)
  let offset = 0
  const arrayHeaders = arrays.map(([name, array]) => {
    const arrayHeader = { name, kind: array.constructor.name as ArrayType, at: offset, length: array.length }
    offset += alignTo8(array.byteLength)
    return arrayHeader
  })
  const header: Header = {
    version: model.version,
    size: model.content.size,
    profiles: model.crowd.profiles,
    side: model.crowd.titles.side,
    arrays: arrayHeaders,
  }
  const headerBytes = new TextEncoder().encode(JSON.stringify(header))
  const arraysOffset = alignTo8(16 + headerBytes.length)
  const buffer = new ArrayBuffer(arraysOffset + offset)
  const bytes = new Uint8Array(buffer)
  bytes.set(new TextEncoder().encode(magic))
  new DataView(buffer).setUint32(8, formatNumber, true)
  new DataView(buffer).setUint32(12, headerBytes.length, true)
  bytes.set(headerBytes, 16)
  for (const [index, [, array]] of arrays.entries())
    bytes.set(
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
      arraysOffset + arrayHeaders[index]!.at,
    )
  return buffer
}

/**
 * Returns a model whose arrays are views into the buffer.
 * @throws RangeError when the buffer was not written by `packModel` with this format number.
 */
export function loadModel(buffer: ArrayBuffer): RecommendationModel {
  const reject = (): never => {
    throw new RangeError('This is not a recommendation model of this version.')
  }
  if (buffer.byteLength < 16) reject()
  const bytes = new Uint8Array(buffer)
  const view = new DataView(buffer)
  const headerLength = view.getUint32(12, true)
  if (new TextDecoder().decode(bytes.subarray(0, magic.length)) !== magic) reject()
  if (view.getUint32(8, true) !== formatNumber || 16 + headerLength > buffer.byteLength) reject()
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(16, 16 + headerLength))) as Header
  const arraysOffset = alignTo8(16 + headerLength)
  const sections: Record<string, Record<string, ModelArray>> = { content: {}, crowd: {} }
  for (const { name, kind, at: offset, length: itemCount } of header.arrays) {
    if (arraysOffset + offset + itemCount * arrayTypes[kind].BYTES_PER_ELEMENT > buffer.byteLength) reject()
    const [section, field] = name.split('.') as [string, string]
    sections[section]![field] = new arrayTypes[kind](buffer, arraysOffset + offset, itemCount)
  }
  const { cells, ...table } = sections['crowd']!
  const content = { size: header.size, ...sections['content'] } as unknown as Content
  const titles = { side: header.side, cells: cells as Float32Array }
  const crowd = { profiles: header.profiles, ...table, titles } as unknown as CollaborativeModel
  return assembleModel(header.version, content, crowd)
}

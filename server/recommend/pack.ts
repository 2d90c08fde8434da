import { readFile } from 'node:fs/promises'
import type { CollaborativeModel } from './collaborative.ts'
import type { ContentModel } from './content.ts'
import { assembleModel, type RecommendationModel } from './model.ts'

/**
 * Model file format: "MQREC" and a format number, the length of a JSON header, the header, and then the arrays, each
 * aligned to 8 bytes. The numbers are little-endian. Array elements have the byte order of the machine, so the format
 * supports little-endian machines only. The header names each array `content.<field>` or `collaborative.<field>`. The
 * fields of `ContentModel` and `CollaborativeModel` therefore cannot be renamed without a new format number.
 */
const magic = 'MQREC\0'
const modelFormatVersion = 4

const arrayTypes = { Uint8Array, Int16Array, Int32Array, Uint32Array, Float32Array } as const
type ArrayType = keyof typeof arrayTypes
type ModelArray = InstanceType<(typeof arrayTypes)[ArrayType]>

/** The trained parts of a model. `content` is null when only the collaborative model was trained. */
export interface TrainedModelParts {
  readonly version: string
  readonly content: ContentModel | null
  readonly collaborative: CollaborativeModel
}

interface ArrayHeader {
  readonly name: string
  readonly kind: ArrayType
  /** Offset in bytes from the start of the first array. */
  readonly at: number
  readonly length: number
}
interface ModelFileHeader {
  readonly version: string
  readonly size: number
  readonly profiles: number
  readonly side: 'profiles' | 'titles'
  readonly arrays: readonly ArrayHeader[]
}

const alignTo8 = (byteCount: number): number => Math.ceil(byteCount / 8) * 8

function listArrays(trainedParts: TrainedModelParts): [string, ModelArray][] {
  const { size: _size, ...content } = { size: 0, ...trainedParts.content }
  const { titles, profiles: _profiles, ...matrixArrays } = trainedParts.collaborative
  const nameArrays = (section: string, arrays: object): [string, ModelArray][] =>
    Object.entries(arrays).map(([name, array]) => [`${section}.${name}`, array as ModelArray])
  return [
    ...nameArrays('content', content),
    ...nameArrays('collaborative', matrixArrays),
    ['collaborative.cells', titles.cells as ModelArray],
  ]
}

/**
 * Returns the contents of a model file as parts, in the order of the file. The parts are views of the arrays of the
 * model, so that no large data is copied.
 */
export function listModelFileParts(trainedParts: TrainedModelParts): Uint8Array[] {
  const arrays = listArrays(trainedParts)
  let offset = 0
  const arrayHeaders = arrays.map(([name, array]) => {
    const arrayHeader = { name, kind: array.constructor.name as ArrayType, at: offset, length: array.length }
    offset += alignTo8(array.byteLength)
    return arrayHeader
  })
  const header: ModelFileHeader = {
    version: trainedParts.version,
    size: trainedParts.content?.size ?? 0,
    profiles: trainedParts.collaborative.profiles,
    side: trainedParts.collaborative.titles.side,
    arrays: arrayHeaders,
  }
  const headerBytes = new TextEncoder().encode(JSON.stringify(header))
  const arraysOffset = alignTo8(16 + headerBytes.length)
  const fileStartBytes = new Uint8Array(arraysOffset)
  fileStartBytes.set(new TextEncoder().encode(magic))
  new DataView(fileStartBytes.buffer).setUint32(8, modelFormatVersion, true)
  new DataView(fileStartBytes.buffer).setUint32(12, headerBytes.length, true)
  fileStartBytes.set(headerBytes, 16)
  const arrayParts = arrays.flatMap(([, { buffer, byteOffset, byteLength }]) => [
    new Uint8Array(buffer, byteOffset, byteLength),
    new Uint8Array(alignTo8(byteLength) - byteLength),
  ])
  return [fileStartBytes, ...arrayParts]
}

/** Returns the contents of a model file in one buffer. */
export function packModel(model: RecommendationModel): ArrayBuffer {
  const fileParts = listModelFileParts(model)
  const bytes = new Uint8Array(fileParts.reduce((size, part) => size + part.length, 0))
  let offset = 0
  for (const filePart of fileParts) {
    bytes.set(filePart, offset)
    offset += filePart.length
  }
  return bytes.buffer
}

/**
 * Returns a model whose arrays are views into the buffer.
 * @throws RangeError when the buffer is not a model file with this format number, or has no content features.
 */
export function loadModel(buffer: ArrayBuffer): RecommendationModel {
  const { version, content, collaborative } = loadTrainedParts(buffer)
  if (!content) throw new RangeError('This file has no content features.')
  return assembleModel(version, content, collaborative)
}

/**
 * Returns the trained parts of a model file.
 * @throws RangeError when the file is not a model file with this format number, and the errors of `readFile`.
 */
export async function readModelFile(path: string): Promise<TrainedModelParts> {
  const { buffer, byteOffset, byteLength } = await readFile(path)
  // The bytes are copied only if the buffer also contains other data. Large files have a buffer of their own, and a
  // copy would double the memory.
  const isWholeBuffer = byteLength === buffer.byteLength
  return loadTrainedParts(isWholeBuffer ? buffer : buffer.slice(byteOffset, byteOffset + byteLength))
}

const isNonNegativeInteger = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0

function isArrayHeader(value: unknown): boolean {
  const { name = '', kind = '', at: offset, length } = (value ?? {}) as Partial<ArrayHeader>
  const isKnownArray = /^(?:content|collaborative)\.\w+$/.test(name) && Object.hasOwn(arrayTypes, kind)
  return isKnownArray && isNonNegativeInteger(offset) && isNonNegativeInteger(length)
}

/** Returns the header of a model file; null when the header is damaged. */
function parseHeader(headerBytes: Uint8Array): ModelFileHeader | null {
  try {
    const header = JSON.parse(new TextDecoder().decode(headerBytes)) as ModelFileHeader
    const { version, size, profiles, side, arrays } = header
    const isValid =
      typeof version === 'string' &&
      isNonNegativeInteger(size) &&
      isNonNegativeInteger(profiles) &&
      (side === 'profiles' || side === 'titles') &&
      arrays.every(isArrayHeader)
    return isValid ? header : null
  } catch {
    return null
  }
}

function loadTrainedParts(buffer: ArrayBuffer): TrainedModelParts {
  const throwFormatError = (): never => {
    throw new RangeError('This is not a recommendation model of this version.')
  }
  if (buffer.byteLength < 16) throwFormatError()
  const bytes = new Uint8Array(buffer)
  const dataView = new DataView(buffer)
  const headerLengthBytes = dataView.getUint32(12, true)
  if (new TextDecoder().decode(bytes.subarray(0, magic.length)) !== magic) throwFormatError()
  if (dataView.getUint32(8, true) !== modelFormatVersion || 16 + headerLengthBytes > buffer.byteLength)
    throwFormatError()
  const header = parseHeader(bytes.subarray(16, 16 + headerLengthBytes)) ?? throwFormatError()
  const arraysOffset = alignTo8(16 + headerLengthBytes)
  const sections: Record<string, Record<string, ModelArray>> = { content: {}, collaborative: {} }
  for (const { name, kind, at: offset, length: itemCount } of header.arrays) {
    if (arraysOffset + offset + itemCount * arrayTypes[kind].BYTES_PER_ELEMENT > buffer.byteLength)
      throwFormatError()
    const [section, field] = name.split('.') as [string, string]
    sections[section]![field] = new arrayTypes[kind](buffer, arraysOffset + offset, itemCount)
  }
  const { cells, ...matrixArrays } = sections['collaborative']!
  const hasContent = Object.keys(sections['content'] ?? {}).length > 0
  const content = hasContent
    ? ({ size: header.size, ...sections['content'] } as unknown as ContentModel)
    : null
  const titles = { side: header.side, cells: cells as Float32Array }
  const collaborative = {
    profiles: header.profiles,
    ...matrixArrays,
    titles,
  } as unknown as CollaborativeModel
  return { version: header.version, content, collaborative }
}

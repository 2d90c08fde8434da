/**
 * A ZIP as a service hands it out (docs/decisions/0016-zip-archives.md). Nothing of it is written anywhere: its files are
 * read where they lie, as streams. Its own list is not believed: how much there is gets counted, and what is odd is left.
 */
import { pipeline } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  validateFileName,
  type ZipFile,
} from 'yauzl'
import { MAX_HISTORY_FILE, type PassedOver } from '../../../src/lib/contract/transfer.ts'
import { invalid, Problem } from '../../problem.ts'
import { type BoundedReader, openReader } from './bounded-reader.ts'

const MAX_ENTRIES = 1_000
/** The part of a name that people are told. */
const LONGEST_NAME = 300
const UNIX = 3
const FILE_TYPE = 0o170000
const LINK = 0o120000

export interface ArchiveFile {
  /** Its path inside the archive, for people and for telling formats apart; never a path of ours. */
  name: string
  passed: PassedOver | null
  /** Throws what `asDamage` translates. */
  stream: () => AsyncGenerator<Uint8Array>
  /** Whether so many bytes of this checksum are what the archive has. */
  proves: (size: number, checksum: number) => boolean
}

export interface Archive {
  /** By name, whatever their order in the archive. Folders, and what macOS puts beside files, are left out. */
  files: ArchiveFile[]
  close: () => void
}

export const isZip = (head: Uint8Array) =>
  head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5) && head[3] === (head[2] ?? 0) + 1

/** Throws 422 `damaged`, `encrypted` or `too_many_files`. Close it, also for the sake of its open file. */
export async function openArchive(path: string): Promise<Archive> {
  const reader = await openReader(path)
  const options = { autoClose: false, decodeStrings: false }
  const zip = await fromRandomAccessReaderPromise(reader, reader.size, options).catch((error) => {
    reader.close(() => {})
    return asDamage(error)
  })
  // What goes wrong with one of its files is thrown where that is read.
  zip.on('error', () => {})
  try {
    if (zip.entryCount > MAX_ENTRIES) throw invalid('file', 'too_many_files')
    const files: ArchiveFile[] = []
    for await (const entry of zip.eachEntry()) {
      const file = fileOf(zip, reader, entry)
      if (file) files.push(file)
    }
    files.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    return { files: files.map(once), close: () => zip.close() }
  } catch (error) {
    zip.close()
    return asDamage(error)
  }
}

function fileOf(zip: ZipFile, reader: BoundedReader, entry: Entry): ArchiveFile | null {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry
  const raw = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
  if (raw.endsWith('/') || /(?:^|\/)(?:__MACOSX\/|\.DS_Store$)/.test(raw)) return null
  const name = raw.replace(/[\p{C}]/gu, '').slice(-LONGEST_NAME) || '?'
  const passed = passedOver(entry, raw)
  return {
    name,
    passed,
    stream: () => contentOf(zip, reader, entry),
    proves: (size, checksum) => size === entry.uncompressedSize && checksum === entry.crc32,
  }
}

/** Who stops reading ends all of it. */
async function* contentOf(zip: ZipFile, reader: BoundedReader, entry: Entry): AsyncGenerator<Uint8Array> {
  const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const packed = reader.bytes(start, start + entry.compressedSize)
  if (entry.compressionMethod === 0) yield* packed
  else yield* pipeline(packed, createInflateRaw(), () => {})
}

function passedOver(entry: Entry, name: string): PassedOver | null {
  if (entry.isEncrypted()) return 'encrypted'
  if (entry.versionMadeBy >> 8 === UNIX && ((entry.externalFileAttributes >>> 16) & FILE_TYPE) === LINK) {
    return 'link'
  }
  if (validateFileName(name) !== null || name.includes('\0') || name.length > LONGEST_NAME)
    return 'unsafe_name'
  return entry.canDecodeFileData() ? null : 'packing'
}

/** The first of a name is read; an archive with two of them is not of any service. */
function once(file: ArchiveFile, at: number, all: readonly ArchiveFile[]): ArchiveFile {
  return file.passed === null && all[at - 1]?.name === file.name ? { ...file, passed: 'duplicate' } : file
}

/** For all files of an archive together, what came out of it, whatever it says of itself. */
export class Unpacking {
  #bytes = 0

  /** Throws 413. */
  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > MAX_HISTORY_FILE) throw new Problem('payload_too_large')
  }
}

/** The beginning of a file: so many bytes or a few more. Throws 413, and 422 `damaged`. */
export async function headOf(file: ArchiveFile, unpacking: Unpacking, length: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of file.stream()) {
      unpacking.add(chunk.length)
      chunks.push(chunk)
      size += chunk.length
      if (size >= length) break
    }
  } catch (error) {
    return asDamage(error)
  }
  return Buffer.concat(chunks)
}

/** Reads a file to its end: it is whole then. Answers its size. Throws 413, and 422 `damaged`. */
export async function sizeOf(file: ArchiveFile, unpacking: Unpacking): Promise<number> {
  let size = 0
  let checksum = 0
  try {
    for await (const chunk of file.stream()) {
      unpacking.add(chunk.length)
      size += chunk.length
      checksum = crc32(chunk, checksum)
    }
  } catch (error) {
    return asDamage(error)
  }
  if (!file.proves(size, checksum)) throw invalid('file', 'damaged')
  return size
}

/** What the library throws is about the file; what the system throws is not. */
function asDamage(error: unknown): never {
  if (error instanceof Problem || (error instanceof Error && 'syscall' in error)) throw error
  const strong = error instanceof Error && error.message.startsWith('strong encryption')
  throw invalid('file', strong ? 'encrypted' : 'damaged')
}

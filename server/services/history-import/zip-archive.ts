/**
 * Reads ZIP archives of other services (docs/decisions/0015-zip-archives.md). Files are streamed from the archive and
 * never extracted to disk. The sizes in the archive are not trusted: unpacked bytes are counted, and suspicious entries
 * are skipped.
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
import { MAX_HISTORY_FILE_BYTES, type SkippedFileReason } from '../../../src/lib/contract/history-transfer.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import { type BoundedReader, openBoundedReader } from './bounded-reader.ts'

const MAX_ARCHIVE_ENTRIES = 1_000
/**
 * Maximum size of the central directory, which is held in memory. The name, the comment and the extra fields of an
 * entry can have 64 kB each, so without a limit MAX_ARCHIVE_ENTRIES entries could need almost 200 MB.
 */
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024
/** Longest file name that is shown to users. Files with a longer name are not read. */
const MAX_NAME_LENGTH = 300
/** Values of the ZIP header that mark a symbolic link: the host system and the file type in the Unix mode. */
const UNIX_HOST_SYSTEM = 3
const FILE_TYPE_MASK = 0o170000
const SYMBOLIC_LINK = 0o120000

export interface ArchiveFile {
  /** Path in the archive, for display and format detection. It is never used as a path on disk. */
  name: string
  /** Why the file is not read; null if it is read. */
  skipReason: SkippedFileReason | null
  /** Streams the unpacked content. Its errors are converted by `throwAsProblem`. */
  openStream: () => AsyncGenerator<Uint8Array>
  /** True if the size in bytes and the CRC-32 checksum are those in the archive. */
  matchesContent: (sizeBytes: number, checksum: number) => boolean
}

export interface Archive {
  /** The files of the archive, sorted by name. Folders and the metadata files of macOS are omitted. */
  files: ArchiveFile[]
  close: () => void
}

/** True if the bytes start with the signature of a ZIP archive. */
export const isZip = (firstBytes: Uint8Array) =>
  firstBytes[0] === 0x50 &&
  firstBytes[1] === 0x4b &&
  (firstBytes[2] === 3 || firstBytes[2] === 5) &&
  firstBytes[3] === (firstBytes[2] ?? 0) + 1

/** Opens an archive, which the caller must close. Throws 422 `damaged`, `encrypted` or `too_many_files`. */
export async function openArchive(archivePath: string): Promise<Archive> {
  const reader = await openBoundedReader(archivePath)
  const options = { autoClose: false, decodeStrings: false }
  const zip = await fromRandomAccessReaderPromise(reader, reader.sizeBytes, options).catch((error) => {
    reader.close(() => {})
    return throwAsProblem(error)
  })
  // Errors of a file are thrown by the stream of that file. The archive also emits them as `error` events, which
  // would end the process without this listener.
  zip.on('error', () => {})
  try {
    if (zip.entryCount > MAX_ARCHIVE_ENTRIES) throw createFieldProblem('file', 'too_many_files')
    const files: ArchiveFile[] = []
    let directoryBytes = 0
    for await (const zipEntry of zip.eachEntry()) {
      directoryBytes += zipEntry.fileNameLength + zipEntry.extraFieldLength + zipEntry.fileCommentLength
      if (directoryBytes > MAX_DIRECTORY_BYTES) throw createFieldProblem('file', 'damaged')
      const file = toArchiveFile(zip, reader, zipEntry)
      if (file) files.push(file)
    }
    files.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    return { files: files.map(markDuplicate), close: () => zip.close() }
  } catch (error) {
    zip.close()
    return throwAsProblem(error)
  }
}

function toArchiveFile(zip: ZipFile, reader: BoundedReader, zipEntry: Entry): ArchiveFile | null {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = zipEntry
  const rawName = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
  if (rawName.endsWith('/') || /(?:^|\/)(?:__MACOSX\/|\.DS_Store$)/.test(rawName)) return null
  const name = rawName.replace(/[\p{C}]/gu, '').slice(-MAX_NAME_LENGTH) || '?'
  const skipReason = findSkipReason(zipEntry, rawName)
  return {
    name,
    skipReason,
    openStream: () => unpackEntry(zip, reader, zipEntry),
    matchesContent: (sizeBytes, checksum) =>
      sizeBytes === zipEntry.uncompressedSize && checksum === zipEntry.crc32,
  }
}

/** Yields the unpacked bytes of an entry. Ending the iteration early also closes the underlying streams. */
async function* unpackEntry(
  zip: ZipFile,
  reader: BoundedReader,
  zipEntry: Entry,
): AsyncGenerator<Uint8Array> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(zipEntry, { minimal: true })
  const packedChunks = reader.readRange(fileDataStart, fileDataStart + zipEntry.compressedSize)
  if (zipEntry.compressionMethod === 0) yield* packedChunks
  else yield* pipeline(packedChunks, createInflateRaw(), () => {})
}

function findSkipReason(zipEntry: Entry, name: string): SkippedFileReason | null {
  if (zipEntry.isEncrypted()) return 'encrypted'
  if (
    zipEntry.versionMadeBy >> 8 === UNIX_HOST_SYSTEM &&
    ((zipEntry.externalFileAttributes >>> 16) & FILE_TYPE_MASK) === SYMBOLIC_LINK
  ) {
    return 'link'
  }
  if (validateFileName(name) !== null || name.includes('\0') || name.length > MAX_NAME_LENGTH)
    return 'unsafe_name'
  return zipEntry.canDecodeFileData() ? null : 'packing'
}

/**
 * Marks a file whose name equals that of the previous file, because only the first file of a name is read.
 */
function markDuplicate(file: ArchiveFile, fileIndex: number, files: readonly ArchiveFile[]): ArchiveFile {
  return file.skipReason === null && files[fileIndex - 1]?.name === file.name
    ? { ...file, skipReason: 'duplicate' }
    : file
}

/** Limits the unpacked bytes of all files of an archive together, as protection against ZIP bombs. */
export class UnpackedSizeLimit {
  #bytes = 0

  /** Counts unpacked bytes. Throws 413 if the limit is exceeded. */
  addBytes(byteCount: number): void {
    this.#bytes += byteCount
    if (this.#bytes > MAX_HISTORY_FILE_BYTES) throw new Problem('payload_too_large')
  }
}

/**
 * Returns at least the first `minBytes` bytes of a file, or all bytes of a shorter file. Throws 413 if the unpacked
 * files of the archive are too large together, and 422 `damaged` if the file cannot be unpacked.
 */
export async function readFileHead(
  file: ArchiveFile,
  sizeLimit: UnpackedSizeLimit,
  minBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  try {
    for await (const chunk of file.openStream()) {
      sizeLimit.addBytes(chunk.length)
      chunks.push(chunk)
      sizeBytes += chunk.length
      if (sizeBytes >= minBytes) break
    }
  } catch (error) {
    return throwAsProblem(error)
  }
  return Buffer.concat(chunks)
}

/**
 * Reads a file completely and returns its size in bytes. Throws 413 if the unpacked files of the archive are too
 * large together. Throws 422 `damaged` if the file cannot be unpacked, or if its size or checksum is wrong.
 */
export async function verifyFile(file: ArchiveFile, sizeLimit: UnpackedSizeLimit): Promise<number> {
  let sizeBytes = 0
  let checksum = 0
  try {
    for await (const chunk of file.openStream()) {
      sizeLimit.addBytes(chunk.length)
      sizeBytes += chunk.length
      checksum = crc32(chunk, checksum)
    }
  } catch (error) {
    return throwAsProblem(error)
  }
  if (!file.matchesContent(sizeBytes, checksum)) throw createFieldProblem('file', 'damaged')
  return sizeBytes
}

/** Errors of the ZIP library mean an invalid archive and become 422; system errors are thrown unchanged. */
function throwAsProblem(error: unknown): never {
  if (error instanceof Problem || (error instanceof Error && 'syscall' in error)) throw error
  const isEncrypted = error instanceof Error && error.message.startsWith('strong encryption')
  throw createFieldProblem('file', isEncrypted ? 'encrypted' : 'damaged')
}

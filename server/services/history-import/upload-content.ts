/**
 * Inspects an upload, which is one file or an archive. Finds the files with history, and the service that each
 * file is from.
 */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { SkippedFileReason } from '../../../src/lib/contract/history-transfer.ts'
import { createFieldProblem } from '../../core/problem.ts'
import type { FileOpener, HistorySource } from '../../importers/history/history-row.ts'
import {
  detectHistoryFormat,
  HEAD_BYTES,
  UnknownFormatError,
} from '../../importers/history/parse-history-file.ts'
import type { SavedUpload } from './save-upload.ts'
import {
  type Archive,
  isZip,
  openArchive,
  readFileHead,
  UnpackedSizeLimit,
  verifyFile,
} from './zip-archive.ts'

/** Signatures of zip, gzip, 7z, rar, bzip2 and xz. An archive inside an archive is not unpacked. */
const ARCHIVE_SIGNATURES = ['PK\x03\x04', 'PK\x05\x06', '\x1f\x8b', '7z\xbc\xaf', 'Rar!', 'BZh', '\xfd7zXZ']

/** Files inside the spreadsheets of Excel, LibreOffice and Numbers, which are ZIP archives. */
const SPREADSHEET_PART_PATTERN = /^(?:xl\/workbook\.(?:xml|bin)|content\.xml|Index\/Document\.iwa)$/
/** True if the bytes start with the signature of spreadsheets of Excel before 2007. */
const isLegacyExcelFile = (firstBytes: Uint8Array) =>
  Buffer.from(firstBytes.subarray(0, 8)).toString('hex') === 'd0cf11e0a1b11ae1'

export interface UploadedFile {
  name: string
  source: HistorySource | null
  /** Why the file is not read; null if it is read. */
  skipReason: SkippedFileReason | null
  /** Size in bytes; 0 if the file is not read. */
  sizeBytes: number
}

export interface UploadContent {
  isArchive: boolean
  files: UploadedFile[]
  /** The service that the history is from; null if there are several. */
  source: HistorySource | null
  /** Total size in bytes of the files to read. */
  sizeBytes: number
}

/**
 * Returns the files of an upload and the service that they are from. Throws 413 if the unpacked content is too large,
 * and 422 with a reason if the archive cannot be read. If no file contains history, throws 422 for a spreadsheet and
 * for an archive that contains an encrypted file or another archive, and `UnknownFormatError` for other uploads.
 */
export async function inspectUpload({ path, name, sizeBytes }: SavedUpload): Promise<UploadContent> {
  const firstBytes = await readFirstBytes(path)
  if (!isZip(firstBytes)) {
    const source = detectSource(name, firstBytes)
    if (!source && isLegacyExcelFile(firstBytes)) throw createFieldProblem('file', 'spreadsheet')
    if (!source) throw new UnknownFormatError(name)
    return {
      isArchive: false,
      files: [{ name, source, skipReason: null, sizeBytes }],
      source,
      sizeBytes,
    }
  }
  const archive = await openArchive(path)
  try {
    const files = await inspectArchive(archive)
    const sources = new Set(files.flatMap((file) => (file.skipReason === null ? (file.source ?? []) : [])))
    if (sources.size === 0) {
      for (const skipReason of ['encrypted', 'archive'] as const) {
        if (files.some((file) => file.skipReason === skipReason)) throw createFieldProblem('file', skipReason)
      }
      if (files.some((file) => SPREADSHEET_PART_PATTERN.test(file.name)))
        throw createFieldProblem('file', 'spreadsheet')
      throw new UnknownFormatError(name)
    }
    const [firstSource = null] = sources
    const totalBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
    return { isArchive: true, files, source: sources.size === 1 ? firstSource : null, sizeBytes: totalBytes }
  } finally {
    archive.close()
  }
}

async function inspectArchive(archive: Archive): Promise<UploadedFile[]> {
  const sizeLimit = new UnpackedSizeLimit()
  const files: UploadedFile[] = []
  for (const file of archive.files) {
    const { name } = file
    const firstBytes = file.skipReason ? null : await readFileHead(file, sizeLimit, HEAD_BYTES)
    const firstCharacters = firstBytes?.subarray(0, 8).toString('latin1')
    const isNestedArchive = ARCHIVE_SIGNATURES.some((signature) => firstCharacters?.startsWith(signature))
    const source = firstBytes && !isNestedArchive ? detectSource(name, firstBytes) : null
    const skipReason = file.skipReason ?? (isNestedArchive ? 'archive' : source ? null : 'unknown_format')
    files.push({
      name,
      source,
      skipReason,
      sizeBytes: skipReason === null ? await verifyFile(file, sizeLimit) : 0,
    })
  }
  return files
}

const detectSource = (name: string, firstBytes: Uint8Array) =>
  detectHistoryFormat(name, firstBytes.subarray(0, HEAD_BYTES))?.source ?? null

async function readFirstBytes(filePath: string): Promise<Uint8Array> {
  const fileHandle = await open(filePath)
  try {
    const { buffer, bytesRead } = await fileHandle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await fileHandle.close()
  }
}

export interface OpenedUpload {
  /** One opener per inspected file, in the same order. */
  fileOpeners: FileOpener[]
  close: () => void
}

/**
 * Opens an inspected upload. The sizes from the inspection are still valid, because only the server can change
 * the stored file.
 */
export async function openUpload(filePath: string, content: UploadContent): Promise<OpenedUpload> {
  if (!content.isArchive) return { fileOpeners: [() => createReadStream(filePath)], close: () => {} }
  const archive = await openArchive(filePath)
  return { fileOpeners: archive.files.map((file) => file.openStream), close: archive.close }
}

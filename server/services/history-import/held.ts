/** Inspects an upload, which is one file or an archive: which files contain history, and from which service. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { PassedOver } from '../../../src/lib/contract/transfer.ts'
import { detect, UnknownFormat } from '../../importers/history/parse.ts'
import type { Opener, Source } from '../../importers/history/row.ts'
import { invalid } from '../../problem.ts'
import { type Archive, headOf, isZip, openArchive, sizeOf, Unpacking } from './archive.ts'
import type { Upload } from './upload.ts'

const HEAD_BYTES = 8_192
/** Signatures of zip, gzip, 7z, rar, bzip2 and xz. An archive inside an archive is not unpacked. */
const ARCHIVE_SIGNATURES = ['PK\x03\x04', 'PK\x05\x06', '\x1f\x8b', '7z\xbc\xaf', 'Rar!', 'BZh', '\xfd7zXZ']

export interface HeldFile {
  name: string
  source: Source | null
  /** Why the file is not read; null if it is read. */
  why: PassedOver | null
  /** Size in bytes; 0 if the file is not read. */
  size: number
}

export interface Held {
  archive: boolean
  files: HeldFile[]
  /** The service that the history is from; null if there are several. */
  source: Source | null
  /** Total size in bytes of the files to read. */
  size: number
}

/**
 * Throws `UnknownFormatError` if no file contains history, 413 if the unpacked content is too large, and 422 with a reason if
 * the archive cannot be read.
 */
export async function inspect({ path, name, size: sizeBytes }: Upload): Promise<Held> {
  const head = await readFirstBytes(path)
  if (!isZip(head)) {
    const source = detectSource(name, head)
    if (!source) throw new UnknownFormat(name)
    return { archive: false, files: [{ name, source, why: null, size: sizeBytes }], source, size: sizeBytes }
  }
  const archive = await openArchive(path)
  try {
    const files = await inspectArchive(archive)
    const sources = new Set(files.flatMap((file) => (file.why === null ? (file.source ?? []) : [])))
    if (sources.size === 0) {
      for (const skipReason of ['encrypted', 'archive'] as const) {
        if (files.some((file) => file.why === skipReason)) throw invalid('file', skipReason)
      }
      throw new UnknownFormat(name)
    }
    const [first = null] = sources
    const totalBytes = files.reduce((sum, file) => sum + file.size, 0)
    return { archive: true, files, source: sources.size === 1 ? first : null, size: totalBytes }
  } finally {
    archive.close()
  }
}

async function inspectArchive(archive: Archive): Promise<HeldFile[]> {
  const limit = new Unpacking()
  const files: HeldFile[] = []
  for (const file of archive.files) {
    const { name } = file
    const head = file.passed ? null : await headOf(file, limit, HEAD_BYTES)
    const start = head?.subarray(0, 8).toString('latin1')
    const isPacked = ARCHIVE_SIGNATURES.some((signature) => start?.startsWith(signature))
    const source = head && !isPacked ? detectSource(name, head) : null
    const skipReason = file.passed ?? (isPacked ? 'archive' : source ? null : 'unknown_format')
    files.push({ name, source, why: skipReason, size: skipReason === null ? await sizeOf(file, limit) : 0 })
  }
  return files
}

const detectSource = (name: string, head: Uint8Array) =>
  detect(name, head.subarray(0, HEAD_BYTES))?.source ?? null

async function readFirstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

export interface Opened {
  /** One opener per inspected file, in the same order. */
  openers: Opener[]
  close: () => void
}

/** Opens an inspected upload. The file belongs to the server and does not change, so the sizes are still valid. */
export async function openHeld(path: string, content: Held): Promise<Opened> {
  if (!content.archive) return { openers: [() => createReadStream(path)], close: () => {} }
  const archive = await openArchive(path)
  return { openers: archive.files.map((file) => file.stream), close: archive.close }
}

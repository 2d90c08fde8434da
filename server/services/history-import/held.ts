/** What an upload holds: one file, or those of an archive; which of them are histories, and of which services. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { PassedOver } from '../../../src/lib/contract/transfer.ts'
import { detect, UnknownFormat } from '../../importers/history/parse.ts'
import type { Opener, Source } from '../../importers/history/row.ts'
import { invalid } from '../../problem.ts'
import { type Archive, headOf, isZip, openArchive, sizeOf, Unpacking } from './archive.ts'
import type { Upload } from './upload.ts'

const HEAD_BYTES = 8_192
/** How zip, gzip, 7z, rar, bzip2 and xz begin: an archive inside an archive stays packed. */
const PACKED = ['PK\x03\x04', 'PK\x05\x06', '\x1f\x8b', '7z\xbc\xaf', 'Rar!', 'BZh', '\xfd7zXZ']

export interface HeldFile {
  name: string
  source: Source | null
  /** Why it is not read. */
  why: PassedOver | null
  /** Bytes, of what is read. */
  size: number
}

export interface Held {
  archive: boolean
  files: HeldFile[]
  /** Of all its histories; null where they are of several services. */
  source: Source | null
  /** Bytes that will be read. */
  size: number
}

/** Throws `UnknownFormat` when it holds no history, 413, and 422 with the word for an archive that cannot be read. */
export async function inspect({ path, name, size }: Upload): Promise<Held> {
  const head = await firstBytes(path)
  if (!isZip(head)) {
    const source = sourceOf(name, head)
    if (!source) throw new UnknownFormat(name)
    return { archive: false, files: [{ name, source, why: null, size }], source, size }
  }
  const archive = await openArchive(path)
  try {
    const files = await look(archive)
    const sources = new Set(files.flatMap((one) => (one.why === null ? (one.source ?? []) : [])))
    if (sources.size === 0) {
      for (const why of ['encrypted', 'archive'] as const) {
        if (files.some((one) => one.why === why)) throw invalid('file', why)
      }
      throw new UnknownFormat(name)
    }
    const [first = null] = sources
    const total = files.reduce((sum, one) => sum + one.size, 0)
    return { archive: true, files, source: sources.size === 1 ? first : null, size: total }
  } finally {
    archive.close()
  }
}

async function look(archive: Archive): Promise<HeldFile[]> {
  const unpacking = new Unpacking()
  const files: HeldFile[] = []
  for (const file of archive.files) {
    const { name, passed } = file
    const head = passed ? null : await headOf(file, unpacking, HEAD_BYTES)
    const begin = head?.subarray(0, 8).toString('latin1')
    const packed = PACKED.some((one) => begin?.startsWith(one))
    const source = head && !packed ? sourceOf(name, head) : null
    const why = passed ?? (packed ? 'archive' : source ? null : 'unknown_format')
    files.push({ name, source, why, size: why === null ? await sizeOf(file, unpacking) : 0 })
  }
  return files
}

const sourceOf = (name: string, head: Uint8Array) =>
  detect(name, head.subarray(0, HEAD_BYTES))?.source ?? null

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

export interface Opened {
  /** The same as were held, in their order. */
  openers: Opener[]
  close: () => void
}

/** What was inspected lies in a file of ours, so its sizes still hold. */
export async function openHeld(path: string, held: Held): Promise<Opened> {
  if (!held.archive) return { openers: [() => createReadStream(path)], close: () => {} }
  const archive = await openArchive(path)
  return { openers: archive.files.map((one) => one.stream), close: archive.close }
}

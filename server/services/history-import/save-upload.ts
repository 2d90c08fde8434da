/** Saves an uploaded file to the data folder, with a size limit. A gzip file is unpacked, a ZIP archive is stored unchanged. */

import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { MAX_HISTORY_FILE_BYTES } from '../../../src/lib/contract/history-transfer.ts'
import { DAY_MS } from '../../core/dates.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { Deps } from '../deps.ts'
import { readFilePart } from './multipart.ts'

const FOLDER = 'imports'
/** A file of at least this age was left behind by a crash and is deleted. */
const STALE_MS = DAY_MS

export interface SavedUpload {
  path: string
  /** File name for display and format detection. */
  name: string
  /** Size in bytes after unpacking gzip. */
  sizeBytes: number
  /** SHA-256 of the unpacked content, in base64url. */
  hash: string
}

/** Returns the path of an uploaded file. The file is deleted after the dry run has read it. */
export const getUploadPath = ({ config }: Pick<Deps, 'config'>, importId: string) =>
  join(config.dataDir, FOLDER, `${importId}.part`)

/**
 * Saves the file of an upload request and returns its path, name, size and hash. Throws 413 if the file is too large, 415 for
 * an encoded request body, 422 for an unusable file. After an error, no file is left on disk.
 */
export async function saveUpload(
  deps: Deps,
  request: Request,
  { id, name }: { id: string; name: string | undefined },
): Promise<SavedUpload> {
  const encoding = request.headers.get('content-encoding')
  if (encoding && encoding !== 'identity') throw new Problem('unsupported_media_type')
  if (Number(request.headers.get('content-length') ?? 0) > MAX_HISTORY_FILE_BYTES + 4096) {
    throw new Problem('payload_too_large')
  }
  if (!request.body) throw createFieldProblem('file', 'needed')
  await deleteStaleUploads(deps)
  const path = getUploadPath(deps, id)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    const file = await readFilePart(request)
    const { sizeBytes, hash } = await writeFile(file.body, path)
    if (sizeBytes === 0) throw createFieldProblem('file', 'empty')
    return { path, name: sanitiseFileName(name ?? file.name ?? 'history'), sizeBytes, hash }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** Writes the body to a file, unpacked, and returns its size and hash. */
async function writeFile(body: AsyncIterable<Uint8Array>, path: string) {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const limitAndHash = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length
      if (sizeBytes > MAX_HISTORY_FILE_BYTES) throw new Problem('payload_too_large')
      hash.update(chunk)
      yield chunk
    }
  }
  const { isGzip, chunks } = await detectGzip(body)
  const target = createWriteStream(path, { mode: 0o600 })
  try {
    if (isGzip) await pipeline(Readable.from(chunks), createGunzip(), limitAndHash, target)
    else await pipeline(Readable.from(chunks), limitAndHash, target)
  } catch (error) {
    if (error instanceof Problem) throw error
    if (isGzip) throw createFieldProblem('file', 'not_gzip')
    throw error
  }
  return { sizeBytes, hash: hash.digest('base64url') }
}

/** Reads the first bytes to detect gzip, and returns all chunks including them. */
async function detectGzip(body: AsyncIterable<Uint8Array>) {
  const iterator = body[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < 2) {
    const { value, done } = await iterator.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  const chunks = async function* () {
    if (head.length > 0) yield head as Uint8Array
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { isGzip: head[0] === 0x1f && head[1] === 0x8b, chunks: chunks() }
}

/** Returns a file name for display and format detection. It is never part of a path on disk. */
function sanitiseFileName(clientName: string): string {
  const sanitised = clientName
    .replaceAll('\\', '/')
    .replace(/[\p{C}]/gu, '')
    .replace(/\.gz$/i, '')
    .trim()
  return sanitised.slice(-300) || 'history'
}

/** Deletes files that a crash left behind. */
export async function deleteStaleUploads({ config, now }: Pick<Deps, 'config' | 'now'>): Promise<void> {
  const folder = join(config.dataDir, FOLDER)
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const info = await stat(path).catch(() => null)
    if (info && now() - info.mtimeMs > STALE_MS) await rm(path, { force: true })
  }
}

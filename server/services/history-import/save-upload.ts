/**
 * Saves an uploaded file to the data folder, with a size limit. A gzip file is unpacked; a ZIP archive is stored
 * unchanged.
 */

import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { MAX_HISTORY_FILE_BYTES } from '../../../src/lib/contract/history-transfer.ts'
import { checkBodyHeaders } from '../../core/check-body-headers.ts'
import { DAY_MS } from '../../core/dates.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { Deps } from '../deps.ts'
import { readFilePart } from './multipart.ts'
import { openUploadBody } from './upload-body.ts'

const UPLOAD_FOLDER = 'imports'
/** Maximum age of an uploaded file. An older file was left behind by a crash and is deleted. */
const MAX_UPLOAD_AGE_MS = DAY_MS
/** Maximum length of the parts of a multipart body that are not the file: its boundaries and headers. */
const MAX_MULTIPART_BYTES = 4096

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
  join(config.dataDir, UPLOAD_FOLDER, `${importId}.part`)

/**
 * Saves the file of an upload request and returns its path, name, size and hash. Throws 413 if the file is too large,
 * 415 for an encoded request body, and 422 for an unusable file. After an error, no file is left on disk.
 */
export async function saveUpload(
  deps: Deps,
  request: Request,
  { id: importId, name: fileName }: { id: string; name: string | undefined },
): Promise<SavedUpload> {
  checkBodyHeaders(request.headers, MAX_HISTORY_FILE_BYTES + MAX_MULTIPART_BYTES)
  if (!request.body) throw createFieldProblem('file', 'needed')
  await deleteStaleUploads(deps)
  const filePath = getUploadPath(deps, importId)
  mkdirSync(dirname(filePath), { recursive: true, mode: 0o700 })
  const body = openUploadBody(request.body)
  try {
    const filePart = await readFilePart(request.headers, body.chunks)
    const { sizeBytes, hash } = await writeFile(filePart.body, filePath)
    if (sizeBytes === 0) throw createFieldProblem('file', 'empty')
    return { path: filePath, name: sanitiseFileName(fileName ?? filePart.name ?? 'history'), sizeBytes, hash }
  } catch (error) {
    await rm(filePath, { force: true })
    await body.discardRest()
    throw error
  }
}

/** Writes the unpacked body to a file, and returns the size and the hash of the file. */
async function writeFile(body: AsyncIterable<Uint8Array>, filePath: string) {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const limitAndHashChunks = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length
      if (sizeBytes > MAX_HISTORY_FILE_BYTES) throw new Problem('payload_too_large')
      hash.update(chunk)
      yield chunk
    }
  }
  const { isGzip, chunks } = await detectGzip(body)
  const fileStream = createWriteStream(filePath, { mode: 0o600 })
  try {
    if (isGzip) await pipeline(Readable.from(chunks), createGunzip(), limitAndHashChunks, fileStream)
    else await pipeline(Readable.from(chunks), limitAndHashChunks, fileStream)
  } catch (error) {
    if (error instanceof Problem) throw error
    // Errors that are not from zlib come from the disk or the connection, not from the content of the file.
    if (isZlibError(error)) throw createFieldProblem('file', 'not_gzip')
    throw error
  }
  return { sizeBytes, hash: hash.digest('base64url') }
}

const isZlibError = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')

/** Returns whether the body is a gzip file, and all chunks of the body, including the bytes that the check has read. */
async function detectGzip(body: AsyncIterable<Uint8Array>) {
  const iterator = body[Symbol.asyncIterator]()
  let firstBytes = Buffer.alloc(0)
  while (firstBytes.length < 2) {
    const { value, done } = await iterator.next()
    if (done) break
    firstBytes = Buffer.concat([firstBytes, value])
  }
  const readChunks = async function* () {
    if (firstBytes.length > 0) yield firstBytes as Uint8Array
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { isGzip: firstBytes[0] === 0x1f && firstBytes[1] === 0x8b, chunks: readChunks() }
}

/** Returns a file name for display and format detection. The name is never part of a path on disk. */
function sanitiseFileName(clientName: string): string {
  const sanitisedName = clientName
    .replaceAll('\\', '/')
    .replace(/[\p{C}]/gu, '')
    .replace(/\.gz$/i, '')
    .trim()
  return sanitisedName.slice(-300) || 'history'
}

/** Deletes files that a crash left behind. */
export async function deleteStaleUploads({ config, now }: Pick<Deps, 'config' | 'now'>): Promise<void> {
  const folderPath = join(config.dataDir, UPLOAD_FOLDER)
  for (const fileName of await readdir(folderPath).catch(() => [])) {
    const filePath = join(folderPath, fileName)
    const fileStats = await stat(filePath).catch(() => null)
    if (fileStats && now() - fileStats.mtimeMs > MAX_UPLOAD_AGE_MS) await rm(filePath, { force: true })
  }
}

/** Taking a file in: streamed to the data folder under a name of ours, bounded, unpacked if it is gzip. A ZIP stays as it is. */
import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { MAX_HISTORY_FILE } from '../../../src/lib/contract/transfer.ts'
import type { Deps } from '../../deps.ts'
import { invalid, Problem } from '../../problem.ts'
import { filePart } from './multipart.ts'

const FOLDER = 'imports'
/** What a crash left behind is swept after a day. */
const STALE_MS = 86_400_000

export interface Upload {
  path: string
  name: string
  size: number
  hash: string
}

/** Throws 413, 415, 422; leaves nothing behind then. */
export async function saveUpload(
  deps: Deps,
  raw: Request,
  { id, name }: { id: string; name: string | undefined },
): Promise<Upload> {
  const encoding = raw.headers.get('content-encoding')
  if (encoding && encoding !== 'identity') throw new Problem('unsupported_media_type')
  if (Number(raw.headers.get('content-length') ?? 0) > MAX_HISTORY_FILE + 4096) {
    throw new Problem('payload_too_large')
  }
  if (!raw.body) throw invalid('file', 'needed')
  const folder = join(deps.config.dataDir, FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  await sweep(folder, deps.now())
  const path = join(folder, `${id}.part`)
  try {
    const file = await filePart(raw)
    const { size, hash } = await write(file.body, path)
    if (size === 0) throw invalid('file', 'empty')
    return { path, name: fileName(name ?? file.name ?? 'history'), size, hash }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

async function write(body: AsyncIterable<Uint8Array>, path: string) {
  const hash = createHash('sha256')
  let size = 0
  const bounded = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > MAX_HISTORY_FILE) throw new Problem('payload_too_large')
      hash.update(chunk)
      yield chunk
    }
  }
  const { packed, chunks } = await isGzip(body)
  const target = createWriteStream(path, { mode: 0o600 })
  try {
    if (packed) await pipeline(Readable.from(chunks), createGunzip(), bounded, target)
    else await pipeline(Readable.from(chunks), bounded, target)
  } catch (error) {
    if (error instanceof Problem) throw error
    if (packed) throw invalid('file', 'not_gzip')
    throw error
  }
  return { size, hash: hash.digest('base64url') }
}

async function isGzip(body: AsyncIterable<Uint8Array>) {
  const pieces = body[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < 2) {
    const { value, done } = await pieces.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  const chunks = async function* () {
    if (head.length > 0) yield head as Uint8Array
    yield* { [Symbol.asyncIterator]: () => pieces }
  }
  return { packed: head[0] === 0x1f && head[1] === 0x8b, chunks: chunks() }
}

/** For people and for telling formats apart; never part of a path of ours. */
function fileName(given: string): string {
  const plain = given
    .replaceAll('\\', '/')
    .replace(/[\p{C}]/gu, '')
    .replace(/\.gz$/i, '')
    .trim()
  return plain.slice(-300) || 'history'
}

async function sweep(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const info = await stat(path).catch(() => null)
    if (info && now - info.mtimeMs > STALE_MS) await rm(path, { force: true })
  }
}

/**
 * Bodies of media responses. At most one chunk of a file is read ahead, so that a slow client occupies only two small
 * buffers.
 */
import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { ByteRange } from './media-range.ts'

export interface MediaBody {
  /** The chunks of the body. A chunk may be overwritten once the next chunk is requested. */
  chunks: AsyncIterator<Buffer>
  /** Ends the body early. May be called repeatedly, and after the end of the body. */
  close: () => void
}

const MIN_CHUNK_BYTES = 64 * 1024
const MAX_CHUNK_BYTES = 512 * 1024
/**
 * A client that takes a chunk within FAST_CHUNK_MS may get larger chunks. A client that needs more than SLOW_CHUNK_MS
 * gets small chunks again.
 */
const FAST_CHUNK_MS = 20
const SLOW_CHUNK_MS = 200
/**
 * The socket buffers accept some megabytes immediately, so the first chunks do not show the speed of a client. The
 * chunk size is doubled only after the number of sent bytes has reached this multiple of the doubled size.
 */
const MIN_SENT_TO_CHUNK_RATIO = 64

/**
 * Returns the body of a byte range of a file. The file is closed at the end or by `close`. Iteration throws when the
 * file has become shorter.
 */
export function createFileBody(file: FileHandle, range: ByteRange): MediaBody {
  let isClosed = false
  const closeBody = () => {
    if (!isClosed) void file.close().catch(() => {})
    isClosed = true
  }
  return { chunks: readChunks(file, range, closeBody), close: closeBody }
}

async function* readChunks(
  file: FileHandle,
  { start, end }: ByteRange,
  closeBody: () => void,
): AsyncGenerator<Buffer> {
  const buffers = [Buffer.allocUnsafeSlow(MIN_CHUNK_BYTES), Buffer.allocUnsafeSlow(MIN_CHUNK_BYTES)]
  let nextByteOffset = start
  let bufferIndex = 0
  let sizeBytes = MIN_CHUNK_BYTES
  const readNextChunk = async (): Promise<Buffer> => {
    if (nextByteOffset > end) return Buffer.alloc(0)
    bufferIndex = 1 - bufferIndex
    if (buffers[bufferIndex]?.length !== sizeBytes) buffers[bufferIndex] = Buffer.allocUnsafeSlow(sizeBytes)
    const buffer = buffers[bufferIndex] as Buffer
    const lengthBytes = Math.min(buffer.length, end - nextByteOffset + 1)
    const { bytesRead } = await file.read(buffer, 0, lengthBytes, nextByteOffset)
    if (bytesRead === 0) throw new Error('the file has become shorter')
    nextByteOffset += bytesRead
    return buffer.subarray(0, bytesRead)
  }
  try {
    let nextChunkPromise = readNextChunk()
    for (;;) {
      const chunk = await nextChunkPromise
      if (chunk.length === 0) return
      nextChunkPromise = readNextChunk()
      nextChunkPromise.catch(() => {})
      const yieldedAtMs = performance.now()
      yield chunk
      sizeBytes = chooseNextChunkSize(sizeBytes, performance.now() - yieldedAtMs, nextByteOffset - start)
    }
  } finally {
    closeBody()
  }
}

function chooseNextChunkSize(sizeBytes: number, durationMs: number, sentBytes: number): number {
  if (durationMs > SLOW_CHUNK_MS) return MIN_CHUNK_BYTES
  const canChunkGrow = durationMs < FAST_CHUNK_MS && sentBytes >= sizeBytes * 2 * MIN_SENT_TO_CHUNK_RATIO
  return canChunkGrow ? Math.min(sizeBytes * 2, MAX_CHUNK_BYTES) : sizeBytes
}

/** Returns the body of an upstream response, unchanged. */
export function createUpstreamBody(response: IncomingMessage): MediaBody {
  const chunks = response.iterator({ destroyOnReturn: true }) as AsyncIterator<Buffer>
  return { chunks, close: () => response.destroy() }
}

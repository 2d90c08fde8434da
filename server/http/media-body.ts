/** Bytes on their way: read ahead by one piece, never more, so that a slow reader costs two small buffers. */
import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Range } from './media-range.ts'

export interface Body {
  /** A piece may be overwritten once the next is asked for. */
  pieces: AsyncIterator<Buffer>
  /** Ends it early; may be called more than once, also after the end. */
  close: () => void
}

const FIRST_BYTES = 64 * 1024
const MOST_BYTES = 512 * 1024
/** A reader that takes a piece sooner may get larger ones, one that takes longer gets small ones again. */
const QUICK_MS = 20
const SLOW_MS = 200
/** The buffers of the connection itself swallow some megabytes at once: only what went on after them tells a fast reader. */
const SENT_PER_BYTE = 64

/** Closes the file when it is through, or `close` is called. Throws when the file has become shorter. */
export function fileBody(file: FileHandle, range: Range): Body {
  let closed = false
  const close = () => {
    if (!closed) void file.close().catch(() => {})
    closed = true
  }
  return { pieces: pieces(file, range, close), close }
}

async function* pieces(file: FileHandle, { start, end }: Range, close: () => void): AsyncGenerator<Buffer> {
  const buffers = [Buffer.allocUnsafeSlow(FIRST_BYTES), Buffer.allocUnsafeSlow(FIRST_BYTES)]
  let position = start
  let turn = 0
  let size = FIRST_BYTES
  const read = async (): Promise<Buffer> => {
    if (position > end) return Buffer.alloc(0)
    turn = 1 - turn
    if (buffers[turn]?.length !== size) buffers[turn] = Buffer.allocUnsafeSlow(size)
    const buffer = buffers[turn] as Buffer
    const wanted = Math.min(buffer.length, end - position + 1)
    const { bytesRead } = await file.read(buffer, 0, wanted, position)
    if (bytesRead === 0) throw new Error('the file has become shorter')
    position += bytesRead
    return buffer.subarray(0, bytesRead)
  }
  try {
    let next = read()
    for (;;) {
      const piece = await next
      if (piece.length === 0) return
      next = read()
      next.catch(() => {})
      const given = performance.now()
      yield piece
      size = nextSize(size, performance.now() - given, position - start)
    }
  } finally {
    close()
  }
}

function nextSize(size: number, tookMs: number, sent: number): number {
  if (tookMs > SLOW_MS) return FIRST_BYTES
  const more = tookMs < QUICK_MS && sent >= size * 2 * SENT_PER_BYTE
  return more ? Math.min(size * 2, MOST_BYTES) : size
}

/** What an upstream sends, as it comes. */
export function upstreamBody(answer: IncomingMessage): Body {
  const chunks = answer.iterator({ destroyOnReturn: true }) as AsyncIterator<Buffer>
  return { pieces: chunks, close: () => answer.destroy() }
}

/**
 * Random access to the file of an archive. The ZIP library reads at any offset that the archive contains, and an invalid
 * offset would cause an uncaught exception. This reader reports it through the callback instead.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { RandomAccessReader } from 'yauzl'

const CHUNK_BYTES = 64 * 1024

export class BoundedReader extends RandomAccessReader {
  readonly #file: FileHandle
  readonly sizeBytes: number

  constructor(file: FileHandle, size: number) {
    super()
    this.#file = file
    this.sizeBytes = size
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    if (!(position >= 0 && position + length <= this.sizeBytes)) {
      setImmediate(callback, new Error('the position is outside of the file'))
      return
    }
    this.#file.read(buffer, offset, length, position).then(
      ({ bytesRead }) => setImmediate(callback, null, bytesRead),
      (error: Error) => setImmediate(callback, error),
    )
  }

  override close(callback: (error: Error | null) => void): void {
    this.#file.close().then(() => setImmediate(callback, null), callback)
  }

  /** Yields the bytes from offset `start` up to, but not including, `end`. */
  async *readRange(start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let position = start; position < end; ) {
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - position))
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, position)
      if (bytesRead === 0) throw new Error('unexpected end of the file')
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }
}

/** Opens a file, which the caller must close. */
export async function openBoundedReader(path: string): Promise<BoundedReader> {
  const file = await open(path)
  try {
    return new BoundedReader(file, (await file.stat()).size)
  } catch (error) {
    await file.close()
    throw error
  }
}

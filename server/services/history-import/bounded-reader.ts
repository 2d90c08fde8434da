/**
 * Random access to the file of an archive. The ZIP library reads at any offset that the archive specifies, and an
 * invalid offset would cause an uncaught exception. For such an offset, this reader passes an error to the callback.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { RandomAccessReader } from 'yauzl'

const CHUNK_BYTES = 64 * 1024

export class BoundedReader extends RandomAccessReader {
  readonly #file: FileHandle
  readonly sizeBytes: number

  constructor(file: FileHandle, sizeBytes: number) {
    super()
    this.#file = file
    this.sizeBytes = sizeBytes
  }

  override read(
    buffer: Buffer,
    offsetBytes: number,
    lengthBytes: number,
    positionBytes: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    if (!(positionBytes >= 0 && positionBytes + lengthBytes <= this.sizeBytes)) {
      setImmediate(callback, new Error('the position is outside of the file'))
      return
    }
    this.#file.read(buffer, offsetBytes, lengthBytes, positionBytes).then(
      ({ bytesRead }) => setImmediate(callback, null, bytesRead),
      (error: Error) => setImmediate(callback, error),
    )
  }

  override close(callback: (error: Error | null) => void): void {
    this.#file.close().then(() => setImmediate(callback, null), callback)
  }

  /** Yields the bytes from offset `startByte` up to, but not including, `endByte`. */
  async *readRange(startByte: number, endByte: number): AsyncGenerator<Uint8Array> {
    for (let positionBytes = startByte; positionBytes < endByte; ) {
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, endByte - positionBytes))
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, positionBytes)
      if (bytesRead === 0) throw new Error('unexpected end of the file')
      positionBytes += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }
}

/** Opens a file, which the caller must close. */
export async function openBoundedReader(filePath: string): Promise<BoundedReader> {
  const fileHandle = await open(filePath)
  try {
    return new BoundedReader(fileHandle, (await fileHandle.stat()).size)
  } catch (error) {
    await fileHandle.close()
    throw error
  }
}

/**
 * The file under an archive. The library asks for whatever place the archive names, and one that no file can have would be
 * thrown where nobody catches it: here it is an error like any other.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { RandomAccessReader } from 'yauzl'

const CHUNK = 64 * 1024

export class BoundedReader extends RandomAccessReader {
  readonly #file: FileHandle
  readonly size: number

  constructor(file: FileHandle, size: number) {
    super()
    this.#file = file
    this.size = size
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    if (!(position >= 0 && position + length <= this.size)) {
      setImmediate(callback, new Error('outside of the file'))
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

  /** The bytes from `start` up to `end`; both lie in the file. */
  async *bytes(start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end; ) {
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK, end - at))
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, at)
      if (bytesRead === 0) throw new Error('unexpected end')
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }
}

export async function openReader(path: string): Promise<BoundedReader> {
  const file = await open(path)
  try {
    return new BoundedReader(file, (await file.stat()).size)
  } catch (error) {
    await file.close()
    throw error
  }
}

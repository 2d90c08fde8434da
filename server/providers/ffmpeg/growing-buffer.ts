/**
 * Buffer to which bytes are appended at the end, and from which bytes are removed at the start. It reuses its
 * memory, which grows to the largest size that was needed.
 */
export class GrowingBuffer {
  #memory: Buffer
  #start = 0
  #end = 0

  constructor(initialSizeBytes: number) {
    this.#memory = Buffer.allocUnsafeSlow(initialSizeBytes)
  }

  /** The bytes that were appended and not yet removed. The next change of the buffer may overwrite them. */
  get bytes(): Buffer {
    return this.#memory.subarray(this.#start, this.#end)
  }

  append(bytes: Buffer): void {
    const lengthBytes = this.#end - this.#start
    if (this.#end + bytes.length > this.#memory.length) {
      const neededBytes = lengthBytes + bytes.length
      const targetBuffer =
        neededBytes > this.#memory.length
          ? Buffer.allocUnsafeSlow(Math.max(neededBytes, this.#memory.length * 2))
          : this.#memory
      this.#memory.copy(targetBuffer, 0, this.#start, this.#end)
      this.#memory = targetBuffer
      this.#start = 0
      this.#end = lengthBytes
    }
    bytes.copy(this.#memory, this.#end)
    this.#end += bytes.length
  }

  /** Removes the first `byteCount` bytes. */
  remove(byteCount: number): void {
    this.#start += byteCount
    if (this.#start >= this.#end) this.clear()
  }

  clear(): void {
    this.#start = 0
    this.#end = 0
  }
}

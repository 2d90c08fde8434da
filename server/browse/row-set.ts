/** Set of rows as a bitmap. */
export class RowSet {
  readonly #words: Uint32Array
  #size = 0

  /** Creates an empty set for rows below `rowCount`. */
  constructor(rowCount: number) {
    this.#words = new Uint32Array((rowCount + 31) >>> 5)
  }

  get size(): number {
    return this.#size
  }

  get sizeBytes(): number {
    return this.#words.byteLength
  }

  /** Adds a row; adding it again has no effect. */
  add(row: number): void {
    const word = this.#words[row >>> 5] as number
    const bit = 1 << (row & 31)
    if ((word & bit) !== 0) return
    this.#words[row >>> 5] = word | bit
    this.#size += 1
  }

  /** Adds the first `count` entries of `rows`, in which a row may occur several times. */
  addAll(rows: Uint32Array, count: number): void {
    const words = this.#words
    for (let index = 0; index < count; index++) {
      const row = rows[index] as number
      words[row >>> 5] = (words[row >>> 5] as number) | (1 << (row & 31))
    }
    this.#size = 0
    for (let wordIndex = 0; wordIndex < words.length; wordIndex++)
      this.#size += countBits(words[wordIndex] as number)
  }

  has(row: number): boolean {
    return (((this.#words[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1
  }

  remove(row: number): void {
    const word = this.#words[row >>> 5] as number
    const bit = 1 << (row & 31)
    if ((word & bit) === 0) return
    this.#words[row >>> 5] = word & ~bit
    this.#size -= 1
  }

  clone(): RowSet {
    const clonedRows = new RowSet(this.#words.length * 32)
    clonedRows.#words.set(this.#words)
    clonedRows.#size = this.#size
    return clonedRows
  }

  /** Removes the rows that are not in `otherSet`. */
  intersect(otherSet: RowSet): void {
    this.#combine(otherSet, (word, otherWord) => word & otherWord)
  }

  /** Adds the rows of `otherSet`. Both sets must have been created with the same `rowCount`. */
  unite(otherSet: RowSet): void {
    this.#combine(otherSet, (word, otherWord) => word | otherWord)
  }

  /** Removes the rows of `otherSet`. */
  subtract(otherSet: RowSet): void {
    this.#combine(otherSet, (word, otherWord) => word & ~otherWord)
  }

  #combine(otherSet: RowSet, combineWords: (word: number, otherWord: number) => number): void {
    let size = 0
    for (let wordIndex = 0; wordIndex < this.#words.length; wordIndex++) {
      const word = combineWords(this.#words[wordIndex] as number, otherSet.#words[wordIndex] ?? 0)
      this.#words[wordIndex] = word
      size += countBits(word)
    }
    this.#size = size
  }

  /** Returns the rows, ascending. */
  toArray(): Uint32Array {
    const rows = new Uint32Array(this.#size)
    let filledCount = 0
    for (let wordIndex = 0; wordIndex < this.#words.length; wordIndex++) {
      for (let word = this.#words[wordIndex] as number; word !== 0; word &= word - 1) {
        rows[filledCount] = wordIndex * 32 + 31 - Math.clz32(word & -word)
        filledCount += 1
      }
    }
    return rows
  }
}

/**
 * Returns the number of set bits of a 32-bit word:
 * https://graphics.stanford.edu/~seander/bithacks.html#CountBitsSetParallel
 */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

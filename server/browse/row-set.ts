/** Rows that fit a list's filters: a bit a row, in the order of rows. */
export class RowSet {
  readonly #words: Uint32Array
  #size = 0

  /** Room for rows below `rows`. */
  constructor(rowCount: number) {
    this.#words = new Uint32Array((rowCount + 31) >>> 5)
  }

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    return this.#words.byteLength
  }

  /** Adding a row twice is adding it once. */
  add(row: number): void {
    const word = this.#words[row >>> 5] as number
    const bit = 1 << (row & 31)
    if ((word & bit) !== 0) return
    this.#words[row >>> 5] = word | bit
    this.#size += 1
  }

  has(row: number): boolean {
    return (((this.#words[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1
  }

  /** All of them, ascending. */
  rows(): Uint32Array {
    const rows = new Uint32Array(this.#size)
    let count = 0
    for (let at = 0; at < this.#words.length; at++) {
      for (let word = this.#words[at] as number; word !== 0; word &= word - 1) {
        rows[count] = at * 32 + 31 - Math.clz32(word & -word)
        count += 1
      }
    }
    return rows
  }
}

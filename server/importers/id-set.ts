/** A set of whole numbers, a bit each: ten million of IMDb's ids take some five megabytes. */
const PAGE = 4_096
const PAGE_WORDS = PAGE / 32

export class IdSet {
  readonly #pages: (Uint32Array | undefined)[] = []
  size = 0

  has(id: number): boolean {
    const page = this.#pages[Math.floor(id / PAGE)]
    return page !== undefined && ((page[(id & (PAGE - 1)) >>> 5] ?? 0) & (1 << (id & 31))) !== 0
  }

  add(id: number): void {
    const at = Math.floor(id / PAGE)
    let page = this.#pages[at]
    if (!page) {
      page = new Uint32Array(PAGE_WORDS)
      this.#pages[at] = page
    }
    const word = (id & (PAGE - 1)) >>> 5
    const bit = 1 << (id & 31)
    if (((page[word] ?? 0) & bit) !== 0) return
    page[word] = (page[word] ?? 0) | bit
    this.size += 1
  }
}

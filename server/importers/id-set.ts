const IDS_PER_PAGE = 4_096
const WORDS_PER_PAGE = IDS_PER_PAGE / 32

/** A bitmap set of non-negative integers. Ten million IMDb ids take about five megabytes. */
export class IdSet {
  readonly #pages: (Uint32Array | undefined)[] = []
  size = 0

  has(id: number): boolean {
    const page = this.#pages[Math.floor(id / IDS_PER_PAGE)]
    return page !== undefined && ((page[(id & (IDS_PER_PAGE - 1)) >>> 5] ?? 0) & (1 << (id & 31))) !== 0
  }

  add(id: number): void {
    const pageIndex = Math.floor(id / IDS_PER_PAGE)
    let page = this.#pages[pageIndex]
    if (!page) {
      page = new Uint32Array(WORDS_PER_PAGE)
      this.#pages[pageIndex] = page
    }
    const wordIndex = (id & (IDS_PER_PAGE - 1)) >>> 5
    const bitMask = 1 << (id & 31)
    if (((page[wordIndex] ?? 0) & bitMask) !== 0) return
    page[wordIndex] = (page[wordIndex] ?? 0) | bitMask
    this.size += 1
  }
}

import { getSizeBytes, type PostingList } from './posting-list.ts'

/** Memory of a cached list besides its ranks. */
const ENTRY_BYTES = 200

/** Posting lists by key. The least recently used ones are left out when they take too much memory together. */
export class PostingListCache {
  readonly #maxBytes: number
  /** The most recently used lists come last. */
  readonly #lists = new Map<string, PostingList>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string): PostingList | undefined {
    const list = this.#lists.get(key)
    if (!list) return undefined
    this.#lists.delete(key)
    this.#lists.set(key, list)
    return list
  }

  /** The key must not be in the cache. */
  add(key: string, list: PostingList): void {
    this.#lists.set(key, list)
    this.#bytes += ENTRY_BYTES + getSizeBytes(list)
    for (const [oldKey, oldList] of this.#lists) {
      if (this.#bytes <= this.#maxBytes) return
      this.#lists.delete(oldKey)
      this.#bytes -= ENTRY_BYTES + getSizeBytes(oldList)
    }
  }
}

import { getSizeBytes, type PostingList } from './posting-list.ts'

/**
 * Memory that a cache entry takes in addition to the ranks of its list: the key, the objects of the list, and the place
 * in the map (measured: 350 to 550 bytes).
 */
const ENTRY_OVERHEAD_BYTES = 500

/** Cache of posting lists by key. Removes the least recently used lists when the cache exceeds `maxBytes`. */
export class PostingListCache {
  readonly #maxBytes: number
  /** The most recently used lists come last. */
  readonly #lists = new Map<string, PostingList>()
  #sizeBytes = 0

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

  /** Adds a list whose key is not in the cache yet. */
  add(key: string, list: PostingList): void {
    this.#lists.set(key, list)
    this.#sizeBytes += ENTRY_OVERHEAD_BYTES + getSizeBytes(list)
    for (const [oldKey, oldList] of this.#lists) {
      if (this.#sizeBytes <= this.#maxBytes) return
      this.#lists.delete(oldKey)
      this.#sizeBytes -= ENTRY_OVERHEAD_BYTES + getSizeBytes(oldList)
    }
  }
}

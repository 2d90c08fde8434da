/**
 * Creates a bounded binary heap that keeps the `maxEntryCount` entries with the highest scores. Of entries with equal
 * scores, the smaller key is kept, so that the result does not depend on the order of insertion.
 */
export function createTopK(maxEntryCount: number) {
  const keys = new Int32Array(maxEntryCount)
  const scores = new Float64Array(maxEntryCount)
  let size = 0
  const isEntryWorse = (a: number, b: number): boolean =>
    scores[a]! < scores[b]! || (scores[a] === scores[b] && keys[a]! > keys[b]!)
  const swapEntries = (indexA: number, indexB: number): void => {
    const key = keys[indexA]!
    const score = scores[indexA]!
    keys[indexA] = keys[indexB]!
    scores[indexA] = scores[indexB]!
    keys[indexB] = key
    scores[indexB] = score
  }
  const siftUp = (index: number): void => {
    for (
      let parentIndex = (index - 1) >> 1;
      index > 0 && isEntryWorse(index, parentIndex);
      parentIndex = (index - 1) >> 1
    ) {
      swapEntries(index, parentIndex)
      index = parentIndex
    }
  }
  const siftDown = (): void => {
    let index = 0
    for (let childIndex = 1; childIndex < size; childIndex = 2 * index + 1) {
      if (childIndex + 1 < size && isEntryWorse(childIndex + 1, childIndex)) childIndex++
      if (!isEntryWorse(childIndex, index)) return
      swapEntries(index, childIndex)
      index = childIndex
    }
  }
  return {
    /**
     * True when the entry would be among the best so far. The comparison is fast, so call this method before any
     * expensive check of the entry.
     */
    accepts(key: number, score: number): boolean {
      if (size < maxEntryCount) return maxEntryCount > 0
      return score > scores[0]! || (score === scores[0] && key < keys[0]!)
    },
    /** Adds an entry. Call it only after `accepts` returned true for the entry. */
    add(key: number, score: number): void {
      const index = size < maxEntryCount ? size++ : 0
      keys[index] = key
      scores[index] = score
      if (size === maxEntryCount && index === 0) siftDown()
      else siftUp(index)
    },
    get size(): number {
      return size
    },
    /** Returns the entries, highest score first. */
    toSorted(): { key: number; score: number }[] {
      return Array.from({ length: size }, (_, index) => ({ key: keys[index]!, score: scores[index]! })).sort(
        (a, b) => b.score - a.score || a.key - b.key,
      )
    },
  }
}

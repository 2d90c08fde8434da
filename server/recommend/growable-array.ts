/** Creates an array of Uint32 values that grows as needed. Its capacity is doubled when it is full. */
export function createGrowableArray(initialCapacity = 1024) {
  let items = new Uint32Array(initialCapacity)
  let length = 0
  return {
    push(value: number): void {
      if (length === items.length) {
        const largerItems = new Uint32Array(items.length * 2)
        largerItems.set(items)
        items = largerItems
      }
      items[length++] = value
    },
    get length(): number {
      return length
    },
    /** Returns a view of the items, not a copy. A later `push` may replace the memory, so that the view is outdated. */
    view(): Uint32Array<ArrayBuffer> {
      return items.subarray(0, length)
    },
  }
}

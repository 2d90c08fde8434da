/**
 * Creates a Uint32Array that doubles its capacity when it is full, for a number of items that is not known in
 * advance.
 */
export function createGrowableArray(initial = 1024) {
  let items = new Uint32Array(initial)
  let length = 0
  return {
    push(value: number): void {
      if (length === items.length) {
        const larger = new Uint32Array(items.length * 2)
        larger.set(items)
        items = larger
      }
      items[length++] = value
    },
    get length(): number {
      return length
    },
    /** Returns a view of the items, not a copy; a later `push` may detach it from the array. */
    view(): Uint32Array<ArrayBuffer> {
      return items.subarray(0, length)
    },
  }
}

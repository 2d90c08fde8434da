import { growArray } from '../core/grow-array.ts'

/** Creates an array of Uint32 values that grows as needed. */
export function createGrowableArray(initialCapacity = 1024) {
  let items = new Uint32Array(initialCapacity)
  let length = 0
  return {
    push(value: number): void {
      if (length === items.length) items = growArray(items, length + 1)
      items[length++] = value
    },
    get length(): number {
      return length
    },
    /** Returns a view of the items, not a copy. The next `push` may detach the memory of the view. */
    getView(): Uint32Array<ArrayBuffer> {
      return items.subarray(0, length)
    },
  }
}

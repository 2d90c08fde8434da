/** A Uint32Array that doubles: building streams titles without knowing how many come. */
export function growing(initial = 1024) {
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
    /** A view, not a copy. */
    view(): Uint32Array<ArrayBuffer> {
      return items.subarray(0, length)
    },
  }
}

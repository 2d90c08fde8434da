type GrowableArray =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>

/** Number of elements that a growing array gets in addition to an eighth of its length. */
const MIN_GROWTH = 1_024

/**
 * Returns an array with the elements of `array` and room for at least `minLength` elements. The array grows by at least
 * an eighth. Doubling it would waste memory, because the arrays of a catalogue rarely grow after they were loaded.
 * `array` must not be used afterwards: see `resizeArray`.
 */
export function growArray<T extends GrowableArray>(array: T, minLength: number): T {
  return resizeArray(array, Math.max(minLength, array.length + (array.length >>> 3) + MIN_GROWTH))
}

/**
 * Returns an array of `length` elements that begins with the elements of `array`. Detaches the memory of `array`, so
 * that this memory is free at once and not only after the next garbage collection.
 */
export function resizeArray<T extends GrowableArray>(array: T, length: number): T {
  const resizedBuffer = array.buffer.transfer(length * array.BYTES_PER_ELEMENT)
  return new (array.constructor as new (buffer: ArrayBuffer) => T)(resizedBuffer)
}

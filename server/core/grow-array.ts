type GrowableArray =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>

/** Number of elements that a growing array gets in addition to an eighth of its length. */
const MIN_GROWTH = 1_024

/**
 * Returns an array with the elements of `array` and room for at least `minLength` elements. It grows by an eighth and
 * not to the double, because arrays of a catalogue rarely grow after their load, so that free room stays unused.
 * `array` must not be used afterwards: see `resizeArray`.
 */
export function growArray<T extends GrowableArray>(array: T, minLength: number): T {
  return resizeArray(array, Math.max(minLength, array.length + (array.length >>> 3) + MIN_GROWTH))
}

/**
 * Returns an array of `length` elements that begins with the elements of `array`. Detaches the memory of `array`, so
 * that it is free at once and not after the next garbage collection.
 */
export function resizeArray<T extends GrowableArray>(array: T, length: number): T {
  const resizedBuffer = array.buffer.transfer(length * array.BYTES_PER_ELEMENT)
  return new (array.constructor as new (buffer: ArrayBuffer) => T)(resizedBuffer)
}

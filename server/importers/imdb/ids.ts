/** IMDb's ids as numbers, and back. */
const TAB = 9
const ZERO = 48
const NINE = 57
const LEAST_DIGITS = 7
const MOST_DIGITS = 10

/**
 * The number of an id like `tt0111161` or `nm0000151` that begins at `at` and ends at a tab or at `end`; -1 when there is
 * no such id there. Reads bytes, because most lines of a dump are passed over without ever becoming text.
 */
export function idAt(bytes: Uint8Array, at: number, end: number): number {
  let id = 0
  let digit = at + 2
  for (; digit < end; digit++) {
    const byte = bytes[digit] as number
    if (byte === TAB) break
    if (byte < ZERO || byte > NINE) return -1
    id = id * 10 + byte - ZERO
  }
  const digits = digit - at - 2
  if (digits < LEAST_DIGITS || digits > MOST_DIGITS) return -1
  const [first, second] = [bytes[at], bytes[at + 1]]
  const isTitle = first === 0x74 && second === 0x74
  const isName = first === 0x6e && second === 0x6d
  return isTitle || isName ? id : -1
}

/** Of a field; -1 when it is none. */
export function idOf(text: string): number {
  return /^(tt|nm)\d{7,10}$/.test(text) ? Number(text.slice(2)) : -1
}

export const titleId = (id: number): string => `tt${String(id).padStart(LEAST_DIGITS, '0')}`
export const nameId = (id: number): string => `nm${String(id).padStart(LEAST_DIGITS, '0')}`

/** Converts IMDb ids to numbers and back. */
const TAB_CODE = 9
const ZERO_CODE = 48
const NINE_CODE = 57
const MIN_DIGITS = 7
const MAX_DIGITS = 10

/**
 * Returns the number of an id like `tt0111161` or `nm0000151` that starts at offset `start` and ends at a tab or at
 * offset `end`; -1 if there is no valid id. It reads bytes, because most lines of a dump are skipped without being
 * decoded to text.
 */
export function parseImdbIdAt(bytes: Uint8Array, start: number, end: number): number {
  let id = 0
  let position = start + 2
  for (; position < end; position++) {
    const byte = bytes[position] as number
    if (byte === TAB_CODE) break
    if (byte < ZERO_CODE || byte > NINE_CODE) return -1
    id = id * 10 + byte - ZERO_CODE
  }
  const digitCount = position - start - 2
  if (digitCount < MIN_DIGITS || digitCount > MAX_DIGITS) return -1
  const [first, second] = [bytes[start], bytes[start + 1]]
  const isTitle = first === 0x74 && second === 0x74
  const isName = first === 0x6e && second === 0x6d
  return isTitle || isName ? id : -1
}

/** Returns the number of an id; -1 if the text is not a valid id. */
export function parseImdbId(text: string): number {
  return /^(tt|nm)\d{7,10}$/.test(text) ? Number(text.slice(2)) : -1
}

export const formatImdbTitleId = (id: number): string => `tt${String(id).padStart(MIN_DIGITS, '0')}`
export const formatImdbNameId = (id: number): string => `nm${String(id).padStart(MIN_DIGITS, '0')}`

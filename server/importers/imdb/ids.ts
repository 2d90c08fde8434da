/** Converts IMDb ids to numbers and back. */

const TAB_CODE = 9
const ZERO_CODE = 48
const NINE_CODE = 57
const MIN_DIGIT_COUNT = 7
const MAX_DIGIT_COUNT = 10

/**
 * Parses an id such as `tt0111161` or `nm0000151`, which starts at offset `startOffset` and ends at a tab or at offset
 * `endOffset`. Returns the number of the id; -1 if there is no valid id. Reads bytes, because most lines of a dump are
 * skipped without being decoded to text.
 */
export function parseImdbIdAt(bytes: Uint8Array, startOffset: number, endOffset: number): number {
  let idNumber = 0
  let offset = startOffset + 2
  for (; offset < endOffset; offset++) {
    const byte = bytes[offset] as number
    if (byte === TAB_CODE) break
    if (byte < ZERO_CODE || byte > NINE_CODE) return -1
    idNumber = idNumber * 10 + byte - ZERO_CODE
  }
  const digitCount = offset - startOffset - 2
  if (digitCount < MIN_DIGIT_COUNT || digitCount > MAX_DIGIT_COUNT) return -1
  const [firstByte, secondByte] = [bytes[startOffset], bytes[startOffset + 1]]
  const isTitleId = firstByte === 0x74 && secondByte === 0x74
  const isNameId = firstByte === 0x6e && secondByte === 0x6d
  return isTitleId || isNameId ? idNumber : -1
}

/** Returns the number of an id; -1 if the text is not a valid id. */
export function parseImdbId(text: string): number {
  return /^(tt|nm)\d{7,10}$/.test(text) ? Number(text.slice(2)) : -1
}

export const formatImdbTitleId = (id: number): string => `tt${String(id).padStart(MIN_DIGIT_COUNT, '0')}`
export const formatImdbNameId = (id: number): string => `nm${String(id).padStart(MIN_DIGIT_COUNT, '0')}`

import { toAsciiDigits } from './fold-letters.ts'

/** Returns the whole number in a typed text, which may have digits of any script; null for any other text. */
export function parseWholeNumber(typedText: string): number | null {
  const asciiText = toAsciiDigits(typedText.trim())
  return /^\d{1,15}$/.test(asciiText) ? Number(asciiText) : null
}

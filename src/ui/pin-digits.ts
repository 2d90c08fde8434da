/** The digits of a PIN by position. An empty string is a digit that was not entered. */
export type PinDigits = readonly string[]

export const EMPTY_PIN: PinDigits = ['', '', '', '']

/**
 * Returns the PIN with the digits of `text` from the position `startIndex` on. Arabic and Persian digits become Western
 * digits. Other characters, and digits after the last position, are ignored. If nothing is inserted, returns the same
 * array.
 */
export function insertPinDigits(pinDigits: PinDigits, text: string, startIndex: number): PinDigits {
  if (startIndex < 0) return pinDigits
  const insertedDigits = [...toWesternDigits(text)].slice(0, Math.max(0, pinDigits.length - startIndex))
  return insertedDigits.length > 0
    ? pinDigits.toSpliced(startIndex, insertedDigits.length, ...insertedDigits)
    : pinDigits
}

/** Returns the Western, Arabic and Persian digits of a text as Western digits, without the other characters. */
function toWesternDigits(text: string): string {
  return text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/\D/g, '')
}

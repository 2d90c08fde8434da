/** The code that signs in another device, such as a television (RFC 8628, section 6.1). */
import { normaliseTypedCode } from './fold-letters.ts'

/** These letters are hard to confuse when they are read from a screen. Without vowels, a code never spells a word. */
export const USER_CODE_ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
export const USER_CODE_LENGTH = 8

/**
 * After the approval, the device has at least this time to poll, even if the code expires earlier. When the user
 * approves the code, the phone shows that the device is signed in. A poll may fail, so a later poll must still succeed.
 * The device therefore polls for this time beyond the expiry.
 */
export const DEVICE_APPROVAL_LIFETIME_MS = 60_000

/**
 * Characters that are not in the alphabet, and the letter that they look like: letters of Cyrillic and Greek keyboards,
 * and digits and letters that readers confuse. Each of them looks like only one letter of the alphabet.
 */
const LETTERS_BY_LOOKALIKE: Readonly<Record<string, string>> = {
  ...{ '2': 'Z', '5': 'S', '8': 'B', U: 'V' },
  ...{ В: 'B', Ѕ: 'S', Ј: 'J', К: 'K', М: 'M', Н: 'H', Р: 'P', С: 'C', Т: 'T', Х: 'X' },
  ...{ Β: 'B', Ζ: 'Z', Η: 'H', Κ: 'K', Μ: 'M', Ν: 'N', Ρ: 'P', Τ: 'T', Χ: 'X' },
}

/**
 * Returns the code that a user has typed, possibly with spaces, separators, lower-case letters and look-alike
 * characters; null for any other text.
 */
export function parseUserCode(typedCode: string): string | null {
  const userCode = normaliseTypedCode(typedCode).replace(/./gu, (char) => LETTERS_BY_LOOKALIKE[char] ?? char)
  return new RegExp(`^[${USER_CODE_ALPHABET}]{${USER_CODE_LENGTH}}$`).test(userCode) ? userCode : null
}

/** Returns a code in two groups, which are easier to read and type: `WDJB-MJHT`. */
export const formatUserCode = (userCode: string): string => `${userCode.slice(0, 4)}-${userCode.slice(4)}`

/**
 * The code that signs in another device, such as a television: eight letters that are not confused with others when they are
 * read from a screen (RFC 8628, section 6.1). Without vowels, a code never spells a word.
 */
export const USER_CODE_ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
export const USER_CODE_LENGTH = 8

/** Returns the code in a typed text, which may contain spaces, hyphens and small letters; null when there is none. */
export function parseUserCode(text: string): string | null {
  const code = text.toUpperCase().replace(/[\s\p{Pd}]/gu, '')
  return new RegExp(`^[${USER_CODE_ALPHABET}]{${USER_CODE_LENGTH}}$`).test(code) ? code : null
}

/** Returns a code in two groups, as people read and type it: `WDJB-MJHT`. */
export const formatUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

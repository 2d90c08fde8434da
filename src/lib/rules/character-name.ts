/** Names of characters in the format of cast lists, such as `Woody (voice) / Narrator`. */

/** Roles that are not characters, as cast lists write them in English. */
const NON_CHARACTER_PATTERN =
  /^(self|himself|herself|themselves|(various|additional) (voices|characters)|voices?|narrator|narrated by|presenter|host|announcer|contestant|uncredited|various)\b/i
const MAX_CHARACTER_NAME_LENGTH = 30

/**
 * Returns the first name in a credit. Returns null if it does not name a character, is longer than
 * MAX_CHARACTER_NAME_LENGTH, or contains a digit or `#`.
 */
export function parseCharacterName(credit: string): string | null {
  const [firstRole = ''] = credit.split(' / ')
  const characterName = firstRole.replace(/\s*[([].*$/u, '').trim()
  const isValidName =
    /^\p{L}/u.test(characterName) &&
    !/[#\d]/u.test(characterName) &&
    characterName.length <= MAX_CHARACTER_NAME_LENGTH
  return isValidName && !NON_CHARACTER_PATTERN.test(characterName) ? characterName : null
}

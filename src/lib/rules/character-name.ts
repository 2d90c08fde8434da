/** Names of characters in the format of cast lists, such as `Woody (voice) / Narrator`. */

/** Roles that are not characters, as cast lists write them in English. */
const NON_CHARACTER_PATTERN =
  /^(self|himself|herself|themselves|(various|additional) (voices|characters)|voices?|narrator|narrated by|presenter|host|announcer|contestant|uncredited|various)\b/i
const MAX_CHARACTER_NAME_LENGTH = 30

/**
 * Returns the name of the first role in a credit, without text in brackets. Returns null if the role is not a
 * character. Also returns null if the name is longer than MAX_CHARACTER_NAME_LENGTH, does not start with a letter, or
 * contains a digit or `#`.
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

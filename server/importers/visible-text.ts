/** Cleans texts of catalogue sources: removes characters that the database cannot store or a page cannot show. */

/** Control characters, except for tab and line breaks. PostgreSQL cannot store NUL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
const CONTROL_CHARACTERS_PATTERN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g
const VISIBLE_CHARACTER_PATTERN = /[^\s\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/u

/** Returns the text without control characters. A lone surrogate is replaced with U+FFFD. */
export const removeControlCharacters = (text: string): string =>
  text.replace(CONTROL_CHARACTERS_PATTERN, '').toWellFormed()

/** False for a text that consists only of spaces, directional marks and other characters that show nothing. */
export const hasVisibleCharacter = (text: string): boolean => VISIBLE_CHARACTER_PATTERN.test(text)

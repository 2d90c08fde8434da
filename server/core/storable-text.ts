/**
 * Returns at most `maxLength` UTF-16 code units of an untrusted text, with spaces in place of control characters and
 * U+FFFD in place of lone surrogates. PostgreSQL cannot store NUL, UTF-8 cannot encode lone surrogates, and a page
 * shows the text on one line.
 */
export const toStorableText = (text: string, maxLength: number): string =>
  text
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, maxLength)
    // The limit may be in the middle of a character of two UTF-16 code units.
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed()

/** Returns a pattern for `like ? escape '\'` that finds the text anywhere, with wildcards as ordinary characters. */
export function containsPattern(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, (wildcard) => `\\${wildcard}`)}%`
}

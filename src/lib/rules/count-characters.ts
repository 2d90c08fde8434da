/** Returns the number of code points of a text. A lone surrogate counts as one. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _character of text) count += 1
  return count
}

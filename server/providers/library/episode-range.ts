/** Ranges of episode numbers, for files with several episodes. */

/** Maximum number of episodes in a file. A larger range means that a number was misread. */
const MAX_EPISODES_PER_FILE = 30

/**
 * Returns the episodes of "03-04". If the second number is not one or two higher than the first, it belongs to the
 * title and is ignored.
 */
export function expandPlainRange(firstText: string, lastText: string | undefined): number[] {
  const first = Number(firstText)
  const count = lastText === undefined ? 1 : Number(lastText) - first + 1
  return count === 2 || count === 3 ? expandEpisodeRange(first, String(lastText)) : [first]
}

/**
 * Returns the episodes from `firstNumber` to the highest number in `rangeText`, such as `-E03`, `E02E03` or `-03`.
 * Returns only `firstNumber` if these are more than MAX_EPISODES_PER_FILE.
 */
export function expandEpisodeRange(firstNumber: number, rangeText: string): number[] {
  const rangeNumbers = [...rangeText.matchAll(/(?<![s\d])(\d{1,4})(?!x|\d)/gi)].map((match) =>
    Number(match[1]),
  )
  const lastNumber = Math.max(firstNumber, ...rangeNumbers)
  if (lastNumber - firstNumber >= MAX_EPISODES_PER_FILE) return [firstNumber]
  return Array.from({ length: lastNumber - firstNumber + 1 }, (_, index) => firstNumber + index)
}

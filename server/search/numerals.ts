/** Numerals: "ii", "2" and "two" are indexed and searched as "2"; "third" and "3rd" as "3th". */

const romanNumerals = [
  'ii',
  'iii',
  'iv',
  'vi',
  'vii',
  'viii',
  'ix',
  'xi',
  'xii',
  'xiii',
  'xiv',
  'xv',
  'xvi',
  'xvii',
  'xviii',
  'xix',
  'xx',
  'xxi',
  'xxii',
  'xxiii',
  'xxiv',
  'xxv',
  'xxx',
]
const romanValues = [2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 30]
const cardinalWords =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
const ordinalWords =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth'

const numberByWord = new Map<string, string>([
  ...romanNumerals.map((word, i) => [word, String(romanValues[i])] as const),
  ...cardinalWords.split(' ').map((word, i) => [word, String(i)] as const),
  ...ordinalWords.split(' ').map((word, i) => [word, `${i}th`] as const),
])
const LAST_DIGIT_CODE = '9'.charCodeAt(0)
const singleLetterNumerals: Record<string, string> = { i: '1', v: '5', x: '10' }
const numberedPartWord =
  /^(part|episode|chapter|volume|vol|season|act|teil|partie|parte|saison|temporada|stagione)$/

/** Words that users often omit before the number of a sequel: "Godfather 2" means "The Godfather Part II". */
const omittablePartWords = new Set('part chapter volume vol teil partie parte chapitre الجزء'.split(' '))

/** True for a word such as "part" that is followed by a number and does not begin the name. */
export const isOmittablePartWord = (words: readonly string[], wordIndex: number): boolean =>
  wordIndex > 0 &&
  omittablePartWords.has(words[wordIndex] ?? '') &&
  (/^\d+$/.test(words[wordIndex + 1] ?? '') || parseNumeral(words, wordIndex + 1) !== undefined)

/**
 * Returns the number that a word stands for ("iii" -> "3", "third" -> "3th", "3rd" -> "3th"), or undefined. A
 * one-letter Roman numeral counts only after a word such as "part", or as the last of several words ("Rocky V").
 */
export function parseNumeral(words: readonly string[], wordIndex: number): string | undefined {
  const word = words[wordIndex] ?? ''
  const number = numberByWord.get(word)
  if (number !== undefined) return number
  if (word.charCodeAt(0) <= LAST_DIGIT_CODE) {
    const ordinal = /^(\d+)(st|nd|rd|th)$/.exec(word)
    if (ordinal) return `${ordinal[1]}th`
    if (/^0+\d+$/.test(word)) return word.replace(/^0+(?=\d)/, '')
  }
  if (word.length > 1) return undefined
  const numeral = singleLetterNumerals[word]
  if (numeral === undefined || wordIndex === 0) return undefined
  return wordIndex === words.length - 1 || numberedPartWord.test(words[wordIndex - 1] ?? '')
    ? numeral
    : undefined
}

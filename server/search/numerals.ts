/** Numerals: "ii", "2", "two" and "2nd" are one number at search time. Pure. */

const roman = [
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
const cardinals =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
const ordinals =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth'

const numbers = new Map<string, string>([
  ...roman.map((word, i) => [word, String(romanValues[i])] as const),
  ...cardinals.split(' ').map((word, i) => [word, String(i)] as const),
  ...ordinals.split(' ').map((word, i) => [word, `${i}th`] as const),
])
const single: Record<string, string> = { i: '1', v: '5', x: '10' }
const announces = /^(part|episode|chapter|volume|vol|season|act|teil|partie|parte|saison|temporada|stagione)$/

/**
 * The number a word stands for ("iii" -> "3", "third" -> "3th", "3rd" -> "3th"), or undefined.
 * One-letter numerals count only after a word such as "part", or as the last of several words ("Rocky V").
 */
export function numberOf(words: readonly string[], at: number): string | undefined {
  const word = words[at] ?? ''
  const known = numbers.get(word)
  if (known !== undefined) return known
  const ordinal = /^(\d+)(st|nd|rd|th)$/.exec(word)
  if (ordinal) return `${ordinal[1]}th`
  if (/^0+\d+$/.test(word)) return word.replace(/^0+(?=\d)/, '')
  const one = single[word]
  if (one === undefined || at === 0) return undefined
  return at === words.length - 1 || announces.test(words[at - 1] ?? '') ? one : undefined
}

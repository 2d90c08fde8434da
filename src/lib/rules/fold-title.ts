/** Titles made comparable: the same film is written in many ways, and two films seldom in the same one. */

/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ة: 'ه',
  ى: 'ي',
  ـ: '',
}
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu')
const ARTICLES = new Set(
  'the a an le la les l un une el los las una il lo gli der die das ein eine de het een o os'.split(' '),
)
/** What the same word is written as elsewhere. */
const SPELLINGS: Readonly<Record<string, string>> = Object.fromEntries([
  ['vol', 'volume'],
  ['pt', 'part'],
  ...'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, i) => [word, `${i}`]),
])
const ROMAN = /^(?=[ivx])(x{0,3})(ix|iv|v?i{0,3})$/
const VALUES: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 }

/**
 * Case, accents, punctuation, `&`, numerals in words or Roman, and a leading article are levelled; what is left is words with one space
 * between. A title of signs only (`…`) stays what it is. Never empty for a title that is not.
 */
export function foldTitle(title: string): string {
  const words = plainWords(title)
  const [first = ''] = words
  const kept = words.length > 1 && ARTICLES.has(first) ? words.slice(1) : words
  return kept.map((word) => SPELLINGS[word] ?? word).join(' ') || title.trim().toLowerCase()
}

/** The same with its article and words: tells `The Fly` from `Fly`, `Ocean's Eleven` from `Ocean's 11`. */
export function plainTitle(title: string): string {
  return plainWords(title).join(' ') || title.trim().toLowerCase()
}

/** The same titles are compared over and over while a history is read. */
const KEPT = 5_000
const kept = new Map<string, readonly string[]>()

function plainWords(title: string): readonly string[] {
  const before = kept.get(title)
  if (before) return before
  if (kept.size >= KEPT) kept.clear()
  const words = wordsOf(title)
  kept.set(title, words)
  return words
}

function wordsOf(title: string): string[] {
  const letters = title
    .toLowerCase()
    .replace(/[²³]/g, ' $&')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? letter)
    .replace(/&/g, ' and ')
    .replace(/\b([ldms])['’](?=\p{L}{2})/gu, '$1 ')
    .replace(/['’`´ʻ]/g, '')
  const words = letters.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word, i) => {
    // A single letter is a number only where one stands: V for Vendetta, but Rocky V.
    const place = word.length > 1 || (i > 0 && i === words.length - 1)
    return place && ROMAN.test(word) ? String(romanValue(word)) : word
  })
}

function romanValue(word: string): number {
  const values = [...word].map((sign) => VALUES[sign] ?? 0)
  return values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0)
}

/** `and` in other languages, where a translated list leaves the names in it: `Sam i Cat` is `Sam & Cat`. */
const AND = /(?<=\S\s)(?:et|e|i|y|und|en|og|och|ja|és|ve|dan|và|si|și|a|и|та|και)(?=\s\S)/giu

/**
 * The keys a title may be found under: as it is, without what stands in brackets at its end, without an `or ...`, with `and`
 * for what joins its words.
 */
export function titleKeys(title: string): string[] {
  const bare = title.replace(/\s*[([][^()[\]]*[)\]]\s*$/u, '')
  const short = bare.replace(/\s+(?:or|aka)$/iu, '')
  const joined = bare.replace(AND, 'and')
  return [...new Set([title, bare, short, joined].filter((one) => one.trim() !== '').map(foldTitle))]
}

/** How much two titles share, 0 to 1: words in common of words in all (Jaccard). */
export function likeness(a: string, b: string): number {
  const [left, right] = [new Set(plainWords(a)), new Set(plainWords(b))]
  const common = left.intersection(right).size
  return common === 0 ? 0 : common / (left.size + right.size - common)
}

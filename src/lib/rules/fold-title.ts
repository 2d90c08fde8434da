/** Normalises titles so that different spellings of the same title are equal. Used to match imported history. */
import { createLetterFolder, LATIN_LETTER_FOLDS, removeCombiningMarks } from './fold-letters.ts'

const foldLetters = createLetterFolder({ ...LATIN_LETTER_FOLDS, ة: 'ه', ى: 'ي', ـ: '' })
const ARTICLES = new Set(
  'the a an le la les l un une el los las una il lo gli der die das ein eine de het een o os'.split(' '),
)
const EXPANSIONS_BY_ABBREVIATION: Readonly<Record<string, string>> = { vol: 'volume', pt: 'part' }
/** Canonical forms of abbreviations and number words. */
const CANONICAL_WORDS: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(EXPANSIONS_BY_ABBREVIATION),
  ...'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, i) => [word, `${i}`]),
])
const ROMAN_NUMERAL_PATTERN = /^(?=[ivx])(x{0,3})(ix|iv|v?i{0,3})$/
const ROMAN_DIGIT_VALUES: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 }

/**
 * Normalises case, accents, punctuation, `&`, abbreviations, number words and Roman numerals, and removes a leading
 * article. The result consists of words separated by single spaces. A title without letters and digits (`…`) is only
 * trimmed and lowercased. The result is empty only for a blank title.
 */
export function foldTitle(title: string): string {
  const words = getNormalisedWords(title)
  const [firstWord = ''] = words
  const wordsWithoutArticle = words.length > 1 && ARTICLES.has(firstWord) ? words.slice(1) : words
  return (
    wordsWithoutArticle.map((word) => CANONICAL_WORDS[word] ?? word).join(' ') || title.trim().toLowerCase()
  )
}

/**
 * Like `foldTitle`, but keeps the article, number words and abbreviations. So `The Fly` differs from `Fly`, and
 * `Ocean's Eleven` from `Ocean's 11`.
 */
export function foldFullTitle(title: string): string {
  return getNormalisedWords(title).join(' ') || title.trim().toLowerCase()
}

/**
 * Normalises only case, accents, punctuation, `&` and the abbreviations of `volume` and `part`. So `III` differs from
 * `3`. Keeps symbols, so that `3%` differs from `3`.
 */
export function foldExactTitle(title: string): string {
  const words = getFoldedWords(title).map((word) => EXPANSIONS_BY_ABBREVIATION[word] ?? word)
  const symbols = title.match(/[%+#$@]/gu) ?? []
  return [...words, ...symbols].join(' ') || title.trim().toLowerCase()
}

/** The words of titles are cached, because an import compares the same titles many times. A full cache is cleared. */
const MAX_CACHED_TITLES = 5_000
const wordsByTitle = new Map<string, readonly string[]>()

function getFoldedWords(title: string): readonly string[] {
  const cachedWords = wordsByTitle.get(title)
  if (cachedWords) return cachedWords
  if (wordsByTitle.size >= MAX_CACHED_TITLES) wordsByTitle.clear()
  const words = splitIntoFoldedWords(title)
  wordsByTitle.set(title, words)
  return words
}

/** Returns the words of a title, with Roman numerals converted to digits. */
function getNormalisedWords(title: string): readonly string[] {
  return getFoldedWords(title).map((word, i, words) => {
    // A single letter is a numeral only at the end: `Rocky V`, but not `V for Vendetta`.
    const canBeNumeral = word.length > 1 || (i > 0 && i === words.length - 1)
    return canBeNumeral && ROMAN_NUMERAL_PATTERN.test(word) ? String(parseRomanNumeral(word)) : word
  })
}

function splitIntoFoldedWords(title: string): readonly string[] {
  const textWithoutMarks = removeCombiningMarks(title.toLowerCase().replace(/[²³]/g, ' $&'))
  const normalisedText = foldLetters(textWithoutMarks)
    .replace(/&/g, ' and ')
    .replace(/\b([ldms])['’](?=\p{L}{2})/gu, '$1 ')
    .replace(/['’`´ʻ]/g, '')
  return normalisedText.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Returns the value of a Roman numeral in the lower-case letters i, v and x. Any other letter counts as 0. */
export function parseRomanNumeral(word: string): number {
  const digitValues = [...word].map((digit) => ROMAN_DIGIT_VALUES[digit] ?? 0)
  return digitValues.reduce((sum, value, i) => sum + (value < (digitValues[i + 1] ?? 0) ? -value : value), 0)
}

/**
 * The word `and` in other languages. Exported histories may translate only this word of a title: `Sam i Cat` for
 * `Sam & Cat`.
 */
const TRANSLATED_AND_PATTERN =
  /(?<=\S\s)(?:et|e|i|y|und|en|og|och|ja|és|ve|dan|và|si|și|a|и|та|και)(?=\s\S)/giu

/** Returns the title with `and` in place of the translated word. */
export const replaceTranslatedAnd = (title: string) => title.replace(TRANSLATED_AND_PATTERN, 'and')

/** Returns the title without a bracketed suffix. */
export const removeBracketedSuffix = (title: string) => title.replace(/\s*[([][^()[\]]*[)\]]\s*$/u, '')

/**
 * Returns the year in brackets at the end of a title, such as `Hunter X Hunter (2011)`; undefined when there is none.
 */
export function getTitleYear(title: string): number | undefined {
  const year = Number(/\S\s*\(((?:19|20)\d\d)\)\s*$/u.exec(title)?.[1])
  return year > 0 ? year : undefined
}

/**
 * Returns the normalised forms under which a title may be found. They are the whole title, the title without a
 * bracketed suffix, and two variants of the title without the suffix. One variant has no trailing `or` or `aka`. The
 * other has `and` in place of the translated word.
 */
export function getTitleLookupKeys(title: string): string[] {
  const titleWithoutBrackets = removeBracketedSuffix(title)
  const titleWithoutAlias = titleWithoutBrackets.replace(/\s+(?:or|aka)$/iu, '')
  const titleWithAnd = replaceTranslatedAnd(titleWithoutBrackets)
  return [
    ...new Set(
      [title, titleWithoutBrackets, titleWithoutAlias, titleWithAnd]
        .filter((titleForm) => titleForm.trim() !== '')
        .map(foldTitle),
    ),
  ]
}

/** Returns the Jaccard similarity of the words of two titles, from 0 to 1. */
export function getTitleSimilarity(firstTitle: string, secondTitle: string): number {
  const [firstWords, secondWords] = [
    new Set(getNormalisedWords(firstTitle)),
    new Set(getNormalisedWords(secondTitle)),
  ]
  const commonWordCount = firstWords.intersection(secondWords).size
  return commonWordCount === 0 ? 0 : commonWordCount / (firstWords.size + secondWords.size - commonWordCount)
}

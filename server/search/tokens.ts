/**
 * Splits names and queries into words, index tokens and name keys. The ranking compares words. The index
 * stores tokens. A key is a whole name without spaces, so that "spiderman", "spider man" and "Spider-Man"
 * have equal keys.
 */
import { foldText } from './fold.ts'
import { isOmittablePartWord, parseNumeral } from './numerals.ts'

export type TokenisedText = {
  readonly words: readonly string[]
  /**
   * Additional tokens: the parts of a word with an apostrophe (`o`, `brien`), the joined parts of a hyphenated word
   * (`spiderman`), symbols, acronyms, and the character pairs of unspaced scripts.
   */
  readonly extraWords: readonly string[]
}

const wordRunPattern = /[\p{L}\p{N}\p{M}]+/gu
// Text in a script without spaces is indexed as overlapping character pairs.
const unspacedScriptPattern =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc\u3005]+/gu
/** Lowest character code in `unspacedScriptPattern`: the start of the Thai block. */
const FIRST_UNSPACED_CODE = 0xe00
/** Folded words that need no splitting: Latin, Greek, Cyrillic, Arabic and Korean letters, and digits. */
const simpleWordPattern = /^[a-z0-9\u03b1-\u03c9\u0430-\u045f\u0621-\u063a\u0641-\u064a\uac00-\ud7a3]+$/
const symbolPattern = /[^\p{L}\p{N}\p{M}\s.,:;\-'()/&\u2010-\u2015\u2026\u00b7\u3001\u3002\u30fb]/gu
const articles = new Set(
  'the a an le la les l el los las il lo gli der die das un une una uno um uma o os as'.split(' '),
)
const arabicWordPattern = /^[\u0620-\u06ff]+$/
const FIRST_ARABIC_CODE = 0x620
export const maxQueryWords = 24
const MAX_WORDS_PER_TEXT = 60

/**
 * Returns the token of a symbol. It contains only `§`, ASCII letters and digits, so the index tokenizer does not
 * split it.
 */
const toSymbolToken = (symbol: string) => `§${symbol.codePointAt(0)?.toString(16)}`

/** Returns the token of a name written with dots. It distinguishes "E.T." from the common word "et". */
export const toAcronymToken = (letters: string) => `§i${letters}`

export const toWordToken = (word: string) => word.replace(/[+#]/g, toSymbolToken)

/**
 * Maximum number of cached split texts. The names of a title are split several times, and titles share people and
 * genres.
 */
const MAX_CACHED_SPLITS = 2_000
/** Texts longer than this are not cached, so that the cache stays small. */
const MAX_CACHED_TEXT_LENGTH = 100
const splitCache = new Map<string, TokenisedText>()

/**
 * Splits a name or a query. A separate `&` or `+` becomes the word "and". Other text without letters and digits has
 * only symbol tokens.
 */
export function splitWords(text: string): TokenisedText {
  if (text.length > MAX_CACHED_TEXT_LENGTH) return splitFoldedText(foldText(text))
  const cachedWords = splitCache.get(text)
  if (cachedWords) return cachedWords
  if (splitCache.size >= MAX_CACHED_SPLITS) splitCache.clear()
  const tokenisedText = splitFoldedText(foldText(text))
  splitCache.set(text, tokenisedText)
  return tokenisedText
}

function splitFoldedText(foldedText: string): TokenisedText {
  const words: string[] = []
  const extraWords: string[] = []
  for (const chunk of foldedText.split(' ')) {
    if (simpleWordPattern.test(chunk)) words.push(chunk)
    else splitChunk(chunk, words, extraWords)
  }
  const foundSymbols = foldedText.match(symbolPattern)
  if (foundSymbols) extraWords.push(...[...new Set(foundSymbols)].map(toSymbolToken))
  return { words: words.length > MAX_WORDS_PER_TEXT ? words.slice(0, MAX_WORDS_PER_TEXT) : words, extraWords }
}

function splitChunk(chunk: string, words: string[], extraWords: string[]): void {
  if (chunk === '&' || chunk === '+') {
    words.push('and')
    return
  }
  const matches = [...chunk.matchAll(wordRunPattern)]
  const wordParts = matches.map((match) => match[0])
  const separators = matches
    .slice(1)
    .map((match, index) =>
      chunk.slice((matches[index]?.index ?? 0) + (wordParts[index]?.length ?? 0), match.index),
    )
  const isAcronym = wordParts.length > 1 && wordParts.every((wordPart) => wordPart.length === 1)
  let word = wordParts[0] ?? ''
  wordParts.slice(1).forEach((wordPart, index) => {
    const separator = separators[index] ?? ''
    if (isAcronym || separator === "'" || (separator === ',' && /^\d+$/.test(word + wordPart))) {
      extraWords.push(wordParts[index] ?? '', wordPart)
      word += wordPart
    } else {
      pushWord(word, words, extraWords)
      if (separator === '&') words.push('and')
      word = wordPart
    }
  })
  // "C++" and "C#" are words. The query "c" also finds them.
  const symbolSuffix = /[\p{L}\p{N}]([+#]{1,3})$/u.exec(chunk)?.[1] ?? ''
  if (symbolSuffix !== '') extraWords.push(word)
  if (word !== '') pushWord(word + symbolSuffix, words, extraWords)
  if (wordParts.length > 1 && wordParts.join('').length <= 24) extraWords.push(wordParts.join(''))
  if (isAcronym && chunk.includes('.')) extraWords.push(toAcronymToken(wordParts.join('')))
}

function pushWord(word: string, words: string[], extraWords: string[]): void {
  let restStart = 0
  for (const unspacedMatch of word.matchAll(unspacedScriptPattern)) {
    if (unspacedMatch.index > restStart) words.push(word.slice(restStart, unspacedMatch.index))
    words.push(unspacedMatch[0])
    extraWords.push(...toCharPairs(unspacedMatch[0]))
    restStart = unspacedMatch.index + unspacedMatch[0].length
  }
  if (restStart < word.length) words.push(word.slice(restStart))
}

/** Returns the overlapping character pairs of a text in an unspaced script, and its last character. */
export function toCharPairs(text: string): string[] {
  const characters = [...text]
  return characters.map((character, index) => character + (characters[index + 1] ?? ''))
}

export const isUnspacedScript = (word: string) =>
  word.charCodeAt(0) >= FIRST_UNSPACED_CODE && word.search(unspacedScriptPattern) === 0

/** Returns other indexed forms of a word: its number, and its form without the Arabic article. */
export function getWordVariants(words: readonly string[], wordIndex: number): string[] {
  const word = words[wordIndex] ?? ''
  const number = parseNumeral(words, wordIndex)
  const wordWithoutArticle = removeArabicArticle(word)
  return [
    ...(number === undefined ? [] : [number]),
    ...(wordWithoutArticle === word ? [] : [wordWithoutArticle]),
  ]
}

/**
 * Removes the Arabic article ("الفيل" -> "فيل"), also after a prefix of one letter that means, for example, "and" or
 * "with".
 */
function removeArabicArticle(word: string): string {
  if (word.charCodeAt(0) < FIRST_ARABIC_CODE || !arabicWordPattern.test(word)) return word
  const wordWithoutArticle = word.replace(/^[وبكف]?ال(?=..)/, '')
  return wordWithoutArticle
}

/**
 * Returns the words in the form in which names are compared. Numerals become digits, "part" before a number
 * is omitted, and Arabic words lose their article.
 */
export function normaliseWords(words: readonly string[]): string[] {
  return words.flatMap((word, index) =>
    isOmittablePartWord(words, index) ? [] : (parseNumeral(words, index) ?? removeArabicArticle(word)),
  )
}

/**
 * Returns two keys of a name. `fullNameKey` contains all normalised words. `bareNameKey` omits "and", and articles that
 * are not the last word.
 */
export function createNameKeys(
  words: readonly string[],
  normalisedWords: readonly string[] = normaliseWords(words),
): { fullNameKey: string; bareNameKey: string } {
  const bareWords = normalisedWords.filter(
    (word, index) => !(articles.has(word) && index < normalisedWords.length - 1) && word !== 'and',
  )
  return { fullNameKey: normalisedWords.join('').slice(0, 80), bareNameKey: bareWords.join('').slice(0, 80) }
}

/** Returns every token under which a name is indexed. */
export function createNameTokens(tokenisedName: TokenisedText): Set<string> {
  const tokens = new Set<string>(tokenisedName.extraWords)
  tokenisedName.words.forEach((word, index) => {
    if (!isUnspacedScript(word)) tokens.add(toWordToken(word))
    for (const variant of getWordVariants(tokenisedName.words, index)) tokens.add(variant)
  })
  tokens.delete('')
  return tokens
}
/** True for an article and for "and", which people often omit from names. */
export const isArticle = (word: string) => articles.has(word) || word === 'and'

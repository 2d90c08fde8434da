/**
 * Names and queries as words, index tokens and keys. Pure.
 * A word is what is compared and shown to the ranking; a token is what the index holds; a key is a whole name
 * without spaces, so that "spiderman", "spider man" and "Spider-Man" meet.
 */
import { foldText } from './fold.ts'
import { numberOf } from './numerals.ts'

export type Words = {
  words: string[]
  /** More tokens under which the same words are found: joined parts, symbols, pairs of Han characters. */
  extra: string[]
}

const run = /[\p{L}\p{N}\p{M}]+/gu
// Scripts written without spaces: indexed as overlapping pairs.
const dense = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc\u3005]+/gu
const plain = /[\s.,:;\-'()/&\u2010-\u2015\u2026\u00b7\u3001\u3002\u30fb]/u
const articles = new Set(
  'the a an le la les l el los las il lo gli der die das un une una uno um uma o os as'.split(' '),
)
const arabicWord = /^[\u0620-\u06ff]+$/
export const maxWords = 24

/** One symbol as a token the index tokenizer keeps whole: letters only. */
const symbolToken = (c: string) => `§${c.codePointAt(0)?.toString(16)}`

export const wordToken = (word: string) => word.replace(/[+#]/g, symbolToken)

/** Splits a name or a query. Text without any letter or digit has no words, only symbol tokens. */
export function splitWords(text: string): Words {
  const folded = foldText(text)
  const words: string[] = []
  const extra: string[] = []
  for (const chunk of folded.split(' ')) splitChunk(chunk, words, extra)
  for (const c of new Set(folded))
    if (!plain.test(c) && !/[\p{L}\p{N}\p{M}]/u.test(c)) extra.push(symbolToken(c))
  return { words: words.slice(0, 60), extra }
}

function splitChunk(chunk: string, words: string[], extra: string[]): void {
  if (chunk === '&' || chunk === '+') {
    words.push('and')
    return
  }
  const runs = [...chunk.matchAll(run)]
  const texts = runs.map((r) => r[0])
  const between = runs
    .slice(1)
    .map((r, i) => chunk.slice((runs[i]?.index ?? 0) + (texts[i]?.length ?? 0), r.index))
  const acronym = texts.length > 1 && texts.every((t) => t.length === 1)
  let word = texts[0] ?? ''
  texts.slice(1).forEach((text, i) => {
    const glue = between[i] ?? ''
    if (acronym || glue === "'" || (glue === ',' && /^\d+$/.test(word + text))) {
      extra.push(texts[i] ?? '', text)
      word += text
    } else {
      pushWord(word, words, extra)
      if (glue === '&') words.push('and')
      word = text
    }
  })
  // "C++" and "C#" are words of their own, found as "c" too.
  const sharp = /[\p{L}\p{N}]([+#]{1,3})$/u.exec(chunk)?.[1] ?? ''
  if (sharp !== '') extra.push(word)
  if (word !== '') pushWord(word + sharp, words, extra)
  if (texts.length > 1 && texts.join('').length <= 24) extra.push(texts.join(''))
}

function pushWord(word: string, words: string[], extra: string[]): void {
  let rest = 0
  for (const part of word.matchAll(dense)) {
    if (part.index > rest) words.push(word.slice(rest, part.index))
    words.push(part[0])
    extra.push(...pairs(part[0]))
    rest = part.index + part[0].length
  }
  if (rest < word.length) words.push(word.slice(rest))
}

/** Overlapping pairs of a run in a script without spaces, and its last character. */
export function pairs(text: string): string[] {
  const chars = [...text]
  return chars.map((c, i) => c + (chars[i + 1] ?? ''))
}

export const isDense = (word: string) => word.search(dense) === 0

/** Other forms under which a word is indexed and looked up: its number, and Arabic without the article. */
export function variants(words: readonly string[], at: number): string[] {
  const word = words[at] ?? ''
  const number = numberOf(words, at)
  const bare = withoutAl(word)
  return [...(number === undefined ? [] : [number]), ...(bare === word ? [] : [bare])]
}

/** "الفيل" -> "فيل"; also after the one-letter "and", "with", "as". */
function withoutAl(word: string): string {
  if (!arabicWord.test(word)) return word
  const bare = word.replace(/^[وبكف]?ال(?=..)/, '')
  return bare
}

/** Words in the form in which two names are compared: numbers as digits, Arabic without articles. */
export function plainWords(words: readonly string[]): string[] {
  return words.map((word, at) => numberOf(words, at) ?? withoutAl(word))
}

/** The key of a whole name. `bare` also drops articles and "and" wherever they stand. */
export function keysOf(words: readonly string[]): { full: string; bare: string } {
  const plainOnes = plainWords(words)
  const bare = plainOnes.filter((w, i) => !(articles.has(w) && i < plainOnes.length - 1) && w !== 'and')
  return { full: plainOnes.join('').slice(0, 80), bare: bare.join('').slice(0, 80) }
}

/** Every token under which a name is indexed. */
export function indexTokens(split: Words): Set<string> {
  const tokens = new Set<string>(split.extra)
  split.words.forEach((word, at) => {
    if (!isDense(word)) tokens.add(wordToken(word))
    for (const variant of variants(split.words, at)) tokens.add(variant)
  })
  tokens.delete('')
  return tokens
}
export const isArticle = (word: string) => articles.has(word) || word === 'and'

/** What a viewer typed, taken apart once. Pure. */
import { castToken, foldName, yearToken } from './entry.ts'
import { romanise, skeleton } from './sound.ts'
import { isDense, keysOf, maxWords, pairs, splitWords, variants, wordToken } from './tokens.ts'
import type { Expression } from './types.ts'

export type Query = {
  words: string[]
  written: string
  plain: string
  keys: { full: string; bare: string }
  symbols: string[]
  /** The last word may still be growing. */
  open: boolean
  /** The word at this place looks like a year. */
  yearAt: number
  year: number
  /** Its consonants, and itself in Latin letters. */
  sound: string
  latin: string
}

const maxQueryLength = 200

export function parseQuery(q: string): Query {
  const text = q.slice(0, maxQueryLength).toWellFormed()
  const split = splitWords(text)
  const words = split.words.slice(0, maxWords)
  const { written, plain } = foldName(text)
  const yearAt = words.length > 1 ? words.findLastIndex((word) => /^(18[89]|19\d|20[0-4])\d$/.test(word)) : -1
  return {
    words,
    written,
    plain,
    keys: words.length > 0 ? keysOf(words) : { full: written.slice(0, 80), bare: '' },
    symbols: split.extra.filter((token) => token.startsWith('§')).slice(0, 8),
    open: words.length > 0 && /[\p{L}\p{N}\p{M}+#]$/u.test(text),
    yearAt,
    year: yearAt < 0 ? 0 : Number(words[yearAt]),
    sound: words.map(skeleton).join(' ').trim(),
    latin: words.map(romanise).join(' '),
  }
}

const token = (text: string, prefix = false): Expression => ({ token: text, prefix })
export const all = (parts: Expression[]): Expression => (parts.length === 1 ? parts[0]! : { all: parts })
export const any = (parts: Expression[]): Expression => (parts.length === 1 ? parts[0]! : { any: parts })

/** The ways in which the word at `at` may stand in the index as it was typed. */
export function literal(query: Query, at: number): Expression {
  const word = query.words[at] ?? ''
  const open = query.open && at === query.words.length - 1
  if (isDense(word)) {
    const parts = pairs(word)
    if (parts.length === 1) return token(word, true)
    return all(parts.slice(0, -1).map((part) => token(part)))
  }
  const ways = [
    token(wordToken(word), open),
    ...variants(query.words, at).map((v) => token(v, open && v.length > 2)),
  ]
  if (at === query.yearAt) ways.push(token(yearToken(word)))
  return any(ways)
}

/** The word at `at`, as typed or as part of the name of somebody in the cast. */
export function literalOrCast(query: Query, at: number): Expression {
  const open = query.open && at === query.words.length - 1
  return any([literal(query, at), token(castToken(query.words[at] ?? ''), open)])
}

/** The word at `at` written together with the next, or as two words of which `known` knows the longer. */
export function respaced(query: Query, at: number, known: (word: string) => boolean): Expression[] {
  const word = query.words[at] ?? ''
  const open = query.open && at === query.words.length - 1
  const ways: Expression[] = []
  for (let i = 1; i < word.length && word.length >= 4; i += 1) {
    const [left, right] = [word.slice(0, i), word.slice(i)]
    if ((left.length < 3 || known(left)) && (right.length < 3 || open || known(right))) {
      ways.push(all([token(left), token(right, open)]))
    }
  }
  return ways
}

/** All words, where one pair of neighbours is one word of the index: `pairWays` says under which tokens. */
export function joined(
  query: Query,
  group: (at: number) => Expression,
  pairWays: (pair: string, at: number) => Expression[],
): Expression[] {
  const ways: Expression[] = []
  for (let at = 0; at + 1 < query.words.length && at < 8; at += 1) {
    const pair = pairWays(`${query.words[at]}${query.words[at + 1]}`, at)
    if (pair.length === 0) continue
    const groups = query.words.flatMap((_, i) => (i === at || i === at + 1 ? [] : [group(i)]))
    ways.push(all([any(pair), ...groups]))
  }
  return ways
}

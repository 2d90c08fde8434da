/** How well a stored document answers a query. Pure. */
import { alignCost, type Tail, wordCost } from './edit.ts'
import type { Query } from './query.ts'
import { kindOf } from './slot.ts'
import { isLatin, romanise, skeleton } from './sound.ts'
import { isArticle } from './tokens.ts'
import type { Candidate, SearchName } from './types.ts'

export type Scored = {
  candidate: Candidate
  /** Weighted edits and leftovers; 0 is the name itself. */
  cost: number
  score: number
  /** Which of the stored names. */
  name: number
}

// Found on one half of the query sets, checked on the other (docs/search.md).
/** What a name may hold beside the words typed: little when they stand there as typed, more when they do not. */
const tail: Tail = { wordEnd: 0.1, inside: 0.14, perLetter: 0.002, later: 0.16, perPassed: 0.012 }
const closed: Tail = { ...tail, inside: 0.5 }
const strictTail: Tail = { wordEnd: 0.35, inside: 0.4, perLetter: 0.006, later: 0.4, perPassed: 0.012 }
const popularityWeight = 0.7
/** Costs below this are whole names, below `prefixCost` names that hold the typed words as they are. */
const wholeCost = 0.1
export const prefixCost = 0.48
const wholeBonus = 1
const prefixBonus = 0.3
/** At equal merit titles come before people. */
const actorCost = 0.15

/**
 * The dearest reading still shown beside one of cost `best`: about one edit in four letters, and not much worse than
 * the best there is.
 */
export function costLimit(query: Query, best: number): number {
  return Math.min(0.75 + 0.27 * query.written.length, 7, best < prefixCost ? 1.6 : best * 1.5 + 1.2)
}

/** Undefined when no name of the document costs `limit` or less. `top` is the highest popularity of its kind. */
export function scoreOf(query: Query, candidate: Candidate, top: number, limit: number): Scored | undefined {
  const { names, people } = foldsOf(candidate)
  let cost = Number.POSITIVE_INFINITY
  let name = 0
  for (const [at, one] of names.entries()) {
    const found = nameCost(query, one, people, candidate, Math.min(limit, cost))
    if (found < cost) [cost, name] = [found, at]
  }
  if (!(cost <= limit)) return undefined
  const popular = Math.log1p(candidate.popularity) / Math.log1p(Math.max(top, 1))
  const bonus = cost <= wholeCost ? wholeBonus : cost <= prefixCost ? prefixBonus : 0
  return {
    candidate,
    cost,
    name,
    score: bonus - cost - (kindOf(candidate.slot) === 'actor' ? actorCost : 0) + popularityWeight * popular,
  }
}

type Name = { written: string; plain: string }
type Folds = { names: Name[]; people: string[] }

/** Taken apart once: each letter typed judges many of the documents that the one before judged. */
const folds = new WeakMap<Candidate, Folds>()

function foldsOf(candidate: Candidate): Folds {
  const known = folds.get(candidate)
  if (known) return known
  const found: Folds = { names: [], people: [] }
  for (const line of candidate.folds.split('\n')) {
    if (line.startsWith('·')) found.people.push(line)
    else {
      const [written = '', plain = written] = line.split('\t')
      found.names.push({ written, plain })
    }
  }
  folds.set(candidate, found)
  return found
}

function nameCost(query: Query, name: Name, people: string[], candidate: Candidate, limit: number): number {
  let cost = textCost(query, query, name, limit)
  if (query.yearAt >= 0 && candidate.year !== null && Math.abs(candidate.year - query.year) <= 1) {
    const words = query.words.filter((_, at) => at !== query.yearAt)
    const rest = { words, written: words.join(' '), plain: words.join(' ') }
    const off = candidate.year === query.year ? 0.03 : 0.2
    cost = Math.min(cost, textCost(query, rest, name, limit - off) + off)
  }
  if (cost > 0.6 && query.words.length > 1) cost = Math.min(cost, bagCost(query, name.written, people, cost))
  if (cost > 0.9 && query.sound.length > 2)
    cost = Math.min(cost, soundCost(query, name.written, Math.min(cost, limit)))
  return cost
}

type Text = { words: string[]; written: string; plain: string }

function textCost(query: Query, text: Text, name: Name, limit: number): number {
  if (text.written === name.written) return 0
  if (text.plain === name.plain) return 0.02
  if (sameJoined(text.plain, name.plain) || sameJoined(text.written, name.written)) return 0.11
  if (text === query && query.keys.bare !== '' && isBare(query.keys.bare, name.plain)) return 0.12
  const cost = spelledCost(text, name, query.open ? tail : closed, limit)
  return cost < prefixCost || cost === Number.POSITIVE_INFINITY
    ? cost
    : Math.max(prefixCost + 0.01, spelledCost(text, name, strictTail, limit))
}

function spelledCost(text: Text, name: Name, tails: Tail, limit: number): number {
  const cost = alignCost(text.written, name.written, tails, limit)
  if (name.plain === name.written && text.plain === text.written) return cost
  return Math.min(cost, alignCost(text.plain, name.plain, tails, Math.min(cost, limit)) + 0.02)
}

/** Texts that end with other letters are not worth joining; most are. */
const endAlike = (one: string, other: string) => one.at(-1) === other.at(-1)
const sameJoined = (one: string, other: string) =>
  endAlike(one, other) && one.replaceAll(' ', '') === other.replaceAll(' ', '')
const isBare = (bare: string, plain: string) =>
  (endAlike(bare, plain) || plain.endsWith('and') || plain.length > 80) && bareOf(plain) === bare

function bareOf(plain: string): string {
  const words = plain.split(' ')
  return words
    .filter((w, i) => !(isArticle(w) && (w === 'and' || i < words.length - 1)))
    .join('')
    .slice(0, 80)
}

/** Words in any order, some of them perhaps the name of one of the cast, few of them nowhere. */
function bagCost(query: Query, written: string, people: string[], limit: number): number {
  let best = limit > 0.2 ? wordsCost(query, written, [], limit) : limit
  if (best <= 0.5) return best
  // Somebody in the cast is worth comparing only when a word typed begins like a word of the name.
  for (const line of people) {
    if (!query.words.some((word) => line.includes(word.slice(0, 3)))) continue
    best = Math.min(best, wordsCost(query, written, line.slice(1).split(' '), best))
  }
  return best
}

function wordsCost(query: Query, written: string, person: string[], limit: number): number {
  const words = written.split(' ')
  const used = new Set<number>()
  let total = person.length > 0 ? 0.5 : 0.2
  let missing = 0
  let last = -1
  for (const [at, typed] of query.words.entries()) {
    const open = query.open && at === query.words.length - 1
    const room = Math.min(0.2 + 0.34 * typed.length, limit - total)
    const single = nearest(typed, words, open, room)
    const own =
      single.cost > 0.3 ? (nearestPair(typed, words, open, Math.min(room, single.cost)) ?? single) : single
    const theirs = person.length > 0 ? nearest(typed, person, open, Math.min(room, own.cost)) : own
    if (theirs.cost < own.cost) total += theirs.cost
    else if (own.at >= 0) {
      total += own.cost + (own.at < last ? 0.12 : 0)
      used.add(own.at)
      if (own !== single) used.add(own.at + 1)
      last = own.at
    } else {
      missing += 1
      total += isArticle(typed) ? 0.25 : 0.6 + 0.3 * typed.length
    }
    if (total > limit || missing > 1 + query.words.length / 4) return Number.POSITIVE_INFINITY
  }
  for (const [i, word] of words.entries())
    if (!used.has(i)) total += isArticle(word) ? 0.01 : 0.06 + 0.006 * word.length
  return total
}

function nearest(typed: string, words: string[], open: boolean, limit: number): { at: number; cost: number } {
  const same = words.indexOf(typed)
  if (same >= 0) return { at: same, cost: 0 }
  const begun = open ? words.findIndex((word) => word.startsWith(typed)) : -1
  if (begun >= 0) return { at: begun, cost: 0.05 }
  let best = { at: -1, cost: Number.POSITIVE_INFINITY }
  for (const [at, word] of words.entries()) {
    const cost = wordCost(typed, word, open, Math.min(limit, best.cost)) + (open ? 0.05 : 0)
    if (cost < best.cost && cost <= limit + 0.05) best = { at, cost }
  }
  return best
}

/** Two words of the name typed as one. */
function nearestPair(typed: string, words: string[], open: boolean, limit: number) {
  const pairs = words.slice(1).map((word, i) => `${words[i]}${word}`)
  const found = nearest(typed, pairs, open, Math.min(limit - 0.2, 1))
  return found.at < 0 ? undefined : { at: found.at, cost: found.cost + 0.2 }
}

/** The consonants, and a little of the rest: across scripts, and for spellings by ear. */
function soundCost(query: Query, written: string, limit: number): number {
  const foreign = isLatin(query.written) !== isLatin(written)
  const base = foreign ? (isLatin(query.written) ? 1.2 : 0.6) : 0.95
  if (base >= limit) return Number.POSITIVE_INFINITY
  const sound = written.split(' ').map(skeleton).join(' ').trim()
  if (sound === '') return Number.POSITIVE_INFINITY
  const cost = base + 1.2 * alignCost(query.sound, sound, strictTail, (limit - base) / 1.2)
  if (!(cost < limit)) return Number.POSITIVE_INFINITY
  return (
    cost +
    0.3 * alignCost(query.latin, written.split(' ').map(romanise).join(' '), tail, (limit - cost) / 0.3)
  )
}

export const nameAt = (candidate: Candidate, at: number): string =>
  (JSON.parse(candidate.names) as SearchName[])[at]?.text ?? ''

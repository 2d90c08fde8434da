/** How well a stored document answers a query. Pure. */
import { alignCost, type Tail, wordCost } from './edit.ts'
import type { Query } from './query.ts'
import { isLatin, skeleton } from './sound.ts'
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
const tail: Tail = { wordEnd: 0.12, inside: 0.16, perLetter: 0.004, later: 0.16, perPassed: 0.012 }
const closed: Tail = { ...tail, inside: 0.5 }
const popularityWeight = 0.7
/** Costs below this are whole names, below `prefixCost` names that hold the typed words as they are. */
const wholeCost = 0.1
const prefixCost = 0.48
const wholeBonus = 1
const prefixBonus = 0.3

/** The dearest reading still shown: about one edit in four letters. */
export const costLimit = (query: Query) => 0.75 + 0.27 * query.written.length

/** Undefined when no name of the document comes near enough. `top` is the highest popularity of its kind. */
export function scoreOf(query: Query, candidate: Candidate, top: number): Scored | undefined {
  const lines = candidate.folds.split('\n')
  const people = lines.filter((line) => line.startsWith('·'))
  const limit = costLimit(query)
  let cost = Number.POSITIVE_INFINITY
  let name = 0
  for (let i = 0; i < lines.length - people.length; i += 1) {
    const [written = '', plain = written] = (lines[i] ?? '').split('\t')
    const found = nameCost(query, { written, plain }, people, candidate, Math.min(limit, cost))
    if (found < cost) [cost, name] = [found, i]
  }
  if (!(cost <= limit)) return undefined
  const popular = Math.log1p(candidate.popularity) / Math.log1p(Math.max(top, 1))
  const bonus = cost <= wholeCost ? wholeBonus : cost <= prefixCost ? prefixBonus : 0
  return { candidate, cost, name, score: bonus - cost + popularityWeight * popular }
}

type Name = { written: string; plain: string }

function nameCost(query: Query, name: Name, people: string[], candidate: Candidate, limit: number): number {
  let cost = textCost(query, query, name, limit)
  if (query.yearAt >= 0 && candidate.year !== null && Math.abs(candidate.year - query.year) <= 1) {
    const words = query.words.filter((_, at) => at !== query.yearAt)
    const rest = { words, written: words.join(' '), plain: words.join(' ') }
    const off = candidate.year === query.year ? 0.03 : 0.2
    cost = Math.min(cost, textCost(query, rest, name, limit - off) + off)
  }
  if (cost > 0.6 && query.words.length > 1) cost = Math.min(cost, bagCost(query, name.written, people, cost))
  if (cost > 0.9 && query.sound.length > 2) cost = Math.min(cost, soundCost(query, name.written, Math.min(cost, limit)))
  return cost
}

type Text = { words: string[]; written: string; plain: string }

function textCost(query: Query, text: Text, name: Name, limit: number): number {
  if (text.written === name.written) return 0
  if (text.plain === name.plain) return 0.02
  const compact = text.plain.replaceAll(' ', '')
  if (compact === name.plain.replaceAll(' ', '')) return 0.05
  if (text === query && query.keys.bare !== '' && bareOf(name.plain) === query.keys.bare) return 0.09
  const tails = query.open ? tail : closed
  let cost = alignCost(text.written, name.written, tails, limit)
  if (name.plain !== name.written || text.plain !== text.written) {
    cost = Math.min(cost, alignCost(text.plain, name.plain, tails, Math.min(cost, limit)) + 0.02)
  }
  // A whole name was typed, articles aside, but for these few edits: nothing is left over to pay for.
  return cost
}

function bareOf(plain: string): string {
  const words = plain.split(' ')
  return words.filter((w, i) => !(isArticle(w) && (w === 'and' || i < words.length - 1))).join('').slice(0, 80)
}

/** Words in any order, some of them perhaps in the cast, at most one of them nowhere. */
function bagCost(query: Query, written: string, people: string[], limit: number): number {
  const words = written.split(' ')
  const cast = people.flatMap((line) => line.slice(1).split(' '))
  const used = new Set<number>()
  let total = 0.2
  let missing = 0
  let last = -1
  for (const [at, typed] of query.words.entries()) {
    const open = query.open && at === query.words.length - 1
    const room = Math.min(0.2 + 0.34 * typed.length, limit - total)
    const own = nearest(typed, words, open, room)
    const theirs = own.cost > 0.3 && cast.length > 0 ? nearest(typed, cast, open, Math.min(room, own.cost)) : undefined
    if (theirs && theirs.cost + 0.05 < own.cost) total += theirs.cost + 0.05
    else if (own.at >= 0) {
      total += own.cost + (own.at < last ? 0.12 : 0)
      used.add(own.at)
      last = own.at
    } else {
      missing += 1
      total += isArticle(typed) ? 0.25 : 0.6 + 0.3 * typed.length
    }
    if (total > limit || missing > 1 + query.words.length / 4) return Number.POSITIVE_INFINITY
  }
  for (const [i, word] of words.entries()) if (!used.has(i)) total += isArticle(word) ? 0.01 : 0.02 + 0.004 * word.length
  return total
}

function nearest(typed: string, words: string[], open: boolean, limit: number): { at: number; cost: number } {
  let best = { at: -1, cost: Number.POSITIVE_INFINITY }
  for (const [at, word] of words.entries()) {
    const cost = wordCost(typed, word, open, Math.min(limit, best.cost)) + (open && typed !== word ? 0.05 : 0)
    if (cost < best.cost && cost <= limit + 0.05) best = { at, cost }
  }
  return best
}

/** The consonants alone: across scripts, and for spellings by ear. */
function soundCost(query: Query, written: string, limit: number): number {
  const foreign = isLatin(query.written) !== isLatin(written)
  const base = foreign ? 0.5 : 0.95
  const sound = written.split(' ').map(skeleton).join(' ').trim()
  if (sound === '') return Number.POSITIVE_INFINITY
  return base + 1.2 * alignCost(query.sound, sound, foreign || query.open ? tail : closed, (limit - base) / 1.2)
}

export const nameAt = (candidate: Candidate, at: number): string =>
  (JSON.parse(candidate.names) as SearchName[])[at]?.text ?? ''

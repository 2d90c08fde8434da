/** Scores how well a stored document matches a query. */
import { computeAnyOrderCost } from './any-order-cost.ts'
import { computeAlignmentCost, type UnmatchedNameCosts } from './edit-distance.ts'
import type { SearchQuery } from './query.ts'
import { getPopularity, getSlotKind } from './slot.ts'
import { computeSoundSkeleton, isLatin, romanise } from './sound.ts'
import { isArticle } from './tokens.ts'
import type { SearchCandidate } from './types.ts'

export type ScoredCandidate = {
  candidate: SearchCandidate
  /** Weighted edit distance plus the costs of unmatched parts; 0 means that the query equals the name. */
  cost: number
  score: number
  /** Index of the best matching stored name. */
  nameIndex: number
}

// The following values were tuned on one half of the query sets and verified on the other half; see
// docs/measurements/search.md.
/**
 * Costs of unmatched parts of a name that contains the words as typed, when the user may still be typing the last word.
 * For names that do not contain the words as typed, the higher `strictUnmatchedCosts` apply.
 */
const defaultUnmatchedCosts: UnmatchedNameCosts = {
  wordEnd: 0.1,
  insideWord: 0.14,
  perRemainingLetter: 0.002,
  laterWordStart: 0.16,
  perSkippedLetter: 0.012,
}
/**
 * Costs as in `defaultUnmatchedCosts`, when the last word of the query is complete. A match that ends inside a word
 * then costs more.
 */
const completeWordUnmatchedCosts: UnmatchedNameCosts = { ...defaultUnmatchedCosts, insideWord: 0.5 }
const strictUnmatchedCosts: UnmatchedNameCosts = {
  wordEnd: 0.35,
  insideWord: 0.4,
  perRemainingLetter: 0.006,
  laterWordStart: 0.4,
  perSkippedLetter: 0.012,
}
const popularityWeight = 0.7
/** Penalty for a name that lacks a number of the query, so that "Godfather 2" finds Part II before Part I. */
const missingNumberCost = 1.2
/**
 * A cost up to this value means that the whole name matches. A cost up to `prefixCostLimit` means that the name
 * contains the words as typed.
 */
export const wholeNameCostLimit = 0.1
export const prefixCostLimit = 0.48
const wholeNameBonus = 1
const prefixBonus = 0.3
/** Penalty for people, so that titles come first when all else is equal. */
const personCost = 0.15

/**
 * Returns the highest cost of an accepted match when the best match costs `bestCost`. The limit allows about one
 * edit in four letters, and is not much higher than `bestCost`.
 */
export function getAcceptedCostLimit(query: SearchQuery, bestCost: number): number {
  return Math.min(
    0.75 + 0.27 * query.writtenText.length,
    7,
    bestCost < prefixCostLimit ? 1.6 : bestCost * 1.5 + 1.2,
  )
}

/**
 * Returns the scored candidate, or undefined when every name of the document costs more than `costLimit`.
 * `topPopularity` is the highest popularity of the kind of the document.
 */
export function scoreCandidate(
  query: SearchQuery,
  candidate: SearchCandidate,
  topPopularity: number,
  costLimit: number,
): ScoredCandidate | undefined {
  const { names, people } = parseFoldedNames(candidate)
  let cost = Number.POSITIVE_INFINITY
  let bestNameIndex = 0
  for (const [nameIndex, storedName] of names.entries()) {
    const costOfName = computeNameCost(query, storedName, people, candidate, Math.min(costLimit, cost))
    if (costOfName < cost) [cost, bestNameIndex] = [costOfName, nameIndex]
  }
  if (!(cost <= costLimit)) return undefined
  const score = scoreWithCost(candidate.slot, candidate.popularity, { cost, topPopularity })
  return { candidate, cost, nameIndex: bestNameIndex, score }
}

/** Returns a popularity as a fraction of the highest popularity of its kind, on a logarithmic scale. */
export const getRelativePopularity = (popularity: number, topPopularity: number) =>
  Math.log1p(popularity) / Math.log1p(Math.max(topPopularity, 1))

/** Returns the score of a document whose best matching name has the given cost. */
export function scoreWithCost(
  slot: number,
  popularity: number,
  { cost, topPopularity }: { cost: number; topPopularity: number },
): number {
  const bonus = cost <= wholeNameCostLimit ? wholeNameBonus : cost <= prefixCostLimit ? prefixBonus : 0
  const personPenalty = getSlotKind(slot) === 'actor' ? personCost : 0
  return bonus - cost - personPenalty + popularityWeight * getRelativePopularity(popularity, topPopularity)
}

/** Returns the score of a title that was found by facets or topics. */
export const scoreTopicMatch = (slot: number, topPopularity: number, cost: number) =>
  popularityWeight * getRelativePopularity(getPopularity(slot), topPopularity) - cost

type FoldedName = {
  writtenText: string
  plainText: string
  /** The words of the name. This field and the next two are computed when they are first needed. */
  words?: string[]
  /** The consonant skeletons of the words, separated by spaces. */
  soundSkeletons?: string
  /** The words transliterated to Latin letters, separated by spaces. */
  romanisedText?: string
}
type ParsedFoldedNames = { names: FoldedName[]; people: string[] }

function getWords(foldedName: FoldedName): string[] {
  foldedName.words ??= foldedName.writtenText.split(' ')
  return foldedName.words
}

/** Cache of parsed names. Each typed letter starts a search that evaluates many candidates again. */
const foldedNamesByCandidate = new WeakMap<SearchCandidate, ParsedFoldedNames>()

function parseFoldedNames(candidate: SearchCandidate): ParsedFoldedNames {
  const cachedNames = foldedNamesByCandidate.get(candidate)
  if (cachedNames) return cachedNames
  const parsedNames: ParsedFoldedNames = { names: [], people: [] }
  for (const line of candidate.folds.split('\n')) {
    if (line.startsWith('·')) parsedNames.people.push(line)
    else {
      const [writtenName = '', plainName = writtenName] = line.split('\t')
      parsedNames.names.push({ writtenText: writtenName, plainText: plainName })
    }
  }
  foldedNamesByCandidate.set(candidate, parsedNames)
  return parsedNames
}

function computeNameCost(
  query: SearchQuery,
  foldedName: FoldedName,
  people: string[],
  candidate: SearchCandidate,
  costLimit: number,
): number {
  let cost = computeTextCost(query, query, foldedName, costLimit)
  if (query.yearIndex >= 0 && candidate.year !== null && Math.abs(candidate.year - query.year) <= 1) {
    const wordsWithoutYear = query.words.filter((_, index) => index !== query.yearIndex)
    const queryWithoutYear = {
      words: wordsWithoutYear,
      writtenText: wordsWithoutYear.join(' '),
      plainText: wordsWithoutYear.join(' '),
    }
    const yearCost = candidate.year === query.year ? 0.03 : 0.2
    cost = Math.min(
      cost,
      computeTextCost(query, queryWithoutYear, foldedName, costLimit - yearCost) + yearCost,
    )
  }
  if (cost > 0.6 && query.words.length > 1)
    cost = Math.min(cost, computeAnyOrderCost(query, getWords(foldedName), people, cost))
  if (cost > 0.9 && query.soundSkeletons.length > 2)
    cost = Math.min(cost, computeSoundCost(query, foldedName, Math.min(cost, costLimit)))
  if (cost > wholeNameCostLimit && query.numbers.length > 0 && !containsNumbers(query, foldedName))
    cost += missingNumberCost
  return cost
}

function containsNumbers(query: SearchQuery, { plainText: plainName }: FoldedName): boolean {
  const nameWords = plainName.split(' ')
  return query.numbers.every((number) => nameWords.includes(number))
}

type QueryText = { words: string[]; writtenText: string; plainText: string }

function computeTextCost(
  query: SearchQuery,
  queryText: QueryText,
  foldedName: FoldedName,
  costLimit: number,
): number {
  if (queryText.writtenText === foldedName.writtenText) return 0
  if (queryText.plainText === foldedName.plainText) return 0.02
  if (
    isEqualWithoutSpaces(queryText.plainText, foldedName.plainText) ||
    isEqualWithoutSpaces(queryText.writtenText, foldedName.writtenText)
  )
    return 0.11
  if (
    queryText === query &&
    query.keys.bareNameKey !== '' &&
    equalsKeyWithoutArticles(query.keys.bareNameKey, foldedName.plainText)
  )
    return 0.12
  const cost = computeSpellingCost(
    queryText,
    foldedName,
    query.isLastWordUnfinished ? defaultUnmatchedCosts : completeWordUnmatchedCosts,
    costLimit,
  )
  return cost < prefixCostLimit || cost === Number.POSITIVE_INFINITY
    ? cost
    : Math.max(
        prefixCostLimit + 0.01,
        computeSpellingCost(queryText, foldedName, strictUnmatchedCosts, costLimit),
      )
}

function computeSpellingCost(
  queryText: QueryText,
  foldedName: FoldedName,
  unmatchedCosts: UnmatchedNameCosts,
  costLimit: number,
): number {
  const cost = computeAlignmentCost(queryText.writtenText, foldedName.writtenText, unmatchedCosts, costLimit)
  if (foldedName.plainText === foldedName.writtenText && queryText.plainText === queryText.writtenText)
    return cost
  return Math.min(
    cost,
    computeAlignmentCost(
      queryText.plainText,
      foldedName.plainText,
      unmatchedCosts,
      Math.min(cost, costLimit),
    ) + 0.02,
  )
}

/**
 * True when two texts end with the same character. This fast check precedes slower comparisons: most unequal texts
 * differ in the last letter.
 */
const hasSameLastLetter = (a: string, b: string) => a.at(-1) === b.at(-1)
const isEqualWithoutSpaces = (a: string, b: string) =>
  hasSameLastLetter(a, b) && a.replaceAll(' ', '') === b.replaceAll(' ', '')
/**
 * True when a name without its articles and without "and" has the key `bareNameKey`. The last letters can differ only
 * if "and" is the end of the name, or if the name is longer than a key.
 */
const equalsKeyWithoutArticles = (bareNameKey: string, plainName: string) =>
  (hasSameLastLetter(bareNameKey, plainName) || plainName.endsWith('and') || plainName.length > 80) &&
  toBareKey(plainName) === bareNameKey

function toBareKey(plainName: string): string {
  const plainWords = plainName.split(' ')
  return plainWords
    .filter((word, index) => !(isArticle(word) && (word === 'and' || index < plainWords.length - 1)))
    .join('')
    .slice(0, 80)
}

/**
 * Returns the cost of a phonetic match. The cost compares the consonant skeletons and, with less weight, the
 * transliterated texts. Phonetic matches find names in another script, and names that users type by sound.
 */
function computeSoundCost(query: SearchQuery, foldedName: FoldedName, costLimit: number): number {
  const isOtherScript = isLatin(query.writtenText) !== isLatin(foldedName.writtenText)
  const baseCost = isOtherScript ? (isLatin(query.writtenText) ? 1.2 : 0.6) : 0.95
  if (baseCost >= costLimit) return Number.POSITIVE_INFINITY
  foldedName.soundSkeletons ??= getWords(foldedName).map(computeSoundSkeleton).join(' ').trim()
  if (foldedName.soundSkeletons === '') return Number.POSITIVE_INFINITY
  const cost =
    baseCost +
    1.2 *
      computeAlignmentCost(
        query.soundSkeletons,
        foldedName.soundSkeletons,
        strictUnmatchedCosts,
        (costLimit - baseCost) / 1.2,
      )
  if (!(cost < costLimit)) return Number.POSITIVE_INFINITY
  foldedName.romanisedText ??= getWords(foldedName).map(romanise).join(' ')
  return (
    cost +
    0.3 *
      computeAlignmentCost(
        query.romanisedText,
        foldedName.romanisedText,
        defaultUnmatchedCosts,
        (costLimit - cost) / 0.3,
      )
  )
}

export const getStoredName = (candidate: SearchCandidate, nameIndex: number): string =>
  (JSON.parse(candidate.names) as string[])[nameIndex] ?? ''

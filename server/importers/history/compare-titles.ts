/**
 * Decides whether two records from different sources describe the same title. If both records have an id of the same
 * kind, these ids determine the result. Otherwise, records of different types describe different titles. For all other
 * records, a naive Bayes score is computed: each agreement or difference adds a weight to the natural logarithm of the
 * odds. The weights are rounded estimates and not fitted to data.
 */
import {
  foldExactTitle,
  foldFullTitle,
  foldTitle,
  getTitleSimilarity,
  getTitleYear,
  removeBracketedSuffix,
  replaceTranslatedAnd,
} from '../../../src/lib/rules/fold-title.ts'
import type { ExternalIds, HistoryTitleType } from './history-row.ts'

export interface MatchFacts {
  ids?: ExternalIds
  type?: HistoryTitleType | undefined
  /** Names of the title in all known languages, including the original title. */
  titles: readonly string[]
  year?: number | null | undefined
  runtimeMinutes?: number | null | undefined
  directors?: readonly string[]
  cast?: readonly string[]
}

export interface TitleComparison {
  isSameTitle: boolean
  /** Probability from 0 to 1 that both records describe the same title. */
  score: number
  /** True if the ids determined the result. Nothing else was compared then. */
  isDecidedById: boolean
}

/**
 * Log odds before any evidence. They are negative, because most pairs of records that are compared describe
 * different titles.
 */
const PRIOR_LOG_ODDS = -6

export function compareTitles(a: MatchFacts, b: MatchFacts): TitleComparison {
  const hasSameId = haveSameIds(a, b)
  if (hasSameId !== null) return { isSameTitle: hasSameId, score: hasSameId ? 1 : 0, isDecidedById: true }
  if (a.type && b.type && a.type !== b.type) return { isSameTitle: false, score: 0, isDecidedById: false }
  const logOdds = PRIOR_LOG_ODDS + scoreEvidence(a, b)
  return { isSameTitle: logOdds > 0, score: 1 / (1 + Math.exp(-logOdds)), isDecidedById: false }
}

/**
 * Compares the ids of the first kind that both records have. Returns true if these ids are equal, false if they
 * differ, and null if the records have no ids to compare. IMDb ids come first, because they are unique across types.
 * Other ids are compared only if the types of the records are equal.
 */
export function haveSameIds(
  a: Pick<MatchFacts, 'ids' | 'type'>,
  b: Pick<MatchFacts, 'ids' | 'type'>,
): boolean | null {
  const isSameType = !!a.type && a.type === b.type
  for (const kind of ['imdb', 'tmdb', 'tvdb', 'trakt'] as const) {
    if (kind !== 'imdb' && !isSameType) continue
    const [left, right] = [a.ids?.[kind], b.ids?.[kind]]
    if (left !== undefined && right !== undefined) return left === right
  }
  return null
}

/**
 * Returns the sum of the weights of all agreements and differences. `compareTitles` adds the sum to PRIOR_LOG_ODDS.
 */
export function scoreEvidence(a: MatchFacts, b: MatchFacts): number {
  return (
    scoreTitleEvidence(a.titles, b.titles) +
    scoreYearEvidence(a.year, b.year) +
    scoreRuntimeEvidence(a.runtimeMinutes, b.runtimeMinutes) +
    scorePeopleEvidence(a, b)
  )
}

function scoreTitleEvidence(a: readonly string[], b: readonly string[]): number {
  const foldedFullTitles = new Set(b.map(foldFullTitle))
  if (a.some((title) => foldedFullTitles.has(foldFullTitle(title)))) return 6
  const foldedTitles = new Set(b.map(foldTitle))
  if (a.some((title) => foldedTitles.has(foldTitle(title)))) return 5
  const highestSimilarity = Math.max(
    0,
    ...a.flatMap((left) => b.map((right) => getTitleSimilarity(left, right))),
  )
  return highestSimilarity >= 0.5 ? 2 : highestSimilarity > 0 ? -1 : -3
}

/**
 * How two names agree. `exact`: they are equal apart from case, accents and punctuation. `notation`: they differ in
 * notation (`Rocky IV` and `Rocky 4`) or in a bracketed suffix. `variant`: they differ in an article, in a number word,
 * in initials, or in the notation of a number that is the whole name. Names that agree only as `variant` often belong
 * to different titles: `Kid` and `The Kid`.
 */
export type NameAgreement = 'exact' | 'notation' | 'variant'

/**
 * Returns the best agreement between a name in `a` and a name in `b`. `b` contains the names of a title that was found
 * by a folded name in `a`, so at least one pair of names agrees as `variant`.
 */
export function compareNames(a: readonly string[], b: readonly string[]): NameAgreement {
  const exactNames = new Set(b.map(foldExactTitle))
  // A year in brackets is not part of the name. `scoreYearEvidence` compares it.
  const names = a.map((name) => (getTitleYear(name) ? removeBracketedSuffix(name) : name))
  if (
    names.some((name) =>
      [name, replaceTranslatedAnd(name)].some((spelling) => exactNames.has(foldExactTitle(spelling))),
    )
  )
    return 'exact'
  const foldedNames = new Set(b.map(foldFullTitle).filter((name) => name.includes(' ')))
  const hasEqualNotation = names.some((name) => {
    const nameWithoutSuffix = removeBracketedSuffix(name)
    return foldedNames.has(foldFullTitle(name)) || exactNames.has(foldExactTitle(nameWithoutSuffix))
  })
  return hasEqualNotation ? 'notation' : 'variant'
}

function scoreYearEvidence(a: number | null | undefined, b: number | null | undefined): number {
  if (!a || !b) return 0
  const differenceYears = Math.abs(a - b)
  if (differenceYears === 0) return 2.5
  if (differenceYears === 1) return 1
  return differenceYears === 2 ? -2 : -5
}

function scoreRuntimeEvidence(a: number | null | undefined, b: number | null | undefined): number {
  if (!a || !b) return 0
  const relativeDifference = Math.abs(a - b) / Math.max(a, b)
  if (relativeDifference <= 0.02) return 2
  if (relativeDifference <= 0.08) return 0
  return relativeDifference <= 0.2 ? -1 : -2
}

/**
 * Directors often work with the same actors, so a common director and a common cast are not independent evidence. The
 * evidence of a common cast counts half if the records also have a common director.
 */
function scorePeopleEvidence(a: MatchFacts, b: MatchFacts): number {
  const commonDirectorCount = countCommonNames(a.directors, b.directors)
  const commonCastCount = countCommonNames(a.cast, b.cast)
  const directorEvidence = commonDirectorCount === null ? 0 : commonDirectorCount > 0 ? 4 : -4
  const castEvidence = scoreCastEvidence(commonCastCount)
  return directorEvidence + (commonDirectorCount && commonCastCount ? castEvidence / 2 : castEvidence)
}

function scoreCastEvidence(commonCastCount: number | null): number {
  if (commonCastCount === null) return 0
  if (commonCastCount === 0) return -3
  return commonCastCount === 1 ? 1.5 : 4
}

/** Returns the number of common names; `Chan-wook Park` equals `Park Chan-wook`. Null if one side has no names. */
function countCommonNames(a: readonly string[] = [], b: readonly string[] = []): number | null {
  if (a.length === 0 || b.length === 0) return null
  const nameKeys = new Set(b.map(createNameKey))
  return a.filter((name) => nameKeys.has(createNameKey(name))).length
}
const createNameKey = (name: string) => foldFullTitle(name).split(' ').sort().join(' ')

/** Decides whether the most likely candidates of a row are certain enough, or whether the user has to choose. */
import { foldExactTitle } from '../../../src/lib/rules/fold-title.ts'
import { compareNames, type MatchFacts, type NameAgreement } from './compare-titles.ts'
import { findEpisodeByTitle } from './find-episode-by-title.ts'
import type { HistoryRow, TitleReading } from './history-row.ts'
import type { MatchCandidate, MatchReason, TitleMatch } from './title-match.ts'

/**
 * A catalogue that is filled from two sources may have a title twice. Two records with the same type, name and year
 * count as one title in two cases:
 * - Their ids do not contradict each other, and one record has at least DUPLICATE_VOTES_RATIO times as many votes as
 *   the other.
 * - The row of the file has no year, one record has no votes, and the other has at least MIN_VOTES_BESIDE_UNRATED
 *   votes. Their ids may differ, because a single source can also have a title twice.
 */
const DUPLICATE_VOTES_RATIO = 20
const MIN_VOTES_BESIDE_UNRATED = 1_000
/** Largest difference between the runtimes that two sources state for the same title. */
const MAX_RUNTIME_DIFFERENCE_MINUTES = 1
const MATCH_SCORES = {
  title_and_year: 0.98,
  title_and_episode: 0.98,
  title_and_runtime: 0.95,
  title_and_near_year: 0.93,
  title_alone: 0.9,
} as const

type MatchDecision = Pick<TitleMatch, 'outcome' | 'score' | 'reason'> & { title?: MatchCandidate }

interface DecisionQuery {
  row: HistoryRow
  reading: TitleReading
  /** The names, year and runtime of the row. */
  facts: MatchFacts
  /** True if another reading of the text is more likely, and too few texts of the file support this reading. */
  isWeakGuess: boolean
}

/**
 * Chooses a title from `bestCandidates`, or leaves the choice to the user. `bestCandidates` contains the candidates
 * with the strongest evidence, at least one.
 */
export function decideMatch(query: DecisionQuery, bestCandidates: readonly MatchCandidate[]): MatchDecision {
  const { row, reading, facts, isWeakGuess } = query
  const { agreement, candidates } = keepBestNamedCandidates(
    facts,
    reading.type ? bestCandidates : filterByLikelyType(row, bestCandidates),
  )
  const uniqueCandidate =
    candidates.length === 1 ? candidates[0] : findDuplicatedTitle(facts, candidates, agreement)
  const hasEqualYear = !!facts.year && uniqueCandidate?.year === facts.year
  if (uniqueCandidate && hasEqualYear && agreement !== 'variant')
    return createMatchedDecision(uniqueCandidate, 'title_and_year')
  const episodeMatches = candidates.filter((candidate) => findEpisodeByTitle(candidate, reading) !== null)
  if (episodeMatches.length === 1 && episodeMatches[0])
    return createMatchedDecision(episodeMatches[0], 'title_and_episode')
  if (isWeakGuess) return createAmbiguousDecision('perhaps_a_series', 0.4)
  if (!uniqueCandidate) return decideAmongNamesakes(row, candidates, agreement)
  if (facts.year) {
    const canRuntimeDecide = hasEqualYear || agreement === 'exact'
    return canRuntimeDecide && hasEqualRuntime(facts, uniqueCandidate)
      ? createMatchedDecision(uniqueCandidate, hasEqualYear ? 'title_and_year' : 'title_and_near_year')
      : createAmbiguousDecision(agreement === 'variant' ? 'similar_title' : 'near_year')
  }
  if (agreement !== 'exact') return createAmbiguousDecision('similar_title')
  if (isPossiblySeries(row, reading, uniqueCandidate)) return createAmbiguousDecision('unknown_type')
  if (row.kind === 'watched' && row.source === 'netflix' && !reading.type && uniqueCandidate.type === 'tv')
    return createAmbiguousDecision('perhaps_a_series')
  return createMatchedDecision(uniqueCandidate, 'title_alone')
}

const createMatchedDecision = (title: MatchCandidate, reason: keyof typeof MATCH_SCORES): MatchDecision => ({
  outcome: 'matched',
  title,
  score: MATCH_SCORES[reason],
  reason,
})
const createAmbiguousDecision = (reason: MatchReason, score = 0.5): MatchDecision => ({
  outcome: 'ambiguous',
  score,
  reason,
})

/** Decides between several titles with the same name. The watched position may show which title was meant. */
function decideAmongNamesakes(
  row: HistoryRow,
  candidates: readonly MatchCandidate[],
  agreement: NameAgreement,
): MatchDecision {
  const runtimeMatches = candidates.filter((candidate) => isWatchedToEnd(row, candidate))
  if (agreement === 'exact' && runtimeMatches.length === 1 && runtimeMatches[0])
    return createMatchedDecision(runtimeMatches[0], 'title_and_runtime')
  return createAmbiguousDecision('several', 1 / candidates.length)
}

/**
 * For a viewing history of Netflix, leaves out series if a movie is among the candidates. Netflix usually includes the
 * season in the title of an episode, so a title without a season is probably a movie.
 */
function filterByLikelyType(
  row: HistoryRow,
  bestCandidates: readonly MatchCandidate[],
): readonly MatchCandidate[] {
  if (row.source !== 'netflix' || row.kind !== 'watched') return bestCandidates
  const movies = bestCandidates.filter((candidate) => candidate.type === 'movie')
  return movies.length > 0 ? movies : bestCandidates
}

/** Returns the candidates whose names agree best with the titles of the row, and how well they agree. */
function keepBestNamedCandidates({ titles }: MatchFacts, candidates: readonly MatchCandidate[]) {
  const candidatesByAgreement = Map.groupBy(candidates, (candidate) => compareNames(titles, candidate.titles))
  for (const agreement of ['exact', 'notation'] as const) {
    const candidatesOfGroup = candidatesByAgreement.get(agreement)
    if (candidatesOfGroup) return { agreement, candidates: candidatesOfGroup }
  }
  return { agreement: 'variant' as const, candidates }
}

/**
 * True for a movie whose name is a single word, if the row states no type and is not a viewing. Such a name is often
 * the name of a series too: `Boyfriend`. The watchlist of Netflix, for example, does not contain the type.
 */
function isPossiblySeries(row: HistoryRow, reading: TitleReading, { type }: MatchCandidate): boolean {
  if (reading.type || type === 'tv' || row.kind === 'watched' || row.kind === 'played') return false
  return !foldExactTitle(reading.title).includes(' ')
}

function hasEqualRuntime(facts: MatchFacts, { runtimeMinutes }: MatchCandidate): boolean {
  if (!facts.runtimeMinutes || !runtimeMinutes) return false
  return Math.abs(facts.runtimeMinutes - runtimeMinutes) <= MAX_RUNTIME_DIFFERENCE_MINUTES
}

/** True if the watched position is near the end of the movie. */
function isWatchedToEnd({ progress }: HistoryRow, { runtimeMinutes, type }: MatchCandidate): boolean {
  if (!progress || !runtimeMinutes || type !== 'movie') return false
  return progress >= runtimeMinutes * 60 * 0.9 && progress <= runtimeMinutes * 60 * 1.02
}

/**
 * Returns the candidate with the most votes if all candidates count as one title (see DUPLICATE_VOTES_RATIO), otherwise
 * undefined.
 */
function findDuplicatedTitle(
  { year }: MatchFacts,
  candidates: readonly MatchCandidate[],
  agreement: NameAgreement,
): MatchCandidate | undefined {
  const [firstCandidate, ...otherCandidates] = candidates.toSorted((a, b) => (b.votes ?? 0) - (a.votes ?? 0))
  const votes = firstCandidate?.votes ?? 0
  if (!firstCandidate?.year || agreement !== 'exact') return undefined
  const areOthersDuplicates = otherCandidates.every((otherCandidate) => {
    if (otherCandidate.type !== firstCandidate.type || otherCandidate.year !== firstCandidate.year)
      return false
    if (!otherCandidate.votes && !year && votes >= MIN_VOTES_BESIDE_UNRATED) return true
    return (
      votes > 0 &&
      (otherCandidate.votes ?? 0) * DUPLICATE_VOTES_RATIO <= votes &&
      !hasDifferentIds(firstCandidate, otherCandidate)
    )
  })
  return areOthersDuplicates ? firstCandidate : undefined
}

function hasDifferentIds({ ids: a = {} }: MatchFacts, { ids: b = {} }: MatchFacts): boolean {
  return (['imdb', 'tmdb', 'tvdb', 'trakt'] as const).some(
    (kind) => a[kind] !== undefined && b[kind] !== undefined && a[kind] !== b[kind],
  )
}

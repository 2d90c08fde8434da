/**
 * Matches a row of a history file to a title of the catalogue. Ids decide. A name with its year is good evidence; a name
 * alone is accepted only if no other title is plausible. Otherwise the outcome is `ambiguous` with candidates, and the user
 * chooses. A wrong match is worse than none, because it records a viewing that never happened.
 */
import { foldFullTitle, foldTitle, getTitleLookupKeys } from '../../../src/lib/rules/fold-title.ts'
import { compareIds, type MatchFacts, scoreEvidence } from './compare-titles.ts'
import { findEpisodeByTitle } from './find-episode-by-title.ts'
import type { HistoryRow, TitleReading } from './history-row.ts'
import type { CandidateSource, MatchCandidate, MatchReason, TitleMatch } from './title-match.ts'

/** A name alone matches the most popular title of that name if it has this many times the votes of every other one. */
const POPULARITY_RATIO = 20
/**
 * Number of different texts with a common prefix from which the prefix counts as the name of a series. More are needed if
 * there is a film of that name, because the texts may be its sequels.
 */
const MIN_SIBLINGS = 2
const MIN_SIBLINGS_BESIDE_FILM = 4
/**
 * Factors for viewings in the release year and in the year after it: new titles are watched more than their votes
 * suggest.
 */
const RECENCY_FACTORS = [5, 2] as const
/**
 * Words that show that a text does not name an episode, although it starts with the name of a series: `Violet
 * Evergarden: Film`.
 */
const NOT_AN_EPISODE =
  /\b(?:film|films|movie|le film|la pelicula|pelicula|filme|elokuva|filmen|special|speciale|especial|reunion|making of|behind)\b/u
const SCORES = {
  title_and_year: 0.98,
  title_and_episode: 0.98,
  title_and_runtime: 0.95,
  title_and_near_year: 0.93,
  title_alone: 0.9,
  title_of_fame: 0.85,
} as const

/** Matches by id first, then by each reading of the row, the usual one first. */
export async function matchTitle(row: HistoryRow, source: CandidateSource): Promise<TitleMatch> {
  const idMatch = await matchIds(row, source)
  if (idMatch) return idMatch
  let fallback: TitleMatch | null = null
  for (const [index, reading] of [row as TitleReading, ...(row.readings ?? [])].entries()) {
    const match = await matchReading({ row, reading, isGuess: index > 0 }, source)
    if (match.outcome === 'matched') return match
    if (!fallback || getFallbackRank(match) > getFallbackRank(fallback)) fallback = match
  }
  return fallback ?? createUnmatchedResult('no_title')
}

/** Ranks matches for the case that no reading matches: ambiguous ones first, then unmatched ones with candidates. */
const getFallbackRank = ({ outcome, reason }: TitleMatch) =>
  outcome === 'ambiguous' ? 2 : reason === 'other_year' ? 1 : 0
const createUnmatchedResult = (
  reason: MatchReason,
  candidates: readonly MatchCandidate[] = [],
): TitleMatch => ({
  outcome: 'unmatched',
  candidates,
  score: 0,
  reason,
})

/**
 * The first kind of id that the catalogue has decides. The outcome is `ambiguous` if the IMDb ids contradict it or several
 * titles have the id. Returns null if the catalogue has none of the ids.
 */
async function matchIds({ ids, type }: HistoryRow, source: CandidateSource): Promise<TitleMatch | null> {
  if (Object.keys(ids).length === 0) return null
  const titlesById = (await source.findByIds(ids, type)).filter(
    (candidate) => !type || candidate.type === type,
  )
  for (const kind of ['imdb', 'tmdb', 'tvdb'] as const) {
    if (kind !== 'imdb' && !type) continue
    const titlesWithId = titlesById.filter(
      (candidate) => ids[kind] !== undefined && candidate.ids[kind] === ids[kind],
    )
    const [first] = titlesWithId
    if (!first) continue
    const isContradicted =
      ids.imdb !== undefined && first.ids.imdb !== undefined && first.ids.imdb !== ids.imdb
    if (titlesWithId.length > 1 || isContradicted) {
      return { outcome: 'ambiguous', candidates: titlesWithId, score: 0.5, reason: 'ids_disagree' }
    }
    return { outcome: 'matched', title: first, candidates: [first], score: 1, reason: kind }
  }
  return null
}

interface ReadingQuery {
  row: HistoryRow
  reading: TitleReading
  /** True if another reading of the text is more usual, and nothing in the file supports this one. */
  isGuess: boolean
}

/**
 * True if a reading as an episode has too little support: `Avatar: The Way of Water` is not an episode of a series Avatar. A
 * reading without season and episode number needs other texts with the same prefix. Series with one season need fewer of
 * them, because Netflix omits the season only from the names of their episodes.
 */
async function isWeakReading(
  { title, seasonName, episode, episodeTitle = '', siblings = 1 }: TitleReading,
  best: readonly MatchCandidate[],
  source: CandidateSource,
): Promise<boolean> {
  if (seasonName || episode !== undefined) return false
  const hasFilmOfThatName = (await source.findByTitle(foldTitle(title), 'movie')).length > 0
  const minSiblings = hasFilmOfThatName ? MIN_SIBLINGS_BESIDE_FILM : MIN_SIBLINGS
  const hasOneSeason = best.every((candidate) => candidate.type === 'tv' && candidate.seasonCount === 1)
  if (!hasOneSeason || NOT_AN_EPISODE.test(foldFullTitle(episodeTitle))) return siblings < minSiblings
  return siblings < minSiblings / 2
}

async function matchReading(
  { row, reading, isGuess }: ReadingQuery,
  source: CandidateSource,
): Promise<TitleMatch> {
  const facts: MatchFacts = {
    ids: row.ids,
    type: reading.type,
    titles: [reading.title, ...(row.originalTitle ? [row.originalTitle] : [])],
    year: row.year,
    runtimeMinutes: row.runtime,
  }
  const candidates = await findCandidates(facts, source)
  const possibleCandidates = candidates.filter((candidate) => !isImpossibleMatch({ row, reading }, candidate))
  if (possibleCandidates.length === 0)
    return createUnmatchedResult(candidates.length > 0 ? 'other_year' : 'no_title', candidates)
  const ranked = possibleCandidates
    .map((candidate) => ({ candidate, logOdds: scoreEvidence(facts, candidate) }))
    .sort((a, b) => b.logOdds - a.logOdds || (b.candidate.votes ?? 0) - (a.candidate.votes ?? 0))
  const best = ranked
    .filter(({ logOdds }) => logOdds >= ranked[0]!.logOdds - 1e-9)
    .map(({ candidate }) => candidate)
  const isWeakGuess = isGuess && (await isWeakReading(reading, best, source))
  const decision = decideMatch({ row, reading, isGuess: isWeakGuess }, best)
  return { ...decision, reading, candidates: ranked.map(({ candidate }) => candidate) }
}

async function findCandidates(facts: MatchFacts, source: CandidateSource): Promise<MatchCandidate[]> {
  const candidates = new Map<string, MatchCandidate>()
  for (const key of new Set(facts.titles.flatMap(getTitleLookupKeys))) {
    for (const candidate of await source.findByTitle(key, facts.type)) {
      if (!facts.type || candidate.type === facts.type) {
        candidates.set(`${candidate.type} ${candidate.id}`, candidate)
      }
    }
  }
  return [...candidates.values()].filter((candidate) => compareIds(facts, candidate) !== false)
}

/**
 * True if the candidate cannot be the title of the row: its year differs by more than one, it was released after the
 * viewing, or it is shorter than the watched position.
 */
function isImpossibleMatch(
  { row, reading }: { row: HistoryRow; reading: TitleReading },
  candidate: MatchCandidate,
): boolean {
  if (row.year && candidate.year) return Math.abs(row.year - candidate.year) > 1
  const isViewing = row.kind === 'watched' || row.kind === 'rated'
  if (isViewing && row.at && candidate.year && candidate.year > Number(row.at.slice(0, 4))) return true
  // A Marquee export has positions in its own video file, whose length may differ from the runtime of the title.
  if (row.source === 'marquee') return false
  if (!row.progress || !candidate.runtimeMinutes || candidate.type !== 'movie' || reading.type === 'tv')
    return false
  return row.progress > candidate.runtimeMinutes * 60 * 1.1 + 300
}

type Decision = Pick<TitleMatch, 'outcome' | 'score' | 'reason'> & { title?: MatchCandidate }

function decideMatch({ row, reading, isGuess }: ReadingQuery, best: readonly MatchCandidate[]): Decision {
  const likelyCandidates = reading.type ? best : filterLikelyType(row, best)
  const onlyCandidate = likelyCandidates.length === 1 ? (likelyCandidates[0] ?? null) : null
  if (row.year && onlyCandidate?.year) {
    return createMatchedDecision(
      onlyCandidate,
      row.year === onlyCandidate.year ? 'title_and_year' : 'title_and_near_year',
    )
  }
  const episodeMatches = likelyCandidates.filter(
    (candidate) => findEpisodeByTitle(candidate, reading) !== null,
  )
  if (episodeMatches.length === 1 && episodeMatches[0])
    return createMatchedDecision(episodeMatches[0], 'title_and_episode')
  if (isGuess) {
    return { outcome: 'ambiguous', score: 0.4, reason: 'perhaps_a_series' }
  }
  if (row.kind === 'watched' && row.source === 'netflix' && !reading.type && onlyCandidate?.type === 'tv') {
    return { outcome: 'ambiguous', score: 0.5, reason: 'perhaps_a_series' }
  }
  if (onlyCandidate) return createMatchedDecision(onlyCandidate, 'title_alone')
  const runtimeMatches = likelyCandidates.filter((candidate) => isWatchedToEnd(row, candidate))
  if (runtimeMatches.length === 1 && runtimeMatches[0])
    return createMatchedDecision(runtimeMatches[0], 'title_and_runtime')
  const mostPopular = findMostPopular(likelyCandidates, row)
  if (mostPopular && !row.year) return createMatchedDecision(mostPopular, 'title_of_fame')
  return { outcome: 'ambiguous', score: 1 / likelyCandidates.length, reason: 'several' }
}

function createMatchedDecision(title: MatchCandidate, reason: keyof typeof SCORES): Decision {
  return { outcome: 'matched', title, score: SCORES[reason], reason }
}

/** Netflix includes the season in the title of an episode, so a title without one is a film if there is such a film. */
function filterLikelyType(row: HistoryRow, best: readonly MatchCandidate[]): readonly MatchCandidate[] {
  if (row.source !== 'netflix' || row.kind !== 'watched') return best
  const films = best.filter((candidate) => candidate.type === 'movie')
  return films.length > 0 ? films : best
}

/** True if the watched position is the end of the film. */
function isWatchedToEnd({ progress }: HistoryRow, { runtimeMinutes, type }: MatchCandidate): boolean {
  if (!progress || !runtimeMinutes || type !== 'movie') return false
  return progress >= runtimeMinutes * 60 * 0.9 && progress <= runtimeMinutes * 60 * 1.02
}

function findMostPopular(candidates: readonly MatchCandidate[], { at }: HistoryRow): MatchCandidate | null {
  const computeWeight = ({ votes = 0, year }: MatchCandidate) => {
    const ageYears = at && year ? Number(at.slice(0, 4)) - year : -1
    return votes * (RECENCY_FACTORS[ageYears] ?? 1)
  }
  const [first, ...others] = candidates
    .map((candidate) => ({ candidate, weight: computeWeight(candidate) }))
    .sort((a, b) => b.weight - a.weight)
  // Missing votes mean unknown, not unpopular. But a candidate of the same type and year without votes is a duplicate.
  const rivals = others.filter(
    ({ candidate, weight }) =>
      weight > 0 || candidate.type !== first?.candidate.type || candidate.year !== first.candidate.year,
  )
  const highestRival = rivals.some(({ weight }) => weight === 0)
    ? Number.POSITIVE_INFINITY
    : (rivals[0]?.weight ?? 0)
  return first?.weight && first.weight >= POPULARITY_RATIO * highestRival ? first.candidate : null
}

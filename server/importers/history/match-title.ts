/**
 * Matches a row of a history file to a title of the catalogue. If the catalogue has an id of the row, the ids determine
 * the title. Otherwise, a name with its year is good evidence; a name alone is accepted only if exactly one title has
 * this name in the same spelling. If the evidence is not good enough, the outcome is `ambiguous` with candidates, and
 * the user chooses. A wrong match is worse than none, because it records a viewing that never happened.
 */
import {
  foldFullTitle,
  foldTitle,
  getTitleLookupKeys,
  getTitleYear,
} from '../../../src/lib/rules/fold-title.ts'
import { compareNames, haveSameIds, type MatchFacts, scoreEvidence } from './compare-titles.ts'
import { decideMatch } from './decide-match.ts'
import type { HistoryRow, TitleReading } from './history-row.ts'
import type { CandidateSource, MatchCandidate, MatchReason, TitleMatch } from './title-match.ts'

/**
 * A prefix counts as the name of a series if at least this many different texts start with it. More texts are needed if
 * a movie has that name, because the texts may name sequels of the movie.
 */
const MIN_SIBLING_COUNT = 2
const MIN_SIBLING_COUNT_BESIDE_MOVIE = 4
/**
 * Words that suggest that a text names no episode, although it starts with the name of a series: `Violet Evergarden:
 * Film` is a film. For a text with such a word, a series with one season needs as many siblings as any other series.
 */
const NON_EPISODE_PATTERN =
  /\b(?:film|films|movie|le film|la pelicula|pelicula|filme|elokuva|filmen|special|speciale|especial|reunion|making of|behind)\b/u

/**
 * Matches by id first, then by each possible reading of the title text, the most likely one first. If no reading finds
 * a title, titles of the other type are returned as candidates.
 */
export async function matchTitle(row: HistoryRow, source: CandidateSource): Promise<TitleMatch> {
  const idMatch = await matchIds(row, source)
  if (idMatch) return idMatch
  let fallbackMatch: TitleMatch | null = null
  for (const [index, reading] of [row as TitleReading, ...(row.readings ?? [])].entries()) {
    const match = await matchReading({ row, reading, isAlternativeReading: index > 0 }, source)
    if (match.outcome === 'matched') return match
    if (!fallbackMatch || getFallbackRank(match) > getFallbackRank(fallbackMatch)) fallbackMatch = match
  }
  const bestResult = fallbackMatch ?? createUnmatchedResult('no_title')
  if (bestResult.outcome !== 'unmatched' || bestResult.candidates.length > 0) return bestResult
  const titlesOfOtherType = await findTitlesOfOtherType(row, source)
  return titlesOfOtherType.length === 0
    ? bestResult
    : { outcome: 'ambiguous', candidates: titlesOfOtherType, score: 0.4, reason: 'other_type' }
}

/**
 * Returns the titles of the other type with exactly the name and the year of a row. Services disagree on whether a
 * short series or a recording is a movie, and a title can change its type.
 */
async function findTitlesOfOtherType(row: HistoryRow, source: CandidateSource): Promise<MatchCandidate[]> {
  const { type, ids, title, originalTitle, year = getTitleYear(title) } = row
  const isEpisode = row.season !== undefined || row.episode !== undefined || row.episodeTitle !== undefined
  if (!type || !year || isEpisode) return []
  const titles = [title, ...(originalTitle ? [originalTitle] : [])]
  return (await findCandidates({ ids, type: undefined, titles, year }, source)).filter(
    (candidate) =>
      candidate.type !== type &&
      candidate.year === year &&
      compareNames(titles, candidate.titles) === 'exact',
  )
}

/**
 * Rank of a result. If no reading matches, the result with the highest rank is returned: an ambiguous result, otherwise
 * an unmatched result with candidates (`other_year`), otherwise any other result.
 */
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
 * Matches a row by its ids. The first kind of id that the catalogue has determines the title. An IMDb id is unique
 * across types, so it is used even if the service gives the title another type. The outcome is `ambiguous` if another
 * id of the row contradicts the match, if several titles have the id, or if the row of an episode has the id of a
 * movie. Returns null if the catalogue has none of the ids.
 */
async function matchIds(
  { ids, type, episode }: HistoryRow,
  source: CandidateSource,
): Promise<TitleMatch | null> {
  if (Object.keys(ids).length === 0) return null
  const titlesWithIds = await source.findByIds(ids, type)
  for (const kind of ['imdb', 'tmdb', 'tvdb'] as const) {
    if (kind !== 'imdb' && !type) continue
    const titlesOfAnyType = titlesWithIds.filter(
      (candidate) =>
        ids[kind] !== undefined &&
        candidate.ids[kind] === ids[kind] &&
        (kind === 'imdb' || candidate.type === type),
    )
    const titlesOfType = titlesOfAnyType.filter((candidate) => candidate.type === type)
    const matchingTitles = titlesOfType.length > 0 ? titlesOfType : titlesOfAnyType
    const [firstTitle] = matchingTitles
    if (!firstTitle) continue
    const hasContradictingIds = haveSameIds({ ids, type }, firstTitle) === false
    const isEpisodeOfMovie = firstTitle.type === 'movie' && episode !== undefined
    if (matchingTitles.length > 1 || hasContradictingIds || isEpisodeOfMovie) {
      return { outcome: 'ambiguous', candidates: matchingTitles, score: 0.5, reason: 'ids_disagree' }
    }
    return { outcome: 'matched', title: firstTitle, candidates: [firstTitle], score: 1, reason: kind }
  }
  return null
}

interface ReadingQuery {
  row: HistoryRow
  reading: TitleReading
  /** True if another reading of the text is more likely. */
  isAlternativeReading: boolean
}

/**
 * True if a reading as an episode has too little support: `Avatar: The Way of Water` is not an episode of a series
 * Avatar. A reading without season and episode number needs other texts with the same prefix. A series with one
 * season needs half as many of these texts: Netflix omits the season only in the episode names of series with one
 * season.
 */
async function isWeakReading(
  { title, seasonName, episode, episodeTitle = '', siblings: siblingCount = 1 }: TitleReading,
  bestCandidates: readonly MatchCandidate[],
  source: CandidateSource,
): Promise<boolean> {
  if (seasonName || episode !== undefined) return false
  const hasMovieWithTitle = (await source.findByTitle(foldTitle(title), 'movie')).length > 0
  const minSiblingCount = hasMovieWithTitle ? MIN_SIBLING_COUNT_BESIDE_MOVIE : MIN_SIBLING_COUNT
  const hasOneSeason = bestCandidates.every(
    (candidate) => candidate.type === 'tv' && candidate.seasonCount === 1,
  )
  if (!hasOneSeason || NON_EPISODE_PATTERN.test(foldFullTitle(episodeTitle)))
    return siblingCount < minSiblingCount
  return siblingCount < minSiblingCount / 2
}

async function matchReading(
  { row: fileRow, reading, isAlternativeReading }: ReadingQuery,
  source: CandidateSource,
): Promise<TitleMatch> {
  const year = fileRow.year ?? getTitleYear(reading.title)
  const row = year ? { ...fileRow, year } : fileRow
  const facts: MatchFacts = {
    ids: row.ids,
    type: reading.type,
    titles: [reading.title, ...(row.originalTitle ? [row.originalTitle] : [])],
    year,
    runtimeMinutes: row.runtime,
  }
  const candidates = await findCandidates(facts, source)
  const possibleCandidates = candidates.filter((candidate) => !isImpossibleMatch({ row, reading }, candidate))
  if (possibleCandidates.length === 0)
    return createUnmatchedResult(candidates.length > 0 ? 'other_year' : 'no_title', candidates)
  const rankedCandidates = possibleCandidates
    .map((candidate) => ({ candidate, logOdds: scoreEvidence(facts, candidate) }))
    .sort((a, b) => b.logOdds - a.logOdds || (b.candidate.votes ?? 0) - (a.candidate.votes ?? 0))
  const bestCandidates = rankedCandidates
    .filter(({ logOdds }) => logOdds >= rankedCandidates[0]!.logOdds - 1e-9)
    .map(({ candidate }) => candidate)
  const isWeakGuess = isAlternativeReading && (await isWeakReading(reading, bestCandidates, source))
  const decision = decideMatch({ row, reading, facts, isWeakGuess }, bestCandidates)
  return { ...decision, reading, candidates: rankedCandidates.map(({ candidate }) => candidate) }
}

async function findCandidates(facts: MatchFacts, source: CandidateSource): Promise<MatchCandidate[]> {
  const candidatesByTypeAndId = new Map<string, MatchCandidate>()
  for (const lookupKey of new Set(facts.titles.flatMap(getTitleLookupKeys))) {
    for (const candidate of await source.findByTitle(lookupKey, facts.type)) {
      if (!facts.type || candidate.type === facts.type) {
        candidatesByTypeAndId.set(`${candidate.type} ${candidate.id}`, candidate)
      }
    }
  }
  return [...candidatesByTypeAndId.values()].filter((candidate) => haveSameIds(facts, candidate) !== false)
}

/**
 * True if the candidate cannot be the title of the row. If both years are known, the candidate is impossible when the
 * years differ by more than one. Otherwise, it is impossible when it was released after the viewing or the rating, or
 * when it is a movie that is much shorter than the watched position.
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

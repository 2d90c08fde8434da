/**
 * Which title of the catalogue a row of a history file is about. Ids are final. A title and its year are good evidence, a
 * title alone only when nothing else could be meant; where that is not so the answer is `ambiguous`, with the candidates, and
 * the viewer is asked. A wrong match is worse than none: it puts something into a history that nobody watched.
 */
import { foldTitle, plainTitle, titleKeys } from '../../../src/lib/rules/fold-title.ts'
import { placeByTitle, type WithEpisodes } from './place-by-title.ts'
import type { HistoryRow, Ids, MediaType, Reading } from './row.ts'
import { compareIds, evidence, type Facts } from './same-pair.ts'

export interface Candidate extends Facts, WithEpisodes {
  /** The catalogue's own. */
  id: string | number
  ids: Ids
  type: MediaType
  /** How well known it is; without it no title is told from its namesakes by fame. */
  votes?: number
  /** Of a series. */
  seasons?: number
}

type Awaitable<T> = T | Promise<T>

export interface CandidateSource {
  /** Titles that carry any of these ids. TMDB and TheTVDB number films and series apart: those need the type. */
  byIds(ids: Ids, type?: MediaType): Awaitable<readonly Candidate[]>
  /** Titles one of whose names, in any language, folds (`foldTitle`) to this key. */
  byTitle(folded: string, type?: MediaType): Awaitable<readonly Candidate[]>
}

export type MatchReason =
  | 'imdb'
  | 'tmdb'
  | 'tvdb'
  | 'title_and_year'
  | 'title_and_near_year'
  | 'title_and_episode'
  | 'title_and_runtime'
  | 'title_alone'
  | 'title_of_fame'
  /** ambiguous */
  | 'ids_disagree'
  | 'several'
  | 'perhaps_a_series'
  /** unmatched */
  | 'no_title'
  | 'other_year'

export interface Match {
  outcome: 'matched' | 'ambiguous' | 'unmatched'
  title?: Candidate
  /** The reading of the row that fits: its season and episode hold. */
  reading?: Reading
  /** Likeliest first. */
  candidates: readonly Candidate[]
  /** 0 to 1. */
  score: number
  why: MatchReason
}

/** Somebody who writes only a title means the famous one, if it has so many times the votes of any other. */
const FAME = 20
/** So many texts of one beginning make it a series' name; where there is a film of that name they may be its sequels. */
const SIBLINGS = 2
const SIBLINGS_BESIDE_FILM = 4
/** What is new is watched more than its votes say: so many times, in the year it came out and in the one after. */
const NEW = [5, 2] as const
/** `Violet Evergarden: Film`: what follows the name of a series is no episode of it. */
const NO_EPISODE =
  /\b(?:film|films|movie|le film|la pelicula|pelicula|filme|elokuva|filmen|special|speciale|especial|reunion|making of|behind)\b/u
const SCORES = {
  title_and_year: 0.98,
  title_and_episode: 0.98,
  title_and_runtime: 0.95,
  title_and_near_year: 0.93,
  title_alone: 0.9,
  title_of_fame: 0.85,
} as const

export async function matchTitle(row: HistoryRow, source: CandidateSource): Promise<Match> {
  const byId = await matchIds(row, source)
  if (byId) return byId
  let fallback: Match | null = null
  for (const [i, reading] of [row as Reading, ...(row.readings ?? [])].entries()) {
    const match = await matchReading({ row, reading, guessed: i > 0 }, source)
    if (match.outcome === 'matched') return match
    if (!fallback || rank(match) > rank(fallback)) fallback = match
  }
  return fallback ?? none('no_title')
}

const rank = ({ outcome, why }: Match) => (outcome === 'ambiguous' ? 2 : why === 'other_year' ? 1 : 0)
const none = (why: MatchReason, candidates: readonly Candidate[] = []): Match => ({
  outcome: 'unmatched',
  candidates,
  score: 0,
  why,
})

/** The first kind of id the catalogue knows decides, unless another id of the row denies it. Null when none is known. */
async function matchIds({ ids, type }: HistoryRow, source: CandidateSource): Promise<Match | null> {
  if (Object.keys(ids).length === 0) return null
  const found = (await source.byIds(ids, type)).filter((one) => !type || one.type === type)
  for (const kind of ['imdb', 'tmdb', 'tvdb'] as const) {
    if (kind !== 'imdb' && !type) continue
    const same = found.filter((one) => ids[kind] !== undefined && one.ids[kind] === ids[kind])
    const [only] = same
    if (!only) continue
    const denied = ids.imdb !== undefined && only.ids.imdb !== undefined && only.ids.imdb !== ids.imdb
    if (same.length > 1 || denied) {
      return { outcome: 'ambiguous', candidates: same, score: 0.5, why: 'ids_disagree' }
    }
    return { outcome: 'matched', title: only, candidates: [only], score: 1, why: kind }
  }
  return null
}

interface Asked {
  row: HistoryRow
  reading: Reading
  /** Not how the text is usually read, and nothing in the file speaks for it. */
  guessed: boolean
}

/**
 * `Avatar: The Way of Water` is no episode of a series Avatar: a beginning alone needs others like it. Of series with one
 * season it needs fewer, since Netflix leaves the season out of their episodes' names and nowhere else.
 */
async function isWeak(
  { title, seasonName, episode, episodeTitle = '', siblings = 1 }: Reading,
  best: readonly Candidate[],
  source: CandidateSource,
): Promise<boolean> {
  if (seasonName || episode !== undefined) return false
  const film = (await source.byTitle(foldTitle(title), 'movie')).length > 0
  const needed = film ? SIBLINGS_BESIDE_FILM : SIBLINGS
  const oneSeason = best.every((one) => one.type === 'tv' && one.seasons === 1)
  if (!oneSeason || NO_EPISODE.test(plainTitle(episodeTitle))) return siblings < needed
  return siblings < needed / 2
}

async function matchReading({ row, reading, guessed }: Asked, source: CandidateSource): Promise<Match> {
  const facts: Facts = {
    ids: row.ids,
    type: reading.type,
    titles: [reading.title, ...(row.originalTitle ? [row.originalTitle] : [])],
    year: row.year,
    runtime: row.runtime,
  }
  const found = await candidatesFor(facts, source)
  const possible = found.filter((one) => !contradicts({ row, reading }, one))
  if (possible.length === 0) return none(found.length > 0 ? 'other_year' : 'no_title', found)
  const ranked = possible
    .map((one) => ({ one, odds: evidence(facts, one) }))
    .sort((a, b) => b.odds - a.odds || (b.one.votes ?? 0) - (a.one.votes ?? 0))
  const best = ranked.filter(({ odds }) => odds >= ranked[0]!.odds - 1e-9).map(({ one }) => one)
  const match = decide({ row, reading, guessed: guessed && (await isWeak(reading, best, source)) }, best)
  return { ...match, reading, candidates: ranked.map(({ one }) => one) }
}

async function candidatesFor(facts: Facts, source: CandidateSource): Promise<Candidate[]> {
  const found = new Map<string, Candidate>()
  for (const key of new Set(facts.titles.flatMap(titleKeys))) {
    for (const one of await source.byTitle(key, facts.type)) {
      if (!facts.type || one.type === facts.type) found.set(`${one.type} ${one.id}`, one)
    }
  }
  return [...found.values()].filter((one) => compareIds(facts, one) !== false)
}

/** A year that is not within one of the row's; a title from after it was seen, a film shorter than what was watched. */
function contradicts({ row, reading }: { row: HistoryRow; reading: Reading }, one: Candidate): boolean {
  if (row.year && one.year) return Math.abs(row.year - one.year) > 1
  const seen = row.kind === 'watched' || row.kind === 'rated'
  if (seen && row.at && one.year && one.year > Number(row.at.slice(0, 4))) return true
  // Our own export says how long its own video was.
  if (row.source === 'marquee') return false
  if (!row.progress || !one.runtime || one.type !== 'movie' || reading.type === 'tv') return false
  return row.progress > one.runtime * 60 * 1.1 + 300
}

type Decision = Pick<Match, 'outcome' | 'score' | 'why'> & { title?: Candidate }

function decide({ row, reading, guessed }: Asked, best: readonly Candidate[]): Decision {
  const told = reading.type ? best : likelierType(row, best)
  const [only] = told
  const one = told.length === 1 && only ? only : null
  if (row.year && one?.year) {
    return matched(one, row.year === one.year ? 'title_and_year' : 'title_and_near_year')
  }
  const byEpisode = told.filter((candidate) => placeByTitle(candidate, reading) !== null)
  if (byEpisode.length === 1 && byEpisode[0]) return matched(byEpisode[0], 'title_and_episode')
  if (guessed) {
    return { outcome: 'ambiguous', score: 0.4, why: 'perhaps_a_series' }
  }
  if (row.kind === 'watched' && row.source === 'netflix' && !reading.type && one?.type === 'tv') {
    return { outcome: 'ambiguous', score: 0.5, why: 'perhaps_a_series' }
  }
  if (one) return matched(one, 'title_alone')
  const byRuntime = told.filter((candidate) => watchedWhole(row, candidate))
  if (byRuntime.length === 1 && byRuntime[0]) return matched(byRuntime[0], 'title_and_runtime')
  const famous = mostFamous(told, row)
  if (famous && !row.year) return matched(famous, 'title_of_fame')
  return { outcome: 'ambiguous', score: 1 / told.length, why: 'several' }
}

function matched(title: Candidate, why: keyof typeof SCORES): Decision {
  return { outcome: 'matched', title, score: SCORES[why], why }
}

/** Netflix names the season of what is a series: a title that stands alone is a film, if there is one. */
function likelierType(row: HistoryRow, best: readonly Candidate[]): readonly Candidate[] {
  if (row.source !== 'netflix' || row.kind !== 'watched') return best
  const films = best.filter((one) => one.type === 'movie')
  return films.length > 0 ? films : best
}

/** What was watched ends where this film does. */
function watchedWhole({ progress }: HistoryRow, { runtime, type }: Candidate): boolean {
  if (!progress || !runtime || type !== 'movie') return false
  return progress >= runtime * 60 * 0.9 && progress <= runtime * 60 * 1.02
}

function mostFamous(candidates: readonly Candidate[], { at }: HistoryRow): Candidate | null {
  const weight = ({ votes = 0, year }: Candidate) => {
    const age = at && year ? Number(at.slice(0, 4)) - year : -1
    return votes * (NEW[age] ?? 1)
  }
  const [first, ...others] = candidates
    .map((one) => ({ one, weight: weight(one) }))
    .sort((a, b) => b.weight - a.weight)
  // No votes are no sign of obscurity, nobody has told them; beside a title of the same name and year it is its double.
  const rivals = others.filter(
    ({ one, weight }) => weight > 0 || one.type !== first?.one.type || one.year !== first.one.year,
  )
  const most = rivals.some(({ weight }) => weight === 0) ? Number.POSITIVE_INFINITY : (rivals[0]?.weight ?? 0)
  return first?.weight && first.weight >= FAME * most ? first.one : null
}

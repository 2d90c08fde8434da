/** Stage two: the scratch database as records of the pipeline, the best known title first. */
import { kidsSafety } from '../../../src/lib/rules/kids-safety.ts'
import type { PersonRecord, Read, SeasonRecord, TitleRecord } from '../../queries/title-record.ts'
import { genresOf } from './genres.ts'
import { nameId, titleId } from './ids.ts'
import { type Aka, namesOf } from './names.ts'
import type { Scratch } from './scratch.ts'
import { TITLE_TYPES } from './tables.ts'

const PAGE = 200
const MOST_CAST = 30
const MOST_CREW = 20
const MOST_TEXT = 500

interface TitleRow {
  id: number
  type: string
  name: string
  original: string
  year: number | null
  ended: number | null
  runtime: number | null
  genres: string | null
  rating: number | null
  votes: number | null
}
interface CreditRow {
  person: number
  name: string
  category: string
  characters: string | null
}
interface EpisodeRow {
  season: number
  number: number
  id: number
  name: string | null
  runtime: number | null
}
interface Parts {
  akas: Aka[]
  credits: CreditRow[]
  episodes: EpisodeRow[]
}

const JOBS: Record<string, string> = {
  director: 'Director',
  writer: 'Writer',
  producer: 'Producer',
  composer: 'Original Music Composer',
  cinematographer: 'Director of Photography',
  editor: 'Editor',
  production_designer: 'Production Design',
}

export function* readRecords(scratch: Scratch): Generator<Read> {
  const titles = scratch.prepare(`
    select title.*, rating, -ranked.votes as votes from ranked join title using (id) left join rating using (id)
    where (ranked.votes, ranked.id) > (?, ?) order by ranked.votes, ranked.id limit ${PAGE}`)
  const akas = scratch.prepare(
    'select text, region, lang, types, attributes from aka where title = ? order by place',
  )
  const credits = scratch.prepare(`
    select person, name, category, characters from credit join person on person.id = credit.person
    where title = ? order by place`)
  const episodes = scratch.prepare(`
    select season, number, episode.id, name, runtime from episode left join episode_title using (id)
    where series = ? order by season, number`)
  const people = scratch.holds('credit')
  for (let after: [number, number] = [Number.NEGATIVE_INFINITY, 0]; ; ) {
    const page = titles.all(...after) as unknown as TitleRow[]
    for (const row of page) {
      const parts = {
        akas: akas.all(row.id) as unknown as Aka[],
        credits: people ? (credits.all(row.id) as unknown as CreditRow[]) : [],
        episodes: TITLE_TYPES[row.type] === 'tv' ? (episodes.all(row.id) as unknown as EpisodeRow[]) : [],
      }
      yield { at: titleId(row.id), record: recordOf(row, parts) }
    }
    const last = page.at(-1)
    if (!last) return
    after = [-(last.votes ?? 0), last.id]
  }
}

function recordOf(row: TitleRow, { akas, credits, episodes }: Parts): TitleRecord {
  const type = TITLE_TYPES[row.type] ?? 'movie'
  const { genres, keywords } = genresOf(type, row.genres)
  const primary = row.name.slice(0, MOST_TEXT)
  const original = row.original.slice(0, MOST_TEXT)
  const { names, language } = namesOf({ primary, original }, akas)
  return {
    type,
    imdb_id: titleId(row.id),
    original_title: original,
    ...(language && { language }),
    names,
    ...(row.year && { year: row.year }),
    ...(row.runtime && { runtime: Math.min(row.runtime, 1_000_000) }),
    genres,
    rating: row.rating ?? 0,
    rating_votes: row.votes ?? 0,
    // The dumps hold no age ratings, and unknown counts as unsafe.
    safe_for_kids: kidsSafety({ type, ratings: [], genres, adult: false }),
    high_quality: false,
    ...(type === 'tv' && row.ended && { status: 'Ended' as const }),
    networks: [],
    texts: [],
    keywords,
    cast: castOf(credits),
    crew: crewOf(credits),
    parental_guide: [],
    seasons: seasonsOf(episodes),
  }
}

const personOf = ({ person, name }: CreditRow) => ({ name: name.slice(0, 200), imdb_id: nameId(person) })

/** Somebody with two roles comes once, with both. */
function castOf(credits: CreditRow[]): TitleRecord['cast'] {
  const cast = new Map<number, { person: PersonRecord; characters: string[] }>()
  for (const credit of credits) {
    if (JOBS[credit.category]) continue
    const one = cast.get(credit.person) ?? { person: personOf(credit), characters: [] as string[] }
    one.characters.push(...charactersOf(credit.characters))
    cast.set(credit.person, one)
  }
  return [...cast.values()].slice(0, MOST_CAST).map(({ person, characters }) => {
    const character = [...new Set(characters)].join(' / ').slice(0, MOST_TEXT)
    return { person, ...(character && { character }) }
  })
}

/** A JSON list like `["Self"]`; anything else tells nothing. */
function charactersOf(text: string | null): string[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string' && one.trim() !== '') : []
  } catch {
    return []
  }
}

function crewOf(credits: CreditRow[]): TitleRecord['crew'] {
  const crew = new Map<string, TitleRecord['crew'][number]>()
  for (const credit of credits) {
    const job = JOBS[credit.category]
    const key = `${credit.person} ${job}`
    if (job && !crew.has(key)) crew.set(key, { person: personOf(credit), job })
  }
  const order: string[] = Object.values(JOBS)
  return [...crew.values()].sort((a, b) => order.indexOf(a.job) - order.indexOf(b.job)).slice(0, MOST_CREW)
}

function seasonsOf(episodes: EpisodeRow[]): SeasonRecord[] {
  const seasons = new Map<number, SeasonRecord>()
  for (const { season, number, id, name, runtime } of episodes) {
    const one = seasons.get(season) ?? { season_number: season, episodes: [] }
    one.episodes.push({
      episode_number: number,
      ...(name && { name: name.slice(0, MOST_TEXT) }),
      ...(runtime && { runtime: Math.min(runtime, 1_000_000) }),
      imdb_id: titleId(id),
    })
    seasons.set(season, one)
  }
  return [...seasons.values()]
}

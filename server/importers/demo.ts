/** Reads the demo catalogue (data/demo/, our own work) into records. Format: data/demo/README.md. */
import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { GUIDE_CATEGORIES } from '../../src/lib/rules/limits.ts'
import type { PersonRecord, Read, SeasonRecord, TitleRecord } from '../queries/title-record.ts'

const DAY_MS = 86_400_000

interface DemoSeason {
  n: number
  date?: string
  year?: number
  count: number
  episodes?: string[]
  dates?: string[]
  weekly?: boolean
  drop?: boolean
}
interface DemoTitle {
  type: 'movie' | 'tv'
  imdb_id: string
  title: string
  titles: Record<string, string>
  language: string
  release_date?: string
  year?: number
  runtime?: number
  genres: number[]
  rated?: TitleRecord['rated']
  rating: number
  votes: number
  overview: Record<string, string>
  cast: [string, string?][]
  crew: [string, string][]
  keywords: string[]
  kids: boolean
  uhd: boolean
  guide: Record<
    'sex' | 'violence' | 'profanity' | 'alcohol' | 'frightening',
    TitleRecord['parental_guide'][0]['severity']
  >
  networks?: string[]
  status?: TitleRecord['status']
  seasons?: DemoSeason[]
}
interface DemoPerson {
  name: string
  names?: Record<string, string>
  birthday?: string | null
  deathday?: string | null
  place?: string
  bio?: string
}

/** Titles with the facts of `people/` on their cast and crew; people are told apart by name, as everywhere in the demo. */
export async function* readDemo(folder: string): AsyncGenerator<Read> {
  const people = new Map<string, PersonRecord>()
  for await (const { at, value } of lines<DemoPerson>(join(folder, 'people'))) {
    if (value) people.set(value.name, personOf(value))
    else yield { at, skip: 'is not JSON' }
  }
  for (const part of ['movies', 'series']) {
    for await (const { at, value } of lines<DemoTitle>(join(folder, part))) {
      yield value ? { at, record: recordOf(value, people) } : { at, skip: 'is not JSON' }
    }
  }
}

async function* lines<T>(folder: string): AsyncGenerator<{ at: string; value: T | null }> {
  if (!existsSync(folder)) return
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()) {
    let number = 0
    for await (const line of createInterface({ input: createReadStream(join(folder, file)) })) {
      number += 1
      if (line.trim()) yield { at: `${file}:${number}`, value: parse<T>(line) }
    }
  }
}

function parse<T>(line: string): T | null {
  try {
    return JSON.parse(line) as T
  } catch {
    return null
  }
}

function personOf(person: DemoPerson): PersonRecord {
  return {
    name: person.name,
    ...(person.names && { names: Object.entries(person.names).map(([lang, text]) => ({ lang, text })) }),
    ...(person.birthday && { birthday: person.birthday }),
    ...(person.deathday && { deathday: person.deathday }),
    ...(person.place && { place_of_birth: person.place }),
    ...(person.bio && { biography: person.bio }),
  }
}

function recordOf(title: DemoTitle, people: Map<string, PersonRecord>): TitleRecord {
  const person = (name: string) => people.get(name) ?? { name }
  const own = title.language === 'en' ? title.title : title.titles[title.language]
  return {
    type: title.type,
    imdb_id: title.imdb_id,
    original_title: own ?? title.title,
    language: title.language,
    names: [
      { lang: 'en', text: title.title, role: 'main' },
      ...Object.entries(title.titles).map(([lang, text]) => ({
        lang,
        text,
        role: lang === 'fr' || lang === 'ar' ? ('main' as const) : ('original' as const),
      })),
    ],
    ...releaseOf(title),
    ...(title.runtime && { runtime: title.runtime * 60 }),
    genres: title.genres,
    ...(title.rated && { rated: title.rated }),
    rating: title.rating,
    rating_votes: title.votes,
    safe_for_kids: title.kids,
    high_quality: title.uhd,
    ...(title.status && { status: title.status }),
    networks: title.networks ?? [],
    texts: Object.entries(title.overview).map(([lang, overview]) => ({ lang, overview })),
    keywords: title.keywords,
    cast: title.cast.map(([name, character]) => ({ person: person(name), ...(character && { character }) })),
    crew: title.crew.map(([name, job]) => ({ person: person(name), job })),
    parental_guide: guideOf(title.guide),
    seasons: (title.seasons ?? []).map((season) => seasonOf(season, title.runtime)),
  }
}

function releaseOf(title: DemoTitle): { release_date?: string; year?: number } {
  const first = title.seasons?.[0]
  const date = title.release_date ?? first?.date
  const year = title.year ?? first?.year ?? (date ? Number(date.slice(0, 4)) : undefined)
  return { ...(date && { release_date: date }), ...(year && { year }) }
}

function guideOf(guide: DemoTitle['guide']): TitleRecord['parental_guide'] {
  const keys = ['sex', 'violence', 'profanity', 'alcohol', 'frightening'] as const
  return GUIDE_CATEGORIES.map((category, index) => ({
    category,
    severity: guide[keys[index] as (typeof keys)[number]],
    votes: 0,
  }))
}

/** Episode dates are given, or follow from a weekly run or a release all at once; otherwise they are not known. */
function seasonOf(season: DemoSeason, runtime: number | undefined): SeasonRecord {
  const dateOf = (index: number) => {
    if (season.dates?.[index]) return season.dates[index]
    if (!season.date) return undefined
    if (season.drop || index === 0) return season.date
    if (!season.weekly) return undefined
    return new Date(Date.parse(season.date) + index * 7 * DAY_MS).toISOString().slice(0, 10)
  }
  return {
    season_number: season.n,
    ...(season.date && { air_date: season.date }),
    episodes: Array.from({ length: season.count }, (_, index) => {
      const air = dateOf(index)
      const name = season.episodes?.[index]
      return {
        episode_number: index + 1,
        ...(name && { name }),
        ...(air && { air_date: air }),
        ...(runtime && { runtime: runtime * 60 }),
      }
    }),
  }
}

/** Reads the demo catalogue (data/demo/) into title records. File format: data/demo/README.md. */

import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isLocale } from '../../src/lib/i18n/locales.ts'
import { GUIDE_CATEGORIES } from '../../src/lib/rules/parental-guide.ts'
import { DAY_MS, toIsoDate } from '../core/dates.ts'
import type { PersonRecord, SeasonRecord, TitleReadResult, TitleRecord } from '../queries/title-record.ts'
import { type DemoPerson, readPlaceNames, toPersonRecord } from './demo-people.ts'

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
/** A file of `episodes/`: the titles, dates and overviews of the episodes of one season. */
interface DemoSeasonFile {
  imdb_id: string
  season: number
  episodes: { title?: string; date?: string; en: string; fr: string; ar: string }[]
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

/**
 * Yields one record per title. The people in its cast and crew have the details from `people/`. The demo files have no
 * person ids, so people are identified by name. Lines that are not JSON are yielded as skipped.
 */
export async function* readDemoRecords(folder: string): AsyncGenerator<TitleReadResult> {
  const peopleByName = new Map<string, PersonRecord>()
  const placeNames = readPlaceNames(join(folder, 'places.json'))
  for await (const { location, value: person } of readJsonLines<DemoPerson>(join(folder, 'people'))) {
    if (person) peopleByName.set(person.name, toPersonRecord(person, placeNames))
    else yield { location, skip: 'is not JSON' }
  }
  const episodesBySeason = readEpisodeFiles(join(folder, 'episodes'))
  for (const subfolder of ['movies', 'series']) {
    for await (const { location, value: title } of readJsonLines<DemoTitle>(join(folder, subfolder))) {
      yield title
        ? { location, record: toTitleRecord(title, { peopleByName, episodesBySeason }) }
        : { location, skip: 'is not JSON' }
    }
  }
}

interface DemoPeopleAndEpisodes {
  peopleByName: Map<string, PersonRecord>
  /** Each key is the IMDb id of a series and a season number, separated by a space. */
  episodesBySeason: Map<string, DemoSeasonFile['episodes']>
}

function readEpisodeFiles(folder: string): DemoPeopleAndEpisodes['episodesBySeason'] {
  const fileNames = existsSync(folder)
    ? readdirSync(folder).filter((fileName) => fileName.endsWith('.json'))
    : []
  return new Map(
    fileNames.map((fileName) => {
      const { imdb_id, season, episodes } = JSON.parse(
        readFileSync(join(folder, fileName), 'utf8'),
      ) as DemoSeasonFile
      return [`${imdb_id} ${season}`, episodes]
    }),
  )
}

async function* readJsonLines<T>(folder: string): AsyncGenerator<{ location: string; value: T | null }> {
  if (!existsSync(folder)) return
  for (const fileName of readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()) {
    let lineNumber = 0
    for await (const line of createInterface({ input: createReadStream(join(folder, fileName)) })) {
      lineNumber += 1
      if (line.trim()) yield { location: `${fileName}:${lineNumber}`, value: parseJson<T>(line) }
    }
  }
}

function parseJson<T>(line: string): T | null {
  try {
    return JSON.parse(line) as T
  } catch {
    return null
  }
}

function toTitleRecord(
  title: DemoTitle,
  { peopleByName, episodesBySeason }: DemoPeopleAndEpisodes,
): TitleRecord {
  const findPerson = (name: string) => peopleByName.get(name) ?? { name }
  const nameInOriginalLanguage = title.language === 'en' ? title.title : title.titles[title.language]
  return {
    type: title.type,
    imdb_id: title.imdb_id,
    original_title: nameInOriginalLanguage ?? title.title,
    language: title.language,
    names: [
      { lang: 'en', text: title.title, role: 'main' },
      ...Object.entries(title.titles).map(([lang, text]) => ({
        lang,
        text,
        role: isLocale(lang) ? ('main' as const) : ('original' as const),
      })),
    ],
    ...createReleaseFields(title),
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
    cast: title.cast.map(([name, character]) => ({
      person: findPerson(name),
      ...(character && { character }),
    })),
    crew: title.crew.map(([name, job]) => ({ person: findPerson(name), job })),
    parental_guide: toParentalGuide(title.guide),
    seasons: (title.seasons ?? []).map((season) =>
      toSeasonRecord(season, title.runtime, episodesBySeason.get(`${title.imdb_id} ${season.n}`)),
    ),
  }
}

function createReleaseFields(title: DemoTitle): { release_date?: string; year?: number } {
  const firstSeason = title.seasons?.[0]
  const date = title.release_date ?? firstSeason?.date
  const year = title.year ?? firstSeason?.year ?? (date ? Number(date.slice(0, 4)) : undefined)
  return { ...(date && { release_date: date }), ...(year && { year }) }
}

function toParentalGuide(guide: DemoTitle['guide']): TitleRecord['parental_guide'] {
  const categoryKeys = ['sex', 'violence', 'profanity', 'alcohol', 'frightening'] as const
  return GUIDE_CATEGORIES.map((category, index) => ({
    category,
    severity: guide[categoryKeys[index] as (typeof categoryKeys)[number]],
    votes: 0,
  }))
}

/**
 * Returns the record of a season. `runtimeMinutes` applies to every episode. `episodeDetails` is the content of the
 * season's file in `episodes/`. If the air date of an episode is not listed, it is derived from the start date of the
 * season. This is possible for the first episode, and for all episodes of a season that is released weekly (`weekly`)
 * or all at once (`drop`).
 */
function toSeasonRecord(
  season: DemoSeason,
  runtimeMinutes: number | undefined,
  episodeDetails: DemoSeasonFile['episodes'] = [],
): SeasonRecord {
  const getAirDate = (episodeIndex: number) => {
    const listedDate = episodeDetails[episodeIndex]?.date ?? season.dates?.[episodeIndex]
    if (listedDate) return listedDate
    if (!season.date) return undefined
    if (season.drop || episodeIndex === 0) return season.date
    if (!season.weekly) return undefined
    return toIsoDate(Date.parse(season.date) + episodeIndex * 7 * DAY_MS)
  }
  return {
    season_number: season.n,
    ...(season.date && { air_date: season.date }),
    episodes: Array.from({ length: season.count }, (_, index) => {
      const airDate = getAirDate(index)
      const { title, en, fr, ar } = episodeDetails[index] ?? {}
      const episodeTitle = title ?? season.episodes?.[index]
      return {
        episode_number: index + 1,
        ...(episodeTitle && { name: episodeTitle }),
        ...(en && fr && ar && { overview: en, texts: toEpisodeTexts({ fr, ar }) }),
        ...(airDate && { air_date: airDate }),
        ...(runtimeMinutes && { runtime: runtimeMinutes * 60 }),
      }
    }),
  }
}

const toEpisodeTexts = (overviewsByLanguage: Record<string, string>) =>
  Object.entries(overviewsByLanguage).map(([lang, overview]) => ({ lang, overview }))

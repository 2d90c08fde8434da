/** Stage two of the IMDb import: reads titles from the scratch database, the title with the most votes first. */
import type { Db } from '../../db/database.ts'
import { selectKnownTitles } from '../../queries/adult-title.ts'
import type { PersonRecord, SeasonRecord, TitleReadResult, TitleRecord } from '../../queries/title-record.ts'
import { IMDB_TITLE_TYPES } from './dump-tables.ts'
import { mapImdbGenres } from './genres.ts'
import { formatImdbNameId, formatImdbTitleId } from './ids.ts'
import { type ImdbAka, selectImdbNames } from './names.ts'
import type { ScratchDatabase } from './scratch-database.ts'

const TITLES_PER_PAGE = 200
const MAX_CAST_MEMBERS = 30
const MAX_CREW_MEMBERS = 20
const MAX_TEXT_LENGTH = 500

interface ImdbTitleRow {
  id: number
  type: string
  name: string
  original: string
  year: number | null
  end_year: number | null
  runtime: number | null
  genres: string | null
  rating: number | null
  votes: number | null
}
interface ImdbCreditRow {
  person: number
  name: string
  category: string
  characters: string | null
}
interface ImdbEpisodeRow {
  season: number
  number: number
  id: number
  name: string | null
  runtime: number | null
}
interface RelatedRows {
  akas: ImdbAka[]
  credits: ImdbCreditRow[]
  episodes: ImdbEpisodeRow[]
}

const JOB_BY_CATEGORY: Record<string, string> = {
  director: 'Director',
  writer: 'Writer',
  producer: 'Producer',
  composer: 'Original Music Composer',
  cinematographer: 'Director of Photography',
  editor: 'Editor',
  production_designer: 'Production Design',
}

/**
 * Yields one record per title, and then the adult titles of IMDb that are in the catalogue, so that the import hides
 * them.
 */
export async function* readImdbTitles(
  scratchDatabase: ScratchDatabase,
  catalogue: Db,
): AsyncGenerator<TitleReadResult> {
  yield* readRecords(scratchDatabase)
  yield* readKnownAdultTitles(scratchDatabase, catalogue)
}

async function* readKnownAdultTitles(
  scratchDatabase: ScratchDatabase,
  catalogue: Db,
): AsyncGenerator<TitleReadResult> {
  const selectAdultTitles = scratchDatabase.prepare(
    'select id, type from adult_title where id > ? order by id limit 2000',
  )
  for (let lastId = 0; ; ) {
    const pageRows = selectAdultTitles.all(lastId) as unknown as { id: number; type: string }[]
    const lastRow = pageRows.at(-1)
    if (!lastRow) return
    const adultTitles = pageRows.map(({ id, type }) => ({
      type: IMDB_TITLE_TYPES[type] ?? ('movie' as const),
      imdb_id: formatImdbTitleId(id),
    }))
    for (const adultTitle of await selectKnownTitles(catalogue, adultTitles))
      yield { location: adultTitle.imdb_id ?? '', adultTitle }
    lastId = lastRow.id
  }
}

function* readRecords(scratchDatabase: ScratchDatabase): Generator<TitleReadResult> {
  const selectTitles = scratchDatabase.prepare(`
    select title.*, rating, -ranked.negated_votes as votes
    from ranked join title using (id) left join rating using (id)
    where (ranked.negated_votes, ranked.id) > (?, ?) order by ranked.negated_votes, ranked.id limit ${TITLES_PER_PAGE}`)
  const selectAkas = scratchDatabase.prepare(
    'select text, region, lang, types, attributes from aka where title = ? order by position',
  )
  const selectCredits = scratchDatabase.prepare(`
    select person, name, category, characters from credit join person on person.id = credit.person
    where title = ? order by position`)
  const selectEpisodes = scratchDatabase.prepare(`
    select season, number, episode.id, name, runtime from episode left join episode_title using (id)
    where series = ? order by season, number`)
  const hasCredits = scratchDatabase.hasRows('credit')
  for (let lastKey: [number, number] = [Number.NEGATIVE_INFINITY, 0]; ; ) {
    const pageRows = selectTitles.all(...lastKey) as unknown as ImdbTitleRow[]
    for (const row of pageRows) {
      const relatedRows = {
        akas: selectAkas.all(row.id) as unknown as ImdbAka[],
        credits: hasCredits ? (selectCredits.all(row.id) as unknown as ImdbCreditRow[]) : [],
        episodes:
          IMDB_TITLE_TYPES[row.type] === 'tv'
            ? (selectEpisodes.all(row.id) as unknown as ImdbEpisodeRow[])
            : [],
      }
      yield { location: formatImdbTitleId(row.id), record: toTitleRecord(row, relatedRows) }
    }
    const lastRow = pageRows.at(-1)
    if (!lastRow) return
    lastKey = [-(lastRow.votes ?? 0), lastRow.id]
  }
}

function toTitleRecord(row: ImdbTitleRow, { akas, credits, episodes }: RelatedRows): TitleRecord {
  const type = IMDB_TITLE_TYPES[row.type] ?? 'movie'
  const { genres, keywords } = mapImdbGenres(type, row.genres)
  const primaryTitle = row.name.slice(0, MAX_TEXT_LENGTH)
  const originalTitle = row.original.slice(0, MAX_TEXT_LENGTH)
  const { names, language } = selectImdbNames({ primaryTitle, originalTitle }, akas)
  return {
    type,
    imdb_id: formatImdbTitleId(row.id),
    original_title: originalTitle,
    ...(language && { language }),
    names,
    ...(row.year && { year: row.year }),
    ...(row.runtime && { runtime: Math.min(row.runtime, 1_000_000) }),
    genres,
    rating: row.rating ?? 0,
    rating_votes: row.votes ?? 0,
    // The dumps contain no age ratings, and a title without an age rating counts as unsafe for kids.
    safe_for_kids: false,
    high_quality: false,
    ...(type === 'tv' && row.end_year && { status: 'Ended' as const }),
    networks: [],
    texts: [],
    keywords,
    cast: toCast(credits),
    crew: toCrew(credits),
    parental_guide: [],
    seasons: toSeasons(episodes),
  }
}

const toPerson = ({ person, name }: ImdbCreditRow) => ({
  name: name.slice(0, 200),
  imdb_id: formatImdbNameId(person),
})

/** Returns the cast. A person with several roles becomes one cast member with all of these roles. */
function toCast(credits: ImdbCreditRow[]): TitleRecord['cast'] {
  const castByPersonId = new Map<number, { person: PersonRecord; characters: string[] }>()
  for (const credit of credits) {
    if (JOB_BY_CATEGORY[credit.category]) continue
    const castMember = castByPersonId.get(credit.person) ?? {
      person: toPerson(credit),
      characters: [] as string[],
    }
    castMember.characters.push(...parseCharacters(credit.characters))
    castByPersonId.set(credit.person, castMember)
  }
  return [...castByPersonId.values()].slice(0, MAX_CAST_MEMBERS).map(({ person, characters }) => {
    const character = [...new Set(characters)].join(' / ').slice(0, MAX_TEXT_LENGTH)
    return { person, ...(character && { character }) }
  })
}

/** Parses a JSON array like `["Self"]`; returns an empty array for anything else. */
function parseCharacters(charactersJson: string | null): string[] {
  try {
    const parsedNames: unknown = JSON.parse(charactersJson ?? '[]')
    return Array.isArray(parsedNames)
      ? parsedNames.filter((name) => typeof name === 'string' && name.trim() !== '')
      : []
  } catch {
    return []
  }
}

function toCrew(credits: ImdbCreditRow[]): TitleRecord['crew'] {
  const crewByPersonAndJob = new Map<string, TitleRecord['crew'][number]>()
  for (const credit of credits) {
    const job = JOB_BY_CATEGORY[credit.category]
    const personAndJobKey = `${credit.person} ${job}`
    if (job && !crewByPersonAndJob.has(personAndJobKey))
      crewByPersonAndJob.set(personAndJobKey, { person: toPerson(credit), job })
  }
  const jobOrder: string[] = Object.values(JOB_BY_CATEGORY)
  return [...crewByPersonAndJob.values()]
    .sort((a, b) => jobOrder.indexOf(a.job) - jobOrder.indexOf(b.job))
    .slice(0, MAX_CREW_MEMBERS)
}

function toSeasons(episodes: ImdbEpisodeRow[]): SeasonRecord[] {
  const seasonsByNumber = new Map<number, SeasonRecord>()
  for (const { season, number, id, name, runtime } of episodes) {
    const seasonRecord = seasonsByNumber.get(season) ?? { season_number: season, episodes: [] }
    seasonRecord.episodes.push({
      episode_number: number,
      ...(name && { name: name.slice(0, MAX_TEXT_LENGTH) }),
      ...(runtime && { runtime: Math.min(runtime, 1_000_000) }),
      imdb_id: formatImdbTitleId(id),
    })
    seasonsByNumber.set(season, seasonRecord)
  }
  return [...seasonsByNumber.values()]
}

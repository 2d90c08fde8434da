/** Stage one of the IMDb import: copies the wanted rows of the dump files to the scratch database, in one pass per file. */

import { IdSet } from '../id-set.ts'
import { type ImportReport, reportExcluded, reportSkip } from '../import-report.ts'
import { DumpFileError, type DumpTable, findDumpFile, readDumpFile } from './dump-file.ts'
import {
  AKAS_TABLE,
  BASICS_TABLE,
  CREW_TABLE,
  EPISODES_TABLE,
  IMDB_TITLE_TYPES,
  NAMES_TABLE,
  PRINCIPALS_TABLE,
  RATINGS_TABLE,
} from './dump-tables.ts'
import { parseImdbId, parseImdbIdAt } from './ids.ts'
import type { ScratchDatabase } from './scratch-database.ts'

export interface DumpFilter {
  folder: string
  /** Titles with fewer votes are excluded. 0 also includes titles without a rating. */
  minVotes: number
  /** IMDb title types, which are keys of TITLE_TYPES. */
  types: ReadonlySet<string>
  /** True to include adult titles. */
  includeAdult: boolean
}
interface GatherContext {
  filter: DumpFilter
  scratch: ScratchDatabase
  report: ImportReport
  onProgress: () => void
  signal?: AbortSignal | undefined
}
type Fields = (string | null)[]
type LineFilter = (bytes: Uint8Array, start: number, end: number) => boolean | -1

/** Categories of title.principals that become cast. `archive_footage` is not one of them. */
const CAST_CATEGORIES = new Set(['actor', 'actress', 'self'])
const CREW_CATEGORIES = new Set([
  'director',
  'writer',
  'producer',
  'composer',
  'cinematographer',
  'editor',
  'production_designer',
])
/** Limit on the directors and on the writers of a title, because long series have hundreds. */
const MAX_CREW_PER_JOB = 5
/** First position of the credits from title.crew. It is above every position in title.principals, which has under 100. */
const FIRST_CREW_POSITION = 1_000
/** Plausible years. Values outside this range are errors in the dump. */
const YEAR_RANGE = [1870, 2200] as const

/**
 * Returns the number of lines read and of titles found. Throws `DumpFileError` if a file is damaged or a required file is
 * missing.
 */
export async function readDumps(context: GatherContext): Promise<{ lines: number; titles: number }> {
  const { types, minVotes } = context.filter
  const sets = { rated: new IdSet(), episodes: new IdSet(), titles: new IdSet(), people: new IdSet() }
  const includesSeries = [...types].some((type) => IMDB_TITLE_TYPES[type] === 'tv')
  let lines = await readRatings(context, sets.rated)
  if (includesSeries) lines += await readEpisodes(context, minVotes > 0 ? sets.rated : null, sets.episodes)
  lines += await readBasics(context, sets)
  lines += await readAkas(context, sets.titles)
  lines += await readPrincipals(context, sets)
  lines += await readCrew(context, sets)
  lines += await readNames(context, sets.people)
  return { lines, titles: sets.titles.size }
}

interface TableReader {
  table: DumpTable
  shouldRead: LineFilter
  onRow: (fields: Fields, location: string) => void
}

async function readTable(
  context: GatherContext,
  { table, shouldRead, onRow }: TableReader,
  required = false,
): Promise<number> {
  const { report, filter, signal, onProgress } = context
  if (signal?.aborted) return 0
  const path = findDumpFile(filter.folder, table)
  if (!path) {
    if (required) throw new DumpFileError(`${filter.folder} has no ${table.name}.tsv.gz`)
    reportExcluded(report, `no file ${table.name}`)
    return 0
  }
  return readDumpFile(path, table, {
    shouldRead,
    onRow: (fields, line) => onRow(fields, `${table.name}:${line}`),
    onDamagedLine: (location, reason) => reportSkip(report, location, reason),
    onProgress: (fraction) => {
      report.stage = `reading ${table.name}, ${Math.floor(fraction * 100)} %`
      onProgress()
    },
    signal,
  })
}

const byIdIn =
  (ids: IdSet): LineFilter =>
  (bytes, start, end) => {
    const id = parseImdbIdAt(bytes, start, end)
    return id === -1 ? -1 : ids.has(id)
  }
const anyId: LineFilter = (bytes, start, end) => (parseImdbIdAt(bytes, start, end) === -1 ? -1 : true)
const parseWholeNumber = (text: string | null | undefined): number =>
  text && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN

function readRatings(context: GatherContext, ratedIds: IdSet): Promise<number> {
  const { scratch, report, filter } = context
  const onRow = ([tconst, rating, votes]: Fields, location: string) => {
    const [score, voteCount] = [Number(rating ?? Number.NaN), parseWholeNumber(votes)]
    if (!(score >= 0 && score <= 10) || Number.isNaN(voteCount)) {
      return reportSkip(report, location, 'is not a rating')
    }
    if (voteCount < filter.minVotes) return
    const id = parseImdbId(tconst ?? '')
    if (scratch.insert('rating', id, score, voteCount)) ratedIds.add(id)
    else reportSkip(report, location, `repeats ${tconst}`)
  }
  return readTable(context, { table: RATINGS_TABLE, shouldRead: anyId, onRow }, filter.minVotes > 0)
}

/** Reads the episodes of all series that could be wanted. Only title.basics, which is read later, shows which ones are. */
function readEpisodes(context: GatherContext, seriesIds: IdSet | null, episodeIds: IdSet): Promise<number> {
  const { scratch, report } = context
  const shouldRead: LineFilter = (bytes, start, end) => {
    const id = parseImdbIdAt(bytes, start, end)
    if (id === -1) return -1
    const seriesId = parseImdbIdAt(bytes, bytes.indexOf(9, start) + 1, end)
    return seriesId === -1 ? -1 : seriesIds === null || seriesIds.has(seriesId)
  }
  const onRow = ([tconst, parent, seasonNumber, episodeNumber]: Fields, location: string) => {
    if (seasonNumber === null || episodeNumber === null)
      return reportExcluded(report, 'episodes without a number')
    const [season, episode, id] = [
      parseWholeNumber(seasonNumber),
      parseWholeNumber(episodeNumber),
      parseImdbId(tconst ?? ''),
    ]
    if (Number.isNaN(season) || Number.isNaN(episode))
      return reportSkip(report, location, 'has no episode number')
    if (scratch.insert('episode', parseImdbId(parent ?? ''), season, episode, id)) episodeIds.add(id)
    else reportExcluded(report, 'episodes with a number that is already taken')
  }
  return readTable(context, { table: EPISODES_TABLE, shouldRead, onRow })
}

async function readBasics(
  context: GatherContext,
  { rated: ratedIds, episodes: episodeIds, titles: titleIds }: Record<'rated' | 'episodes' | 'titles', IdSet>,
): Promise<number> {
  const { scratch, report, filter } = context
  const selectVotes = scratch.prepare('select votes from rating where id = ?')
  let belowMinVotes = 0
  const shouldRead: LineFilter = (bytes, start, end) => {
    const id = parseImdbIdAt(bytes, start, end)
    if (id === -1) return -1
    if (filter.minVotes === 0 || ratedIds.has(id) || episodeIds.has(id)) return true
    belowMinVotes += 1
    return false
  }
  const onRow = (fields: Fields, location: string) => {
    const [tconst, type, name, original, adult, startYear, endYear, minutes, genres] = fields
    const id = parseImdbId(tconst ?? '')
    const runtimeSeconds = parseWholeNumber(minutes) * 60 || null
    if (type === 'tvEpisode') {
      if (episodeIds.has(id)) scratch.insert('episode_title', id, name ?? null, runtimeSeconds)
      return
    }
    if (!type || !name) return reportSkip(report, location, 'has no title or no type')
    if (!filter.types.has(type)) return reportExcluded(report, `titles of another type (${type})`)
    if (adult !== '0' && !filter.includeAdult) return reportExcluded(report, 'adult titles')
    const isNew = scratch.insert(
      'title',
      id,
      type,
      name,
      original ?? name,
      parseYear(startYear),
      parseYear(endYear),
      runtimeSeconds,
      genres ?? null,
    )
    if (isNew) {
      titleIds.add(id)
      // Negated, so that the title with the most votes is imported first and gets its slug without a suffix.
      scratch.insert('ranked', -Number(selectVotes.get(id)?.['votes'] ?? 0), id)
    } else reportSkip(report, location, `repeats ${tconst}`)
  }
  const lines = await readTable(context, { table: BASICS_TABLE, shouldRead, onRow }, true)
  reportExcluded(report, `titles and episodes with fewer than ${filter.minVotes} votes`, belowMinVotes)
  return lines
}

function parseYear(text: string | null | undefined): number | null {
  const year = parseWholeNumber(text)
  return year >= YEAR_RANGE[0] && year <= YEAR_RANGE[1] ? year : null
}

function readAkas(context: GatherContext, titleIds: IdSet): Promise<number> {
  const onRow = ([tconst, ordering, text, region, lang, types, attributes]: Fields, location: string) => {
    const position = parseWholeNumber(ordering)
    if (!text || Number.isNaN(position))
      return reportSkip(context.report, location, 'has no title or no number')
    context.scratch.insert(
      'aka',
      parseImdbId(tconst ?? ''),
      position,
      text,
      region ?? null,
      lang ?? null,
      types ?? null,
      attributes ?? null,
    )
  }
  return readTable(context, { table: AKAS_TABLE, shouldRead: byIdIn(titleIds), onRow })
}

type IdSets = Record<'titles' | 'people', IdSet>

function readPrincipals(
  context: GatherContext,
  { titles: titleIds, people: personIds }: IdSets,
): Promise<number> {
  const onRow = ([tconst, ordering, nconst, category, , characters]: Fields, location: string) => {
    const [position, person] = [parseWholeNumber(ordering), parseImdbId(nconst ?? '')]
    if (Number.isNaN(position) || position >= FIRST_CREW_POSITION || person === -1 || !category)
      return reportSkip(context.report, location, 'has no valid person')
    if (!CAST_CATEGORIES.has(category) && !CREW_CATEGORIES.has(category)) return
    personIds.add(person)
    context.scratch.insert(
      'credit',
      parseImdbId(tconst ?? ''),
      position,
      person,
      category,
      characters ?? null,
    )
  }
  return readTable(context, { table: PRINCIPALS_TABLE, shouldRead: byIdIn(titleIds), onRow })
}

function readCrew(context: GatherContext, { titles: titleIds, people: personIds }: IdSets): Promise<number> {
  const onRow = ([tconst, directors, writers]: Fields, location: string) => {
    let position = FIRST_CREW_POSITION
    for (const [category, names] of [
      ['director', directors],
      ['writer', writers],
    ] as const) {
      for (const nconst of names?.split(',').slice(0, MAX_CREW_PER_JOB) ?? []) {
        const person = parseImdbId(nconst)
        if (person === -1) return reportSkip(context.report, location, 'has no valid person')
        personIds.add(person)
        context.scratch.insert('credit', parseImdbId(tconst ?? ''), position++, person, category, null)
      }
    }
  }
  return readTable(context, { table: CREW_TABLE, shouldRead: byIdIn(titleIds), onRow })
}

function readNames(context: GatherContext, personIds: IdSet): Promise<number> {
  const onRow = ([nconst, name]: Fields, location: string) => {
    if (!name) return reportSkip(context.report, location, 'has no name')
    context.scratch.insert('person', parseImdbId(nconst ?? ''), name)
  }
  return readTable(context, { table: NAMES_TABLE, shouldRead: byIdIn(personIds), onRow })
}

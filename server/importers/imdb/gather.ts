/** Stage one: the dumps, file by file, into the scratch database. Every row of every file is looked at once. */

import { IdSet } from '../id-set.ts'
import { count, type ImportReport, skip } from '../report.ts'
import { DumpFileError, findDump, readDump, type Table } from './dump-file.ts'
import { idAt, idOf } from './ids.ts'
import type { Scratch } from './scratch.ts'
import { AKAS, BASICS, CREW, EPISODES, NAMES, PRINCIPALS, RATINGS, TITLE_TYPES } from './tables.ts'

export interface Wanted {
  folder: string
  /** Titles with fewer are left out; 0 takes those without a rating, too. */
  minVotes: number
  /** IMDb's, keys of TITLE_TYPES. */
  types: ReadonlySet<string>
  adult: boolean
}
interface Context {
  wanted: Wanted
  scratch: Scratch
  report: ImportReport
  onProgress: () => void
  signal?: AbortSignal | undefined
}
type Fields = (string | null)[]
type Wants = (bytes: Uint8Array, start: number, end: number) => boolean | -1

/** Roles of title.principals that are kept; footage from elsewhere is not a role. */
const CAST = new Set(['actor', 'actress', 'self'])
const CREW_CATEGORIES = new Set([
  'director',
  'writer',
  'producer',
  'composer',
  'cinematographer',
  'editor',
  'production_designer',
])
/** Long series have hundreds of directors and writers. */
const PER_TITLE = 5
/** Crew lists come after the principals, which number fewer than a hundred. */
const AFTER_PRINCIPALS = 1_000
/** What a dump of this many titles has by mistake. */
const YEARS = [1870, 2200] as const

/** Answers how many lines were read, and how many titles are wanted. Throws `DumpFileError`, as when a needed file is missing. */
export async function gather(context: Context): Promise<{ lines: number; titles: number }> {
  const { types, minVotes } = context.wanted
  const sets = { rated: new IdSet(), episodes: new IdSet(), titles: new IdSet(), people: new IdSet() }
  const series = [...types].some((type) => TITLE_TYPES[type] === 'tv')
  let lines = await readRatings(context, sets.rated)
  if (series) lines += await readEpisodes(context, minVotes > 0 ? sets.rated : null, sets.episodes)
  lines += await readBasics(context, sets)
  lines += await readAkas(context, sets.titles)
  lines += await readPrincipals(context, sets)
  lines += await readCrew(context, sets)
  lines += await readNames(context, sets.people)
  return { lines, titles: sets.titles.size }
}

interface Work {
  table: Table
  wants: Wants
  row: (fields: Fields, where: string) => void
}

async function read(context: Context, { table, wants, row }: Work, needed = false): Promise<number> {
  const { report, wanted, signal, onProgress } = context
  if (signal?.aborted) return 0
  const path = findDump(wanted.folder, table)
  if (!path) {
    if (needed) throw new DumpFileError(`${wanted.folder} holds no ${table.name}.tsv.gz`)
    count(report, `no file ${table.name}`)
    return 0
  }
  return readDump(path, table, {
    wants,
    row: (fields, line) => row(fields, `${table.name}:${line}`),
    damaged: (where, why) => skip(report, where, why),
    progress: (share) => {
      report.stage = `reading ${table.name}, ${Math.floor(share * 100)} %`
      onProgress()
    },
    signal,
  })
}

const byId =
  (set: IdSet): Wants =>
  (bytes, start, end) => {
    const id = idAt(bytes, start, end)
    return id === -1 ? -1 : set.has(id)
  }
const all: Wants = (bytes, start, end) => (idAt(bytes, start, end) === -1 ? -1 : true)
const whole = (text: string | null | undefined): number =>
  text && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN

function readRatings(context: Context, rated: IdSet): Promise<number> {
  const { scratch, report, wanted } = context
  const row = ([tconst, rating, votes]: Fields, where: string) => {
    const [score, number] = [Number(rating ?? Number.NaN), whole(votes)]
    if (!(score >= 0 && score <= 10) || Number.isNaN(number)) return skip(report, where, 'is no rating')
    if (number < wanted.minVotes) return
    const id = idOf(tconst ?? '')
    if (scratch.insert('rating', id, score, number)) rated.add(id)
    else skip(report, where, `repeats ${tconst}`)
  }
  return read(context, { table: RATINGS, wants: all, row }, wanted.minVotes > 0)
}

/** Of series that may be wanted; which are is known after title.basics. */
function readEpisodes(context: Context, series: IdSet | null, episodes: IdSet): Promise<number> {
  const { scratch, report } = context
  const wants: Wants = (bytes, start, end) => {
    const id = idAt(bytes, start, end)
    if (id === -1) return -1
    const parent = idAt(bytes, bytes.indexOf(9, start) + 1, end)
    return parent === -1 ? -1 : series === null || series.has(parent)
  }
  const row = ([tconst, parent, seasonNumber, episodeNumber]: Fields, where: string) => {
    if (seasonNumber === null || episodeNumber === null) return count(report, 'episodes without a number')
    const [season, number, id] = [whole(seasonNumber), whole(episodeNumber), idOf(tconst ?? '')]
    if (Number.isNaN(season) || Number.isNaN(number)) return skip(report, where, 'has no episode number')
    if (scratch.insert('episode', idOf(parent ?? ''), season, number, id)) episodes.add(id)
    else count(report, 'episodes with the number of another')
  }
  return read(context, { table: EPISODES, wants, row })
}

async function readBasics(
  context: Context,
  { rated, episodes, titles }: Record<'rated' | 'episodes' | 'titles', IdSet>,
): Promise<number> {
  const { scratch, report, wanted } = context
  const votes = scratch.prepare('select votes from rating where id = ?')
  let few = 0
  const wants: Wants = (bytes, start, end) => {
    const id = idAt(bytes, start, end)
    if (id === -1) return -1
    if (wanted.minVotes === 0 || rated.has(id) || episodes.has(id)) return true
    few += 1
    return false
  }
  const row = (fields: Fields, where: string) => {
    const [tconst, type, name, original, adult, startYear, endYear, minutes, genres] = fields
    const id = idOf(tconst ?? '')
    const runtime = whole(minutes) * 60 || null
    if (type === 'tvEpisode') {
      if (episodes.has(id)) scratch.insert('episode_title', id, name ?? null, runtime)
      return
    }
    if (!type || !name) return skip(report, where, 'has no title or no type')
    if (!wanted.types.has(type)) return count(report, `titles of another type (${type})`)
    if (adult !== '0' && !wanted.adult) return count(report, 'adult titles')
    const isNew = scratch.insert(
      'title',
      id,
      type,
      name,
      original ?? name,
      yearOf(startYear),
      yearOf(endYear),
      runtime,
      genres ?? null,
    )
    if (isNew) {
      titles.add(id)
      // Below zero: the most voted comes first, and of two that share a slug the better known gets it bare.
      scratch.insert('ranked', -Number(votes.get(id)?.['votes'] ?? 0), id)
    } else skip(report, where, `repeats ${tconst}`)
  }
  const lines = await read(context, { table: BASICS, wants, row }, true)
  count(report, `titles and episodes with fewer than ${wanted.minVotes} votes`, few)
  return lines
}

function yearOf(text: string | null | undefined): number | null {
  const year = whole(text)
  return year >= YEARS[0] && year <= YEARS[1] ? year : null
}

function readAkas(context: Context, titles: IdSet): Promise<number> {
  const row = ([tconst, ordering, text, region, lang, types, attributes]: Fields, where: string) => {
    const place = whole(ordering)
    if (!text || Number.isNaN(place)) return skip(context.report, where, 'has no title or no number')
    context.scratch.insert(
      'aka',
      idOf(tconst ?? ''),
      place,
      text,
      region ?? null,
      lang ?? null,
      types ?? null,
      attributes ?? null,
    )
  }
  return read(context, { table: AKAS, wants: byId(titles), row })
}

type People = Record<'titles' | 'people', IdSet>

function readPrincipals(context: Context, { titles, people }: People): Promise<number> {
  const row = ([tconst, ordering, nconst, category, , characters]: Fields, where: string) => {
    const [place, person] = [whole(ordering), idOf(nconst ?? '')]
    if (Number.isNaN(place) || place >= AFTER_PRINCIPALS || person === -1 || !category)
      return skip(context.report, where, 'names nobody')
    if (!CAST.has(category) && !CREW_CATEGORIES.has(category)) return
    people.add(person)
    context.scratch.insert('credit', idOf(tconst ?? ''), place, person, category, characters ?? null)
  }
  return read(context, { table: PRINCIPALS, wants: byId(titles), row })
}

function readCrew(context: Context, { titles, people }: People): Promise<number> {
  const row = ([tconst, directors, writers]: Fields, where: string) => {
    let place = AFTER_PRINCIPALS
    for (const [category, list] of [
      ['director', directors],
      ['writer', writers],
    ] as const) {
      for (const nconst of list?.split(',').slice(0, PER_TITLE) ?? []) {
        const person = idOf(nconst)
        if (person === -1) return skip(context.report, where, 'names nobody')
        people.add(person)
        context.scratch.insert('credit', idOf(tconst ?? ''), place++, person, category, null)
      }
    }
  }
  return read(context, { table: CREW, wants: byId(titles), row })
}

function readNames(context: Context, people: IdSet): Promise<number> {
  const row = ([nconst, name]: Fields, where: string) => {
    if (!name) return skip(context.report, where, 'has no name')
    context.scratch.insert('person', idOf(nconst ?? ''), name)
  }
  return read(context, { table: NAMES, wants: byId(people), row })
}

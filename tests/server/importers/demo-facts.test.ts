/**
 * The demo's facts against published tables, by IMDb id: nothing is copied from them, they only find mistakes.
 * The tables are not part of the repository; without them these tests pass with a notice.
 */
import { expect, test } from 'vitest'
import { type DemoTitleLine, demoLines } from './demo-lines.ts'
import { bytes, withShared } from './history/shared-data.ts'

/** What the tables say of one title: several may be right (a festival's year, a shortened cut, another spelling). */
interface Known {
  years: Set<number>
  runtimes: Set<number>
  genres: Set<number>
  directors: Set<string>
  cast: Set<string>
}

/** Differences in which the demo is right, and why. */
const OURS_IS_RIGHT: Record<string, string> = {
  tt1772341: 'runtime: the table counts the short film shown before it',
  tt0060196: 'runtime: the first release, the table has the restored cut',
  tt1188996: 'runtime: the whole film, the table has the shortened export cut',
  tt0057831: 'director: the Greek name of Michael Cacoyannis',
  tt0298228: 'year: of the first showing, the table has the American release',
  tt0105695: 'genres: the specification has no westerns among movies',
}

const catalogue = new Map<string, Known>()
const known = (id: string): Known => {
  const found = catalogue.get(id) ?? {
    years: new Set(),
    runtimes: new Set(),
    genres: new Set(),
    directors: new Set(),
    cast: new Set(),
  }
  catalogue.set(id, found)
  return found
}
const lines = (path: string) => bytes(path).toString().trim().split('\n')
/** The fields of one line of a comma-separated file; no field of these files spans lines. */
const fields = (line: string) =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

function readTables(): void {
  for (const line of lines('catalogue/movies.jsonl.gz')) {
    const row = JSON.parse(line)
    if (!row.imdb_id) continue
    const one = known(row.imdb_id)
    one.years.add(Number(row.release_date?.slice(0, 4)))
    if (row.runtime) one.runtimes.add(row.runtime)
    for (const genre of row.genre_ids ?? []) one.genres.add(genre)
    for (const { name } of row.cast ?? []) one.cast.add(name)
    for (const name of row.director_names ?? []) one.directors.add(name)
  }
  for (const line of lines('catalogue/justwatch_netflix_titles.csv.gz').slice(1)) {
    const row = fields(line)
    if (!row[9]?.startsWith('tt')) continue
    known(row[9]).years.add(Number(row[3]))
    if (row[2] === 'MOVIE') known(row[9]).runtimes.add(Number(row[5]))
  }
  for (const line of lines('exports/imdb_a/ratings.csv.gz').slice(1)) {
    const [id = '', , , , , , , , runtime, year, , date, directors] = fields(line)
    const one = known(id)
    one.years.add(Number(year))
    one.years.add(Number(date?.slice(0, 4)))
    if (runtime) one.runtimes.add(Number(runtime))
    for (const name of directors?.split(', ') ?? []) if (name) one.directors.add(name)
  }
  for (const line of lines('catalogue/tv.jsonl.gz')) {
    const row = JSON.parse(line)
    if (row.imdb_id) known(row.imdb_id).years.add(row.year ?? Number(row.first_air_date?.slice(0, 4)))
  }
}

const words = (name: string) =>
  new Set(
    name
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll('ø', 'o')
      .replaceAll('ł', 'l')
      .replace(/[\p{M}'’-]/gu, '')
      .match(/[a-z]+/g),
  )
const samePerson = (one: string, other: string) => {
  const [small, large] = [words(one), words(other)].sort((a, b) => a.size - b.size)
  return (
    small !== undefined &&
    large !== undefined &&
    small.size > 0 &&
    [...small].every((word) => large.has(word))
  )
}
const among = (name: string, all: Set<string>) => [...all].some((other) => samePerson(name, other))

const yearOf = ({ release_date, year, seasons: [first] = [] }: DemoTitleLine) =>
  Number((release_date ?? year ?? first?.date ?? first?.year)?.toString().slice(0, 4))

function differences(title: DemoTitleLine): string[] {
  const table = catalogue.get(title.imdb_id)
  if (!table) return []
  const { years, runtimes, genres, directors, cast } = table
  const found: string[] = []
  const expectAgreement = (what: string, holds: boolean, ours: unknown, theirs: Set<unknown>) => {
    if (theirs.size > 0 && !holds)
      found.push(`${title.title}: ${what} ${ours}, not ${[...theirs].join(', ')}`)
  }
  expectAgreement('year', years.has(yearOf(title)), yearOf(title), years)
  if (title.type === 'tv') return found
  const { runtime } = title
  const near = !runtime || [...runtimes].some((one) => Math.abs(one - runtime) <= 2)
  expectAgreement('runtime', near, runtime, runtimes)
  const shared = title.genres.some((genre) => genres.has(genre))
  expectAgreement('genres', shared, title.genres, genres)
  const ours = title.crew.filter(([, job]) => job === 'Director').map(([name]) => name)
  const directed = ours.some((name) => among(name, directors))
  expectAgreement('directors', directed, ours, directors)
  /* A list of a few names is often only the voices of one version. */
  const actors = title.cast.map(([name]) => name)
  const seen = actors.filter((name) => among(name, cast)).length
  if (cast.size > 5) expectAgreement('cast', seen >= actors.length / 3, actors, cast)
  return found
}

test(
  'years, runtimes, genres, directors and casts of the movies agree with the published tables',
  withShared(async () => {
    readTables()
    const movies = demoLines<DemoTitleLine>('movies')
    expect(movies.filter((one) => catalogue.has(one.imdb_id)).length).toBeGreaterThan(movies.length * 0.9)
    expect(movies.filter((one) => !OURS_IS_RIGHT[one.imdb_id]).flatMap(differences)).toEqual([])
    const stillDiffer = movies.filter((one) => OURS_IS_RIGHT[one.imdb_id] && differences(one).length > 0)
    expect(stillDiffer).toHaveLength(Object.keys(OURS_IS_RIGHT).length)
  }),
)

test(
  'series began in the year that the published tables give',
  withShared(async () => {
    readTables()
    expect(demoLines<DemoTitleLine>('series').flatMap(differences)).toEqual([])
  }),
)

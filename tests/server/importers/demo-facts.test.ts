/**
 * Compares the facts of the demo catalogue with published tables, by IMDb ID, to find mistakes.
 * The tables are not part of the repository. Without them these tests pass and print a message.
 */
import { expect, test } from 'vitest'
import { withSharedData } from '../../support/shared-data.ts'
import { type DemoTitleLine, readDemoLines } from './demo-lines.ts'
import { readSharedFile } from './history/shared-data.ts'

/**
 * Values of the tables for one title. A field can have several right values, such as the year of the first festival
 * and the year of the release.
 */
interface PublishedFacts {
  years: Set<number>
  runtimesMinutes: Set<number>
  genres: Set<number>
  directors: Set<string>
  cast: Set<string>
}

/** Accepted differences between the demo catalogue and the tables: the field, and why it differs. */
const KNOWN_DIFFERENCES_BY_IMDB_ID: Record<string, string> = {
  tt1772341: 'runtime: the table includes the short film shown before the movie',
  tt0060196: 'runtime: of the first release; the table has the restored cut',
  tt1188996: 'runtime: of the full film; the table has the shortened export cut',
  tt0057831: 'director: the Greek name of Michael Cacoyannis',
  tt0298228: 'year: of the first showing; the table has the American release',
  tt0105695: 'genres: the specification has no westerns among movies',
}

const publishedFactsByImdbId = new Map<string, PublishedFacts>()
const getOrCreateFacts = (imdbId: string): PublishedFacts => {
  const facts = publishedFactsByImdbId.get(imdbId) ?? {
    years: new Set(),
    runtimesMinutes: new Set(),
    genres: new Set(),
    directors: new Set(),
    cast: new Set(),
  }
  publishedFactsByImdbId.set(imdbId, facts)
  return facts
}
const readLines = (path: string) => readSharedFile(path).toString().trim().split('\n')
/** Splits one line of a CSV file; no field of these files contains a line break. */
const splitCsvLine = (line: string) =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quotedField, plainField]) => quotedField ?? plainField ?? '',
  )

function readPublishedTables(): void {
  for (const line of readLines('catalogue/movies.jsonl.gz')) {
    const row = JSON.parse(line)
    if (!row.imdb_id) continue
    const facts = getOrCreateFacts(row.imdb_id)
    facts.years.add(Number(row.release_date?.slice(0, 4)))
    if (row.runtime) facts.runtimesMinutes.add(row.runtime)
    for (const genre of row.genre_ids ?? []) facts.genres.add(genre)
    for (const { name } of row.cast ?? []) facts.cast.add(name)
    for (const name of row.director_names ?? []) facts.directors.add(name)
  }
  for (const line of readLines('catalogue/justwatch_netflix_titles.csv.gz').slice(1)) {
    const row = splitCsvLine(line)
    if (!row[9]?.startsWith('tt')) continue
    getOrCreateFacts(row[9]).years.add(Number(row[3]))
    if (row[2] === 'MOVIE') getOrCreateFacts(row[9]).runtimesMinutes.add(Number(row[5]))
  }
  for (const line of readLines('exports/imdb_a/ratings.csv.gz').slice(1)) {
    const [imdbId = '', , , , , , , , runtimeMinutes, year, , date, directors] = splitCsvLine(line)
    const facts = getOrCreateFacts(imdbId)
    facts.years.add(Number(year))
    facts.years.add(Number(date?.slice(0, 4)))
    if (runtimeMinutes) facts.runtimesMinutes.add(Number(runtimeMinutes))
    for (const name of directors?.split(', ') ?? []) if (name) facts.directors.add(name)
  }
  for (const line of readLines('catalogue/tv.jsonl.gz')) {
    const row = JSON.parse(line)
    if (row.imdb_id)
      getOrCreateFacts(row.imdb_id).years.add(row.year ?? Number(row.first_air_date?.slice(0, 4)))
  }
}

const splitNameWords = (name: string) =>
  new Set(
    name
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll('ø', 'o')
      .replaceAll('ł', 'l')
      .replace(/[\p{M}'’-]/gu, '')
      .match(/[a-z]+/g),
  )
const isSamePerson = (demoName: string, publishedName: string) => {
  const [shorterName, longerName] = [splitNameWords(demoName), splitNameWords(publishedName)].sort(
    (a, b) => a.size - b.size,
  )
  return (
    shorterName !== undefined &&
    longerName !== undefined &&
    shorterName.size > 0 &&
    [...shorterName].every((word) => longerName.has(word))
  )
}
const includesPerson = (names: Set<string>, name: string) =>
  [...names].some((candidate) => isSamePerson(name, candidate))

const getFirstYear = ({ release_date, year, seasons: [firstSeason] = [] }: DemoTitleLine) =>
  Number((release_date ?? year ?? firstSeason?.date ?? firstSeason?.year)?.toString().slice(0, 4))

function listDifferences(title: DemoTitleLine): string[] {
  const facts = publishedFactsByImdbId.get(title.imdb_id)
  if (!facts) return []
  const { years, runtimesMinutes, genres, directors, cast } = facts
  const differences: string[] = []
  /** Records a difference if there are published values of the field and they do not confirm the demo value. */
  const recordDifference = (
    field: string,
    isConfirmed: boolean,
    demoValue: unknown,
    publishedValues: Set<unknown>,
  ) => {
    if (publishedValues.size > 0 && !isConfirmed)
      differences.push(`${title.title}: ${field} ${demoValue}, not ${[...publishedValues].join(', ')}`)
  }
  recordDifference('year', years.has(getFirstYear(title)), getFirstYear(title), years)
  if (title.type === 'tv') return differences
  const { runtime: runtimeMinutes } = title
  const isRuntimeClose =
    !runtimeMinutes ||
    [...runtimesMinutes].some((publishedMinutes) => Math.abs(publishedMinutes - runtimeMinutes) <= 2)
  recordDifference('runtime', isRuntimeClose, runtimeMinutes, runtimesMinutes)
  const hasSharedGenre = title.genres.some((genre) => genres.has(genre))
  recordDifference('genres', hasSharedGenre, title.genres, genres)
  const demoDirectors = title.crew.filter(([, job]) => job === 'Director').map(([name]) => name)
  const hasSharedDirector = demoDirectors.some((name) => includesPerson(directors, name))
  recordDifference('directors', hasSharedDirector, demoDirectors, directors)
  /*
   * A published cast of at most five names is not compared: such a cast often lists only the voices of one dubbed
   * version.
   */
  const actors = title.cast.map(([name]) => name)
  const confirmedCount = actors.filter((name) => includesPerson(cast, name)).length
  if (cast.size > 5) recordDifference('cast', confirmedCount >= actors.length / 3, actors, cast)
  return differences
}

test(
  'years, runtimes, genres, directors and casts of demo movies agree with the published tables, except for the listed differences',
  withSharedData(async () => {
    readPublishedTables()
    const movies = readDemoLines<DemoTitleLine>('movies')
    expect(movies.filter((title) => publishedFactsByImdbId.has(title.imdb_id)).length).toBeGreaterThan(
      movies.length * 0.9,
    )
    expect(
      movies.filter((title) => !KNOWN_DIFFERENCES_BY_IMDB_ID[title.imdb_id]).flatMap(listDifferences),
    ).toEqual([])
    const differingMovies = movies.filter(
      (title) => KNOWN_DIFFERENCES_BY_IMDB_ID[title.imdb_id] && listDifferences(title).length > 0,
    )
    expect(differingMovies).toHaveLength(Object.keys(KNOWN_DIFFERENCES_BY_IMDB_ID).length)
  }),
)

test(
  'first years of demo series agree with the published tables',
  withSharedData(async () => {
    readPublishedTables()
    expect(readDemoLines<DemoTitleLine>('series').flatMap(listDifferences)).toEqual([])
  }),
)

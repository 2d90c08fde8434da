/**
 * A library of 10,000 files, named by the conventions of three programs and with mistakes. No file gets a wrong title, each
 * file without a title is listed with the reason, and a second scan changes nothing.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selectAllLibraryFiles } from '../../../server/queries/library-file.ts'
import { getLibrarySync } from '../../../server/services/library/library-sync.ts'
import type { FileReason } from '../../../src/lib/contract/admin-library.ts'
import { createIntegerGenerator } from '../../support/random.ts'
import { type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

const FILE_COUNT = 10_000
const MOVIE_COUNT = 2_000
const SERIES_COUNT = 120
const nextInteger = createIntegerGenerator(20_261_123)
const pickOne = <T>(values: readonly T[]): T => values[nextInteger(values.length)] as T

const ADJECTIVES = [
  'Silent',
  'Broken',
  'Golden',
  'Distant',
  'Hidden',
  'Crimson',
  'Frozen',
  'Última',
  'Été',
  'Weiße',
]
const NOUNS = [
  'Harbour',
  'Garden',
  'Mirror',
  'Station',
  'Orchard',
  'Signal',
  'Letter',
  'Winter',
  'Forêt',
  'Straße',
]
interface TitleFacts {
  title: string
  year: number
  imdb?: string
  tmdb?: number
  episodes?: number[]
}
const formatImdbId = (number: number) => `tt${String(number).padStart(7, '0')}`
/** Names repeat: twenty films of different years have one name, and some films have equal names and years. */
const MOVIES: TitleFacts[] = Array.from({ length: MOVIE_COUNT }, (_, index) => ({
  title: `${ADJECTIVES[index % 10]} ${NOUNS[Math.floor(index / 10) % 10]}`,
  year: 1930 + 3 * (Math.floor(index / 100) % 19),
  // Every tenth film has no IMDb id.
  ...(index % 10 !== 9 && { imdb: formatImdbId(1_000_000 + index) }),
  tmdb: 10_000 + index,
}))
const SERIES: TitleFacts[] = Array.from({ length: SERIES_COUNT }, (_, index) => ({
  title: `The ${ADJECTIVES[index % 10]} ${NOUNS[Math.floor(index / 10) % 10]} ${index >= 100 ? 'Returns' : 'Files'}`,
  year: 1990 + (index % 30),
  imdb: formatImdbId(3_000_000 + index),
  tmdb: 90_000 + index,
  episodes: [2, 10, 10],
}))
const TAGS = [
  '1080p.BluRay.x264-GROUP',
  '2160p.WEB-DL.HEVC.HDR10',
  '720p.HDTV.x264',
  'DVDRip.XviD',
  'REMUX.DTS',
]
const EXTENSIONS = ['mkv', 'mp4', 'avi', 'm4v']
const toDots = (name: string) => name.replaceAll(' ', '.')

interface NamedFile {
  path: string
  /** The only right title of the file, with its IMDb or TMDB id; null when no title is right. */
  truth: TitleFacts | null
  /** True when the name identifies the title by an id. */
  hasId: boolean
}

function nameMovie(movie: TitleFacts, number: number): NamedFile {
  const { title, year, imdb, tmdb } = movie
  const extension = pickOne(EXTENSIONS)
  const idTag = imdb ? pickOne([`{imdb-${imdb}}`, `[imdbid=${imdb}]`, `[tmdbid=${tmdb}]`]) : `{tmdb-${tmdb}}`
  const names = [
    { path: `Films/${title} (${year})/${title} (${year}) - ${number}.${extension}`, hasId: false },
    { path: `Films/${title} (${year}) ${idTag}/${title} (${year}) - ${number}.${extension}`, hasId: true },
    {
      path: `Scene/${toDots(title)}.${year}.${pickOne(TAGS)}/${toDots(title)}.${year}.${number}x.${extension}`,
      hasId: false,
    },
    { path: `Loose ${number % 50}/${title} ${idTag} ${number}.${extension}`, hasId: true },
  ]
  return { ...pickOne(names), truth: movie }
}

function nameEpisode(series: TitleFacts, number: number): NamedFile {
  const { title, year, imdb } = series
  const season = 1 + nextInteger(2)
  const episode = 1 + nextInteger(10)
  const code = `S0${season}E${String(episode).padStart(2, '0')}`
  const extension = pickOne(EXTENSIONS)
  const names = [
    {
      path: `TV/${title} (${year})/Season 0${season}/${title} - ${code} - ${number}.${extension}`,
      hasId: false,
    },
    {
      path: `TV/${title} {imdb-${imdb}}/Season ${season}/${season}x${String(episode).padStart(2, '0')} ${number}.${extension}`,
      hasId: true,
    },
    {
      path: `Scene/${toDots(title)}.${code}.${pickOne(TAGS)}.${number}/${toDots(title)}.${code}.${extension}`,
      hasId: false,
    },
    {
      path: `TV/${title} (${year})/Season ${season}/${title} - ${code}-E${String(Math.min(10, episode + 1)).padStart(2, '0')} ${number}.${extension}`,
      hasId: false,
    },
  ]
  return { ...pickOne(names), truth: series }
}

/** Creates a file name that identifies no title: an unknown id, a misspelt name, a sample, a part or a missing episode. */
function nameMistake(number: number): NamedFile {
  const movie = pickOne(MOVIES)
  const series = pickOne(SERIES)
  const paths = [
    `Films/${movie.title} {imdb-${formatImdbId(9_000_000 + number)}}/${number}.mkv`,
    `Films/${movie.title}x (${movie.year}) ${number}q.mkv`,
    `Films/${movie.title} (${movie.year})/Extras/Interview ${number}.mkv`,
    `Films/${number}/sample.mkv`,
    `TV/${series.title} (${series.year})/Season 09/${series.title} - S09E${10 + (number % 80)} ${number}.mkv`,
    `Films/Both ${number} {imdb-${formatImdbId(1_000_000)}} {tmdb-10001}/film.mkv`,
  ]
  return { path: pickOne(paths), truth: null, hasId: false }
}

const root = mkdtempSync(join(tmpdir(), 'marquee-large-'))
const files = new Map<string, NamedFile>()
let mediaServer: MediaTestServer
beforeAll(async () => {
  for (let number = 1; files.size < FILE_COUNT; number++) {
    const kind = nextInteger(20)
    const file =
      kind === 0
        ? nameMistake(number)
        : kind < 11
          ? nameMovie(pickOne(MOVIES), number)
          : nameEpisode(pickOne(SERIES), number)
    files.set(file.path, file)
  }
  for (const path of files.keys()) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), 'x')
  }
  mediaServer = await startMediaTestServer({ MEDIA_DIR: root }, [...MOVIES, ...SERIES])
}, 240_000)
afterAll(async () => {
  await mediaServer.close()
  rmSync(root, { recursive: true, force: true })
})

test('no file has a wrong title, and each file is listed with a title or a reason', async () => {
  const { primary } = mediaServer.server.database
  const rows = await selectAllLibraryFiles(primary)
  const titles = new Map(
    (await primary.selectFrom('title').select(['title_id', 'tmdb_id']).execute()).map((row) => [
      row.title_id,
      row.tmdb_id,
    ]),
  )
  expect(rows.map((row) => row.path).sort()).toEqual([...files.keys()].sort())
  const wrongPaths: string[] = []
  const unmatchedIds: string[] = []
  const reasons: Partial<Record<FileReason | 'matched', number>> = {}
  for (const row of rows) {
    const { truth, hasId } = files.get(row.path) as NamedFile
    const outcome = row.title_id === null ? (row.reason as FileReason) : 'matched'
    reasons[outcome] = (reasons[outcome] ?? 0) + 1
    if (row.title_id !== null && titles.get(row.title_id) !== truth?.tmdb) wrongPaths.push(row.path)
    if (row.title_id === null && hasId) unmatchedIds.push(row.path)
    if (row.reason === 'ambiguous') expect(JSON.parse(row.candidates).length).toBeGreaterThan(1)
  }
  console.log('outcomes of 10,000 files', reasons)
  expect(wrongPaths).toEqual([])
  expect(unmatchedIds).toEqual([])
  expect(reasons.matched).toBeGreaterThan(0.85 * FILE_COUNT)
})

test('a second scan changes nothing', async () => {
  const startedMs = performance.now()
  const report = await getLibrarySync(mediaServer.server.deps)?.scan(async () => {})
  console.log('second scan in ms', Math.round(performance.now() - startedMs))
  expect(report).toMatchObject({ files: FILE_COUNT, added: 0, changed: 0, removed: 0 })
}, 60_000)

test('a file that is added or removed is noticed within three seconds', async () => {
  const path = 'Films/New Arrival (2020)/New Arrival (2020).mkv'
  const isStored = async () =>
    (await mediaServer.server.database.primary
      .selectFrom('library_file')
      .select('file_id')
      .where('path', '=', path)
      .executeTakeFirst()) !== undefined
  const measureChange = async (change: () => void, expected: boolean) => {
    const startedMs = performance.now()
    change()
    while ((await isStored()) !== expected && performance.now() - startedMs < 20_000)
      await new Promise((resolve) => setTimeout(resolve, 50))
    return performance.now() - startedMs
  }
  const writeFile = () => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), 'x')
  }
  expect(await measureChange(writeFile, true)).toBeLessThan(3_000)
  expect(await measureChange(() => rmSync(join(root, path)), false)).toBeLessThan(3_000)
}, 60_000)

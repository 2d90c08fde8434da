/**
 * A library of 10,000 files. Most file names follow the conventions of three programs. Some names contain mistakes.
 * No file may get a wrong title. Each file without a title must be listed with a reason.
 * A second scan must change nothing.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selectAllLibraryFiles } from '../../../server/queries/library-file.ts'
import { getLibrarySync } from '../../../server/services/library/library-sync.ts'
import type { UntitledFileReason } from '../../../src/lib/contract/admin-library.ts'
import { createIntegerGenerator } from '../../support/random.ts'
import { type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

const FILE_COUNT = 10_000
const MOVIE_COUNT = 2_000
const SERIES_COUNT = 120
const drawInteger = createIntegerGenerator(20_261_123)
const pickRandomValue = <T>(values: readonly T[]): T => values[drawInteger(values.length)] as T

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
const formatImdbId = (imdbNumber: number) => `tt${String(imdbNumber).padStart(7, '0')}`
/** Movies with 100 different names. Twenty movies share each name. Two of these twenty movies also share the year. */
const MOVIES: TitleFacts[] = Array.from({ length: MOVIE_COUNT }, (_, index) => ({
  title: `${ADJECTIVES[index % 10]} ${NOUNS[Math.floor(index / 10) % 10]}`,
  year: 1930 + 3 * (Math.floor(index / 100) % 19),
  // Every tenth movie has no IMDb id.
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
const RELEASE_TAGS = [
  '1080p.BluRay.x264-GROUP',
  '2160p.WEB-DL.HEVC.HDR10',
  '720p.HDTV.x264',
  'DVDRip.XviD',
  'REMUX.DTS',
]
const EXTENSIONS = ['mkv', 'mp4', 'avi', 'm4v']
const replaceSpacesWithDots = (name: string) => name.replaceAll(' ', '.')

interface NamedFile {
  path: string
  /** The only correct title of the file, or null if no title is correct. */
  expectedTitle: TitleFacts | null
  /** True if the path contains an id of the title. */
  hasId: boolean
}

function createMovieFile(movie: TitleFacts, fileNumber: number): NamedFile {
  const { title, year, imdb, tmdb } = movie
  const extension = pickRandomValue(EXTENSIONS)
  const idTag = imdb
    ? pickRandomValue([`{imdb-${imdb}}`, `[imdbid=${imdb}]`, `[tmdbid=${tmdb}]`])
    : `{tmdb-${tmdb}}`
  const variants = [
    { path: `Films/${title} (${year})/${title} (${year}) - ${fileNumber}.${extension}`, hasId: false },
    {
      path: `Films/${title} (${year}) ${idTag}/${title} (${year}) - ${fileNumber}.${extension}`,
      hasId: true,
    },
    {
      path: `Scene/${replaceSpacesWithDots(title)}.${year}.${pickRandomValue(RELEASE_TAGS)}/${replaceSpacesWithDots(title)}.${year}.${fileNumber}x.${extension}`,
      hasId: false,
    },
    { path: `Loose ${fileNumber % 50}/${title} ${idTag} ${fileNumber}.${extension}`, hasId: true },
  ]
  return { ...pickRandomValue(variants), expectedTitle: movie }
}

function createEpisodeFile(series: TitleFacts, fileNumber: number): NamedFile {
  const { title, year, imdb } = series
  const season = 1 + drawInteger(2)
  const episode = 1 + drawInteger(10)
  const episodeCode = `S0${season}E${String(episode).padStart(2, '0')}`
  const extension = pickRandomValue(EXTENSIONS)
  const variants = [
    {
      path: `TV/${title} (${year})/Season 0${season}/${title} - ${episodeCode} - ${fileNumber}.${extension}`,
      hasId: false,
    },
    {
      path: `TV/${title} {imdb-${imdb}}/Season ${season}/${season}x${String(episode).padStart(2, '0')} ${fileNumber}.${extension}`,
      hasId: true,
    },
    {
      path: `Scene/${replaceSpacesWithDots(title)}.${episodeCode}.${pickRandomValue(RELEASE_TAGS)}.${fileNumber}/${replaceSpacesWithDots(title)}.${episodeCode}.${extension}`,
      hasId: false,
    },
    {
      path: `TV/${title} (${year})/Season ${season}/${title} - ${episodeCode}-E${String(Math.min(10, episode + 1)).padStart(2, '0')} ${fileNumber}.${extension}`,
      hasId: false,
    },
  ]
  return { ...pickRandomValue(variants), expectedTitle: series }
}

/**
 * Returns a file that must not get a title. Its path marks the file as an extra or a sample, or contains a mistake: an
 * unknown id, a misspelt title, an episode that the series does not have, or two contradictory ids.
 */
function createMisnamedFile(fileNumber: number): NamedFile {
  const movie = pickRandomValue(MOVIES)
  const series = pickRandomValue(SERIES)
  const paths = [
    `Films/${movie.title} {imdb-${formatImdbId(9_000_000 + fileNumber)}}/${fileNumber}.mkv`,
    `Films/${movie.title}x (${movie.year}) ${fileNumber}q.mkv`,
    `Films/${movie.title} (${movie.year})/Extras/Interview ${fileNumber}.mkv`,
    `Films/${fileNumber}/sample.mkv`,
    `TV/${series.title} (${series.year})/Season 09/${series.title} - S09E${10 + (fileNumber % 80)} ${fileNumber}.mkv`,
    `Films/Both ${fileNumber} {imdb-${formatImdbId(1_000_000)}} {tmdb-10001}/film.mkv`,
  ]
  return { path: pickRandomValue(paths), expectedTitle: null, hasId: false }
}

const mediaFolder = mkdtempSync(join(tmpdir(), 'marquee-large-'))
const filesByPath = new Map<string, NamedFile>()
let mediaServer: MediaTestServer
beforeAll(async () => {
  for (let fileNumber = 1; filesByPath.size < FILE_COUNT; fileNumber++) {
    const fileKindNumber = drawInteger(20)
    const file =
      fileKindNumber === 0
        ? createMisnamedFile(fileNumber)
        : fileKindNumber < 11
          ? createMovieFile(pickRandomValue(MOVIES), fileNumber)
          : createEpisodeFile(pickRandomValue(SERIES), fileNumber)
    filesByPath.set(file.path, file)
  }
  for (const path of filesByPath.keys()) {
    mkdirSync(dirname(join(mediaFolder, path)), { recursive: true })
    writeFileSync(join(mediaFolder, path), 'x')
  }
  mediaServer = await startMediaTestServer({ MEDIA_DIR: mediaFolder }, [...MOVIES, ...SERIES])
}, 240_000)
afterAll(async () => {
  await mediaServer.close()
  rmSync(mediaFolder, { recursive: true, force: true })
})

test('in a library of 10,000 files, every file is listed, no file has a wrong title, and more than 85 % of the files have a title', async () => {
  const { primary } = mediaServer.server.database
  const rows = await selectAllLibraryFiles(primary)
  const tmdbIdsByTitleId = new Map(
    (await primary.selectFrom('title').select(['title_id', 'tmdb_id']).execute()).map((row) => [
      row.title_id,
      row.tmdb_id,
    ]),
  )
  expect(rows.map((row) => row.path).sort()).toEqual([...filesByPath.keys()].sort())
  const mismatchedPaths: string[] = []
  const unmatchedPathsWithId: string[] = []
  const countsByOutcome: Partial<Record<UntitledFileReason | 'matched', number>> = {}
  for (const row of rows) {
    const { expectedTitle, hasId } = filesByPath.get(row.path) as NamedFile
    const outcome = row.title_id === null ? (row.reason as UntitledFileReason) : 'matched'
    countsByOutcome[outcome] = (countsByOutcome[outcome] ?? 0) + 1
    if (row.title_id !== null && tmdbIdsByTitleId.get(row.title_id) !== expectedTitle?.tmdb)
      mismatchedPaths.push(row.path)
    if (row.title_id === null && hasId) unmatchedPathsWithId.push(row.path)
    if (row.reason === 'ambiguous') expect(JSON.parse(row.candidates).length).toBeGreaterThan(1)
  }
  console.log('outcomes of 10,000 files', countsByOutcome)
  expect(mismatchedPaths).toEqual([])
  expect(unmatchedPathsWithId).toEqual([])
  expect(countsByOutcome.matched).toBeGreaterThan(0.85 * FILE_COUNT)
})

test('a second scan of an unchanged folder reports no changes', async () => {
  const startedAtMs = performance.now()
  const report = await getLibrarySync(mediaServer.server.deps)?.scan(async () => {})
  console.log('second scan in ms', Math.round(performance.now() - startedAtMs))
  expect(report).toMatchObject({ files: FILE_COUNT, added: 0, changed: 0, removed: 0 })
}, 60_000)

test('in a large library, a file that is added or removed is detected within three seconds', async () => {
  const path = 'Films/New Arrival (2020)/New Arrival (2020).mkv'
  const isStored = async () =>
    (await mediaServer.server.database.primary
      .selectFrom('library_file')
      .select('file_id')
      .where('path', '=', path)
      .executeTakeFirst()) !== undefined
  const measureChangeMs = async (applyChange: () => void, shouldBeStored: boolean) => {
    const startedAtMs = performance.now()
    applyChange()
    while ((await isStored()) !== shouldBeStored && performance.now() - startedAtMs < 20_000)
      await new Promise((resolve) => setTimeout(resolve, 50))
    return performance.now() - startedAtMs
  }
  const writeFile = () => {
    mkdirSync(dirname(join(mediaFolder, path)), { recursive: true })
    writeFileSync(join(mediaFolder, path), 'x')
  }
  expect(await measureChangeMs(writeFile, true)).toBeLessThan(3_000)
  expect(await measureChangeMs(() => rmSync(join(mediaFolder, path)), false)).toBeLessThan(3_000)
}, 60_000)

/** Parsing a sample file of every history format, and rejecting other files. */
import { expect, test } from 'vitest'
import {
  detectHistoryFormat,
  getBaseName,
  parseHistoryFile,
  UnknownFormatError,
} from '../../../../server/importers/history/parse-history-file.ts'
import { formatJson } from './cases/case.ts'
import { IMDB_CASES } from './cases/imdb.ts'
import { LETTERBOXD_CASES } from './cases/letterboxd.ts'
import { MEDIA_SERVER_CASES } from './cases/media-servers.ts'
import { NETFLIX_CASES } from './cases/netflix.ts'
import { OTHER_SERVICE_CASES } from './cases/other-services.ts'
import { STREAMING_SERVICE_CASES } from './cases/streaming-services.ts'
import { TMDB_CASES } from './cases/tmdb.ts'
import { TRACKER_CASES } from './cases/trackers.ts'
import { HEAT_MOVIE, TRAKT_CASES } from './cases/trakt.ts'
import { TVTIME_CASES } from './cases/tvtime.ts'
import { NOW_MS, parseHistoryContent } from './shared-data.ts'

for (const { fileName, text, format, rows, skips = [] } of [
  ...NETFLIX_CASES,
  ...TRAKT_CASES,
  ...LETTERBOXD_CASES,
  ...IMDB_CASES,
  ...TMDB_CASES,
  ...TVTIME_CASES,
  ...TRACKER_CASES,
  ...STREAMING_SERVICE_CASES,
  ...OTHER_SERVICE_CASES,
  ...MEDIA_SERVER_CASES,
]) {
  test(`${fileName} is parsed as ${format}`, async () => {
    const content = Buffer.from(text)
    expect(detectHistoryFormat(fileName, content)?.id).toBe(format)
    for (const chunkBytes of [1, 7, content.length]) {
      const parsedFile = await parseHistoryContent(fileName, content, chunkBytes)
      // A field that must be missing is undefined in the expected row.
      const rowsWithAllFields = parsedFile.rows.map((row, index) => ({
        ...Object.fromEntries(Object.keys(rows[index] ?? {}).map((fieldName) => [fieldName, undefined])),
        ...row,
      }))
      expect(rowsWithAllFields).toMatchObject(rows)
      expect(parsedFile.skips).toEqual(skips)
    }
  })
}

test('stopped series of TV Time are returned without a date, because the files contain only the day when a series was added', async () => {
  const droppedRows = []
  for (const { fileName, text } of TVTIME_CASES) {
    const { rows } = await parseHistoryContent(fileName, Buffer.from(text))
    droppedRows.push(...rows.filter(({ kind }) => kind === 'dropped'))
  }
  expect(droppedRows.map(({ title }) => title)).toEqual(['Stopped', 'Gone', 'Elite', 'Elite'])
  for (const row of droppedRows) expect(row).not.toHaveProperty('at')
})

test('getBaseName removes the folder and the extensions of a file, keeps upper and lower case, and never returns an empty name', () => {
  const names = [
    'imdb/Best Films.csv',
    'C:\\Lists\\Best Films.CSV',
    'Best Films.csv.txt',
    'Vol. 2',
    '.csv',
    'a/b.xlsx',
  ]
  expect(names.map(getBaseName)).toEqual(['Best Films', 'Best Films', 'Best Films', 'Vol. 2', '.csv', 'b'])
})

test('history files of unknown formats are rejected', async () => {
  for (const fileText of [
    '',
    'hello',
    '{"a":1}',
    '[1,2]',
    'name,amount\nx,2\n',
    '\u0000\u0001PNG',
    'a,b,c\n',
  ]) {
    expect(detectHistoryFormat('file.csv', Buffer.from(fileText))).toBeNull()
    await expect(parseHistoryContent('file.csv', Buffer.from(fileText))).rejects.toThrow(UnknownFormatError)
  }
})

test('a list with the columns of a Netflix viewing history is not read as viewings', () => {
  const csvBytes = Buffer.from('Title,Date\nLost Film,2020-01-02\n')
  expect(detectHistoryFormat('watchlist.csv', csvBytes)).toBeNull()
  expect(detectHistoryFormat('netflix/My List.csv', csvBytes)).toBeNull()
  expect(detectHistoryFormat('history.csv', csvBytes)?.id).toBe('netflix-viewing-history')
})

test('a Letterboxd table of films is accepted only under a known file name, such as watched.csv', () => {
  const filmsCsv = Buffer.from('Date,Name,Year,Letterboxd URI\n2020-01-02,Tank,1984,x\n')
  expect(detectHistoryFormat('letterboxd/tank.csv', filmsCsv)).toBeNull()
  expect(detectHistoryFormat('letterboxd/watched.csv', filmsCsv)?.id).toBe('letterboxd-films')
})

test('a Trakt, IMDb or TMDB list is read as the watchlist only if its file has the name of a downloaded watchlist, such as "watchlist (1)"', async () => {
  const traktJson = formatJson([{ listed_at: '2020-01-02T00:00:00.000Z', type: 'movie', movie: HEAT_MOVIE }])
  const imdbCsv = 'Position,Const,Created,Title,Title Type,Year\n1,tt0113277,2020-01-02,Heat,Movie,1995\n'
  const tmdbCsv =
    'TMDb ID,IMDb ID,Type,Name,Release Date,Your Rating,Date Rated\n949,,movie,Heat,1995-12-15,,\n'
  const watchlistNames = [
    'WATCHLIST',
    'watchlist (1)',
    'watchlist(2)',
    'watchlist-movies-1',
    'movie-watchlist',
    'tmdb_tv_watchlist',
    'IMDb watchlist',
    'watchlist-2024-05-01',
  ]
  const listNames = ['Watchlist 2020', 'My watchlist', 'watchlist done', 'Not on the watchlist']
  for (const [extension, text] of [
    ['json', traktJson],
    ['csv', imdbCsv],
    ['csv', tmdbCsv],
  ] as const) {
    for (const baseName of [...watchlistNames, ...listNames]) {
      const { rows } = await parseHistoryContent(`${baseName}.${extension}`, Buffer.from(text))
      expect(rows).toMatchObject([{ kind: 'listed', title: 'Heat' }])
      expect(rows[0]?.list).toBe(listNames.includes(baseName) ? baseName : undefined)
    }
  }
  for (const [fileName, listName] of [
    ['lists-watchlist.json', undefined],
    ['lists-list-29-watchlist-done.json', 'watchlist-done'],
  ] as const)
    expect((await parseHistoryContent(fileName, Buffer.from(traktJson))).rows[0]?.list).toBe(listName)
})

test('Trakt comments and liked lists are not accepted as a history', () => {
  const traktEntries = [
    { type: 'movie', movie: HEAT_MOVIE, comment: { id: 1, comment: 'Good.' } },
    { liked_at: '2020-01-02T00:00:00.000Z', type: 'list', list: { ids: { trakt: 4 } } },
  ]
  for (const traktEntry of traktEntries)
    expect(detectHistoryFormat('comments.json', Buffer.from(formatJson([traktEntry])))).toBeNull()
})

test('rows with numbers or texts that a database cannot store are reported as `bad_row`', async () => {
  const show = { title: 'Dark', year: 2017, ids: { trakt: 2, tmdb: 70523 } }
  const createViewing = (overrides: object) => ({
    watched_at: '2020-01-02T00:00:00.000Z',
    show,
    episode: { season: 1, number: 4, title: 'A' },
    ...overrides,
  })
  const traktEntries = [
    createViewing({}),
    createViewing({ episode: { season: 1, number: 12.5 } }),
    createViewing({ episode: { season: -1, number: 1 } }),
    createViewing({ episode: { season: 1, number: 100_001 } }),
    createViewing({ episode: { season: 1, number: 5, title: 'A\u0000' } }),
    createViewing({ show: { ...show, ids: { tmdb: 3_000_000_000 } } }),
    createViewing({ show: { ...show, title: '\ud800' } }),
    { plays: 1.5, movie: HEAT_MOVIE },
    { plays: 3_000_000_000, movie: HEAT_MOVIE },
  ]
  const traktJson = `[\n${traktEntries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]`
  const traktFile = await parseHistoryContent('history-1.json', Buffer.from(traktJson))
  expect(traktFile.rows).toMatchObject([{ season: 1, episode: 4 }])
  expect(traktFile.skips).toEqual(
    traktEntries.slice(1).map((_, index) => ({ line: index + 3, skip: 'bad_row' })),
  )
  const episodesCsv =
    'series_tvdb_id,title,season,episode,is_watched,watched_at,rewatch_count\n' +
    '5,Elite,1,12.5,true,2020-01-02,0\n5,Elite,1,12,true,2020-01-02,0.5\n5,Elite,1,12,true,2020-01-02,1\n'
  const tvTimeFile = await parseHistoryContent('tvtime-series-episodes.csv', Buffer.from(episodesCsv))
  expect(tvTimeFile.rows).toMatchObject([{ season: 1, episode: 12, plays: 2 }])
  expect(tvTimeFile.skips).toEqual([2, 3].map((line) => ({ line, skip: 'bad_row' })))
  const marqueeViewing = {
    type: 'tv',
    title: 'Dark',
    year: 2017,
    imdb_id: null,
    tmdb_id: 70523,
    watched_at: null,
  }
  const createMarqueeViewing = (season: number) => ({
    ...marqueeViewing,
    season,
    episode: 1,
    episode_title: null,
  })
  const marqueeJson = `{"format": "marquee-export", "version": 1, "play": [\n${[1, 3_000_000_000]
    .map((season) => JSON.stringify(createMarqueeViewing(season)))
    .join(',\n')}]}`
  const marqueeFile = await parseHistoryContent('export.json', Buffer.from(marqueeJson))
  expect(marqueeFile.rows).toMatchObject([{ kind: 'played', season: 1, episode: 1 }])
  expect(marqueeFile.skips).toEqual([{ line: 3, skip: 'bad_row' }])
})

test('a row is reported as `bad_row` if the title or the episode title in one of its readings is longer than 500 characters', async () => {
  const createViewing = (title: string, episodeTitle: string) => ({
    watched_at: '2020-01-02T00:00:00.000Z',
    show: { title, ids: { trakt: 2 } },
    episode: { season: 1, number: 4, title: episodeTitle },
  })
  const traktEntries = [
    createViewing('a'.repeat(500), 'b'.repeat(500)),
    createViewing('a'.repeat(501), 'b'),
    createViewing('a', 'b'.repeat(501)),
  ]
  const traktJson = `[\n${traktEntries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]`
  const traktFile = await parseHistoryContent('history-1.json', Buffer.from(traktJson))
  expect(traktFile.rows).toMatchObject([{ title: 'a'.repeat(500), episodeTitle: 'b'.repeat(500) }])
  expect(traktFile.skips).toEqual([3, 4].map((line) => ({ line, skip: 'bad_row' })))
  const netflixCsv = `Title,Date\n"Show: ${'c'.repeat(501)}","3/29/21"\n"Show: c","3/29/21"\n`
  const netflixFile = await parseHistoryContent('NetflixViewingHistory.csv', Buffer.from(netflixCsv))
  expect(netflixFile.rows).toMatchObject([{ title: 'Show: c' }])
  expect(netflixFile.skips).toEqual([{ line: 2, skip: 'bad_row' }])
})

test('the complete rows of a truncated file are returned, and the file is reported as `broken_file`', async () => {
  const truncatedJson = formatJson([
    { plays: 1, movie: HEAT_MOVIE },
    { plays: 1, movie: HEAT_MOVIE },
  ]).slice(0, -40)
  const { rows, skips } = await parseHistoryContent('watched-movies.json', Buffer.from(truncatedJson))
  expect(rows).toHaveLength(1)
  expect(skips.map((skip) => skip.skip)).toEqual(['broken_file'])
  const brokenCsv = `uuid,tvdb_id,title,status,created_at\nu,5,Elite,stopped,\nv,6,"${'x'.repeat(2 ** 21)}\n`
  const csvFile = await parseHistoryContent('tvtime-series.csv', Buffer.from(brokenCsv))
  expect(csvFile.rows).toMatchObject([{ title: 'Elite' }])
  expect(csvFile.skips).toEqual([{ line: 3, skip: 'broken_file' }])
})

test('200,000 rows are parsed with less than 150 MB of additional heap', async () => {
  const streamHistory = async function* () {
    yield Buffer.from('Title,Date\n')
    for (let i = 0; i < 2000; i++) {
      const watchedAt = new Date(NOW_MS - i * 86_400_000)
      const dateText = `${watchedAt.getUTCMonth() + 1}/${watchedAt.getUTCDate()}/${watchedAt.getUTCFullYear() % 100}`
      yield Buffer.from(`"Show ${i % 300}: Season 2: Part \u201c${i}\u201d","${dateText}"\n`.repeat(100))
    }
  }
  let rowCount = 0
  let peakBytes = 0
  const heapBeforeBytes = process.memoryUsage().heapUsed
  for await (const row of parseHistoryFile(streamHistory, 'NetflixViewingHistory.csv', { nowMs: NOW_MS })) {
    rowCount += row.season === 2 ? 1 : 0
    if (rowCount % 20_000 === 0)
      peakBytes = Math.max(peakBytes, process.memoryUsage().heapUsed - heapBeforeBytes)
  }
  expect(rowCount).toBe(200_000)
  expect(peakBytes).toBeLessThan(150e6)
})

test.each([
  ['NetflixViewingHistory.csv', 'Title,Date\n"Heat","3/29/21"\n', 'Alien,3/28/21\n'],
  [
    'ViewingActivity.csv',
    'Profile Name,Start Time,Duration,Title,Supplemental Video Type\nA,2020-01-02 20:00:00,01:50:00,Heat,\n',
    'A,2020-01-01 20:00:00,01:50:00,Alien,\n',
  ],
  [
    'list.csv',
    'Position,Const,Created,Description,Title,Title Type,Year\n1,tt0113277,2020-01-02,,Heat,Movie,1995\n',
    '3,tt0078748,2020-01-02,,Alien,Movie,1979\n',
  ],
  ['watched.csv', 'Date,Name,Year,Letterboxd URI\n2020-01-02,Heat,1995,x\n', '2020-01-02,Alien,1979,x\n'],
])(
  'the rows of %s before a quote that is not closed are returned, and the rest of the file is reported as broken',
  async (fileName, start, end) => {
    for (const repetitionCount of [1, 40_000]) {
      const content = Buffer.from(`${start}2,"stray\n${end.repeat(repetitionCount)}`)
      const { rows, skips } = await parseHistoryContent(fileName, content)
      expect(rows.map(({ title }) => title)).toEqual(['Heat'])
      expect(skips).toEqual([{ line: 3, skip: 'broken_file' }])
    }
  },
)

test('a Netflix history is recognised even if a spreadsheet has added columns without a name, or the line "sep=;"', async () => {
  for (const csvText of [
    'Title,Date,,\n"Heat","3/29/21",,\n',
    'Title;Date;\nHeat;29/03/2021;\n',
    'sep=;\r\nTitle;Date\r\nHeat;29/03/2021\r\n',
  ]) {
    const { rows } = await parseHistoryContent('Mappe1.csv', Buffer.from(csvText))
    expect(rows).toMatchObject([{ source: 'netflix', title: 'Heat', at: '2021-03-29' }])
  }
})

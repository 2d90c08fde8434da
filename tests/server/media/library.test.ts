/** The media library matches files to titles by ids, .nfo files, names and years, and detects changes of the folder. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SettingError } from '../../../server/core/config.ts'
import { openLibrary } from '../../../server/providers/library/library.ts'
import { MAX_SUBTITLE_BYTES } from '../../../src/lib/rules/webvtt.ts'
import { startTestServer } from '../../support/server.ts'
import { createMatroska, createMp4 } from './make-media.ts'
import { createTempFolder, type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

const HD_SIZE = { width: 1920, height: 800 }
const outsideFolder = createTempFolder({ 'Psycho (1960).mp4': createMp4(HD_SIZE) })
const mediaFolder = createTempFolder({
  'Movies/Heat (1995)/Heat (1995) - 2160p.mkv': 'four',
  'Movies/Heat (1995)/Heat (1995) - 1080p.mp4': 'two',
  'Movies/Heat (1995)/Heat (1995) - 720p.mp4': 'one',
  'Movies/Heat (1995)/Heat (1995).en.srt': '1\n00:00:01,000 --> 00:00:02,000\nHello\n',
  'Movies/Heat (1995)/Heat (1995).fr.forced.vtt': 'WEBVTT\n\n00:01.000 --> 00:02.000\nSalut\n',
  'Movies/Heat (1995)/Heat (1995).de.ass': '[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,Hallo',
  'Movies/Heat (1995)/Heat (1995).es.srt': Buffer.alloc(MAX_SUBTITLE_BYTES + 1, 'x'),
  'Movies/Heat (1995)/Heat (1995).it.srt': '',
  'Movies/Heat (1995)/Subs/Heat (1995) - 1080p.ara.srt': '1\n00:00:01,000 --> 00:00:02,000\nمرحبا\n',
  'Movies/Heat (1995)/Heat (1995)-trailer.mp4': 'trailer',
  'Movies/Something else entirely {imdb-tt0000002}/whatever.mp4': createMp4(HD_SIZE, {
    chapters: [
      [0, 'Intro'],
      [45, 'Film'],
      [58, 'Credits'],
    ],
  }),
  'Movies/noted/film.pl.sub': '{1}{1}25.000\n{25}{50}Dzień dobry\n',
  'Movies/noted/film.fr.idx': '# VobSub index file, v7',
  'Movies/noted/film.fr.sub': 'pictures',
  'Movies/noted/film.mkv': createMatroska({ width: 1280, height: 720 }),
  'Movies/noted/film.nfo': '<movie><uniqueid type="imdb">tt0000003</uniqueid></movie>',
  'Movies/addressed/movie.mp4': createMp4({ width: 640, height: 360 }),
  'Movies/addressed/movie.nfo': 'https://www.themoviedb.org/movie/4',
  'Twins (1988).mp4': 'one',
  'Remade (1960).mp4': 'old',
  'Remade.mp4': 'which?',
  'Nearly (2001).mp4': 'a year beside',
  'Le Fabuleux Destin (2001).mp4': 'by its French name',
  'Parts (2003)/Parts (2003) cd1.avi': 'a',
  'Parts (2003)/Parts (2003) cd2.avi': 'b',
  'Wrong {imdb-tt9999999}/Right (2005).mp4': 'an id wins, even over a name that fits',
  'TV/Fargo (2014) {tmdb-60}/Season 01/Fargo - S01E01 - 720p.mkv': 'pilot',
  'TV/Fargo (2014) {tmdb-60}/Season 01/Fargo - S01E02-E03.mkv': createMatroska(HD_SIZE),
  'TV/Fargo (2014) {tmdb-60}/Season 01/Subs/Fargo - S01E02-E03/2_English.srt':
    '1\n00:00:01,000 --> 00:00:02,000\nHi\n',
  'TV/Fargo (2014) {tmdb-60}/Specials/01 - Inside.mkv': 'special',
  'TV/Lost and Noted/tvshow.nfo': '<tvshow><imdbid>tt0000021</imdbid></tvshow>',
  'TV/Lost and Noted/Season 1/Lost - 1x01.mp4': 'noted',
  'Hidden/.ignore': '',
  'Hidden/Ignored (1970).mp4': 'hidden',
  '.trash/Ignored (1970).mp4': 'hidden',
})
mkdirSync(join(mediaFolder.path, 'links'))
symlinkSync(join(outsideFolder.path, 'Psycho (1960).mp4'), join(mediaFolder.path, 'links/Psycho (1960).mp4'))
symlinkSync(outsideFolder.path, join(mediaFolder.path, 'links/elsewhere'))
symlinkSync(join(mediaFolder.path, 'Twins (1988).mp4'), join(mediaFolder.path, 'links/Linked (1999).mp4'))
symlinkSync(mediaFolder.path, join(mediaFolder.path, 'links/circle'))

let mediaServer: MediaTestServer
beforeAll(async () => {
  mediaServer = await startMediaTestServer({ MEDIA_DIR: mediaFolder.path }, [
    { title: 'Heat', year: 1995, imdb: 'tt0000001' },
    { title: 'By Its Id', year: 1999, imdb: 'tt0000002' },
    { title: 'By Its Note', year: 1999, imdb: 'tt0000003' },
    { title: 'By Its URL', year: 1999, imdb: 'tt0000004', tmdb: 4 },
    { title: 'Twins', year: 1988, imdb: 'tt0000005' },
    { title: 'Twins', year: 1988, imdb: 'tt0000006', isSafeForKids: true },
    { title: 'Remade', year: 1960, imdb: 'tt0000007' },
    { title: 'Remade', year: 2000, imdb: 'tt0000008' },
    { title: 'Nearly', year: 2000, imdb: 'tt0000009' },
    { title: 'Amélie', year: 2001, imdb: 'tt0000010', names: [['fr', 'Le Fabuleux Destin']] },
    { title: 'Parts', year: 2003, imdb: 'tt0000011' },
    { title: 'Right', year: 2005, imdb: 'tt0000012' },
    { title: 'Ignored', year: 1970, imdb: 'tt0000013' },
    { title: 'Psycho', year: 1960, imdb: 'tt0000014' },
    { title: 'Linked', year: 1999, imdb: 'tt0000015' },
    { title: 'Later', year: 2020, imdb: 'tt0000016' },
    { title: 'Fargo', year: 2014, imdb: 'tt0000020', tmdb: 60, episodes: [1, 4] },
    { title: 'Missing', year: 2014, imdb: 'tt0000021', episodes: [0, 2] },
  ])
})
afterAll(async () => {
  await mediaServer.close()
  mediaFolder.remove()
  outsideFolder.remove()
})

const lookUpMovie = async (imdb: string, query = '') => {
  const { status, body } = await mediaServer.lookUpStream(`movie/${imdb}`, query)
  return status === 200 ? body.sources.map((source) => [source.mime_type, source.quality]) : status
}
const readFirstSource = async (imdb: string) => {
  const { body } = await mediaServer.lookUpStream(`movie/${imdb}`)
  return (await mediaServer.fetchMedia(body.sources[0]?.url ?? '')).text()
}

describe('lookups of movies', () => {
  test('a lookup returns all files of a movie from best to worst, or only the files up to the requested quality', async () => {
    const expectedSources = [
      ['video/x-matroska', '2160p'],
      ['video/mp4', '1080p'],
      ['video/mp4', '720p'],
    ]
    expect(await lookUpMovie('tt0000001')).toEqual(expectedSources)
    expect(await lookUpMovie('tt0000001', '?quality=2160p')).toEqual(expectedSources)
    expect(await lookUpMovie('tt0000001', '?quality=1080p&title=Heat&year=1995')).toEqual(
      expectedSources.slice(1),
    )
    expect(await lookUpMovie('tt0000001', '?quality=720p')).toEqual(expectedSources.slice(2))
  })
  test('movies are matched by an ID in the file name, or by an ID or URL in the .nfo file', async () => {
    expect(await lookUpMovie('tt0000002')).toEqual([['video/mp4', '1080p']])
    expect(await lookUpMovie('tt0000003')).toEqual([['video/x-matroska', '720p']])
    expect(await lookUpMovie('tt0000004')).toEqual([['video/mp4', '360p']])
  })
  test('movies are matched by year and by a name in any language if the match is unambiguous', async () => {
    expect(await readFirstSource('tt0000007')).toBe('old')
    expect(await readFirstSource('tt0000009')).toBe('a year beside')
    expect(await readFirstSource('tt0000010')).toBe('by its French name')
  })
  test('movies are not matched if the name is ambiguous, the id is unknown, or the file is split or ignored', async () => {
    expect(await lookUpMovie('tt0000005')).toBe(404)
    expect(await lookUpMovie('tt0000006')).toBe(404)
    expect(await lookUpMovie('tt0000008')).toBe(404)
    expect(await lookUpMovie('tt0000011')).toBe(404)
    expect(await lookUpMovie('tt0000012')).toBe(404)
    expect(await lookUpMovie('tt0000013')).toBe(404)
  })
  test('movies are found through symbolic links to files inside the media folder, but not through links to files outside the media folder', async () => {
    expect(await lookUpMovie('tt0000014')).toBe(404)
    expect(await readFirstSource('tt0000015')).toBe('one')
  })
  test('a lookup returns a file above the requested quality if no other file exists', async () => {
    expect(await lookUpMovie('tt0000002', '?quality=720p')).toEqual([['video/mp4', '1080p']])
  })
})

test('a MicroDVD subtitle file is sent as WebVTT, and a VobSub subtitle file is not listed', async () => {
  const { body } = await mediaServer.lookUpStream('movie/tt0000003')
  expect(body.subtitles).toMatchObject([{ lang: 'pl' }])
  const response = await mediaServer.fetchMedia(body.subtitles[0]?.url ?? '')
  expect(await response.text()).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nDzień dobry\n')
})

test('a lookup returns the chapters of the file and the times of its intro and credits', async () => {
  const { body } = await mediaServer.lookUpStream('movie/tt0000002')
  expect(body).toMatchObject({ intro: { start: 0, end: 45 }, credits_at: 58 })
  expect(body.chapters).toEqual([
    { start: 0, title: 'Intro' },
    { start: 45, title: 'Film' },
    { start: 58, title: 'Credits' },
  ])
})

describe('lookups of episodes', () => {
  const lookUpEpisode = async (path: string) => (await mediaServer.lookUpStream(`tv/${path}`)).status
  test('episodes are found by number, and a file with two episodes matches both episodes', async () => {
    expect(await lookUpEpisode('tt0000020/1/1')).toBe(200)
    expect(await lookUpEpisode('tt0000020/1/2')).toBe(200)
    expect(await lookUpEpisode('tt0000020/1/3')).toBe(200)
    expect(await lookUpEpisode('tt0000020/1/4')).toBe(404)
    expect(await lookUpEpisode('tt0000020/0/1')).toBe(200)
    expect(await lookUpEpisode('tt0000020/1/99')).toBe(404)
  })
  test('episodes are matched to the series that the .nfo file identifies', async () => {
    expect(await lookUpEpisode('tt0000021/1/1')).toBe(200)
    expect(await lookUpEpisode('tt0000021/1/2')).toBe(404)
  })
  test('a lookup of an episode returns the subtitle file for this episode in the folder Subs', async () => {
    const { body } = await mediaServer.lookUpStream('tv/tt0000020/1/2')
    expect(body.subtitles).toMatchObject([{ lang: 'en', label: 'English' }])
  })
})

test('a lookup returns the subtitle files next to the video as UTF-8 WebVTT with language and label, but none that is empty or too large', async () => {
  const { body } = await mediaServer.lookUpStream('movie/tt0000001')
  expect(body.subtitles.map(({ url: _, ...subtitleFields }) => subtitleFields)).toEqual([
    { lang: 'ar', label: 'العربية' },
    { lang: 'de', label: 'Deutsch' },
    { lang: 'en', label: 'English' },
    { lang: 'fr', label: 'Français (forced)', forced: true },
  ])
  const [arabicResponse, germanResponse] = await Promise.all(
    body.subtitles.map(async (subtitle) => mediaServer.fetchMedia(subtitle.url ?? '')),
  )
  expect(arabicResponse?.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
  expect(await arabicResponse?.text()).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nمرحبا\n')
  expect(await germanResponse?.text()).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHallo\n')
})

test('media URLs contain no file name or path in plain text', async () => {
  const { body } = await mediaServer.lookUpStream('movie/tt0000002')
  const text = JSON.stringify(body)
  expect(text).not.toMatch(/Something|whatever|Movies|marquee-media/)
  const encryptedPath = /\/proxy\/m\/\d+\/([\w-]+)\.mp4/.exec(text)?.[1] ?? ''
  expect(encryptedPath.length).toBeGreaterThan(20)
  expect(Buffer.from(encryptedPath, 'base64url').toString('latin1')).not.toMatch(/Something|whatever|Movies/)
})

test('the library detects when a file is added, moved, matched by a new .nfo file, or deleted', async () => {
  const { library, folder } = await openEmptyLibrary()
  const listFoundFiles = () => library.listFiles() ?? []
  const countFilesWithoutImdbId = () =>
    listFoundFiles().filter(({ candidates, ids }) => candidates[0]?.title === 'Later' && !ids.imdb).length
  const waitForFilesWithoutImdbId = async (expectedCount: number) => {
    for (let attempt = 0; countFilesWithoutImdbId() !== expectedCount && attempt < 100; attempt++)
      await pause(50)
    return countFilesWithoutImdbId()
  }
  expect(countFilesWithoutImdbId()).toBe(0)
  folder.writeFiles({ 'New/Later (2020)/Later (2020).mp4': 'x' })
  expect(await waitForFilesWithoutImdbId(1)).toBe(1)
  renameSync(join(folder.path, 'New'), join(folder.path, 'Old'))
  expect(await waitForFilesWithoutImdbId(1)).toBe(1)
  folder.writeFiles({ 'Old/Later (2020)/movie.nfo': '<movie><imdbid>tt0000016</imdbid></movie>' })
  expect(await waitForFilesWithoutImdbId(0)).toBe(0)
  expect(listFoundFiles().map(({ ids }) => ids.imdb)).toEqual(['tt0000016'])
  rmSync(join(folder.path, 'Old'), { recursive: true })
  for (let attempt = 0; library.countFiles() > 0 && attempt < 100; attempt++) await pause(50)
  expect(library.countFiles()).toBe(0)
  library.stop()
  folder.remove()
})

async function openEmptyLibrary() {
  const folder = createTempFolder()
  const library = await openLibrary(folder.path, { settleMs: 100 })
  await library.start()
  return { library, folder }
}

test('the library omits files whose names contain a backslash or are not UTF-8, and reports their folder', async () => {
  const folder = createTempFolder({ 'Old disk/Film (2001).mkv': '', 'Old disk/Back\\slash (2002).mkv': '' })
  writeFileSync(
    Buffer.concat([Buffer.from(`${folder.path}/Old disk/Caf`), Buffer.from([0xe9, 0x2e, 0x6d, 0x6b, 0x76])]),
    '',
  )
  const events: unknown[] = []
  const library = await openLibrary(folder.path, { onEvent: (event, fields) => events.push([event, fields]) })
  await library.start()
  expect(library.listFiles()?.map(({ path }) => path)).toEqual(['Old disk/Film (2001).mkv'])
  expect(events).toContainEqual(['library-unusable-names', { folder: 'Old disk', names: 2 }])
  library.stop()
  folder.remove()
})

test('the library scans 3000 files without blocking the event loop for 100 ms', async () => {
  const files = Array.from({ length: 3_000 }, (_, index) => [
    `Movie ${index % 500}x (${1950 + (index % 50)})/Version ${index}.mkv`,
    '',
  ])
  const folder = createTempFolder(Object.fromEntries(files))
  const library = await openLibrary(folder.path)
  // Measures the CPU time of this thread. Other processes can lengthen the elapsed time, but not the CPU time.
  const readCpuTimeMs = () =>
    Object.values(process.threadCpuUsage()).reduce((sum, microseconds) => sum + microseconds, 0) / 1000
  let longestBlockMs = 0
  let lastCpuTimeMs = readCpuTimeMs()
  const timer = setInterval(() => {
    longestBlockMs = Math.max(longestBlockMs, readCpuTimeMs() - lastCpuTimeMs)
    lastCpuTimeMs = readCpuTimeMs()
  }, 5)
  await library.start()
  clearInterval(timer)
  expect(library.countFiles()).toBe(3_000)
  expect(longestBlockMs).toBeLessThan(100)
  library.stop()
  folder.remove()
}, 60_000)

test('an account gets 60 lookups per minute, and then 429 with Retry-After', async () => {
  mediaServer.server.advanceClock(61_000)
  const statuses = []
  for (let lookupIndex = 0; lookupIndex < 61; lookupIndex++)
    statuses.push((await mediaServer.lookUpStream('movie/tt0000001')).status)
  expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true)
  const { status, headers } = await mediaServer.adult.get('/proxy/torrent-streamer/stream/movie/tt0000001')
  expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true])
  mediaServer.server.advanceClock(61_000)
  expect((await mediaServer.lookUpStream('movie/tt0000001')).status).toBe(200)
})

test('the server does not start with a MEDIA_DIR that is missing or not a folder', async () => {
  await expect(startTestServer({ env: { MEDIA_DIR: '/nowhere/at/all' } })).rejects.toThrow(SettingError)
  await expect(startTestServer({ env: { MEDIA_DIR: 'package.json' } })).rejects.toThrow(
    /MEDIA_DIR must be a folder/,
  )
})

/** Which file plays which title: ids, notes, names and years, what is ambiguous, and what changes while it runs. */
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SettingError } from '../../../server/core/config.ts'
import { openLibrary } from '../../../server/providers/library/library.ts'
import { startServer } from '../../support/server.ts'
import { makeMatroska, makeMp4 } from './make-media.ts'
import { type Cinema, makeFolder, openCinema } from './support.ts'

const HD = { width: 1920, height: 800 }
const outside = makeFolder({ 'Psycho (1960).mp4': makeMp4(HD) })
const folder = makeFolder({
  'Movies/Heat (1995)/Heat (1995) - 2160p.mkv': 'four',
  'Movies/Heat (1995)/Heat (1995) - 1080p.mp4': 'two',
  'Movies/Heat (1995)/Heat (1995) - 720p.mp4': 'one',
  'Movies/Heat (1995)/Heat (1995).en.srt': '1\n00:00:01,000 --> 00:00:02,000\nHello\n',
  'Movies/Heat (1995)/Heat (1995).fr.forced.vtt': 'WEBVTT\n\n00:01.000 --> 00:02.000\nSalut\n',
  'Movies/Heat (1995)/Heat (1995).ass': 'x',
  'Movies/Heat (1995)/Subs/Heat (1995) - 1080p.ara.srt': '1\n00:00:01,000 --> 00:00:02,000\nمرحبا\n',
  'Movies/Heat (1995)/Heat (1995)-trailer.mp4': 'trailer',
  'Movies/Something else entirely {imdb-tt0000002}/whatever.mp4': makeMp4(HD, {
    chapters: [
      [0, 'Intro'],
      [45, 'Film'],
      [58, 'Credits'],
    ],
  }),
  'Movies/noted/film.mkv': makeMatroska({ width: 1280, height: 720 }),
  'Movies/noted/film.nfo': '<movie><uniqueid type="imdb">tt0000003</uniqueid></movie>',
  'Movies/addressed/movie.mp4': makeMp4({ width: 640, height: 360 }),
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
  'TV/Fargo (2014) {tmdb-60}/Season 01/Fargo - S01E02-E03.mkv': makeMatroska(HD),
  'TV/Fargo (2014) {tmdb-60}/Season 01/Subs/Fargo - S01E02-E03/2_English.srt':
    '1\n00:00:01,000 --> 00:00:02,000\nHi\n',
  'TV/Fargo (2014) {tmdb-60}/Specials/01 - Inside.mkv': 'special',
  'TV/Lost and Noted/tvshow.nfo': '<tvshow><imdbid>tt0000021</imdbid></tvshow>',
  'TV/Lost and Noted/Season 1/Lost - 1x01.mp4': 'noted',
  'Hidden/.ignore': '',
  'Hidden/Ignored (1970).mp4': 'hidden',
  '.trash/Ignored (1970).mp4': 'hidden',
})
mkdirSync(join(folder.path, 'links'))
symlinkSync(join(outside.path, 'Psycho (1960).mp4'), join(folder.path, 'links/Psycho (1960).mp4'))
symlinkSync(outside.path, join(folder.path, 'links/elsewhere'))
symlinkSync(join(folder.path, 'Twins (1988).mp4'), join(folder.path, 'links/Linked (1999).mp4'))
symlinkSync(folder.path, join(folder.path, 'links/circle'))

let cinema: Cinema
beforeAll(async () => {
  cinema = await openCinema({ MEDIA_DIR: folder.path }, [
    { title: 'Heat', year: 1995, imdb: 'tt0000001' },
    { title: 'By Its Id', year: 1999, imdb: 'tt0000002' },
    { title: 'By Its Note', year: 1999, imdb: 'tt0000003' },
    { title: 'By Its Address', year: 1999, imdb: 'tt0000004', tmdb: 4 },
    { title: 'Twins', year: 1988, imdb: 'tt0000005' },
    { title: 'Twins', year: 1988, imdb: 'tt0000006', safe: true },
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
  await cinema.close()
  folder.remove()
  outside.remove()
})

const movie = async (imdb: string, query = '') => {
  const { status, body } = await cinema.lookup(`movie/${imdb}`, query)
  return status === 200 ? body.sources.map((one) => [one.mime_type, one.quality]) : status
}
const content = async (imdb: string) => {
  const { body } = await cinema.lookup(`movie/${imdb}`)
  return (await cinema.fetch(body.sources[0]?.url ?? '')).text()
}

describe('movies', () => {
  test('come in every version, best first, or up to the quality asked for', async () => {
    const all = [
      ['video/x-matroska', '2160p'],
      ['video/mp4', '1080p'],
      ['video/mp4', '720p'],
    ]
    expect(await movie('tt0000001')).toEqual(all)
    expect(await movie('tt0000001', '?quality=2160p')).toEqual(all)
    expect(await movie('tt0000001', '?quality=1080p&title=Heat&year=1995')).toEqual(all.slice(1))
    expect(await movie('tt0000001', '?quality=720p')).toEqual(all.slice(2))
  })
  test('are known by an id in a name, in a note, or by an address in a note', async () => {
    expect(await movie('tt0000002')).toEqual([['video/mp4', '1080p']])
    expect(await movie('tt0000003')).toEqual([['video/x-matroska', '720p']])
    expect(await movie('tt0000004')).toEqual([['video/mp4', '360p']])
  })
  test('are known by name and year in any language, when no other is meant', async () => {
    expect(await content('tt0000007')).toBe('old')
    expect(await content('tt0000009')).toBe('a year beside')
    expect(await content('tt0000010')).toBe('by its French name')
  })
  test('are not guessed', async () => {
    expect(await movie('tt0000005')).toBe(404)
    expect(await movie('tt0000006')).toBe(404)
    expect(await movie('tt0000008')).toBe(404)
    expect(await movie('tt0000011')).toBe(404)
    expect(await movie('tt0000012')).toBe(404)
    expect(await movie('tt0000013')).toBe(404)
  })
  test('behind links are found inside the folder, never outside', async () => {
    expect(await movie('tt0000014')).toBe(404)
    expect(await content('tt0000015')).toBe('one')
  })
  test('that are a better version than asked for play all the same when there is no other', async () => {
    expect(await movie('tt0000002', '?quality=720p')).toEqual([['video/mp4', '1080p']])
  })
})

test('the opening and the credits are where the file’s chapters say', async () => {
  const { body } = await cinema.lookup('movie/tt0000002')
  expect(body).toMatchObject({ intro: { start: 0, end: 45 }, credits_at: 58 })
})

describe('episodes', () => {
  const episode = async (place: string) => (await cinema.lookup(`tv/${place}`)).status
  test('are found by number; a file that holds two stands for both', async () => {
    expect(await episode('tt0000020/1/1')).toBe(200)
    expect(await episode('tt0000020/1/2')).toBe(200)
    expect(await episode('tt0000020/1/3')).toBe(200)
    expect(await episode('tt0000020/1/4')).toBe(404)
    expect(await episode('tt0000020/0/1')).toBe(200)
    expect(await episode('tt0000020/1/99')).toBe(404)
  })
  test('belong to the show that a note names', async () => {
    expect(await episode('tt0000021/1/1')).toBe(200)
    expect(await episode('tt0000021/1/2')).toBe(404)
  })
  test('have the subtitles of their folder', async () => {
    const { body } = await cinema.lookup('tv/tt0000020/1/2')
    expect(body.subtitles).toMatchObject([{ lang: 'en', label: 'English' }])
  })
})

test('subtitles lie beside, in UTF-8 WebVTT, with what they are', async () => {
  const { body } = await cinema.lookup('movie/tt0000001')
  expect(body.subtitles.map(({ url: _, ...rest }) => rest)).toEqual([
    { lang: 'ar', label: 'العربية' },
    { lang: 'en', label: 'English' },
    { lang: 'fr', label: 'Français (forced)', forced: true },
  ])
  const [arabic] = await Promise.all(body.subtitles.map(async (one) => cinema.fetch(one.url)))
  expect(arabic?.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
  expect(await arabic?.text()).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nمرحبا\n')
})

test('no name or path of the operator leaves the server', async () => {
  const { body } = await cinema.lookup('movie/tt0000002')
  const text = JSON.stringify(body)
  expect(text).not.toMatch(/Something|whatever|Movies|marquee-media/)
  const sealed = /\/proxy\/m\/\d+\/([\w-]+)\.mp4/.exec(text)?.[1] ?? ''
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toMatch(/Something|whatever|Movies/)
})

test('changes are seen: a film that comes, moves and goes', async () => {
  const path = await openLibraryFor()
  const { library, dir } = path
  const there = () => library.findTitles('movie', { name: 'later' }).length
  const until = async (count: number) => {
    for (let tries = 0; there() !== count && tries < 100; tries++) await pause(50)
    return there()
  }
  expect(there()).toBe(0)
  dir.put({ 'New/Later (2020)/Later (2020).mp4': 'x' })
  expect(await until(1)).toBe(1)
  renameSync(join(dir.path, 'New'), join(dir.path, 'Old'))
  expect(await until(1)).toBe(1)
  dir.put({ 'Old/Later (2020)/movie.nfo': '<movie><imdbid>tt0000016</imdbid></movie>' })
  expect(await until(0)).toBe(0)
  expect(library.findTitles('movie', { imdb: 'tt0000016' })).toHaveLength(1)
  rmSync(join(dir.path, 'Old'), { recursive: true })
  for (let tries = 0; library.countFiles() > 0 && tries < 100; tries++) await pause(50)
  expect(library.countFiles()).toBe(0)
  library.stop()
  dir.remove()
})

async function openLibraryFor() {
  const dir = makeFolder()
  const library = await openLibrary(dir.path, { settleMs: 100 })
  await library.start()
  return { library, dir }
}

test('three thousand files are found without holding anybody up', async () => {
  const names = Array.from({ length: 3_000 }, (_, at) => [
    `Movie ${at % 500}x (${1950 + (at % 50)})/Version ${at}.mkv`,
    '',
  ])
  const dir = makeFolder(Object.fromEntries(names))
  const library = await openLibrary(dir.path)
  // Processor time of this thread between two turns: a busy machine does not count.
  const used = () => Object.values(process.threadCpuUsage()).reduce((sum, micros) => sum + micros, 0) / 1000
  let worst = 0
  let last = used()
  const timer = setInterval(() => {
    worst = Math.max(worst, used() - last)
    last = used()
  }, 5)
  await library.start()
  clearInterval(timer)
  expect(library.countFiles()).toBe(3_000)
  expect(worst).toBeLessThan(100)
  library.stop()
  dir.remove()
}, 60_000)

test('sixty lookups a minute are enough for a household; then it is told to wait', async () => {
  cinema.server.advance(61_000)
  const answers = []
  for (let at = 0; at < 61; at++) answers.push((await cinema.lookup('movie/tt0000001')).status)
  expect(answers.slice(0, 60).every((status) => status === 200)).toBe(true)
  const { status, headers } = await cinema.adult.get('/proxy/torrent-streamer/stream/movie/tt0000001')
  expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true])
  cinema.server.advance(61_000)
  expect((await cinema.lookup('movie/tt0000001')).status).toBe(200)
})

test('a folder that is not there stops the start with one sentence', async () => {
  await expect(startServer({ env: { MEDIA_DIR: '/nowhere/at/all' } })).rejects.toThrow(SettingError)
  await expect(startServer({ env: { MEDIA_DIR: 'package.json' } })).rejects.toThrow(
    /MEDIA_DIR must be a folder/,
  )
})

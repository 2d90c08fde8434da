/**
 * The files of the media folder in the database: each belongs to a title or says why not, choices of administrators are
 * remembered, and titles know whether they can be played.
 */
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importTitles } from '../../../server/importers/import-titles.ts'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import { runLibraryScan } from '../../../server/services/library/admin-library.ts'
import { getLibrarySync } from '../../../server/services/library/library-sync.ts'
import type { LibraryFileEntry } from '../../../src/lib/contract/admin-library.ts'
import { createMp4 } from './make-media.ts'
import {
  createMediaTitleRecord,
  createTempFolder,
  type MediaTestServer,
  startMediaTestServer,
} from './media-test-server.ts'

const folder = createTempFolder({
  'Movies/Heat (1995)/Heat (1995) - 1080p.mp4': createMp4({ width: 1920, height: 800 }),
  'Movies/Heat (1995)/Heat (1995)-trailer.mp4': 'trailer',
  'Movies/Twins (1988).mp4': 'one of two',
  'Movies/Nobody Knows It (2001).mkv': 'x',
  'Movies/Solaris (1990).mkv': 'wrong year',
  'Movies/Heat {imdb-tt9999999}.mkv': 'unknown id',
  'Movies/Both {imdb-tt0000001} {tmdb-60}/Both.mkv': 'x',
  'Movies/Parts (2003)/Parts (2003) cd1.avi': 'a',
  'Movies/Parts (2003)/Parts (2003) cd2.avi': 'b',
  'Movies/1080p.mkv': 'x',
  'Movies/Unlisted (2010).mkv': 'no IMDb id in the catalogue',
  'TV/Fargo (2014)/Season 01/Fargo - S01E01.mkv': 'pilot',
  'TV/Fargo (2014)/Season 01/Fargo - S01E99.mkv': 'no such episode',
  'TV/Fergo/Season 01/Fergo - S01E02.mkv': 'misspelt',
  'TV/Fergo/Season 01/Fergo - S01E03.mkv': 'misspelt',
  'home video.mp4': 'x',
})
let mediaServer: MediaTestServer
beforeAll(async () => {
  mediaServer = await startMediaTestServer({ MEDIA_DIR: folder.path }, [
    { title: 'Heat', year: 1995, imdb: 'tt0000001', tmdb: 1, safe: true },
    { title: 'Twins', year: 1988, imdb: 'tt0000005' },
    { title: 'Twins', year: 1988, imdb: 'tt0000006' },
    { title: 'Solaris', year: 1972, imdb: 'tt0000007' },
    { title: 'Solaris', year: 2002, imdb: 'tt0000008' },
    { title: 'Sixty', year: 2002, imdb: 'tt0000009', tmdb: 60 },
    { title: 'Parts', year: 2003, imdb: 'tt0000011' },
    { title: 'Unlisted', year: 2010, tmdb: 77 },
    { title: 'Fargo', year: 2014, imdb: 'tt0000020', episodes: [0, 4] },
    { title: 'Later', year: 2020, imdb: 'tt0000030' },
  ])
})
afterAll(async () => {
  await mediaServer.close()
  folder.remove()
})

const listFiles = async (query = '') =>
  (await mediaServer.adult.get(`/api/admin/library/files?limit=100${query}`)).body
    .results as LibraryFileEntry[]
const findFile = async (name: string) => {
  const file = (await listFiles()).find(({ path }) => path.endsWith(name))
  if (!file) throw new Error(`no file ${name}`)
  return file
}
const findCard = async (type: 'movies' | 'series', title: string, device = mediaServer.adult) =>
  (await device.get(`/api/${type}?limit=50`)).body.results.find(
    (card: { title: string }) => card.title === title,
  )
async function waitUntil(isReached: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now()
  while (!(await isReached()) && performance.now() - startedMs < 20_000) await pause(50)
  return performance.now() - startedMs
}

describe('matching', () => {
  test('every file has a title or the reason why it has none', async () => {
    const files = await listFiles()
    const outcomes = Object.fromEntries(
      files.map((file) => [file.path.split('/').at(-1), file.title ? file.matched_by : file.reason]),
    )
    expect(outcomes).toEqual({
      'Heat (1995) - 1080p.mp4': 'name',
      'Heat (1995)-trailer.mp4': 'extra',
      'Twins (1988).mp4': 'ambiguous',
      'Nobody Knows It (2001).mkv': 'no_title',
      'Solaris (1990).mkv': 'other_year',
      'Heat {imdb-tt9999999}.mkv': 'unknown_id',
      'Both.mkv': 'id_conflict',
      'Parts (2003) cd1.avi': 'part',
      'Parts (2003) cd2.avi': 'part',
      '1080p.mkv': 'no_title',
      'Unlisted (2010).mkv': 'name',
      'Fargo - S01E01.mkv': 'name',
      'Fargo - S01E99.mkv': 'no_episode',
      'Fergo - S01E02.mkv': 'no_title',
      'Fergo - S01E03.mkv': 'no_title',
      'home video.mp4': 'no_title',
    })
  })
  test('an ambiguous file and a conflict of ids name two candidates', async () => {
    expect((await findFile('Twins (1988).mp4')).candidates).toHaveLength(2)
    expect((await findFile('Both.mkv')).candidates.map(({ title }) => title)).toEqual(['Heat', 'Sixty'])
    expect((await findFile('Solaris (1990).mkv')).candidates.map(({ year }) => year).sort()).toEqual([
      1972, 2002,
    ])
    expect((await findFile('tt9999999}.mkv')).candidates.map(({ title }) => title)).toEqual(['Heat'])
  })
  test('a title without an IMDb id plays by its id in the catalogue', async () => {
    const { id } = await findCard('movies', 'Unlisted')
    expect((await mediaServer.lookupStream(`movie/${id}`)).status).toBe(200)
  })
  test('lists are filtered by state, reason, folder and text', async () => {
    expect(await listFiles('&state=ignored')).toHaveLength(1)
    expect(await listFiles('&reason=part')).toHaveLength(2)
    expect(await listFiles('&folder=TV')).toHaveLength(4)
    expect(await listFiles('&search=FERGO')).toHaveLength(2)
    expect(await listFiles('&folder=/')).toHaveLength(1)
  })
  test('the library counts files by folder and state', async () => {
    const { body } = await mediaServer.adult.get('/api/admin/library')
    expect(body).toMatchObject({ configured: true, titles: 3 })
    expect(body.folders.find(({ name }: { name: string }) => name === 'TV')).toMatchObject({
      matched: 1,
      unmatched: 3,
      ignored: 0,
    })
  })
  test('a file has the media information of its header', async () => {
    const { id } = await findFile('Heat (1995) - 1080p.mp4')
    const { body } = await mediaServer.adult.get(`/api/admin/library/files/${id}`)
    expect(body.video).toMatchObject({ width: 1920, height: 800 })
    expect(body.content_type).toBe('video/mp4')
  })
  test('a scan without changes writes nothing', async () => {
    const before = await listFiles()
    const report = await getLibrarySync(mediaServer.server.deps)?.scan(async () => {})
    expect(report).toMatchObject({ files: 16, matched: 3, added: 0, changed: 0, removed: 0 })
    expect(await listFiles()).toEqual(before)
  })
})

describe('availability', () => {
  test('cards, details and search say whether a title can be played', async () => {
    const { adult } = mediaServer
    expect((await findCard('movies', 'Heat')).available).toBe(true)
    expect((await findCard('movies', 'Later')).available).toBe(false)
    expect((await findCard('series', 'Fargo')).available).toBe(true)
    expect((await adult.get('/api/movies/slug/heat')).body.available).toBe(true)
    const { results } = (await adult.get('/api/search?q=later')).body
    expect(results[0].media.available).toBe(false)
  })
  test('lists and search contain only available titles with the filter, also for kids', async () => {
    const { adult, kid } = mediaServer
    const listTitles = async (path: string, device = adult) =>
      (await device.get(path)).body.results.map(
        ({ title, media }: { title?: string; media?: { title: string } }) => title ?? media?.title,
      )
    expect((await listTitles('/api/movies?available=true')).sort()).toEqual(['Heat', 'Unlisted'])
    expect(await listTitles('/api/movies?available=true', kid)).toEqual(['Heat'])
    expect(await listTitles('/api/search?q=heat&available=true')).toEqual(['Heat'])
    expect(await listTitles('/api/search?q=later&available=true')).toEqual([])
  })
  test('a new file makes its title available within three seconds, and its removal unavailable', async () => {
    const isAvailable = async () => (await findCard('movies', 'Later')).available
    folder.writeFiles({ 'New/Later (2020)/Later (2020).mp4': 'x' })
    expect(await waitUntil(isAvailable)).toBeLessThan(3_000)
    rmSync(join(folder.path, 'New'), { recursive: true })
    expect(await waitUntil(async () => !(await isAvailable()))).toBeLessThan(3_000)
  })
  test('a title that is imported later is matched to its file', async () => {
    folder.writeFiles({ 'Movies/Imported Later (2021).mkv': 'x' })
    const record = createMediaTitleRecord({ title: 'Imported Later', year: 2021, imdb: 'tt0000040' })
    await importTitles(mediaServer.server.deps, [{ at: '0', record }], { source: 'test' })
    await waitUntil(async () => (await findCard('movies', 'Imported Later')).available)
    expect((await mediaServer.lookupStream('movie/tt0000040')).status).toBe(200)
    rmSync(join(folder.path, 'Movies/Imported Later (2021).mkv'))
  })
})

describe('notices', () => {
  test('a profile that asked for it gets one notice when the title becomes available', async () => {
    const { adult, adultId, kid } = mediaServer
    const later = await findCard('movies', 'Later')
    const path = `/api/profile/${adultId}/availability/movie/${later.id}`
    const listNotices = async () =>
      (await adult.get(`/api/profile/${adultId}/notifications/movies`)).body.results.filter(
        ({ kind }: { kind: string }) => kind === 'available',
      )
    expect((await adult.get(path)).body).toEqual({ requested: false })
    expect((await adult.put(path, { requested: true })).body).toEqual({ requested: true })
    expect(await listNotices()).toEqual([])
    folder.writeFiles({ 'Later (2020).mp4': 'x' })
    await waitUntil(async () => (await listNotices()).length > 0)
    expect(await listNotices()).toMatchObject([{ kind: 'available', media: { title: 'Later' }, seen: false }])
    expect((await adult.get(path)).body).toEqual({ requested: false })
    const unsafePath = `/api/profile/${kid.profileId}/availability/movie/${later.id}`
    expect((await kid.put(unsafePath, { requested: true })).status).toBe(404)
    rmSync(join(folder.path, 'Later (2020).mp4'))
    await waitUntil(async () => !(await findCard('movies', 'Later')).available)
  })
})

describe('lists of home', () => {
  test('titles that can be played come first, and others fill the row', async () => {
    const { results } = (await mediaServer.adult.get('/api/movies/featured?limit=5')).body
    const available = results.map((card: { available: boolean }) => card.available)
    expect(results).toHaveLength(5)
    expect(available).toEqual([true, true, false, false, false])
    const picks = (await mediaServer.adult.get(`/api/profile/${mediaServer.adultId}/recommend`)).body
    expect(picks.results?.[0]?.available).toBe(true)
  })
})

describe('choices', () => {
  const chooseTitle = (id: string, body: object) =>
    mediaServer.adult.put(`/api/admin/library/files/${id}/match`, body)
  test('a chosen title is remembered by the file, survives a scan and can be forgotten', async () => {
    const { id, candidates } = await findFile('Twins (1988).mp4')
    const title_id = candidates[1]?.id ?? ''
    const { body } = await chooseTitle(id, { title_id, scope: 'file' })
    expect(body).toMatchObject({ state: 'matched', matched_by: 'choice', title: { id: title_id } })
    await getLibrarySync(mediaServer.server.deps)?.scan(async () => {})
    expect((await findFile('Twins (1988).mp4')).title?.id).toBe(title_id)
    expect((await mediaServer.lookupStream('movie/tt0000006')).status).toBe(200)
    await mediaServer.adult.delete(`/api/admin/library/files/${id}/match`)
    expect(await findFile('Twins (1988).mp4')).toMatchObject({ reason: 'ambiguous', title: null })
    expect((await mediaServer.lookupStream('movie/tt0000006')).status).toBe(404)
  })
  test('a title chosen for a folder applies to all episodes, also to later ones', async () => {
    const series = await findCard('series', 'Fargo')
    const { id } = await findFile('Fergo - S01E02.mkv')
    const details = (await mediaServer.adult.get(`/api/admin/library/files/${id}`)).body
    expect(details).toMatchObject({ folder_files: 2, needs_episode: false })
    await chooseTitle(id, { title_id: series.id, scope: 'folder' })
    expect((await mediaServer.lookupStream('tv/tt0000020/1/3')).status).toBe(200)
    folder.writeFiles({ 'TV/Fergo/Season 01/Fergo - S01E04.mkv': 'x' })
    await waitUntil(async () => (await listFiles('&search=s01e04')).length > 0)
    expect((await findFile('Fergo - S01E04.mkv')).title?.title).toBe('Fargo')
  })
  test('a wrong match is undone by choosing no title', async () => {
    const { id } = await findFile('Heat (1995) - 1080p.mp4')
    const { body } = await chooseTitle(id, { title_id: null, scope: 'file' })
    expect(body).toMatchObject({ state: 'unmatched', reason: 'dismissed', title: null })
    expect((await findCard('movies', 'Heat')).available).toBe(false)
    await mediaServer.adult.delete(`/api/admin/library/files/${id}/match`)
    expect((await findCard('movies', 'Heat')).available).toBe(true)
  })
  test('a file without an episode number needs one for a series', async () => {
    const series = await findCard('series', 'Fargo')
    const { id } = await findFile('home video.mp4')
    expect((await chooseTitle(id, { title_id: series.id, scope: 'file' })).status).toBe(422)
    const { body } = await chooseTitle(id, { title_id: series.id, scope: 'file', season: 1, episode: 2 })
    expect(body).toMatchObject({ state: 'matched', type: 'tv', season: 1, episodes: [2] })
  })
  test('a choice moves with no file: a renamed file is matched by its name', async () => {
    const { id } = await findFile('Nobody Knows It (2001).mkv')
    await chooseTitle(id, { title_id: (await findCard('movies', 'Later')).id, scope: 'file' })
    mkdirSync(join(folder.path, 'Moved'), { recursive: true })
    renameSync(
      join(folder.path, 'Movies/Nobody Knows It (2001).mkv'),
      join(folder.path, 'Moved/Nobody Knows It (2001).mkv'),
    )
    await waitUntil(async () => (await listFiles('&folder=Moved')).length > 0)
    expect((await findFile('Nobody Knows It (2001).mkv')).reason).toBe('no_title')
  })
})

describe('the scan job', () => {
  const runScan = async () => {
    const { adult, server } = mediaServer
    const { status, body } = await adult.post('/api/admin/library/scan')
    expect(status).toBe(202)
    await findJobWorker(server.deps)?.whenIdle()
    return (await adult.get(`/api/jobs/${body.job_id}`)).body
  }
  test('a scan reports how many files it found', async () => {
    const job = await runScan()
    expect(job).toMatchObject({ status: 'done', report: { added: 0, removed: 0 } })
    expect(job.report.files).toBe(job.total)
  })
  test('a cancelled scan ends without writing', async () => {
    const aborted = AbortSignal.abort('cancelled')
    const context = { deps: mediaServer.server.deps, input: {}, checkpoint: null, signal: aborted }
    const idle = { reportProgress: async () => {}, saveCheckpoint: async () => {} }
    const before = await listFiles()
    await expect(runLibraryScan({ ...context, ...idle })).rejects.toBe('cancelled')
    expect(await listFiles()).toEqual(before)
  })
  test('a scan of an unreadable folder fails with a message and keeps the files', async () => {
    const count = (await listFiles()).length
    renameSync(folder.path, `${folder.path}-away`)
    try {
      expect(await runScan()).toMatchObject({ status: 'failed', message: 'folder_unreadable' })
      expect(await listFiles()).toHaveLength(count)
    } finally {
      renameSync(`${folder.path}-away`, folder.path)
    }
  })
})

test('without a media folder, nothing can be scanned and availability is unknown', async () => {
  const server = await startMediaTestServer({}, [{ title: 'Heat', year: 1995, imdb: 'tt0000001' }])
  try {
    expect((await server.adult.get('/api/admin/library')).body).toEqual({
      configured: false,
      folders: [],
      titles: 0,
    })
    expect((await server.adult.post('/api/admin/library/scan')).status).toBe(409)
    const { results } = (await server.adult.get('/api/movies?available=true')).body
    expect(results).toHaveLength(1)
    expect(results[0]).not.toHaveProperty('available')
  } finally {
    await server.close()
  }
})

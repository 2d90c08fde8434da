/**
 * A title is available if this server can play the title. The tests add and remove files, use kids profiles, and check
 * notices and library scans.
 */

import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { importTitles } from '../../../server/importers/import-titles.ts'
import { createMountTracker } from '../../../server/providers/library/empty-folders.ts'
import { type FolderTree, walkFolders } from '../../../server/providers/library/folder-tree.ts'
import { openLibrary } from '../../../server/providers/library/library.ts'
import { refreshFolder } from '../../../server/providers/library/refresh-folder.ts'
import { selectTitlesByIds } from '../../../server/queries/title.ts'
import { Audience } from '../../../server/queries/title-scope.ts'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import { loadEpisodeAvailability } from '../../../server/services/library/availability.ts'
import { runLibraryScan } from '../../../server/services/library/library-jobs.ts'
import { startLibraryFixture, waitUntil } from './library-fixture.ts'
import { createMediaTitleRecord, createTempFolder, startMediaTestServer } from './media-test-server.ts'

const { close, findCard, folder, listFiles, mediaServer } = await startLibraryFixture()
afterAll(close)

describe('availability of titles', () => {
  test('cards, details and search results show whether a title can be played', async () => {
    const { adult } = mediaServer
    expect((await findCard('movies', 'Heat')).available).toBe(true)
    expect((await findCard('movies', 'Later')).available).toBe(false)
    expect((await findCard('series', 'Fargo')).available).toBe(true)
    expect((await adult.get('/api/movies/slug/heat')).body.available).toBe(true)
    const { results } = (await adult.get('/api/search?q=later')).body
    expect(results[0].media.available).toBe(false)
  })
  test('title lists and search results contain only available titles when filtered by available=true, also for a kids profile', async () => {
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
  test('a title becomes available within three seconds after its file appears, and unavailable after the file is removed', async () => {
    const isAvailable = async () => (await findCard('movies', 'Later')).available
    folder.writeFiles({ 'New/Later (2020)/Later (2020).mp4': 'x' })
    expect(await waitUntil(isAvailable)).toBeLessThan(3_000)
    rmSync(join(folder.path, 'New'), { recursive: true })
    expect(await waitUntil(async () => !(await isAvailable()))).toBeLessThan(3_000)
  })
  test('a file is matched to a title that is imported after the file was added', async () => {
    folder.writeFiles({ 'Movies/Imported Later (2021).mkv': 'x' })
    const record = createMediaTitleRecord({ title: 'Imported Later', year: 2021, imdb: 'tt0000040' })
    await importTitles(mediaServer.server.deps, [{ location: '0', record }], { source: 'test' })
    await waitUntil(async () => (await findCard('movies', 'Imported Later')).available)
    expect((await mediaServer.lookUpStream('movie/tt0000040')).status).toBe(200)
    rmSync(join(folder.path, 'Movies/Imported Later (2021).mkv'))
  })
})

describe('availability of episodes', () => {
  test('the list of episodes shows which episodes have a file', async () => {
    const { adult } = mediaServer
    const { body: series } = await adult.get('/api/series/slug/fargo')
    const season = series.seasons.find(
      (candidate: { season_number: number }) => candidate.season_number === 1,
    )
    const { results } = (await adult.get(`/api/seasons/${season.id}/episodes`)).body
    expect(
      results.map(({ episode_number, available }: { episode_number: number; available: boolean }) => [
        episode_number,
        available,
      ]),
    ).toEqual([
      [1, true],
      [2, false],
      [3, false],
      [4, false],
    ])
  })
  test('the list of episodes changes when a file of an available series is added or removed, and open tabs get an event', async () => {
    const { adult, server } = mediaServer
    const { body: series } = await adult.get('/api/series/slug/fargo')
    const { id: seasonId } = series.seasons.find(
      (season: { season_number: number }) => season.season_number === 1,
    )
    const isAvailable = async () =>
      (await adult.get(`/api/seasons/${seasonId}/episodes`)).body.results[3].available
    // The previous test has removed the file of `Imported Later`. Waits until the server has noticed the removal, so
    // that the event of the removal is not counted here.
    await waitUntil(async () => !(await findCard('movies', 'Imported Later')).available)
    const events: unknown[] = []
    const unsubscribe = server.deps.bus.subscribe('catalogue', (event) => events.push(event))
    const filePath = 'TV/Fargo (2014)/Season 01/Fargo - S01E04.mkv'
    expect(await isAvailable()).toBe(false)
    folder.writeFiles({ [filePath]: 'x' })
    await waitUntil(isAvailable)
    expect(await isAvailable()).toBe(true)
    await waitUntil(async () => events.length > 0)
    expect(events).toContainEqual({ kind: 'library' })
    events.length = 0
    rmSync(join(folder.path, filePath))
    await waitUntil(async () => !(await isAvailable()))
    expect(await isAvailable()).toBe(false)
    await waitUntil(async () => events.length > 0)
    expect(events).toContainEqual({ kind: 'library' })
    unsubscribe()
  })
  test('the list of episodes is cached until the files or the catalogue change', async () => {
    const { adult, server } = mediaServer
    const { body: series } = await adult.get('/api/series/slug/fargo')
    const { id: seasonId } = series.seasons.find(
      (season: { season_number: number }) => season.season_number === 1,
    )
    const loadName = async () => (await adult.get(`/api/seasons/${seasonId}/episodes`)).body.results[3].title
    const name = await loadName()
    // The server does not notice a direct change of this table, so a response with the old name of the episode comes
    // from the cache.
    const renameEpisode = (newName: string | null) =>
      server.database.primary
        .updateTable('episode')
        .set({ name: newName })
        .where('season_id', '=', Number(seasonId))
        .where('episode_number', '=', 4)
        .execute()
    await renameEpisode('Renamed')
    expect(await loadName()).toBe(name)
    const filePath = 'TV/Fargo (2014)/Season 01/Fargo - S01E04.mkv'
    folder.writeFiles({ [filePath]: 'x' })
    await waitUntil(async () => (await loadName()) === 'Renamed')
    expect(await loadName()).toBe('Renamed')
    await renameEpisode(name)
    rmSync(join(folder.path, filePath))
    await waitUntil(async () => (await loadName()) === name)
  })
  test('Watch next shows the availability of the next episode, not the availability of the series', async () => {
    const { adult } = mediaServer
    const fargo = await findCard('series', 'Fargo')
    const profilePath = `/api/profile/${adult.profileId}`
    const loadFirstWatchNextItem = async () => (await adult.get(`${profilePath}/watch-next`)).body.results[0]
    await adult.put(`${profilePath}/watchlist/tv/${fargo.id}`)
    expect(await loadFirstWatchNextItem()).toMatchObject({ episode: { episode_number: 1 }, available: true })
    const viewingScope = { type: 'tv', media_id: fargo.id, scope: 'episode', season: 1, episode: 1 }
    await adult.post(`${profilePath}/viewings`, { key: 'watch-next-episode', scopes: [viewingScope] })
    expect(await loadFirstWatchNextItem()).toMatchObject({ episode: { episode_number: 2 }, available: false })
  })
  test('the stream of an episode lists all episodes that its file contains, unless another file contains only the requested episode', async () => {
    const loadStream = async () => (await mediaServer.lookUpStream('tv/tt0000020/1/3')).body
    const seasonPath = 'TV/Fargo (2014)/Season 01'
    folder.writeFiles({ [`${seasonPath}/Fargo - S01E03-E04.mkv`]: 'x' })
    await waitUntil(async () => (await loadStream()).sources?.length === 1)
    expect((await loadStream()).episodes).toEqual([3, 4])
    folder.writeFiles({ [`${seasonPath}/Fargo - S01E03.mkv`]: 'x' })
    await waitUntil(async () => (await loadStream()).sources?.length === 2)
    expect(await loadStream()).not.toHaveProperty('episodes')
    for (const name of ['S01E03-E04', 'S01E03'])
      rmSync(join(folder.path, `${seasonPath}/Fargo - ${name}.mkv`))
    await waitUntil(async () => (await mediaServer.lookUpStream('tv/tt0000020/1/3')).status === 404)
  })
  test('with a stream resolver, the availability of an episode without a file is unknown if the series has an IMDb ID', async () => {
    const { deps } = mediaServer.server
    const fargo = await findCard('series', 'Fargo')
    const [title] = await selectTitlesByIds(deps.database.reader, Audience.unrestricted, [Number(fargo.id)])
    if (!title) throw new Error('no title')
    const describeAvailability = async (
      upstream: unknown,
      imdb_id: string | null,
      library = deps.streamSources.library,
    ) => {
      const streamSources = { ...deps.streamSources, library, upstream: upstream as never }
      const describeEpisode = await loadEpisodeAvailability({ ...deps, streamSources }, { ...title, imdb_id })
      return [1, 2].map((episode_number) => describeEpisode({ season_number: 1, episode_number }))
    }
    expect(await describeAvailability({}, 'tt0000020')).toEqual([{ available: true }, {}])
    expect(await describeAvailability({}, null)).toEqual([{ available: true }, { available: false }])
    expect(await describeAvailability(null, 'tt0000020', null)).toEqual([{}, {}])
  })
})

describe('notices of availability', () => {
  test('a profile that requested a notice gets one notice when the title becomes available', async () => {
    const { adult, adultId, kid } = mediaServer
    const laterMovie = await findCard('movies', 'Later')
    const requestPath = `/api/profile/${adultId}/availability/movie/${laterMovie.id}`
    const listNotices = async () =>
      (await adult.get(`/api/profile/${adultId}/notifications/movies`)).body.results.filter(
        ({ kind }: { kind: string }) => kind === 'available',
      )
    expect((await adult.get(requestPath)).body).toEqual({ requested: false })
    expect((await adult.put(requestPath, { requested: true })).body).toEqual({ requested: true })
    expect(await listNotices()).toEqual([])
    folder.writeFiles({ 'Later (2020).mp4': 'x' })
    await waitUntil(async () => (await listNotices()).length > 0)
    expect(await listNotices()).toMatchObject([{ kind: 'available', media: { title: 'Later' }, seen: false }])
    expect((await adult.get(requestPath)).body).toEqual({ requested: false })
    const unsafePath = `/api/profile/${kid.profileId}/availability/movie/${laterMovie.id}`
    expect((await kid.put(unsafePath, { requested: true })).status).toBe(404)
    rmSync(join(folder.path, 'Later (2020).mp4'))
    await waitUntil(async () => !(await findCard('movies', 'Later')).available)
  })
})

describe('rows of the home page', () => {
  test('titles that can be played come first, and other titles fill the row', async () => {
    const { results } = (await mediaServer.adult.get('/api/movies/featured?limit=5')).body
    const availableFlags = results.map((card: { available: boolean }) => card.available)
    expect(results).toHaveLength(5)
    expect(availableFlags).toEqual([true, true, false, false, false])
    const picks = (await mediaServer.adult.get(`/api/profile/${mediaServer.adultId}/recommend`)).body
    expect(picks.results?.[0]?.available).toBe(true)
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
  test('a scan reports the number of files in the folder', async () => {
    const job = await runScan()
    expect(job).toMatchObject({ status: 'done', report: { added: 0, removed: 0 } })
    expect(job.report.files).toBe(job.total)
  })
  test('a cancelled scan leaves the list of files unchanged', async () => {
    const abortedSignal = AbortSignal.abort('cancelled')
    const context = { deps: mediaServer.server.deps, input: {}, checkpoint: null, signal: abortedSignal }
    const noopCallbacks = { reportProgress: async () => {}, saveCheckpoint: async () => {} }
    const filesBefore = await listFiles()
    await expect(runLibraryScan({ ...context, ...noopCallbacks })).rejects.toBe('cancelled')
    expect(await listFiles()).toEqual(filesBefore)
  })
  test('a scan of an unreadable folder fails with a message and keeps the files', async () => {
    const fileCount = (await listFiles()).length
    renameSync(folder.path, `${folder.path}-away`)
    try {
      expect(await runScan()).toMatchObject({ status: 'failed', message: 'folder_unreadable' })
      expect(await listFiles()).toHaveLength(fileCount)
    } finally {
      renameSync(`${folder.path}-away`, folder.path)
    }
  })
  test('a lookup returns 503 while the media folder is unavailable, and returns the stream after the folder is available again', async () => {
    renameSync(folder.path, `${folder.path}-away`)
    try {
      const reply = await mediaServer.lookUpStream('movie/tt0000001')
      expect(reply.status).toBe(503)
    } finally {
      renameSync(`${folder.path}-away`, folder.path)
    }
    expect((await mediaServer.lookUpStream('movie/tt0000001')).status).toBe(200)
  })
  test.each(['is missing', 'is empty, as before a share is mounted'])(
    'the files keep their titles, ids and dates while the media folder %s',
    async (condition) => {
      const { library } = mediaServer.server.deps.streamSources
      if (!library) throw new Error('no library')
      const filesBefore = await listFiles()
      renameSync(folder.path, `${folder.path}-away`)
      if (condition.startsWith('is empty')) mkdirSync(folder.path)
      try {
        await library.rescan().catch(() => {})
        await runScan()
        expect(await listFiles()).toEqual(filesBefore)
      } finally {
        rmSync(folder.path, { recursive: true, force: true })
        renameSync(`${folder.path}-away`, folder.path)
      }
      expect(await runScan()).toMatchObject({ status: 'done' })
      expect(await listFiles()).toEqual(filesBefore)
    },
  )
})

test('files of an unreadable subfolder stay in the library, and files of a removed subfolder do not', async () => {
  const mediaFolder = createTempFolder({ 'A/B/Kept (2001).mkv': 'x', 'A/C/Removed (2002).mkv': 'x' })
  const tree: FolderTree = new Map()
  await walkFolders(mediaFolder.path, '', tree)
  const state = { root: mediaFolder.path, tree, nfosByPath: new Map(), unreadableFolders: new Set<string>() }
  // Replaces a folder with a circular link, which cannot be read (ELOOP), like a lost network share (ESTALE or EIO).
  renameSync(join(mediaFolder.path, 'A/B'), join(mediaFolder.path, 'B-away'))
  symlinkSync('B', join(mediaFolder.path, 'A/B'))
  rmSync(join(mediaFolder.path, 'A/C'), { recursive: true })
  expect(await refreshFolder(state, 'A/B')).toBe(false)
  expect(await refreshFolder(state, 'A/C')).toBe(true)
  expect([...tree.keys()].sort()).toEqual(['', 'A', 'A/B'])
  const newTree: FolderTree = new Map()
  expect(await walkFolders(mediaFolder.path, 'A/B', newTree, tree)).toEqual(['A/B'])
  expect(newTree.get('A/B')?.files).toEqual(['Kept (2001).mkv'])
  mediaFolder.remove()
})

test('files of a disk that is no longer mounted stay in the library for a day, but deleted files of other folders leave the library immediately', async () => {
  const mediaFolder = createTempFolder({ 'Disk/Film (2001).mkv': 'x', 'Local/Film (2002).mkv': 'x' })
  const tree: FolderTree = new Map()
  let nowMs = 0
  const { isUnmounted } = createMountTracker(() => nowMs)
  await walkFolders(mediaFolder.path, '', tree, new Map(), isUnmounted)
  const diskFolder = tree.get('Disk')
  if (!diskFolder) throw new Error('no folder')
  diskFolder.device += 1
  const walkFoldersAgain = async (previousTree: FolderTree) => {
    const newTree: FolderTree = new Map()
    const unreadableFolders = await walkFolders(mediaFolder.path, '', newTree, previousTree, isUnmounted)
    const files = ['Disk', 'Local'].map((path) => newTree.get(path)?.files)
    return { unreadableFolders, files }
  }
  for (const path of ['Disk/Film (2001).mkv', 'Local/Film (2002).mkv']) rmSync(join(mediaFolder.path, path))
  const unreadableFolders = new Set<string>()
  const state = { root: mediaFolder.path, tree, nfosByPath: new Map(), unreadableFolders, isUnmounted }
  expect(await refreshFolder(state, 'Disk')).toBe(false)
  expect([...unreadableFolders]).toEqual(['Disk'])
  const resultWithKeptFiles = { unreadableFolders: ['Disk'], files: [['Film (2001).mkv'], []] }
  expect(await walkFoldersAgain(tree)).toEqual(resultWithKeptFiles)
  nowMs += 23 * 3_600_000
  expect(await walkFoldersAgain(tree)).toEqual(resultWithKeptFiles)
  nowMs += 2 * 3_600_000
  expect(await walkFoldersAgain(tree)).toEqual({ unreadableFolders: [], files: [[], []] })
  mediaFolder.remove()
})

test('after a restart, an empty folder at the top level of the media folder counts as unreadable, because its disk may not be mounted yet', async () => {
  const mediaFolder = createTempFolder({ 'Local/Film (2002).mkv': 'x' })
  mkdirSync(join(mediaFolder.path, 'Disk'))
  const tree: FolderTree = new Map()
  const { isUnmounted } = createMountTracker()
  expect(await walkFolders(mediaFolder.path, '', tree, new Map(), isUnmounted)).toEqual(['Disk'])
  expect(await walkFolders(mediaFolder.path, '', new Map(), tree, isUnmounted)).toEqual(['Disk'])
  mediaFolder.writeFiles({ 'Disk/Film (2001).mkv': 'x' })
  expect(await walkFolders(mediaFolder.path, '', new Map(), tree, isUnmounted)).toEqual([])
  mediaFolder.remove()
})

test('after two folders have exchanged their names, the library lists their files under the new paths and detects a file that is added to one of the folders', async () => {
  const mediaFolder = createTempFolder({ 'A/First (2001).mkv': 'x', 'B/Second (2002).mkv': 'x' })
  const library = await openLibrary(mediaFolder.path)
  await library.start()
  const getFolderPath = (path: string) => join(mediaFolder.path, path)
  renameSync(getFolderPath('A'), getFolderPath('C'))
  renameSync(getFolderPath('B'), getFolderPath('A'))
  renameSync(getFolderPath('C'), getFolderPath('B'))
  const listPaths = () => library.listFiles()?.map(({ path }) => path) ?? []
  await waitUntil(async () => listPaths().includes('A/Second (2002).mkv'))
  expect(listPaths().sort()).toEqual(['A/Second (2002).mkv', 'B/First (2001).mkv'])
  mediaFolder.writeFiles({ 'A/Third (2003).mkv': 'x' })
  expect(await waitUntil(async () => listPaths().includes('A/Third (2003).mkv'))).toBeLessThan(3_000)
  library.stop()
  mediaFolder.remove()
})

test('without a media folder, a scan returns 409 and titles have no availability', async () => {
  const server = await startMediaTestServer({}, [{ title: 'Heat', year: 1995, imdb: 'tt0000001' }])
  try {
    expect((await server.adult.get('/api/admin/library')).body).toEqual({
      configured: false,
      folders: [],
      titles: 0,
      thumbnails: { state: 'no_ffmpeg', files: 0, handled: 0, size: 0 },
    })
    expect((await server.adult.post('/api/admin/library/scan')).status).toBe(409)
    const { results } = (await server.adult.get('/api/movies?available=true')).body
    expect(results).toHaveLength(1)
    expect(results[0]).not.toHaveProperty('available')
  } finally {
    await server.close()
  }
})

/**
 * The job that adds missing titles to the catalogue, for files that match no title of the catalogue.
 * The job runs with and without TMDB. No file may get a wrong title.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importTitles } from '../../../server/importers/import-titles.ts'
import { runTitlePurge } from '../../../server/services/catalogue/publishing.ts'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import { consumeAddTitlesTrigger } from '../../../server/services/library/add-titles-job.ts'
import { getLibrarySync } from '../../../server/services/library/library-sync.ts'
import type { LibraryFileEntry } from '../../../src/lib/contract/admin-library.ts'
import { TmdbReplayServer } from '../importers/tmdb/replay-server.ts'
import {
  createMediaTitleRecord,
  createTempFolder,
  type MediaTestServer,
  startMediaTestServer,
} from './media-test-server.ts'

const FILE_CONTENTS_BY_PATH = {
  'Films/Night Train (1959)/Night Train (1959) - 1080p.mkv': 'x',
  'Films/the.long.day.closes.1992.720p.mkv': 'x',
  'Films/Fargoo (1996).mkv': 'one letter too many',
  'Films/Harry Potter Philosophers Stone (2001).mkv': 'two words are missing',
  'Films/Solaris (1990).mkv': 'wrong year',
  'Films/Kill Bill Vol. 1 (2003).mkv': 'x',
  'Films/Known by id {tmdb-77}.mkv': 'x',
  'Films/IMG_20190304_1200.mp4': 'x',
  'Films/IMG_2019.mp4': 'x',
  'Films/img-2020 (1).mp4': 'x',
  'Films/WhatsApp Video 2020-11-22 at 10.11.12.mp4': 'x',
  'Films/Screen Recording 2021-03-04.mp4': 'x',
  'Films/Clip (2012).mp4': 'x',
  'Films/Movie 43 (2013).mkv': 'x',
  'Films/Movie 44 (2014)/Movie 44.mkv': 'x',
  'Films/Movie 45/Movie 45.mkv': 'x',
  'Films/Movie.46.1080p.BluRay.mkv': 'x',
  'Films/Movie 47.mp4': 'x',
  'Films/Video 2019.mp4': 'x',
  'Films/1080p.mkv': 'x',
  'Shows/Small Town/Season 1/Small Town S01E01.mkv': 'x',
  'Shows/Small Town/Season 1/Small Town S01E02.mkv': 'x',
  'Shows/Old Harbour (2014)/Season 1/Old Harbour S01E01.mkv': 'x',
  'Shows/Old.Harbour.S02.1080p/Old.Harbour.S02E01.mkv': 'the same series without its year',
}
const TITLES = [
  { title: 'Fargo', year: 1996, imdb: 'tt0116282' },
  { title: 'Harry Potter and the Philosopher’s Stone', year: 2001, imdb: 'tt0241527' },
  { title: 'Solaris', year: 1972, imdb: 'tt0069293' },
]
let folder: ReturnType<typeof createTempFolder>
let mediaServer: MediaTestServer

const listFiles = async () =>
  (await mediaServer.adult.get('/api/admin/library/files?limit=100')).body.results as LibraryFileEntry[]
async function listTitlesByFile(): Promise<Record<string, string | null>> {
  const files = await listFiles()
  return Object.fromEntries(
    files.map(({ path, title }) => [path.split('/').at(-1), title ? `${title.title} ${title.year}` : null]),
  )
}
/** Starts the job and waits until the job is finished. Returns the status of the start request and the job. */
async function runAddTitlesJob() {
  const { status } = await mediaServer.adult.post('/api/admin/library/titles')
  await findJobWorker(mediaServer.server.deps)?.whenIdle()
  await getLibrarySync(mediaServer.server.deps)?.rematchFiles()
  const { body } = await mediaServer.adult.get('/api/jobs?kind=library_add_titles&limit=1')
  return { status, job: body.results[0] }
}

describe('without a TMDB token', () => {
  beforeAll(async () => {
    folder = createTempFolder(FILE_CONTENTS_BY_PATH)
    mediaServer = await startMediaTestServer({ MEDIA_DIR: folder.path }, TITLES)
  })
  afterAll(async () => {
    await mediaServer.close()
    folder.remove()
  })

  it('the job that adds titles is due once, and again for a new file unless the setting turns the job off', async () => {
    const { deps } = mediaServer.server
    await deps.searchIndex.rebuild()
    expect(await consumeAddTitlesTrigger(deps)).toBe(true)
    expect(await consumeAddTitlesTrigger(deps)).toBe(false)
    await mediaServer.adult.post('/api/settings', { key: 'add_titles_of_files', value: false })
    folder.writeFiles({ 'Films/Another (1980).mkv': 'x' })
    await getLibrarySync(deps)?.scan(async () => {})
    expect(await consumeAddTitlesTrigger(deps)).toBe(false)
    await mediaServer.adult.post('/api/settings', { key: 'add_titles_of_files', value: true })
    expect(await consumeAddTitlesTrigger(deps)).toBe(true)
  })

  it('the job adds titles named after the files, but none for misspelt or meaningless file names', async () => {
    const { status, job } = await runAddTitlesJob()
    expect([status, job.status]).toEqual([202, 'done'])
    expect(job.report).toMatchObject({ added: 12, from_tmdb: 0, skipped: 4 })
    expect(await listTitlesByFile()).toEqual({
      'Night Train (1959) - 1080p.mkv': 'Night Train 1959',
      'the.long.day.closes.1992.720p.mkv': 'The Long Day Closes 1992',
      'Another (1980).mkv': 'Another 1980',
      'Kill Bill Vol. 1 (2003).mkv': 'Kill Bill Vol 1 2003',
      'Known by id {tmdb-77}.mkv': 'Known by id null',
      'Small Town S01E01.mkv': 'Small Town null',
      'Small Town S01E02.mkv': 'Small Town null',
      'Old Harbour S01E01.mkv': 'Old Harbour 2014',
      'Old.Harbour.S02E01.mkv': 'Old Harbour 2014',
      'Clip (2012).mp4': 'Clip 2012',
      'Movie 43 (2013).mkv': 'Movie 43 2013',
      'Movie 44.mkv': 'Movie 44 2014',
      'Movie 45.mkv': 'Movie 45 null',
      'Movie.46.1080p.BluRay.mkv': 'Movie 46 null',
      'Movie 47.mp4': null,
      'Video 2019.mp4': null,
      'Fargoo (1996).mkv': null,
      'Harry Potter Philosophers Stone (2001).mkv': null,
      'Solaris (1990).mkv': null,
      'IMG_20190304_1200.mp4': null,
      'IMG_2019.mp4': null,
      'img-2020 (1).mp4': null,
      'WhatsApp Video 2020-11-22 at 10.11.12.mp4': null,
      'Screen Recording 2021-03-04.mp4': null,
      '1080p.mkv': null,
    })
  })

  it('the job makes added movies and episodes playable, and hides added titles from kids profiles', async () => {
    const files = await listFiles()
    const movie = files.find(({ path }) => path.includes('Night Train'))?.title
    const series = files.find(({ path }) => path.includes('S01E02'))?.title
    expect((await mediaServer.lookUpStream(`movie/${movie?.id}`)).status).toBe(200)
    expect((await mediaServer.lookUpStream(`tv/${series?.id}/1/2`)).status).toBe(200)
    expect((await mediaServer.kid.get(`/api/movies/slug/${movie?.slug}`)).status).toBe(404)
  })

  it('a later run of the job adds a movie whose name differs from the name of an existing title only by a number', async () => {
    const { deps } = mediaServer.server
    folder.writeFiles({ 'Films/Kill Bill Vol. 2 (2004).mkv': 'x', 'Films/Kill Bil Vol. 1 (2003).mkv': 'x' })
    await getLibrarySync(deps)?.scan(async () => {})
    expect((await runAddTitlesJob()).job.report).toMatchObject({ added: 1 })
    expect(await listTitlesByFile()).toMatchObject({
      'Kill Bill Vol. 2 (2004).mkv': 'Kill Bill Vol 2 2004',
      'Kill Bil Vol. 1 (2003).mkv': null,
    })
  })

  it('a second run of the job adds nothing, and a later run does not add a deleted title again', async () => {
    expect((await runAddTitlesJob()).job.report).toMatchObject({ added: 0, changed: 0 })
    const movie = (await listFiles()).find(({ path }) => path.includes('Night Train'))?.title
    await mediaServer.adult.post('/api/admin/titles/delete', { ids: [movie?.id] })
    expect((await runAddTitlesJob()).job.report).toMatchObject({ added: 0 })
    expect((await listTitlesByFile())['Night Train (1959) - 1080p.mkv']).toBeNull()
  })
})

describe('a title that an administrator has deleted', () => {
  const FILE_NAMES = ['Heat (1995).mkv', 'Twice (1990).mkv', 'Chosen name (1999).mkv', 'Remake (2020).mkv']
  beforeAll(async () => {
    folder = createTempFolder(Object.fromEntries(FILE_NAMES.map((name) => [name, 'x'])))
    mediaServer = await startMediaTestServer({ MEDIA_DIR: folder.path }, [
      { title: 'Heat', year: 1995, imdb: 'tt0113277' },
      { title: 'Twice', year: 1990, imdb: 'tt0000701' },
      { title: 'Twice', year: 1960, imdb: 'tt0000702' },
      { title: 'Remake', year: 1970, imdb: 'tt0000703' },
      { title: 'Film of the choice', year: 1980, imdb: 'tt0000704' },
      { title: 'Lake', year: 1990, tmdb: 5 },
    ])
    await mediaServer.server.deps.searchIndex.rebuild()
    const chosenTitle = (await listTitles()).find(({ title }) => title === 'Film of the choice')
    const file = (await listFiles()).find(({ path }) => path.startsWith('Chosen'))
    await mediaServer.adult.put(`/api/admin/library/files/${file?.id}/match`, {
      title_id: chosenTitle?.id,
      scope: 'file',
    })
    const ids = (await listTitles()).map(({ id }) => id)
    await mediaServer.adult.post('/api/admin/titles/delete', { ids })
    await getLibrarySync(mediaServer.server.deps)?.rematchFiles()
  })
  afterAll(async () => {
    await mediaServer.close()
    folder.remove()
  })
  const listTitles = async () =>
    (await mediaServer.adult.get('/api/movies?limit=50')).body.results as { id: string; title: string }[]

  it('the job does not add a deleted title again, no matter how its file was matched, but adds a title with the same name and another year', async () => {
    expect((await runAddTitlesJob()).job.report).toMatchObject({ added: 1 })
    expect(await listTitlesByFile()).toEqual({
      'Heat (1995).mkv': null,
      'Twice (1990).mkv': null,
      'Chosen name (1999).mkv': null,
      'Remake (2020).mkv': 'Remake 2020',
    })
  })

  it('a title that an administrator has deleted permanently is not added again by the job, and gets its file when an import adds the title', async () => {
    const { server, adult } = mediaServer
    folder.writeFiles({ 'Lake (1990) {tmdb-9}.mkv': 'another film than the deleted title' })
    await getLibrarySync(server.deps)?.scan(async () => {})
    server.advanceClock(60 * 24 * 3_600_000)
    await adult.login('alice@example.com')
    const context = { deps: server.deps, input: {}, checkpoint: null, signal: new AbortController().signal }
    const noopCallbacks = { reportProgress: async () => {}, saveCheckpoint: async () => {} }
    expect(await runTitlePurge({ ...context, ...noopCallbacks })).toEqual({ message: '6' })
    // The job adds only the other movie named Lake, and no deleted title, even if the files have not been matched again
    // yet.
    expect((await runAddTitlesJob()).job.report).toMatchObject({ added: 1 })
    const files = await listFiles()
    expect(files.map(({ path, reason }) => [path, reason]).sort()).toEqual([
      ['Chosen name (1999).mkv', 'dismissed'],
      ['Heat (1995).mkv', 'no_title'],
      ['Lake (1990) {tmdb-9}.mkv', null],
      ['Remake (2020).mkv', null],
      ['Twice (1990).mkv', 'no_title'],
    ])
    const record = createMediaTitleRecord({ title: 'Heat', year: 1995, imdb: 'tt0113277' })
    await importTitles(server.deps, [{ location: 'Heat', record }], { source: 'test' })
    await getLibrarySync(server.deps)?.rematchFiles()
    expect((await listTitlesByFile())['Heat (1995).mkv']).toBe('Heat 1995')
  })
})

describe('with a TMDB token', () => {
  const tmdb = new TmdbReplayServer()
  beforeAll(async () => {
    const url = await tmdb.listen()
    folder = createTempFolder({
      'Night Train (1959).mkv': 'x',
      'Home film (2004).mkv': 'x',
      'By id {tmdb-8}.mkv': 'x',
    })
    mediaServer = await startMediaTestServer({ MEDIA_DIR: folder.path, TMDB_API_URL: `${url}/3` }, TITLES)
    await mediaServer.server.deps.searchIndex.rebuild()
  })
  afterAll(async () => {
    await mediaServer.close()
    await tmdb.close()
    folder.remove()
  })
  const serveNightTrain = () => {
    tmdb.bodies.set('/search/movie', {
      results: [
        { id: 5, title: 'Night Train', original_title: 'Pociąg', release_date: '1959-09-06' },
        { id: 6, title: 'Night Train', original_title: 'Night Train', release_date: '1998-01-01' },
      ],
    })
    tmdb.bodies.set('/movie/5', {
      id: 5,
      title: 'Night Train',
      original_title: 'Pociąg',
      original_language: 'pl',
      release_date: '1959-09-06',
      overview: 'Two strangers share a compartment.',
    })
  }

  it('the job adds TMDB data to titles added without a token, and keeps titles that TMDB lacks', async () => {
    await runAddTitlesJob()
    const { deps } = mediaServer.server
    expect(await consumeAddTitlesTrigger(deps)).toBe(false)
    deps.config.tmdbApiToken = tmdb.acceptedToken
    expect(await consumeAddTitlesTrigger(deps)).toBe(true)
    serveNightTrain()
    tmdb.bodies.set('/movie/8', { id: 8, title: 'The Real Name', original_title: 'The Real Name' })
    const { job } = await runAddTitlesJob()
    expect([job.message, job.report]).toMatchObject([null, { added: 0, changed: 2 }])
    expect((await listTitlesByFile())['By id {tmdb-8}.mkv']).toBe('The Real Name null')
    const file = (await listFiles()).find(({ path }) => path.startsWith('Night'))
    const { body } = await mediaServer.adult.get(`/api/movies/slug/${file?.title?.slug}`)
    expect(body).toMatchObject({ title: 'Night Train', overview: 'Two strangers share a compartment.' })
    expect((await listTitlesByFile())['Home film (2004).mkv']).toBe('Home film 2004')
  })

  it('the job adds the matching TMDB title, or a title named after the file when TMDB is unreachable', async () => {
    const { deps } = mediaServer.server
    folder.writeFiles({ 'Night Train (1998).mkv': 'x', 'Last Light (2011).mkv': 'x' })
    tmdb.bodies.set('/movie/6', {
      id: 6,
      title: 'Night Train',
      original_title: 'Night Train',
      release_date: '1998-01-01',
    })
    await getLibrarySync(deps)?.scan(async () => {})
    expect((await runAddTitlesJob()).job.report).toMatchObject({ added: 2, from_tmdb: 1 })
    folder.writeFiles({ 'Early Light (2012).mkv': 'x' })
    await getLibrarySync(deps)?.scan(async () => {})
    deps.config.tmdbApiToken = 'wrong'
    const { job } = await runAddTitlesJob()
    expect([job.status, job.message, job.report.added]).toEqual(['done', 'tmdb_unreachable', 1])
    expect((await listTitlesByFile())['Early Light (2012).mkv']).toBe('Early Light 2012')
  })
})

it('starting the job returns 409 when no media folder is configured', async () => {
  const server = await startMediaTestServer({}, [])
  expect((await server.adult.post('/api/admin/library/titles')).status).toBe(409)
  await server.close()
})

describe('a file without content', () => {
  beforeAll(async () => {
    folder = createTempFolder({})
    mediaServer = await startMediaTestServer({ MEDIA_DIR: folder.path }, TITLES)
    await mediaServer.server.deps.searchIndex.rebuild()
  })
  afterAll(async () => {
    await mediaServer.close()
    folder.remove()
  })

  it.each([
    ['nothing', 'Copied (1990)', Buffer.alloc(0)],
    ['only zeros, which a download has reserved', 'Downloaded (1991)', Buffer.alloc(100_000)],
  ])(
    'a file that contains %s gets a title only after its content has arrived',
    async (_name, title, content) => {
      const { deps } = mediaServer.server
      const fileName = `${title}.mkv`
      const writeFile = async (fileContent: Buffer | string) => {
        folder.writeFiles({ [fileName]: fileContent })
        await deps.streamSources.library?.rescan()
        await getLibrarySync(deps)?.scan(async () => {})
      }
      await writeFile(content)
      await runAddTitlesJob()
      expect((await listTitlesByFile())[fileName]).toBeNull()
      expect((await listFiles()).find(({ path }) => path === fileName)?.reason).toBe('empty')
      await writeFile('a video')
      expect(await consumeAddTitlesTrigger(deps)).toBe(true)
      await runAddTitlesJob()
      expect((await listTitlesByFile())[fileName]).toBe(title.replace(/[()]/g, ''))
    },
  )
})

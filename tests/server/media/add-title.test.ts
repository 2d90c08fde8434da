/**
 * Files whose title is missing in the catalogue.
 * An administrator adds the title from TMDB or enters the title by hand. Afterwards the file can be played.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TmdbReplayServer } from '../importers/tmdb/replay-server.ts'
import { createTempFolder, type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

const folder = createTempFolder({
  'Caravan (2012).mkv': 'x',
  'Family film (2001).mkv': 'x',
  'Heat (1995) copy {imdb-tt9999999}.mkv': 'x',
  'Our Show/Season 1/Our Show S01E01.mkv': 'x',
  'Our Show/Season 1/Our Show S01E03.mkv': 'x',
  'clip.mp4': 'x',
})
const tmdb = new TmdbReplayServer()
let mediaServer: MediaTestServer
const findFile = async (fileName: string) =>
  (await mediaServer.adult.get('/api/admin/library/files?limit=100')).body.results.find(
    ({ path }: { path: string }) => path.endsWith(fileName),
  )
async function addTitle(fileName: string, body: object) {
  const { id } = await findFile(fileName)
  return mediaServer.adult.post(`/api/admin/library/files/${id}/title`, { scope: 'file', ...body })
}
const searchTmdb = (query: string) => mediaServer.adult.get(`/api/admin/library/tmdb-titles?${query}`)

beforeAll(async () => {
  const url = await tmdb.listen()
  mediaServer = await startMediaTestServer(
    { MEDIA_DIR: folder.path, TMDB_API_TOKEN: tmdb.acceptedToken, TMDB_API_URL: `${url}/3` },
    [{ title: 'Heat', year: 1995, imdb: 'tt0113277', tmdb: 949 }],
  )
  tmdb.bodies.set('/search/movie', {
    results: [
      {
        id: 1001,
        title: 'Caravan',
        original_title: 'La Caravane',
        release_date: '2012-05-01',
        overview: 'A desert.',
      },
      { id: 949, title: 'Heat', original_title: 'Heat', release_date: '1995-12-15', overview: '' },
      { id: 3, title: 'Adults only', adult: true },
    ],
  })
  tmdb.bodies.set('/movie/1001', {
    id: 1001,
    title: 'Caravan',
    original_title: 'La Caravane',
    original_language: 'fr',
    release_date: '2012-05-01',
  })
})
afterAll(async () => {
  await mediaServer.close()
  await tmdb.close()
  folder.remove()
})

describe('a title from TMDB', () => {
  it('a search of TMDB finds a title that the catalogue lacks, and marks results that the catalogue already has', async () => {
    const { body } = await searchTmdb('type=movie&search=caravan&year=2012')
    expect(
      body.results.map(({ tmdb_id, year, title_id }: Record<string, unknown>) => [
        tmdb_id,
        year,
        title_id !== null,
      ]),
    ).toEqual([
      [1001, 2012, false],
      [949, 1995, true],
    ])
  })
  it('a title from TMDB is imported and chosen for the file, and can be added again after the import and the choice are undone', async () => {
    const { status, body } = await addTitle('Caravan (2012).mkv', { type: 'movie', tmdb_id: 1001 })
    expect([status, body.added, body.file.state, body.title.title]).toEqual([200, true, 'matched', 'Caravan'])
    expect((await mediaServer.lookUpStream(`movie/${body.title.id}`)).status).toBe(200)
    const fileId = body.file.id
    await mediaServer.adult.post('/api/admin/titles/delete', { ids: [body.title.id] })
    await mediaServer.adult.delete(`/api/admin/library/files/${fileId}/match`)
    expect(await findFile('Caravan (2012).mkv')).toMatchObject({ state: 'unmatched', reason: 'no_title' })
    const secondReply = await addTitle('Caravan (2012).mkv', { type: 'movie', tmdb_id: 1001 })
    expect(secondReply.body).toMatchObject({
      added: true,
      title: { id: body.title.id },
      file: { state: 'matched' },
    })
    const events = (await mediaServer.adult.get('/api/admin/audit?limit=20')).body.results
    expect(events.map(({ action }: { action: string }) => action)).toContain('library_add_title')
  })
  it('a title from TMDB is chosen for the file without an import when the catalogue already has the title', async () => {
    tmdb.bodies.set('/movie/949', {
      id: 949,
      title: 'Heat',
      original_title: 'Heat',
      release_date: '1995-12-15',
      imdb_id: 'tt0113277',
    })
    const { body } = await addTitle('{imdb-tt9999999}.mkv', { type: 'movie', tmdb_id: 949 })
    expect(body).toMatchObject({ added: false, file: { matched_by: 'choice' } })
  })
  it('adding a title from TMDB is rejected when TMDB has no title with the given ID, and a search of TMDB is rejected when no TMDB token is set', async () => {
    const unknownReply = await addTitle('Family film (2001).mkv', { type: 'movie', tmdb_id: 4 })
    expect([unknownReply.status, unknownReply.body.errors]).toEqual([409, { tmdb: ['unknown_title'] }])
    const { config } = mediaServer.server.deps
    const token = config.tmdbApiToken
    config.tmdbApiToken = undefined
    const { id } = await findFile('Family film (2001).mkv')
    expect((await mediaServer.adult.get(`/api/admin/library/files/${id}`)).body.can_search_tmdb).toBe(false)
    expect((await searchTmdb('type=movie&search=x')).body.errors).toEqual({ tmdb: ['not_configured'] })
    config.tmdbApiToken = token
  })
})

describe('a title that is added by hand', () => {
  it('keeps the entered names and year, and gets a drawn poster', async () => {
    const titles = [
      { lang: 'en', text: 'Family film' },
      { lang: 'fr', text: 'Film de famille' },
    ]
    const { status, body } = await addTitle('Family film (2001).mkv', { type: 'movie', titles, year: 2001 })
    expect([status, body.file.state, body.file.matched_by]).toEqual([200, 'matched', 'choice'])
    const title = (await mediaServer.adult.get(`/api/admin/titles/${body.title.id}`)).body
    expect(title).toMatchObject({ source: 'file', year: 2001, safe_for_kids: false })
    expect(title.titles).toEqual(expect.arrayContaining([{ lang: 'fr', text: 'Film de famille' }]))
    const imageResponse = await mediaServer.server.request(
      title.poster_path.replace('/drawn', '/images/w185/drawn'),
    )
    expect(imageResponse.status).toBe(200)
    expect(title.poster_path).toContain('/drawn/')
    expect((await mediaServer.lookUpStream(`movie/${title.id}`, '', mediaServer.kid)).status).toBe(404)
  })
  it('a title that is added by hand is rejected without a name, or when the catalogue already has a title with the same name and year', async () => {
    expect((await addTitle('clip.mp4', { type: 'movie' })).body.errors).toEqual({ titles: ['needed'] })
    const sameNameInput = { type: 'movie', titles: [{ lang: 'fr', text: 'HEAT' }], year: 1995 }
    expect((await addTitle('clip.mp4', sameNameInput)).body.errors).toEqual({ titles: ['exists'] })
  })
  it('a series that is added by hand has an episode for each of its files, also for a file that is added later', async () => {
    const titleInput = { type: 'tv', scope: 'folder', titles: [{ lang: 'en', text: 'Our Show' }] }
    const { body } = await addTitle('Our Show S01E01.mkv', titleInput)
    expect(body.file).toMatchObject({ state: 'matched', episodes: [1] })
    const listEpisodes = async () => {
      const series = (await mediaServer.adult.get(`/api/series/${body.title.id}`)).body
      const { results } = (await mediaServer.adult.get(`/api/seasons/${series.seasons[0].id}/episodes`)).body
      return [
        series.available,
        results.map(({ episode_number, available }: Record<string, unknown>) => [episode_number, available]),
      ]
    }
    expect(await listEpisodes()).toEqual([
      true,
      [
        [1, true],
        [3, true],
      ],
    ])
    folder.writeFiles({ 'Our Show/Season 1/Our Show S01E02.mkv': 'x' })
    await mediaServer.adult.post('/api/admin/library/scan')
    const { findJobWorker } = await import('../../../server/services/jobs/job-queue.ts')
    await findJobWorker(mediaServer.server.deps)?.whenIdle()
    expect(await listEpisodes()).toEqual([
      true,
      [
        [1, true],
        [2, true],
        [3, true],
      ],
    ])
  })
  it('a series that is added by hand requires an episode number if the file name contains none', async () => {
    const titleInput = { type: 'tv', titles: [{ lang: 'en', text: 'Clips' }] }
    expect((await addTitle('clip.mp4', titleInput)).body.errors).toEqual({ episode: ['needed'] })
    const { body } = await addTitle('clip.mp4', { ...titleInput, season: 2, episode: 5 })
    expect(body.file).toMatchObject({ state: 'matched', season: 2, episodes: [5] })
  })
})

/**
 * Editing titles: an edited field keeps its value after later imports, each edit can be undone, and a title can be
 * imported from TMDB again.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { importTitles } from '../../../server/importers/import-titles.ts'
import type { TitleRecord } from '../../../server/queries/title-record.ts'
import { DATABASES } from '../../support/server.ts'
import {
  type AdminTestServer,
  addMovies,
  createMovieRecord,
  startAdminTestServer,
} from './admin-test-server.ts'

const MOVIE_RECORD = createMovieRecord(1, {
  tmdb_id: 501,
  names: [
    { lang: 'en', text: 'Lantern 1', role: 'main' },
    { lang: 'fr', text: 'Lanterne', role: 'main' },
  ],
  texts: [{ lang: 'en', overview: 'A keeper.', tagline: 'Light.' }],
  poster_path: '/imported.jpg',
  trailer: 'https://www.youtube.com/watch?v=imported1',
  rated: '13+',
})
const getText = (texts: { lang: string; text: string | null }[], lang: string) =>
  texts.find((text) => text.lang === lang)?.text

describe.each(DATABASES)('title editing on %s', (_name, openTestDatabase) => {
  let service: AdminTestServer
  let tmdb: Server
  let tmdbBodiesByPath: Map<string, object>
  let titleId = ''
  const importRecords = (records: TitleRecord[]) =>
    importTitles(
      service.server.deps,
      records.map((record, index) => ({ location: String(index), record })),
      { source: 'tmdb' },
    )
  /**
   * Number of imports by `reimportMovie`. Each import contains a new keyword with this number, so that the import has a
   * change to store.
   */
  let revisionCount = 0
  const reimportMovie = (fields: Partial<TitleRecord> = {}) =>
    importRecords([{ ...MOVIE_RECORD, ...fields, keywords: [`revision ${++revisionCount}`] }])
  const loadTitle = async () => (await service.admin.get(`/api/admin/titles/${titleId}`)).body
  const editTitle = (titleEdit: object) => service.admin.put(`/api/admin/titles/${titleId}`, titleEdit)
  const undoEdit = (field: string) => service.admin.delete(`/api/admin/titles/${titleId}/edits/${field}`)

  beforeAll(async () => {
    tmdbBodiesByPath = new Map()
    tmdb = createServer((request, response) => {
      const tmdbBody = tmdbBodiesByPath.get((request.url ?? '').split('?')[0] ?? '')
      response.writeHead(tmdbBody ? 200 : 404, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(tmdbBody ?? {}))
    })
    await new Promise<void>((resolve) => tmdb.listen(0, '127.0.0.1', resolve))
    service = await startAdminTestServer({
      database: await openTestDatabase(),
      env: {
        TMDB_API_TOKEN: 'token',
        TMDB_API_URL: `http://127.0.0.1:${(tmdb.address() as AddressInfo).port}/3`,
        ARTWORK_SOURCE: 'tmdb',
      },
    })
    titleId = (await addMovies(service, [MOVIE_RECORD, createMovieRecord(2, { tmdb_id: 502 })]))[0] ?? ''
    await importRecords([MOVIE_RECORD])
  }, 60_000)
  afterAll(async () => {
    await service.stop()
    tmdb.closeAllConnections()
    tmdb.close()
  })
  beforeEach(async () => {
    for (const field of (await loadTitle()).edited) await undoEdit(field)
  })

  it.each<[string, object, (title: Record<string, never>) => unknown, unknown, unknown]>([
    [
      'title_en',
      { titles: [{ lang: 'en', text: 'The Lamp' }] },
      (title) => getText(title['titles'] ?? [], 'en'),
      'The Lamp',
      'Lantern 1',
    ],
    [
      'title_ar',
      { titles: [{ lang: 'ar', text: 'الفانوس' }] },
      (title) => getText(title['titles'] ?? [], 'ar'),
      'الفانوس',
      null,
    ],
    [
      'title_fr',
      { titles: [{ lang: 'fr', text: null }] },
      (title) => getText(title['titles'] ?? [], 'fr'),
      null,
      'Lanterne',
    ],
    [
      'overview_en',
      { overviews: [{ lang: 'en', text: 'Another text.' }] },
      (title) => getText(title['overviews'] ?? [], 'en'),
      'Another text.',
      'A keeper.',
    ],
    [
      'overview_fr',
      { overviews: [{ lang: 'fr', text: 'Un gardien.' }] },
      (title) => getText(title['overviews'] ?? [], 'fr'),
      'Un gardien.',
      null,
    ],
    [
      'trailer',
      { trailer: null },
      (title) => title['trailer'],
      null,
      'https://www.youtube.com/watch?v=imported1',
    ],
    ['rated', { rated: '18+' }, (title) => title['rated'], '18+', '13+'],
    ['genres', { genres: [27, 53] }, (title) => title['genres'], [27, 53], MOVIE_RECORD.genres],
    ['imdb_id', { imdb_id: 'tt7654321' }, (title) => title['imdb_id'], 'tt7654321', MOVIE_RECORD.imdb_id],
    ['tmdb_id', { tmdb_id: 999 }, (title) => title['tmdb_id'], 999, 501],
    [
      'safe_for_kids',
      { safe_for_kids: !MOVIE_RECORD.safe_for_kids },
      (title) => title['safe_for_kids'],
      !MOVIE_RECORD.safe_for_kids,
      MOVIE_RECORD.safe_for_kids,
    ],
    [
      'parental_guide',
      { parental_guide: [{ category: 'Profanity', severity: 'Mild', votes: 0 }] },
      (title) => title['parental_guide'],
      [{ category: 'Profanity', severity: 'Mild', votes: 0 }],
      [],
    ],
  ])(
    'keeps the edited field %s when the title is imported again, and restores the imported value when the edit is undone',
    async (field, titleEdit, readField, editedValue, importedValue) => {
      expect(readField(await loadTitle())).toEqual(importedValue)
      const reply = await editTitle(titleEdit)
      expect([reply.status, readField(reply.body), reply.body.edited]).toEqual([200, editedValue, [field]])
      expect((await reimportMovie()).changed).toBe(1)
      expect(readField(await loadTitle())).toEqual(editedValue)
      const { body } = await undoEdit(field)
      expect([readField(body), body.edited]).toEqual([importedValue, []])
      expect((await undoEdit(field)).status).toBe(404)
    },
  )

  it('undoing an edit restores the value of the latest import, not of the first import', async () => {
    await editTitle({ titles: [{ lang: 'en', text: 'Mine' }], trailer: null })
    const names: TitleRecord['names'] = [{ lang: 'en', text: 'Lantern One', role: 'main' }]
    await reimportMovie({ names, trailer: 'https://www.youtube.com/watch?v=second01' })
    expect(getText((await loadTitle()).titles, 'en')).toBe('Mine')
    expect(getText((await undoEdit('title_en')).body.titles, 'en')).toBe('Lantern One')
    expect((await undoEdit('trailer')).body.trailer).toBe('https://www.youtube.com/watch?v=second01')
    await reimportMovie()
  })

  it('shows an edited title and overview on the title page, in lists and in search', async () => {
    await editTitle({
      titles: [{ lang: 'en', text: 'Quokka Nights' }],
      overviews: [{ lang: 'en', text: 'A new overview.' }],
    })
    const { body } = await service.admin.get(`/api/movies/${titleId}`)
    expect([body.title, body.overview, body.tagline]).toEqual(['Quokka Nights', 'A new overview.', 'Light.'])
    const searchHits = (await service.admin.get('/api/search?q=quokka')).body.results
    expect(searchHits.map((hit: { media: { id: string } }) => hit.media.id)).toEqual([titleId])
    const [firstMovie] = (await service.admin.get('/api/movies?sort=title.desc&limit=1')).body.results
    expect(firstMovie.title).toBe('Quokka Nights')
  })

  describe('drawn images', () => {
    const loadImage = (path: string) => service.server.request(`/images/w300${path}`)
    const loadSvg = async (path: string) => (await loadImage(path)).text()

    it('the path of a drawn image changes after the name or the genres of the title are edited, and after the edit of the name is undone', async () => {
      const loadImagePaths = async () => {
        const { body } = await service.admin.get(`/api/movies/${titleId}`)
        return { poster: body.poster_path as string, backdrop: body.backdrop_path as string }
      }
      await editTitle({ poster: null })
      const formerPaths = await loadImagePaths()
      expect(await loadSvg(formerPaths.poster)).toMatch(/>Lantern/i)
      service.server.advanceClock(1_000)
      await editTitle({ titles: [{ lang: 'en', text: 'Quokka Nights' }], genres: [27] })
      const editedPaths = await loadImagePaths()
      expect(await loadSvg(editedPaths.poster)).toMatch(/>Quokka/i)
      expect(editedPaths.backdrop).not.toBe(formerPaths.backdrop)
      service.server.advanceClock(1_000)
      await undoEdit('title_en')
      expect(await loadSvg((await loadImagePaths()).poster)).toMatch(/>Lantern/i)
    })

    it('the path of the drawn image of an episode changes after an edit of the series', async () => {
      const series = createMovieRecord(3, {
        type: 'tv',
        seasons: [{ season_number: 1, episodes: [{ episode_number: 1, air_date: '2020-05-01' }] }],
      })
      const [seriesId] = await addMovies(service, [series])
      const season = (await service.admin.get(`/api/series/${seriesId}`)).body.seasons[0]
      const loadStillPath = async () =>
        (await service.admin.get(`/api/seasons/${season.id}/episodes`)).body.results[0].still_path as string
      const formerPath = await loadStillPath()
      expect((await loadImage(formerPath)).status).toBe(200)
      service.server.advanceClock(1_000)
      await service.admin.put(`/api/admin/titles/${seriesId}`, { genres: [35] })
      expect(await loadStillPath()).not.toBe(formerPath)
      expect((await loadImage(await loadStillPath())).status).toBe(200)
    })

    it('the path of the drawn image of a person changes after the person is renamed', async () => {
      const importActor = (name: string) => reimportMovie({ cast: [{ person: { name, tmdb_id: 900 } }] })
      const loadPersonImagePath = async () => {
        const { cast } = (await service.admin.get(`/api/movies/${titleId}`)).body
        const { body } = await service.admin.get(`/api/actors/${cast[0].actor_id}`)
        expect(body.profile_path).toBe(cast[0].profile_path)
        return body.profile_path as string
      }
      await importActor('Ann')
      const formerPath = await loadPersonImagePath()
      expect(await loadSvg(formerPath)).toContain('>A<')
      await importActor('Zoe')
      expect(await loadSvg(await loadPersonImagePath())).toContain('>Z<')
      await reimportMovie()
    })
  })

  it('an import finds a title by the imported IMDb and TMDB ids after both ids were edited', async () => {
    await editTitle({ imdb_id: 'tt7654321', tmdb_id: 999 })
    expect(await reimportMovie()).toMatchObject({ added: 0, changed: 1, skipped: 0 })
    expect(await loadTitle()).toMatchObject({ imdb_id: 'tt7654321', tmdb_id: 999 })
  })

  it('rejects an ID of another title, unknown genres, a trailer or poster URL that is not allowed, and two names in one language', async () => {
    const otherImdbId = createMovieRecord(2).imdb_id
    for (const [titleEdit, field] of [
      [{ imdb_id: otherImdbId }, 'imdb_id'],
      [{ tmdb_id: 502 }, 'tmdb_id'],
      [{ genres: [10_759] }, 'genres'],
      [{ trailer: 'javascript:alert(1)' }, 'trailer'],
      [{ poster: 'https://evil.example/x.jpg' }, 'poster'],
      [
        {
          titles: [
            { lang: 'en', text: 'a' },
            { lang: 'en', text: 'b' },
          ],
        },
        'titles',
      ],
    ] as const) {
      const { status, body } = await editTitle(titleEdit)
      expect([titleEdit, status, Object.keys(body.errors)]).toEqual([titleEdit, 422, [field]])
    }
    expect((await loadTitle()).edited).toEqual([])
  })

  describe('with TMDB', () => {
    it('lists posters, sets a listed poster or the drawn poster, and rejects a poster that was not listed for the title', async () => {
      tmdbBodiesByPath.set('/3/movie/501/images', {
        posters: [
          { file_path: '/low.jpg', iso_639_1: 'fr', vote_average: 1 },
          { file_path: '/best.jpg', iso_639_1: null, vote_average: 5 },
          { file_path: '/../../etc.jpg', iso_639_1: null, vote_average: 9 },
        ],
      })
      const { results } = (await service.admin.get(`/api/admin/titles/${titleId}/posters`)).body
      expect(results.map(({ lang }: { lang: string }) => lang)).toEqual([null, 'fr'])
      expect(results[0].path).toMatch(/^\/art\/poster\/.*\/best\.jpg$/)
      expect((await editTitle({ poster: results[0].path })).body.poster_path).toMatch(/\/best\.jpg$/)
      await reimportMovie()
      expect((await loadTitle()).poster_path).toMatch(/\/best\.jpg$/)
      expect((await editTitle({ poster: null })).body.poster_path).toMatch(/^\/drawn\//)
      expect((await editTitle({ poster: results[0].path.replace('best', 'worst') })).status).toBe(422)
      expect((await undoEdit('poster')).body.poster_path).toMatch(/\/imported\.jpg$/)
    })

    it('imports the title from TMDB again and keeps edited fields', async () => {
      tmdbBodiesByPath.set('/3/movie/501', {
        id: 501,
        imdb_id: MOVIE_RECORD.imdb_id,
        title: 'Lantern Again',
        original_title: 'Lantern Again',
        overview: 'Fresh text.',
        runtime: 99,
        genres: [{ id: 18, name: 'Drama' }],
      })
      await editTitle({ titles: [{ lang: 'en', text: 'Mine' }] })
      const { status, body } = await service.admin.post(`/api/admin/titles/${titleId}/refresh`)
      expect([status, getText(body.overviews, 'en'), getText(body.titles, 'en')]).toEqual([
        200,
        'Fresh text.',
        'Mine',
      ])
      expect((await service.admin.get('/api/admin/audit?action=title_refresh')).body.results).toHaveLength(1)
      await reimportMovie()
    })

    it('hides a title that TMDB now marks as adult, and keeps an edited value of `safe_for_kids`', async () => {
      await reimportMovie({ safe_for_kids: true })
      await editTitle({ safe_for_kids: true })
      tmdbBodiesByPath.set('/3/movie/501', { id: 501, title: 'Lantern One', adult: true })
      const { status, body } = await service.admin.post(`/api/admin/titles/${titleId}/refresh`)
      expect({ status, body }).toMatchObject({ status: 200, body: { published: false, safe_for_kids: true } })
      expect((await undoEdit('safe_for_kids')).body).toMatchObject({ safe_for_kids: false })
      await service.admin.patch(`/api/movies/${titleId}/publish`, { published: true })
      await reimportMovie()
    })

    it('rejects a refresh with 409 when TMDB does not have the title or no token is configured', async () => {
      tmdbBodiesByPath.clear()
      const refreshFromTmdb = () => service.admin.post(`/api/admin/titles/${titleId}/refresh`)
      expect((await refreshFromTmdb()).body).toMatchObject({
        status_code: 409,
        errors: { tmdb: ['unknown_title'] },
      })
      const { config } = service.server.deps
      config.tmdbApiToken = undefined
      expect((await refreshFromTmdb()).body).toMatchObject({
        status_code: 409,
        errors: { tmdb: ['not_configured'] },
      })
      expect((await loadTitle()).can_refresh).toBe(false)
      config.artworkSource = 'drawn'
      expect((await service.admin.get(`/api/admin/titles/${titleId}/posters`)).body).toMatchObject({
        status_code: 409,
        errors: { artwork: ['drawn'] },
      })
      config.artworkSource = 'tmdb'
      config.tmdbApiToken = 'token'
    })
  })
})

/** The demo catalogue on SQLite and PostgreSQL: lists, details, kids safety, My List and progress. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedDemoCatalogue } from '../../server/first-run.ts'
import type { TitleRecord } from '../../server/queries/title-record.ts'
import { movieQuerySchema, seriesQuerySchema } from '../../src/lib/contract/catalogue.ts'
import { LIMITS } from '../../src/lib/rules/limits.ts'
import { openDemoDatabase } from '../support/demo-database.ts'
import { DATABASES, insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'
import { addMovies, createMovieRecord } from './admin/admin-test-server.ts'
import { createSeriesRecord, formatDay } from './calendar/calendar-household.ts'

describe.each(DATABASES)('catalogue on %s', () => {
  let server: TestServer
  let adult: TestClient
  let kid: TestClient
  let adultId = ''
  let kidId = ''
  beforeAll(async () => {
    server = await startTestServer({ database: await openDemoDatabase(), env: { DEMO: '1' } })
    await insertTestAccount(server, 'alice@example.com', 'admin')
    adult = new TestClient(server)
    await adult.login('alice@example.com')
    adultId = (await adult.post('/api/profile', { name: 'Alice' })).body.profile_id
    kidId = (await adult.post('/api/profile', { name: 'Kid', kids: true })).body.profile_id
    adult.profileId = adultId
    kid = new TestClient(server)
    await kid.login('alice@example.com')
    kid.profileId = kidId
  }, 120_000)
  afterAll(() => server.close())

  it('importing the demo catalogue a second time adds, changes and skips no title', async () => {
    const importReport = await seedDemoCatalogue(server.deps)
    expect(importReport).toMatchObject({ added: 0, changed: 0, skipped: 0 })
    expect(importReport.same).toBeGreaterThan(200)
  })

  it('paginates, sorts and filters titles, and rejects invalid parameters with 422', async () => {
    const firstPage = (await adult.get('/api/movies?limit=5&sort=rating.desc')).body
    const secondPage = (await adult.get('/api/movies?limit=5&sort=rating.desc&page=2')).body
    expect(firstPage.results).toHaveLength(5)
    expect(firstPage.total_pages).toBe(Math.ceil(firstPage.total_results / 5))
    expect(firstPage.results.map((title: { id: string }) => title.id)).not.toEqual(
      secondPage.results.map((title: { id: string }) => title.id),
    )
    const horrorMovies = (await adult.get('/api/movies?include-genres=27&exclude-genres=878&limit=100')).body
      .results
    expect(horrorMovies.length).toBeGreaterThan(0)
    for (const title of horrorMovies) {
      expect(title.genres).toContain(27)
      expect(title.genres).not.toContain(878)
    }
    const releaseDates = (await adult.get('/api/movies?sort=release_date.desc&limit=100')).body.results.map(
      (title: { release_date: string }) => title.release_date,
    )
    expect(new Set(releaseDates).size).toBeGreaterThan(50)
    expect(releaseDates).toEqual([...releaseDates].sort().reverse())
    const hboSeries = (await adult.get('/api/series?network=hbo&limit=100')).body.results
    expect(hboSeries.length).toBeGreaterThan(0)
    for (const series of hboSeries) expect(series.networks).toContain('hbo')
    expect((await adult.get('/api/movies?sort=password_hash.asc')).status).toBe(422)
    expect((await adult.get('/api/movies?limit=101')).status).toBe(422)
    expect((await adult.get('/api/movies?start-release-date=2023-02-29')).status).toBe(422)
    expect((await adult.get('/api/movies?paginate=false')).body.total_results).toBeNull()
  })

  it('returns the names and posters of titles in the title language that the profile has chosen', async () => {
    const loadedLanguages: string[] = []
    const loadTitleTexts = async () => {
      const { results } = (await adult.get('/api/movies?language=ko&sort=popularity.desc&limit=1')).body
      const details = (await adult.get(`/api/movies/slug/${results[0].slug}`)).body
      const { title, title_lang, poster_path } = results[0]
      loadedLanguages.push(title_lang)
      expect(details.title).toBe(title)
      return { title, poster: (await adult.get(`/images/w342${poster_path}`)).body.text }
    }
    const chooseTitleLanguage = async (media_title_language: string) =>
      (await adult.put(`/api/profile/${adultId}`, { preferences: { media_title_language } })).status
    const englishTexts = await loadTitleTexts()
    expect(englishTexts.title).toMatch(/^[a-z]/i)
    expect(await chooseTitleLanguage('original')).toBe(200)
    const originalTexts = await loadTitleTexts()
    expect(originalTexts.title).toMatch(/^[\uac00-\ud7af]/)
    expect(originalTexts.poster).toContain(originalTexts.title.charAt(0))
    expect(await chooseTitleLanguage('ar')).toBe(200)
    expect((await loadTitleTexts()).title).toMatch(/^[\u0600-\u06ff]/)
    expect(await chooseTitleLanguage('profile')).toBe(200)
    expect(await loadTitleTexts()).toEqual(englishTexts)
    expect(await chooseTitleLanguage('xx')).toBe(422)
    expect(loadedLanguages).toEqual(['en', 'ko', 'ar', 'en'])
  })

  it('states the language of a title and of its overview, also if neither exists in the language of the profile', async () => {
    const [translatedId, englishId, originalId, foreignId] = await addMovies({ server }, [
      createMovieRecord(901, {
        names: [
          { lang: 'en', text: 'Lantern 901', role: 'main' },
          { lang: 'fr', text: 'Lanterne 901', role: 'main' },
        ],
        texts: [
          { lang: 'en', overview: 'A lantern.' },
          { lang: 'fr', overview: 'Une lanterne.' },
        ],
      }),
      createMovieRecord(902, { texts: [{ lang: 'en', overview: 'A lantern.' }] }),
      createMovieRecord(903, {
        original_title: 'Laterne 903',
        language: 'de',
        names: [{ lang: 'en', text: 'Laterne 903', role: 'main' }],
      }),
      createMovieRecord(904, { original_title: 'Gisaengchung 904', language: 'ko', names: [] }),
    ])
    const loadTextLanguages = async (id: string | undefined) => {
      const { title_lang, overview_lang } = (await adult.get(`/api/movies/${id}`)).body
      return [title_lang, overview_lang]
    }
    const chooseLanguage = (language: string) =>
      adult.put(`/api/profile/${adultId}`, { preferences: { language, media_title_language: 'profile' } })
    await chooseLanguage('fr')
    expect(await loadTextLanguages(translatedId)).toEqual(['fr', 'fr'])
    expect(await loadTextLanguages(englishId)).toEqual(['en', 'en'])
    expect(await loadTextLanguages(originalId)).toEqual(['de', undefined])
    expect(await loadTextLanguages(foreignId)).toEqual(['en', undefined])
    await chooseLanguage('en')
  })

  it('returns the biography and the place of birth of a person in the language of the profile', async () => {
    const loadPersonTexts = async () => {
      const { id } = (await adult.get('/api/actors/slug/omar-sharif')).body
      const { biography, place_of_birth } = (await adult.get(`/api/actors/${id}`)).body
      return [biography.split(' ')[0], place_of_birth]
    }
    const chooseLanguage = (language: string) =>
      adult.put(`/api/profile/${adultId}`, { preferences: { language } })
    expect(await loadPersonTexts()).toEqual(['Egyptian', 'Alexandria, Egypt'])
    await chooseLanguage('fr')
    expect(await loadPersonTexts()).toEqual(['Acteur', 'Alexandrie, Égypte'])
    await chooseLanguage('ar')
    expect(await loadPersonTexts()).toEqual(['ممثل', 'الإسكندرية، مصر'])
    await chooseLanguage('en')
  })

  it('returns the complete details of a title by slug and by id', async () => {
    const movie = (await adult.get('/api/movies/slug/inception')).body
    expect(movie).toMatchObject({
      title: 'Inception',
      imdb_id: 'tt1375666',
      year: 2010,
      runtime: 148 * 60,
      rated: '13+',
    })
    expect(movie.cast[0]).toMatchObject({ name: 'Leonardo DiCaprio', character: 'Cobb' })
    expect(movie.parental_guide).toHaveLength(5)
    expect((await adult.get(`/api/movies/${movie.id}`)).body).toEqual(movie)
    expect((await adult.get(`/api/series/${movie.id}`)).status).toBe(404)
    const actor = (await adult.get(`/api/actors/${movie.cast[0].actor_id}`)).body
    expect(actor.movies.map((title: { slug: string }) => title.slug)).toContain('titanic')
    const series = (await adult.get('/api/series/slug/chernobyl')).body
    const episodes = (await adult.get(`/api/seasons/${series.seasons[0].id}/episodes`)).body.results
    expect(episodes).toHaveLength(5)
    expect(episodes[4]).toMatchObject({ episode_number: 5, air_date: '2019-06-03', released: true })
  })

  it('returns all safe titles to a kids profile in lists, and no unsafe titles in lists, details, search and recommendations', async () => {
    for (const [listName, type] of [
      ['movies', 'movie'],
      ['series', 'tv'],
    ] as const) {
      const safeTitles = await server.database.primary
        .selectFrom('title')
        .select('title_id')
        .where('type', '=', type)
        .where('safe_for_kids', '=', 1)
        .execute()
      const page = (await kid.get(`/api/${listName}?kids=false&limit=100`)).body
      expect(page.total_results).toBe(safeTitles.length)
      expect(page.results).toHaveLength(Math.min(safeTitles.length, 100))
      expect(page.results.every((title: { safe_for_kids: boolean }) => title.safe_for_kids)).toBe(true)
    }
    const unsafeTitle = (await adult.get('/api/movies/slug/pulp-fiction')).body
    const missingTitleResponse = await kid.get('/api/movies/slug/nothing-of-the-kind')
    for (const path of [
      '/api/movies/slug/pulp-fiction',
      `/api/movies/${unsafeTitle.id}`,
      `/api/recommend/similar/${unsafeTitle.id}`,
      `/api/profile/${kidId}/watchlist/movie/${unsafeTitle.id}`,
      '/proxy/torrent-streamer/stream/movie/tt0110912',
    ]) {
      const response = await kid.get(path)
      expect([response.status, response.body]).toEqual([404, missingTitleResponse.body])
    }
    for (const path of [
      '/api/search?q=pulp',
      `/api/profile/${kidId}/recommend?limit=100`,
      '/api/movies/featured?limit=100',
    ]) {
      expect(JSON.stringify((await kid.get(path)).body)).not.toMatch(/"safe_for_kids":false/)
    }
    expect((await kid.get('/api/movies?admin=true')).status).toBe(403)
  })

  it('hides unpublished and blocked titles immediately, even from an administrator', async () => {
    const { id } = (await adult.get('/api/movies/slug/fargo')).body
    expect((await adult.patch(`/api/movies/${id}/publish`, { published: false })).body).toEqual({
      id,
      published: false,
    })
    expect((await adult.get('/api/movies/slug/fargo')).status).toBe(404)
    await adult.patch(`/api/movies/${id}/publish`, { published: true })
    const blockResponse = await adult.post('/api/blocklist', { type: 'movie', media_id: id })
    expect(blockResponse.status).toBe(201)
    expect((await adult.get(`/api/movies/${id}`)).status).toBe(404)
    expect((await adult.post('/api/blocklist', { type: 'movie', media_id: id })).status).toBe(409)
    expect((await adult.delete(`/api/blocklist/${blockResponse.body.id}`)).status).toBe(204)
    expect((await adult.get(`/api/movies/${id}`)).status).toBe(200)
  })

  it('stores the watchlist entry, watch state, feedback and progress of a title, and rejects an unknown watch state with 422', async () => {
    const { id } = (await adult.get('/api/movies/slug/arrival')).body
    const entryPath = `/api/profile/${adultId}/watchlist/movie/${id}`
    expect((await adult.get(entryPath)).body).toMatchObject({ in_watchlist: false, state: null })
    expect((await adult.put(`${entryPath}/toggle`, { in_watchlist: true })).body).toMatchObject({
      in_watchlist: true,
      state: 'planned',
    })
    expect((await adult.put(`${entryPath}/toggle`, { in_watchlist: true })).body.in_watchlist).toBe(true)
    const saveProgress = (progressSeconds: number, watchedAt: string) =>
      adult.post(`/api/profile/${adultId}/history`, {
        type: 'movie',
        media_id: id,
        progress: progressSeconds,
        data: { video_duration: 6960 },
        at: watchedAt,
      })
    expect((await saveProgress(600, '2026-01-01T10:10:00Z')).body).toMatchObject({
      progress: 600,
      finished: false,
    })
    expect((await saveProgress(300, '2026-01-01T10:05:00Z')).body.progress).toBe(600)
    expect((await saveProgress(6500, '2026-01-01T12:00:00Z')).body.finished).toBe(true)
    expect((await adult.delete(`/api/profile/${adultId}/history/movie/${id}`)).status).toBe(200)
    expect((await adult.get(`/api/profile/${adultId}/history/movie/${id}`)).body).toEqual({
      latest: null,
      episodes: [],
      next_episode: null,
      seen: false,
    })
    expect((await adult.put(`${entryPath}/state/completed`)).body.state).toBe('completed')
    expect((await adult.put(`${entryPath}/state/paused`)).status).toBe(422)
    expect(
      (await adult.get(`/api/profile/${adultId}/watchlist?state=completed`)).body.results[0].media.slug,
    ).toBe('arrival')
    expect(
      (await adult.put(`/api/profile/${adultId}/feedback/movie/${id}`, { feedback: 'like' })).body,
    ).toEqual({ feedback: 'liked' })
  })

  it('returns the first episode of the next season in Continue Watching after a season finale', async () => {
    const series = (await adult.get('/api/series/slug/fleabag')).body
    const saveEpisodeProgress = (season: number, episode: number) =>
      adult.post(`/api/profile/${adultId}/history`, {
        type: 'tv',
        media_id: series.id,
        season,
        episode,
        progress: 1600,
        data: { video_duration: 1620 },
      })
    await saveEpisodeProgress(1, 6)
    const cards = (await adult.get(`/api/profile/${adultId}/continue-watching`)).body.results
    expect(cards[0]).toMatchObject({
      media: { slug: 'fleabag' },
      next_episode: { season_number: 2, episode_number: 1 },
    })
    expect((await saveEpisodeProgress(7, 1)).status).toBe(422)
  })

  it('finds a title by any stored name and accepts special characters in queries', async () => {
    for (const [query, slug] of [
      ['incep', 'inception'],
      ['استهلال', 'inception'],
      ['AMELIE', 'amelie'],
      ['千と千尋', 'spirited-away'],
    ]) {
      const searchResponse = (await adult.get(`/api/search?q=${encodeURIComponent(query ?? '')}`)).body
      expect(searchResponse.results[0].media.slug).toBe(slug)
    }
    for (const query of ['"', '*', 'NEAR(', '%', "O'Neil", '😀'.repeat(90), '\u202eabc']) {
      expect((await adult.get(`/api/search?q=${encodeURIComponent(query)}`)).status).toBe(200)
    }
  })

  it.each(['movies', 'series'])(
    'with `featured=true`, the list of %s contains only the featured titles, and with `featured=false` only the other titles',
    async (listName) => {
      const listIds = async (query: string, device = adult) => {
        const ids: string[] = []
        for (let page = 1; ; page += 1) {
          const { body } = await device.get(`/api/${listName}?limit=100&page=${page}&${query}`)
          ids.push(...body.results.map(({ id }: { id: string }) => id))
          if (page >= body.total_pages) return ids
        }
      }
      for (const device of [adult, kid]) {
        const { results } = (await device.get(`/api/${listName}/featured`)).body
        const featuredIds = new Set(results.map(({ id }: { id: string }) => id))
        expect(featuredIds.size).toBeGreaterThan(0)
        const allIds = await listIds('', device)
        expect(featuredIds.size).toBeLessThan(allIds.length)
        expect(new Set(await listIds('featured=true', device))).toEqual(featuredIds)
        expect(await listIds('featured=false', device)).toEqual(allIds.filter((id) => !featuredIds.has(id)))
        const foundIds = new Set(await listIds('search=the', device))
        expect(new Set(await listIds('search=the&featured=true', device))).toEqual(
          foundIds.intersection(featuredIds),
        )
      }
    },
  )

  it('every query parameter of the lists except `available` and `released` has an effect', async () => {
    const sampleQueries: Record<string, string> = {
      page: 'page=2',
      limit: 'limit=3',
      sort: 'sort=title.desc',
      'include-genres': 'include-genres=35',
      'exclude-genres': 'exclude-genres=18',
      'genres-mode': 'include-genres=18&include-genres=35&genres-mode=all',
      'release-year': 'release-year=2010',
      'start-release-year': 'start-release-year=2010',
      'start-release-date': 'start-release-date=2010-05-05',
      language: 'language=fr',
      rated: 'rated=13%2B',
      rating: 'rating=8.5',
      'rating-votes': 'rating-votes=1000000',
      guide: 'guide=violence-none',
      'max-runtime': 'max-runtime=45',
      'high-quality': 'high-quality=true',
      network: 'network=hbo',
      kids: 'kids=true',
      featured: 'featured=false',
      search: 'search=the',
      paginate: 'paginate=false',
      published: 'published=false',
      admin: 'admin=true',
      'hide-seen': 'hide-seen=true',
      'hide-disliked': 'hide-disliked=true',
    }
    for (const [listName, type, schema] of [
      ['movies', 'movie', movieQuerySchema],
      ['series', 'tv', seriesQuerySchema],
    ] as const) {
      const [firstTitle] = (await adult.get(`/api/${listName}`)).body.results
      await adult.put(`/api/profile/${adultId}/watchlist/${type}/${firstTitle.id}/state/completed`)
      await adult.put(`/api/profile/${adultId}/feedback/${type}/${firstTitle.id}`, { feedback: 'dislike' })
      const ignoredParameterNames: string[] = []
      for (const name of Object.keys(schema.shape)) {
        // The test server has no media folder, no media server and no stream resolver. The availability of titles is
        // therefore unknown, and this parameter is not tested here.
        if (name === 'available') continue
        // The demo catalogue has no unreleased titles, so viewer-date.test.ts tests this parameter.
        if (name === 'released') continue
        const parameters = new URLSearchParams(sampleQueries[name])
        const { status, body } = await adult.get(`/api/${listName}?${parameters}`)
        expect(status, name).toBe(200)
        parameters.delete(name)
        const { body: bodyWithoutParameter } = await adult.get(`/api/${listName}?${parameters}`)
        if (JSON.stringify(body) === JSON.stringify(bodyWithoutParameter)) ignoredParameterNames.push(name)
      }
      expect(ignoredParameterNames).toEqual([])
    }
  })

  it('sorts a filmography by release date, latest first, and puts titles without a date at the end', async () => {
    const cast = [{ person: { name: 'Nora Lamp', tmdb_id: 990_002 }, character: 'Lead' }]
    const createRecord = (recordNumber: number, { release_date, ...record }: Partial<TitleRecord>) => {
      const { release_date: _date, ...movieRecord } = createMovieRecord(recordNumber, { cast, ...record })
      return release_date ? { ...movieRecord, release_date } : movieRecord
    }
    const [januaryId = '', undatedId = '', decemberId = '', olderId = ''] = await addMovies({ server }, [
      createRecord(811, { release_date: '2026-01-05', popularity: 90 }),
      createRecord(812, { popularity: 80 }),
      createRecord(813, { release_date: '2026-12-05', popularity: 10 }),
      createRecord(814, { release_date: '2019-03-05', popularity: 70 }),
    ])
    const { results } = (await adult.get('/api/actors/slug/nora-lamp/movies')).body
    expect(results.map(({ id }: { id: string }) => id)).toEqual([decemberId, januaryId, olderId, undatedId])
  })

  it('returns all titles of a person, even if they do not fit on one page of a list', async () => {
    const cast = [{ person: { name: 'Omar Busy', tmdb_id: 990_001 }, character: 'Extra' }]
    const titleCount = LIMITS.maxPageSize + 5
    const createRecords = (firstNumber: number, overrides: Partial<TitleRecord>) =>
      Array.from({ length: titleCount }, (_, index) => createMovieRecord(firstNumber + index, overrides))
    await addMovies({ server }, [
      ...createRecords(1_000, { cast }),
      ...createRecords(2_000, { cast, type: 'tv' }),
    ])
    const { id } = (await adult.get('/api/actors/slug/omar-busy')).body
    const person = (await adult.get(`/api/actors/${id}`)).body
    for (const titles of [person.movies, person.series])
      expect(new Set(titles.map((title: { id: string }) => title.id)).size).toBe(titleCount)
    expect(person.movies[0].jobs).toHaveLength(1)
  })

  it('returns the first and the last episode number of each season, even if the episode numbers continue those of the previous season', async () => {
    const createSeason = (season_number: number, ...episodeNumbers: number[]) => ({
      season_number,
      episodes: episodeNumbers.map((episode_number) => ({ episode_number })),
    })
    const seasons = [createSeason(1, 1, 2), createSeason(2, 3, 4, 5)]
    const [seriesId = ''] = await addMovies({ server }, [createSeriesRecord(803, [], { seasons })])
    const ranges = [
      { season_number: 1, first_episode: 1, last_episode: 2 },
      { season_number: 2, first_episode: 3, last_episode: 5 },
    ]
    expect((await adult.get(`/api/series/${seriesId}`)).body.seasons).toMatchObject(ranges)
    expect((await adult.get(`/api/series/${seriesId}/seasons`)).body.results).toMatchObject(ranges)
  })

  it('uses the episodes of all seasons to decide whether an episode without a date has aired', async () => {
    const createSeasons = (...airDatesBySeason: (string | undefined)[][]) =>
      airDatesBySeason.map((airDates, seasonIndex) => ({
        season_number: seasonIndex + 1,
        episodes: airDates.map((air_date, episodeIndex) => ({
          episode_number: episodeIndex + 1,
          ...(air_date && { air_date }),
        })),
      }))
    const [announcedSeriesId = '', gapSeriesId = ''] = await addMovies({ server }, [
      // The second season is announced: none of its episodes has a date.
      createSeriesRecord(801, [], { seasons: createSeasons([formatDay(-300)], [undefined, undefined]) }),
      // A date is missing in the first season, and the second season has aired.
      createSeriesRecord(802, [], { seasons: createSeasons([formatDay(-200), undefined], [formatDay(-30)]) }),
    ])
    const expectReleasedEpisodes = async (seriesId: string, season: number, expectedFlags: boolean[]) => {
      const { seasons } = (await adult.get(`/api/series/${seriesId}`)).body
      const seasonId = seasons[season - 1].id
      const { results } = (await adult.get(`/api/seasons/${seasonId}/episodes`)).body
      expect(results.map((episode: { released: boolean }) => episode.released)).toEqual(expectedFlags)
      for (const { episode_number, released } of results) {
        const viewingScope = {
          type: 'tv',
          media_id: seriesId,
          scope: 'episode',
          season,
          episode: episode_number,
        }
        const markBody = { key: `${seriesId}-${season}-${episode_number}`, scopes: [viewingScope] }
        expect((await adult.post(`/api/profile/${adultId}/viewings`, markBody)).status).toBe(
          released ? 200 : 422,
        )
      }
    }
    await expectReleasedEpisodes(announcedSeriesId, 1, [true])
    await expectReleasedEpisodes(announcedSeriesId, 2, [false, false])
    await expectReleasedEpisodes(gapSeriesId, 1, [true, true])
    await expectReleasedEpisodes(gapSeriesId, 2, [true])
  })
})

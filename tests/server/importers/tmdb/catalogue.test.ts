import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { computeTableHashes } from '../../../support/hash-tables.ts'
import { DATABASES } from '../../../support/server.ts'
import { startTmdbFixture, type TmdbImportFixture } from './import-fixture.ts'
import { addSyntheticTitles } from './synthetic-titles.ts'

describe.each(DATABASES)('TMDB import on %s', (_name, openTestDatabase) => {
  let fixture: TmdbImportFixture
  const getDb = () => fixture.server.database.primary
  beforeAll(async () => {
    fixture = await startTmdbFixture(await openTestDatabase())
    addSyntheticTitles(fixture.replayServer)
  }, 60_000)
  afterAll(() => fixture.close())

  it('imports movies with names, texts, age rating and artwork', async () => {
    const report = await fixture.runImport({ movies: '1001', series: '2001' })
    expect(report).toMatchObject({ added: 2, skipped: 0 })
    const movie = await getDb()
      .selectFrom('title')
      .selectAll()
      .where('type', '=', 'movie')
      .executeTakeFirstOrThrow()
    expect(movie).toMatchObject({
      slug: 'the-salt-road',
      imdb_id: 'tt9000101',
      tmdb_id: 1001,
      original_title: 'La route du sel',
      language: 'fr',
      release_date: '1999-05-04',
      year: 1999,
      runtime: 6720,
      rated: '8+',
      rating: 7.8,
      rating_votes: 5200,
      safe_for_kids: 1,
      poster_path: '/salt.jpg',
      backdrop_path: '/high.jpg',
      trailer: 'https://www.youtube.com/watch?v=ccccccccccc',
    })
    const names = await getDb()
      .selectFrom('title_name')
      .selectAll()
      .where('title_id', '=', movie.title_id)
      .execute()
    expect(names.map(({ lang, role, text }) => `${lang} ${role} ${text}`).sort()).toEqual([
      'ar main طريق الملح',
      'de aka Salzstraße',
      'en main The Salt Road',
      'fr original La route du sel',
      'pt aka A Estrada do Sal',
      'pt main A Rota do Sal',
      'zh main 鹽路',
    ])
    const texts = await getDb()
      .selectFrom('title_text')
      .selectAll()
      .where('title_id', '=', movie.title_id)
      .execute()
    expect(texts.map(({ lang, overview, tagline }) => [lang, overview, tagline]).sort()).toEqual([
      ['ar', 'قافلة تعبر الصحراء.', null],
      ['en', 'A caravan crosses the desert.', null],
      ['fr', 'Une caravane traverse le désert.', 'Partez.'],
    ])
    const keywords = await getDb()
      .selectFrom('title_keyword')
      .select('keyword')
      .where('title_id', '=', movie.title_id)
      .execute()
    expect(keywords.map((row) => row.keyword).sort()).toEqual(['camel', 'desert', 'western'])
  })

  it('imports series with seasons, episodes, networks and roles', async () => {
    const series = await getDb()
      .selectFrom('title')
      .selectAll()
      .where('type', '=', 'tv')
      .executeTakeFirstOrThrow()
    expect(series).toMatchObject({
      imdb_id: 'tt9000102',
      tvdb_id: 77_001,
      status: 'Returning Series',
      season_count: 1,
      episode_count: 2,
      runtime: 44 * 60,
      newest_season: '2010-03-01',
      rated: '14+',
      safe_for_kids: 0,
    })
    const episodes = await getDb().selectFrom('episode').selectAll().execute()
    expect(
      episodes.map(({ name, overview, air_date, runtime }) => [name, overview, air_date, runtime]),
    ).toEqual([
      ['First Light', 'It begins.', '2010-03-01', 2640],
      ['Second Wind', null, null, null],
    ])
    const episodeTexts = await getDb().selectFrom('episode_text').selectAll().orderBy('lang').execute()
    expect(
      episodeTexts.map(({ lang, episode_number, overview }) => [lang, episode_number, overview]),
    ).toEqual([
      ['ar', 1, 'تبدأ الحكاية.'],
      ['fr', 1, 'Tout commence.'],
    ])
    const networks = await getDb().selectFrom('title_network').select('network').execute()
    expect(networks.map((row) => row.network).sort()).toEqual(['canal-ete', 'netflix'])
    const credits = await getDb()
      .selectFrom('credit')
      .innerJoin('person', 'person.person_id', 'credit.person_id')
      .select(['name', 'job', 'character'])
      .where('title_id', '=', series.title_id)
      .orderBy('kind')
      .execute()
    expect(credits.map((row) => [row.name, row.job, row.character])).toEqual([
      ['Bo Lind', 'Actor', 'Moss / Old Moss'],
      ['Chi Wren', 'Creator', null],
    ])
  })

  it('requests each cast member once', async () => {
    const people = await getDb().selectFrom('person').selectAll().orderBy('tmdb_id').execute()
    expect(
      people.map(({ name, birthday, place_of_birth, imdb_id }) => [name, birthday, place_of_birth, imdb_id]),
    ).toEqual([
      ['Inès Marsh', '1970-02-03', 'Lyon', 'nm9000051'],
      ['Bo Lind', null, null, null],
      ['Chi Wren', null, null, null],
    ])
    const names = await getDb().selectFrom('person_name').selectAll().where('lang', '=', 'ar').execute()
    expect(names.map((row) => row.text)).toEqual(['إيناس مارش'])
    expect(fixture.replayServer.requestedPaths.filter((path) => path.startsWith('/person/')).sort()).toEqual([
      '/person/51',
      '/person/52',
    ])
  })

  it('changes nothing when the same titles are imported again', async () => {
    const hashesBefore = await computeTableHashes(fixture.server.database)
    fixture.replayServer.clearRequests()
    fixture.server.advanceClock(60_000)
    const report = await fixture.runImport({ movies: '1001', series: '2001' })
    expect(report).toMatchObject({ added: 0, changed: 0, same: 2 })
    expect(await computeTableHashes(fixture.server.database)).toEqual(hashesBefore)
    expect(fixture.replayServer.requestedPaths).not.toContain('/person/51')
  })

  it('hides a title that TMDB now marks as adult, unless an administrator has published the title again since then', async () => {
    const { bodies } = fixture.replayServer
    const movieBody = bodies.get('/movie/1001') ?? {}
    const loadMovieFlags = () =>
      getDb()
        .selectFrom('title')
        .select(['published', 'safe_for_kids'])
        .where('tmdb_id', '=', 1001)
        .executeTakeFirstOrThrow()
    bodies.set('/movie/1001', { ...movieBody, adult: true })
    const report = await fixture.runImport({ movies: '1001' })
    expect(report).toMatchObject({ changed: 1, skipped: 0 })
    expect(report.skips).toEqual(['movie/1001: is for adults now, and was hidden'])
    expect(await loadMovieFlags()).toEqual({ published: 0, safe_for_kids: 0 })
    await getDb().updateTable('title').set({ published: 1 }).execute()
    expect(await fixture.runImport({ movies: '1001' })).toMatchObject({ changed: 0, same: 1 })
    expect(await loadMovieFlags()).toEqual({ published: 1, safe_for_kids: 0 })
    bodies.set('/movie/1001', movieBody)
    expect(await fixture.runImport({ movies: '1001' })).toMatchObject({ changed: 1 })
    expect(await loadMovieFlags()).toEqual({ published: 1, safe_for_kids: 1 })
  })

  it('merges two people when TMDB gives them the same IMDb ID', async () => {
    const { bodies } = fixture.replayServer
    await getDb()
      .insertInto('person')
      .values({ name: 'Bo Lind', slug: 'bo-lind-of-imdb', imdb_id: 'nm9000052', popularity: 0, blocked: 0 })
      .execute()
    bodies.set('/person/52', { ...bodies.get('/person/52'), imdb_id: 'nm9000052' })
    await fixture.runImport({ movies: '1001', full: 'yes' })
    const people = await getDb().selectFrom('person').selectAll().where('name', '=', 'Bo Lind').execute()
    expect(people).toMatchObject([{ slug: 'bo-lind-of-imdb', tmdb_id: 52, imdb_id: 'nm9000052' }])
    const credits = await getDb()
      .selectFrom('credit')
      .select('title_id')
      .where('person_id', '=', people[0]?.person_id ?? 0)
      .execute()
    expect(credits).toHaveLength(2)
  })

  it('imports a title, but omits values that the database cannot store or that a page cannot show', async () => {
    const values = {
      title: '',
      original_title: 'Odd\0 Film',
      overview: 'A\0 text.',
      release_date: '2021-02-30',
      poster_path: '//example.org/poster.jpg',
      backdrop_path: `/${'x'.repeat(500)}.jpg`,
      vote_count: 1e15,
      genres: [{ id: 999, name: '' }],
      keywords: { keywords: [{ name: 'nul\0' }] },
      translations: { translations: [{ iso_639_1: 'ar', iso_3166_1: 'SA', data: { title: '\u200f' } }] },
      credits: {
        cast: [
          { id: -1, name: 'Ann', character: 'A', order: 0 },
          { id: 51, name: 'Nul\0Name', profile_path: 'https://example.org/p.jpg', order: 1 },
        ],
      },
    }
    const { bodies } = fixture.replayServer
    bodies.set('/movie/1101', { id: 1101, ...values })
    bodies.set('/movie/1102', { id: 1102, ...values, title: 'Title Only', original_title: '' })
    bodies.set('/movie/1103', { id: 1103, ...values, title: '\u200f', original_title: '\u200b' })
    const report = await fixture.runImport({ movies: '1101,1102,1103' })
    expect(report).toMatchObject({ added: 2 })
    expect(report.skips).toContain('movie/1103: has no name')
    const titles = await getDb()
      .selectFrom('title')
      .select(['original_title', 'release_date', 'poster_path', 'backdrop_path', 'rating_votes'])
      .where('tmdb_id', 'in', [1101, 1102])
      .orderBy('tmdb_id')
      .execute()
    const expectedValues = {
      release_date: null,
      poster_path: null,
      backdrop_path: null,
      rating_votes: 2_147_483_647,
    }
    expect(titles).toEqual([
      { original_title: 'Odd Film', ...expectedValues },
      { original_title: 'Title Only', ...expectedValues },
    ])
  })

  it('imports a series whose TheTVDB id is not a positive 32-bit integer', async () => {
    const { bodies } = fixture.replayServer
    for (const [index, tvdb_id] of [2 ** 31, -1, 0, 1.5, '7'].entries()) {
      bodies.set(`/tv/${2201 + index}`, { id: 2201 + index, name: `Odd id ${index}`, seasons: [] })
      bodies.set(`/tv/${2201 + index}/external_ids`, { tvdb_id })
    }
    const report = await fixture.runImport({ series: '2201,2202,2203,2204,2205' })
    expect(report).toMatchObject({ added: 5, skipped: 0 })
  })

  it('imports a series in which two seasons have the same number and one season has a negative number', async () => {
    const { bodies } = fixture.replayServer
    const seasons = [1, 1, -1, 2].map((season_number) => ({ season_number }))
    bodies.set('/tv/2101', { id: 2101, name: 'Twice', original_name: 'Twice', seasons })
    const episodes = [
      { episode_number: 2, name: 'B' },
      { episode_number: -2, name: 'X' },
      { episode_number: 1, name: 'A' },
    ]
    bodies.set('/tv/2101/season/1', { season_number: 1, name: 'One', episodes })
    bodies.set('/tv/2101/season/2', { season_number: 1, episodes: [{ episode_number: 3, name: 'C' }] })
    expect(await fixture.runImport({ series: '2101' })).toMatchObject({ added: 1, skipped: 0 })
    expect(await fixture.runImport({ series: '2101' })).toMatchObject({ same: 1 })
    const title = await getDb()
      .selectFrom('title')
      .select(['season_count', 'episode_count'])
      .where('tmdb_id', '=', 2101)
      .executeTakeFirstOrThrow()
    expect(title).toEqual({ season_count: 1, episode_count: 3 })
  })
})

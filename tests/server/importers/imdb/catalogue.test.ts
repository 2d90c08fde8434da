import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { computeTableHashes } from '../../../support/hash-tables.ts'
import { DATABASES } from '../../../support/server.ts'
import { type ImdbDumps, SMALL_DUMPS, writeDumps } from './dumps.ts'
import { ImdbImportFixture } from './import-fixture.ts'

const mergeWithSmallDumps = (dumps: ImdbDumps): ImdbDumps => ({ ...SMALL_DUMPS, ...dumps })

describe.each(DATABASES)('IMDb import on %s', (_name, openTestDatabase) => {
  let fixture: ImdbImportFixture
  beforeAll(async () => {
    fixture = await ImdbImportFixture.start(await openTestDatabase())
  }, 60_000)
  afterAll(() => fixture.server.close())
  beforeEach(() => fixture.clearCatalogue())

  it('imports movies with names, genres and credits', async () => {
    const report = await fixture.runImport(writeDumps(SMALL_DUMPS))
    expect(report).toMatchObject({ added: 2, changed: 0, skipped: 0 })
    const movie = await fixture.loadTitle('the-salt-road')
    expect(movie).toMatchObject({
      type: 'movie',
      imdb_id: 'tt0000101',
      original_title: 'La route du sel',
      language: 'fr',
      year: 1999,
      release_date: null,
      runtime: 112 * 60,
      rating: 8.1,
      rating_votes: 52000,
      safe_for_kids: 0,
      published: 1,
    })
    const names = (
      await fixture.db.selectFrom('title_name').selectAll().where('title_id', '=', movie.title_id).execute()
    ).map(({ lang, role, text }) => `${lang} ${role} ${text}`)
    expect(names.sort()).toEqual([
      'ar aka Tariq al-milh',
      'ar main طريق الملح',
      'de main Die Salzstraße',
      'en aka Salt',
      'en main The Salt Road',
      'fr main La route du sel',
      'und aka ხმელი გზა',
    ])
    expect(
      (
        await fixture.db
          .selectFrom('title_genre')
          .selectAll()
          .where('title_id', '=', movie.title_id)
          .execute()
      )
        .map((row) => row.genre_id)
        .sort(),
    ).toEqual([10749, 18])
    expect(
      (
        await fixture.db
          .selectFrom('title_keyword')
          .selectAll()
          .where('title_id', '=', movie.title_id)
          .execute()
      ).map((row) => row.keyword),
    ).toEqual(['western'])
    expect(await fixture.listCredits(movie.title_id)).toEqual([
      'Actor: Ada Marsh as Inès / The Nurse',
      'Actor: Bo Lind',
      'Director: Chi Wren',
      'Writer: Ada Marsh',
    ])
    const people = await fixture.db.selectFrom('person').selectAll().execute()
    expect(people.map((row) => row.slug).sort()).toEqual(['ada-marsh', 'ada-marsh-2', 'bo-lind', 'chi-wren'])
  })

  it('imports series with seasons and ignores a malformed list of characters', async () => {
    await fixture.runImport(writeDumps(SMALL_DUMPS))
    const series = await fixture.loadTitle('harbour-lights')
    expect(series).toMatchObject({ type: 'tv', status: 'Ended', season_count: 2, episode_count: 3 })
    expect(
      (
        await fixture.db
          .selectFrom('title_genre')
          .selectAll()
          .where('title_id', '=', series.title_id)
          .execute()
      )
        .map((row) => row.genre_id)
        .sort(),
    ).toEqual([10765, 10768, 80])
    const episodes = await fixture.db
      .selectFrom('episode')
      .selectAll()
      .where('title_id', '=', series.title_id)
      .execute()
    expect(
      episodes.map((row) => [row.season_number, row.episode_number, row.name, row.runtime, row.imdb_id]),
    ).toEqual([
      [1, 1, 'First Light', 44 * 60, 'tt0000201'],
      [1, 2, 'Second Wind', 46 * 60, 'tt0000202'],
      [2, 1, 'Fog', null, 'tt0000203'],
    ])
    expect(await fixture.listCredits(series.title_id)).toEqual(['Actor: Bo Lind', 'Writer: Ada Marsh'])
  })

  it('changes nothing when the same dumps are imported again', async () => {
    const folder = writeDumps(SMALL_DUMPS)
    await fixture.runImport(folder, { 'min-votes': '0' })
    const hashesBefore = await computeTableHashes(fixture.server.database)
    fixture.server.advanceClock(60_000)
    const report = await fixture.runImport(folder, { 'min-votes': '0' })
    expect(report).toMatchObject({ added: 0, changed: 0, same: 3 })
    expect(await computeTableHashes(fixture.server.database)).toEqual(hashesBefore)
  })

  it('updates changed titles, and keeps their slugs, published state and episode IDs', async () => {
    await fixture.runImport(writeDumps(SMALL_DUMPS))
    const episodesBefore = await fixture.db.selectFrom('episode').selectAll().execute()
    await fixture.db.updateTable('title').set({ published: 0 }).execute()
    const titleLines = (SMALL_DUMPS['title.basics'] ?? []).map((row) =>
      row.replace('Harbour Lights', 'Harbor Lights').replace('Second Wind', 'Second Gust'),
    )
    const episodeLines = (SMALL_DUMPS['title.episode'] ?? []).filter((row) => !row.startsWith('tt0000203'))
    const report = await fixture.runImport(
      writeDumps(mergeWithSmallDumps({ 'title.basics': titleLines, 'title.episode': episodeLines })),
    )
    expect(report).toMatchObject({ added: 0, changed: 1, same: 1 })
    expect(await fixture.loadTitle('harbour-lights')).toMatchObject({
      published: 0,
      season_count: 1,
      episode_count: 2,
    })
    const episodesAfter = await fixture.db.selectFrom('episode').selectAll().execute()
    expect(episodesAfter.map((row) => [row.episode_id, row.name])).toEqual([
      [episodesBefore[0]?.episode_id, 'First Light'],
      [episodesBefore[1]?.episode_id, 'Second Gust'],
    ])
  })

  it('hides a title that later dumps mark as adult, even if the title belongs to a source of higher priority', async () => {
    await fixture.runImport(writeDumps(SMALL_DUMPS))
    await fixture.db.updateTable('title').set({ source: 'tmdb', safe_for_kids: 1 }).execute()
    const folder = writeDumps(
      mergeWithSmallDumps({
        'title.basics': (SMALL_DUMPS['title.basics'] ?? []).map((row) => row.replace('sel|0', 'sel|1')),
      }),
    )
    const report = await fixture.runImport(folder)
    expect(report).toMatchObject({ added: 0, changed: 1, reasons: { 'adult titles': 2 } })
    expect(report.skips).toContain('tt0000101: is for adults now, and was hidden')
    expect(await fixture.loadTitle('the-salt-road')).toMatchObject({ published: 0, safe_for_kids: 0 })
    expect(await fixture.loadTitle('harbour-lights')).toMatchObject({ published: 1, safe_for_kids: 1 })
    expect(await fixture.runImport(folder)).toMatchObject({ changed: 0, same: 2 })
    expect(await fixture.runImport(folder, { adult: 'yes' })).toMatchObject({ added: 1 })
  })

  it('marks titles that match a block rule as blocked while importing them', async () => {
    await fixture.db
      .insertInto('block_rule')
      .values({
        type: 'keyword',
        media_id: null,
        value: 'western',
        reason: null,
        created_by: null,
        created_at: 0,
      })
      .execute()
    await fixture.runImport(writeDumps(SMALL_DUMPS))
    expect(await fixture.loadTitle('the-salt-road')).toMatchObject({ blocked: 1 })
    expect(await fixture.loadTitle('harbour-lights')).toMatchObject({ blocked: 0 })
  })

  it('adds the year, and then a number, to the slugs of titles with the same name, except the title with the most votes', async () => {
    const namesakeRows = [
      'tt0000301|1960',
      'tt0000302|1985',
      'tt0000303|1985',
      'tt0000304|1985',
      'tt0000305|1985',
    ]
    const folder = writeDumps({
      'title.ratings': namesakeRows.map(
        (row, index) => `${row.split('|')[0]}|7.0|${(index === 1 ? 9000 : 1000) - index}`,
      ),
      'title.basics': namesakeRows.map((row) => `${row.replace('|', '|movie|Home|Home|0|')}|\\N|90|Drama`),
    })
    await fixture.runImport(folder)
    const rows = await fixture.db.selectFrom('title').select(['imdb_id', 'slug']).orderBy('imdb_id').execute()
    expect(rows.map((row) => row.slug)).toEqual([
      'home-1960',
      'home',
      'home-1985',
      'home-1985-2',
      'home-1985-3',
    ])
  })
})

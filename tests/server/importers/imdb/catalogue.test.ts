import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hashTables } from '../../../support/hash-tables.ts'
import { DATABASES } from '../../../support/server.ts'
import { type Dumps, SMALL, writeDumps } from './dumps.ts'
import { Place } from './place.ts'

const changed = (dumps: Dumps): Dumps => ({ ...SMALL, ...dumps })

describe.each(DATABASES)('IMDb dumps on %s', (_, open) => {
  let place: Place
  beforeAll(async () => {
    place = await Place.open(await open())
  }, 60_000)
  afterAll(() => place.server.close())
  beforeEach(() => place.empty())

  it('bring films with names, genres and credits', async () => {
    const report = await place.run(writeDumps(SMALL))
    expect(report).toMatchObject({ added: 2, changed: 0, skipped: 0 })
    const film = await place.title('the-salt-road')
    expect(film).toMatchObject({
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
      await place.db.selectFrom('title_name').selectAll().where('title_id', '=', film.title_id).execute()
    ).map(({ lang, role, text }) => `${lang} ${role} ${text}`)
    expect(names.sort()).toEqual([
      'ar aka Tariq al-milh',
      'ar main طريق الملح',
      'de main Die Salzstraße',
      'en aka Salt',
      'en main The Salt Road',
      'fr main La route du sel',
    ])
    expect(
      (await place.db.selectFrom('title_genre').selectAll().where('title_id', '=', film.title_id).execute())
        .map((row) => row.genre_id)
        .sort(),
    ).toEqual([10749, 18])
    expect(
      (
        await place.db.selectFrom('title_keyword').selectAll().where('title_id', '=', film.title_id).execute()
      ).map((row) => row.keyword),
    ).toEqual(['western'])
    expect(await place.credits(film.title_id)).toEqual([
      'Actor: Ada Marsh as Inès / The Nurse',
      'Actor: Bo Lind',
      'Director: Chi Wren',
      'Writer: Ada Marsh',
    ])
    const people = await place.db.selectFrom('person').selectAll().execute()
    expect(people.map((row) => row.slug).sort()).toEqual(['ada-marsh', 'ada-marsh-2', 'bo-lind', 'chi-wren'])
  })

  it('bring series with their seasons, and a damaged list of characters does no harm', async () => {
    await place.run(writeDumps(SMALL))
    const series = await place.title('harbour-lights')
    expect(series).toMatchObject({ type: 'tv', status: 'Ended', season_count: 2, episode_count: 3 })
    expect(
      (await place.db.selectFrom('title_genre').selectAll().where('title_id', '=', series.title_id).execute())
        .map((row) => row.genre_id)
        .sort(),
    ).toEqual([10765, 10768, 80])
    const episodes = await place.db
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
    expect(await place.credits(series.title_id)).toEqual(['Actor: Bo Lind', 'Writer: Ada Marsh'])
  })

  it('change nothing the second time', async () => {
    const folder = writeDumps(SMALL)
    await place.run(folder, { 'min-votes': '0' })
    const before = await hashTables(place.server.database)
    place.server.advance(60_000)
    const report = await place.run(folder, { 'min-votes': '0' })
    expect(report).toMatchObject({ added: 0, changed: 0, same: 3 })
    expect(await hashTables(place.server.database)).toEqual(before)
  })

  it('change what changed, and keep slug, publication and the ids of episodes', async () => {
    await place.run(writeDumps(SMALL))
    const old = await place.db.selectFrom('episode').selectAll().execute()
    await place.db.updateTable('title').set({ published: 0 }).execute()
    const rows = (SMALL['title.basics'] ?? []).map((row) =>
      row.replace('Harbour Lights', 'Harbor Lights').replace('Second Wind', 'Second Gust'),
    )
    const episodes = (SMALL['title.episode'] ?? []).filter((row) => !row.startsWith('tt0000203'))
    const report = await place.run(writeDumps(changed({ 'title.basics': rows, 'title.episode': episodes })))
    expect(report).toMatchObject({ added: 0, changed: 1, same: 1 })
    expect(await place.title('harbour-lights')).toMatchObject({
      published: 0,
      season_count: 1,
      episode_count: 2,
    })
    const now = await place.db.selectFrom('episode').selectAll().execute()
    expect(now.map((row) => [row.episode_id, row.name])).toEqual([
      [old[0]?.episode_id, 'First Light'],
      [old[1]?.episode_id, 'Second Gust'],
    ])
  })

  it('honour the block list in the transaction that writes', async () => {
    await place.db
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
    await place.run(writeDumps(SMALL))
    expect(await place.title('the-salt-road')).toMatchObject({ blocked: 1 })
    expect(await place.title('harbour-lights')).toMatchObject({ blocked: 0 })
  })

  it('give titles of one name slugs with the year, then a number; the best known has it bare', async () => {
    const namesakes = [
      'tt0000301|1960',
      'tt0000302|1985',
      'tt0000303|1985',
      'tt0000304|1985',
      'tt0000305|1985',
    ]
    const folder = writeDumps({
      'title.ratings': namesakes.map(
        (row, at) => `${row.split('|')[0]}|7.0|${(at === 1 ? 9000 : 1000) - at}`,
      ),
      'title.basics': namesakes.map((row) => `${row.replace('|', '|movie|Home|Home|0|')}|\\N|90|Drama`),
    })
    await place.run(folder)
    const rows = await place.db.selectFrom('title').select(['imdb_id', 'slug']).orderBy('imdb_id').execute()
    expect(rows.map((row) => row.slug)).toEqual([
      'home-1960',
      'home',
      'home-1985',
      'home-1985-2',
      'home-1985-3',
    ])
  })
})

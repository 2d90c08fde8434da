/** Real exports against the shared movie and TV catalogue, which the product's own pipeline put into the database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { matchTitle } from '../../../server/importers/history/match-title.ts'
import { CatalogueCandidates } from '../../../server/services/history-import/catalogue-candidates.ts'
import { loadSharedCatalogue } from '../../support/shared-catalogue.ts'
import { zip } from '../../support/zip.ts'
import {
  bytes,
  exportFiles,
  hasShared,
  readShared,
  SHARED,
  withShared,
} from '../importers/history/shared-data.ts'
import { bring, exported, type Household, household, tables } from './household.ts'

const NETFLIX = ['en_US_mdy', 'fr_dmy_slash', 'nl_dmy_dash', 'pl_dmy_dot']

describe('real exports', () => {
  let home: Household
  beforeAll(async () => {
    if (!hasShared) return
    home = await household(openSqliteDatabase(':memory:'), { catalogue: false })
    await loadSharedCatalogue(home.server.deps, SHARED)
  }, 300_000)
  afterAll(() => home?.server.close())
  const file = (path: string) => new Uint8Array(bytes(`exports/${path}`))
  const profile = async (name: string) => {
    home.adult.profileId = home.adultId
    home.adult.profileId = (await home.adult.post('/api/profile', { name })).body.profile_id
    return home.adult.profileId as string
  }

  test(
    'one person’s Trakt and IMDb exports: each title once, by its ids, and a second run changes nothing',
    withShared(async () => {
      const id = await profile('Trakt')
      const trakt = await bring(home.adult, 'watched-movies.json', file('trakt_a/watched-movies.json.gz'))
      await bring(home.adult, 'ratings-movies.json', file('trakt_a/ratings-movies.json.gz'))
      const one = JSON.parse(await exported(home.adult))
      const before = { progress: one.progress.length, play: one.play.length }
      const imdb = await bring(home.adult, 'ratings.csv', file('imdb_a/ratings.csv.gz'))
      const both = JSON.parse(await exported(home.adult))
      console.info({ trakt: trakt.rows, imdb: imdb.rows, ...before, feedback: both.feedback.length })
      expect({ progress: both.progress.length, play: both.play.length }).toEqual(before)
      for (const part of ['progress', 'feedback']) {
        const ids = both[part].map(({ type, imdb_id, tmdb_id }: Record<string, unknown>) =>
          [type, imdb_id ?? tmdb_id].join(' '),
        )
        expect(new Set(ids).size).toBe(ids.length)
      }
      const hash = await tables(home.server, id)
      for (const [name, path] of [
        ['watched-movies.json', 'trakt_a/watched-movies.json.gz'],
        ['ratings-movies.json', 'trakt_a/ratings-movies.json.gz'],
        ['ratings.csv', 'imdb_a/ratings.csv.gz'],
      ] as const) {
        expect((await bring(home.adult, name, file(path))).changed).toBe(0)
      }
      expect(await tables(home.server, id)).toBe(hash)
    }),
    120_000,
  )

  test(
    'where ids prove it, every title that the catalogue holds is found and none is wrong',
    withShared(async () => {
      const { reader } = home.server.database
      const held = new Set(
        (await reader.selectFrom('title').select('imdb_id').execute()).map((title) => title.imdb_id),
      )
      for (const path of [
        'trakt_a/watched-movies.json.gz',
        'trakt_a/watched-shows.json.gz',
        'imdb_a/ratings.csv.gz',
      ]) {
        const { rows } = await readShared(`exports/${path}`)
        const source = new CatalogueCandidates(reader, { kids: false })
        await source.preload(rows)
        const count = { held: 0, found: 0, wrong: 0 }
        for (const row of rows) {
          const { title } = await matchTitle(row, source)
          if (held.has(row.ids.imdb ?? '')) count.held += 1
          if (title && title.ids.imdb === row.ids.imdb) count.found += 1
          else if (title?.ids.imdb) count.wrong += 1
        }
        console.info(path, count)
        expect(count.wrong).toBe(0)
        expect(count.found / count.held).toBeGreaterThanOrEqual(0.99)
      }
    }),
  )

  test(
    'Netflix in four languages: of what has a namesake in the catalogue, most is found; the rest is asked',
    withShared(async () => {
      for (const name of NETFLIX) {
        const { rows } = await readShared(`exports/netflix/NetflixViewingHistory.${name}.csv`)
        const source = new CatalogueCandidates(home.server.database.reader, { kids: false })
        await source.preload(rows)
        let [named, matched] = [0, 0]
        for (const row of rows) {
          const match = await matchTitle(row, source)
          if (match.candidates.length > 0) named += 1
          if (match.outcome === 'matched') matched += 1
        }
        console.info(`${name}: ${matched} of ${named} rows with a namesake, ${rows.length} in all`)
        expect(matched / named).toBeGreaterThanOrEqual(0.95)
      }
    }),
  )

  test(
    'whole exports go in, and out, and in again to the byte',
    withShared(async () => {
      await profile('Whole')
      for (const [name, path] of [
        ['watched-shows.json', 'trakt_a/watched-shows.json.gz'],
        ['watchlist.json', 'trakt_a/watchlist.json.gz'],
        ['hidden-dropped.json', 'trakt_a/hidden-dropped.json.gz'],
        ['diary.csv', 'letterboxd_a/diary.csv'],
        ['NetflixViewingHistory.csv', 'netflix/NetflixViewingHistory.nl_dmy_dash.csv'],
        ['ViewingActivity.csv', 'netflix/ViewingActivity.fr.csv.gz'],
      ] as const) {
        await bring(home.adult, name, file(path))
      }
      for (const format of ['json', 'csv']) {
        const out = await exported(home.adult, format)
        const from = home.adult.profileId
        await profile(`Again ${format}`)
        const run = await bring(home.adult, `export.${format}`, out)
        expect(run.rows).toMatchObject({ unmatched: 0, ambiguous: 0, skipped: 0 })
        expect(await exported(home.adult, format)).toBe(out)
        home.adult.profileId = from
      }
    }),
    120_000,
  )

  test(
    'archives come to what their files come to one by one; Letterboxd’s to fewer viewings, since it knows its diary',
    withShared(async () => {
      const [one, many] = [await profile('Files'), await profile('Archives')]
      const archived = (folder: string, names = /./) =>
        exportFiles(`exports/${folder}`)
          .filter((path) => names.test(path))
          .map((path) => ({
            name: path.replace('exports/', '').replace(/\.gz$/, ''),
            content: new Uint8Array(bytes(path)),
          }))
          .sort((a, b) => (a.name < b.name ? -1 : 1))
      const bringBoth = async (files: ReturnType<typeof archived>) => {
        home.adult.profileId = one
        for (const { name, content } of files) {
          if (!/Indicated/.test(name)) await bring(home.adult, name, content)
        }
        const single = JSON.parse(await exported(home.adult))
        home.adult.profileId = many
        const run = await bring(home.adult, 'export.zip', zip(files))
        const whole = JSON.parse(await exported(home.adult))
        const again = await bring(home.adult, 'again.zip', zip(files))
        expect(again.changed).toBe(0)
        console.info(run.source, run.rows, { one: single.play.length, archive: whole.play.length })
        return { single, whole }
      }
      const request = /ViewingActivity\.fr|MyList|Ratings|Indicated/
      for (const files of [
        archived('trakt_a'),
        archived('imdb_a'),
        archived('netflix', request),
        archived('tvtime'),
      ]) {
        const { single, whole } = await bringBoth(files)
        expect(whole).toEqual(single)
      }
      const { single, whole } = await bringBoth(archived('letterboxd_a'))
      expect(whole.play.length).toBeLessThan(single.play.length)
      expect(whole.feedback).toEqual(single.feedback)
      expect(whole.list).toEqual(single.list)
      const names = ({ progress }: typeof whole) => progress.map((entry: { title: string }) => entry.title)
      expect(names(whole).toSorted()).toEqual(names(single).toSorted())
    }),
    180_000,
  )
})

/** Real export files of several services, matched to the shared catalogue. Without the shared data, these tests check nothing. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { matchTitle } from '../../../server/importers/history/match-title.ts'
import { Audience } from '../../../server/queries/title-scope.ts'
import { CatalogueCandidates } from '../../../server/services/history-import/catalogue-candidates.ts'
import { loadSharedCatalogue } from '../../support/shared-catalogue.ts'
import { createZip } from '../../support/zip.ts'
import {
  hasSharedExports,
  listSharedFiles,
  parseSharedExport,
  readSharedFile,
  runWithSharedData,
  SHARED_DATA_FOLDER,
} from '../importers/history/shared-data.ts'
import {
  dumpProfileTables,
  exportHistory,
  type ImportHousehold,
  importFile,
  startImportHousehold,
} from './import-household.ts'

const NETFLIX_FILES = ['en_US_mdy', 'fr_dmy_slash', 'nl_dmy_dash', 'pl_dmy_dot']

describe('real export files', () => {
  let household: ImportHousehold
  beforeAll(async () => {
    if (!hasSharedExports) return
    household = await startImportHousehold(openSqliteDatabase(':memory:'), { catalogue: false })
    await loadSharedCatalogue(household.server.deps, SHARED_DATA_FOLDER)
  }, 300_000)
  afterAll(() => household?.server.close())
  const readExport = (path: string) => new Uint8Array(readSharedFile(`exports/${path}`))
  const createProfile = async (name: string) => {
    household.adult.profileId = household.adultId
    household.adult.profileId = (await household.adult.post('/api/profile', { name })).body.profile_id
    return household.adult.profileId as string
  }

  test(
    'imports each title once from Trakt and IMDb exports of one person, and a second run changes nothing',
    runWithSharedData(async () => {
      const id = await createProfile('Trakt')
      const traktImport = await importFile(
        household.adult,
        'watched-movies.json',
        readExport('trakt_a/watched-movies.json.gz'),
      )
      await importFile(household.adult, 'ratings-movies.json', readExport('trakt_a/ratings-movies.json.gz'))
      const exportAfterTrakt = JSON.parse(await exportHistory(household.adult))
      const expectedCounts = {
        progress: exportAfterTrakt.progress.length,
        play: exportAfterTrakt.play.length,
      }
      const imdbImport = await importFile(household.adult, 'ratings.csv', readExport('imdb_a/ratings.csv.gz'))
      const exportAfterBoth = JSON.parse(await exportHistory(household.adult))
      console.info({
        trakt: traktImport.rows,
        imdb: imdbImport.rows,
        ...expectedCounts,
        feedback: exportAfterBoth.feedback.length,
      })
      expect({ progress: exportAfterBoth.progress.length, play: exportAfterBoth.play.length }).toEqual(
        expectedCounts,
      )
      for (const section of ['progress', 'feedback']) {
        const ids = exportAfterBoth[section].map(({ type, imdb_id, tmdb_id }: Record<string, unknown>) =>
          [type, imdb_id ?? tmdb_id].join(' '),
        )
        expect(new Set(ids).size).toBe(ids.length)
      }
      const dumpBefore = await dumpProfileTables(household.server, id)
      for (const [name, path] of [
        ['watched-movies.json', 'trakt_a/watched-movies.json.gz'],
        ['ratings-movies.json', 'trakt_a/ratings-movies.json.gz'],
        ['ratings.csv', 'imdb_a/ratings.csv.gz'],
      ] as const) {
        expect((await importFile(household.adult, name, readExport(path))).changed).toBe(0)
      }
      expect(await dumpProfileTables(household.server, id)).toBe(dumpBefore)
    }),
    120_000,
  )

  test(
    'matches at least 99 % of the rows with IDs whose title is in the catalogue, and no row to a wrong title',
    runWithSharedData(async () => {
      const { reader } = household.server.database
      const catalogueIds = new Set(
        (await reader.selectFrom('title').select('imdb_id').execute()).map((title) => title.imdb_id),
      )
      for (const path of [
        'trakt_a/watched-movies.json.gz',
        'trakt_a/watched-shows.json.gz',
        'imdb_a/ratings.csv.gz',
      ]) {
        const { rows } = await parseSharedExport(`exports/${path}`)
        const source = new CatalogueCandidates(reader, Audience.unrestricted)
        await source.preload(rows)
        const count = { inCatalogue: 0, found: 0, wrong: 0 }
        for (const row of rows) {
          const { title } = await matchTitle(row, source)
          if (catalogueIds.has(row.ids.imdb ?? '')) count.inCatalogue += 1
          if (title && title.ids.imdb === row.ids.imdb) count.found += 1
          else if (title?.ids.imdb) count.wrong += 1
        }
        console.info(path, count)
        expect(count.wrong).toBe(0)
        expect(count.found / count.inCatalogue).toBeGreaterThanOrEqual(0.99)
      }
    }),
  )

  test(
    'matches at least 95 % of the Netflix rows that have candidates, in four languages',
    runWithSharedData(async () => {
      for (const name of NETFLIX_FILES) {
        const { rows } = await parseSharedExport(`exports/netflix/NetflixViewingHistory.${name}.csv`)
        const source = new CatalogueCandidates(household.server.database.reader, Audience.unrestricted)
        await source.preload(rows)
        let [rowsWithCandidates, matchedRows] = [0, 0]
        for (const row of rows) {
          const match = await matchTitle(row, source)
          if (match.candidates.length > 0) rowsWithCandidates += 1
          if (match.outcome === 'matched') matchedRows += 1
        }
        console.info(
          `${name}: ${matchedRows} of ${rowsWithCandidates} rows with candidates, ${rows.length} rows in total`,
        )
        expect(matchedRows / rowsWithCandidates).toBeGreaterThanOrEqual(0.95)
      }
    }),
  )

  test(
    'exports the same bytes after a profile was deleted permanently and its export was imported into a new profile',
    runWithSharedData(async () => {
      await createProfile('Whole')
      for (const [name, path] of [
        ['watched-shows.json', 'trakt_a/watched-shows.json.gz'],
        ['watchlist.json', 'trakt_a/watchlist.json.gz'],
        ['hidden-dropped.json', 'trakt_a/hidden-dropped.json.gz'],
        ['ratings-movies.json', 'trakt_a/ratings-movies.json.gz'],
        ['ratings-shows.json', 'trakt_a/ratings-shows.json.gz'],
        ['a-real-list.csv', 'letterboxd_a/lists/a-real-list.csv'],
        ['ls595920536.csv', 'imdb_a/ls595920536.csv'],
        ['diary.csv', 'letterboxd_a/diary.csv'],
        ['NetflixViewingHistory.csv', 'netflix/NetflixViewingHistory.nl_dmy_dash.csv'],
        ['ViewingActivity.csv', 'netflix/ViewingActivity.fr.csv.gz'],
      ] as const) {
        await importFile(household.adult, name, readExport(path))
      }
      const { adult } = household
      const files = { json: await exportHistory(adult), csv: await exportHistory(adult, 'csv') }
      const content = JSON.parse(files.json)
      for (const section of ['play', 'progress', 'list', 'rating', 'named_list', 'list_title'])
        expect([section, content[section].length > 0]).toEqual([section, true])
      for (const [format, exportText] of Object.entries(files)) {
        const deletedId = adult.profileId
        adult.profileId = household.adultId
        expect((await adult.delete(`/api/profile/${deletedId}`)).status).toBe(204)
        const binPath = `/api/profile/${household.adultId}/bin/profile/${deletedId}`
        expect((await adult.delete(binPath, {})).status).toBe(204)
        await createProfile('Whole')
        const run = await importFile(household.adult, `export.${format}`, exportText)
        // Rows that describe a list have no title to match.
        const skippedCount = content.named_list.length
        expect(run.rows).toMatchObject({ unmatched: 0, ambiguous: 0, skipped: skippedCount })
        expect(await exportHistory(household.adult, format)).toBe(exportText)
      }
    }),
    120_000,
  )

  test(
    'importing an archive gives the same result as importing its files one by one, except fewer viewings for Letterboxd',
    runWithSharedData(async () => {
      const [filesId, archivesId] = [await createProfile('Files'), await createProfile('Archives')]
      const listArchiveFiles = (folder: string, namePattern = /./) =>
        listSharedFiles(`exports/${folder}`)
          .filter((path) => namePattern.test(path))
          .map((path) => ({
            name: path.replace('exports/', '').replace(/\.gz$/, ''),
            content: new Uint8Array(readSharedFile(path)),
          }))
          .sort((a, b) => (a.name < b.name ? -1 : 1))
      const importBothWays = async (files: ReturnType<typeof listArchiveFiles>) => {
        household.adult.profileId = filesId
        for (const { name, content } of files) {
          if (!/Indicated/.test(name)) await importFile(household.adult, name, content)
        }
        const fromFiles = JSON.parse(await exportHistory(household.adult))
        household.adult.profileId = archivesId
        const run = await importFile(household.adult, 'export.zip', createZip(files))
        const fromArchive = JSON.parse(await exportHistory(household.adult))
        const repeatedImport = await importFile(household.adult, 'again.zip', createZip(files))
        expect(repeatedImport.changed).toBe(0)
        console.info(run.source, run.rows, {
          files: fromFiles.play.length,
          archive: fromArchive.play.length,
        })
        return { fromFiles, fromArchive }
      }
      const netflixFiles = /ViewingActivity\.fr|MyList|Ratings|Indicated/
      for (const files of [
        listArchiveFiles('trakt_a'),
        listArchiveFiles('imdb_a'),
        listArchiveFiles('netflix', netflixFiles),
        listArchiveFiles('tvtime'),
      ]) {
        const { fromFiles, fromArchive } = await importBothWays(files)
        expect(fromArchive).toEqual(fromFiles)
      }
      const { fromFiles, fromArchive } = await importBothWays(listArchiveFiles('letterboxd_a'))
      expect(fromArchive.play.length).toBeLessThan(fromFiles.play.length)
      expect(fromArchive.feedback).toEqual(fromFiles.feedback)
      expect(fromArchive.list).toEqual(fromFiles.list)
      const listProgressTitles = ({ progress }: typeof fromArchive) =>
        progress.map((entry: { title: string }) => entry.title)
      expect(listProgressTitles(fromArchive).toSorted()).toEqual(listProgressTitles(fromFiles).toSorted())
    }),
    180_000,
  )
})

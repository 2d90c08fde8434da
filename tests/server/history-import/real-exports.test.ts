/** Real export files of several services, matched to the shared catalogue. Without shared data, nothing is checked. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { matchTitle } from '../../../server/importers/history/match-title.ts'
import { Audience } from '../../../server/queries/title-scope.ts'
import { CatalogueCandidates } from '../../../server/services/history-import/catalogue-candidates.ts'
import { loadSharedCatalogue } from '../../support/shared-catalogue.ts'
import { sharedDataFolder, withSharedData } from '../../support/shared-data.ts'
import { createZip } from '../../support/zip.ts'
import { listSharedFiles, parseSharedExport, readSharedFile } from '../importers/history/shared-data.ts'
import {
  dumpProfileTables,
  exportHistory,
  type ImportHousehold,
  importFile,
  startImportHousehold,
} from './import-household.ts'

const NETFLIX_FILE_VARIANTS = ['en_US_mdy', 'fr_dmy_slash', 'nl_dmy_dash', 'pl_dmy_dot']

describe('real export files', () => {
  let household: ImportHousehold
  beforeAll(async () => {
    if (!sharedDataFolder) return
    household = await startImportHousehold(openSqliteDatabase(':memory:'))
    await loadSharedCatalogue(household.server.deps, sharedDataFolder)
  }, 300_000)
  afterAll(() => household?.server.close())
  const readExport = (path: string) => new Uint8Array(readSharedFile(`exports/${path}`))
  const createProfile = async (name: string) => {
    household.adult.profileId = household.adultId
    household.adult.profileId = (await household.adult.post('/api/profile', { name })).body.profile_id
    return household.adult.profileId as string
  }

  test(
    'each title of the Trakt and IMDb exports of one person is imported once, and a second run changes nothing',
    withSharedData(async () => {
      const profileId = await createProfile('Trakt')
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
      for (const sectionName of ['progress', 'feedback']) {
        const titleIds = exportAfterBoth[sectionName].map(
          ({ type, imdb_id, tmdb_id }: Record<string, unknown>) => [type, imdb_id ?? tmdb_id].join(' '),
        )
        expect(new Set(titleIds).size).toBe(titleIds.length)
      }
      const dumpBefore = await dumpProfileTables(household.server, profileId)
      for (const [name, path] of [
        ['watched-movies.json', 'trakt_a/watched-movies.json.gz'],
        ['ratings-movies.json', 'trakt_a/ratings-movies.json.gz'],
        ['ratings.csv', 'imdb_a/ratings.csv.gz'],
      ] as const) {
        expect((await importFile(household.adult, name, readExport(path))).changed).toBe(0)
      }
      expect(await dumpProfileTables(household.server, profileId)).toBe(dumpBefore)
    }),
    120_000,
  )

  test(
    'at least 99 % of the rows that have IDs and whose title is in the catalogue are matched, and no row is matched to a wrong title',
    withSharedData(async () => {
      const { reader } = household.server.database
      const catalogueImdbIds = new Set(
        (await reader.selectFrom('title').select('imdb_id').execute()).map((title) => title.imdb_id),
      )
      for (const path of [
        'trakt_a/watched-movies.json.gz',
        'trakt_a/watched-shows.json.gz',
        'imdb_a/ratings.csv.gz',
      ]) {
        const { rows } = await parseSharedExport(`exports/${path}`)
        const catalogueCandidates = new CatalogueCandidates(reader, Audience.unrestricted)
        await catalogueCandidates.preload(rows)
        const matchCounts = { inCatalogue: 0, found: 0, wrong: 0 }
        for (const row of rows) {
          const { title } = await matchTitle(row, catalogueCandidates)
          if (catalogueImdbIds.has(row.ids.imdb ?? '')) matchCounts.inCatalogue += 1
          if (title && title.ids.imdb === row.ids.imdb) matchCounts.found += 1
          else if (title?.ids.imdb) matchCounts.wrong += 1
        }
        console.info(path, matchCounts)
        expect(matchCounts.wrong).toBe(0)
        expect(matchCounts.found / matchCounts.inCatalogue).toBeGreaterThanOrEqual(0.99)
      }
    }),
  )

  test(
    'at least 95 % of the Netflix rows that have candidates are matched, in four languages',
    withSharedData(async () => {
      for (const variant of NETFLIX_FILE_VARIANTS) {
        const { rows } = await parseSharedExport(`exports/netflix/NetflixViewingHistory.${variant}.csv`)
        const catalogueCandidates = new CatalogueCandidates(
          household.server.database.reader,
          Audience.unrestricted,
        )
        await catalogueCandidates.preload(rows)
        let [candidateRowCount, matchedRowCount] = [0, 0]
        for (const row of rows) {
          const titleMatch = await matchTitle(row, catalogueCandidates)
          if (titleMatch.candidates.length > 0) candidateRowCount += 1
          if (titleMatch.outcome === 'matched') matchedRowCount += 1
        }
        console.info(
          `${variant}: ${matchedRowCount} of ${candidateRowCount} rows with candidates, ${rows.length} rows in total`,
        )
        expect(matchedRowCount / candidateRowCount).toBeGreaterThanOrEqual(0.95)
      }
    }),
  )

  test(
    'after the export of a permanently deleted profile is imported into a new profile, the export of the new profile has the same bytes',
    withSharedData(async () => {
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
      const exportsByFormat = { json: await exportHistory(adult), csv: await exportHistory(adult, 'csv') }
      const exportedData = JSON.parse(exportsByFormat.json)
      for (const sectionName of ['play', 'progress', 'list', 'rating', 'named_list', 'list_title'])
        expect([sectionName, exportedData[sectionName].length > 0]).toEqual([sectionName, true])
      for (const [format, exportText] of Object.entries(exportsByFormat)) {
        const deletedProfileId = adult.profileId
        adult.profileId = household.adultId
        expect((await adult.delete(`/api/profile/${deletedProfileId}`)).status).toBe(204)
        const binPath = `/api/profile/${household.adultId}/bin/profile/${deletedProfileId}`
        expect((await adult.delete(binPath, {})).status).toBe(204)
        await createProfile('Whole')
        const importRun = await importFile(household.adult, `export.${format}`, exportText)
        // Rows that describe a list have no title to match.
        const skippedCount = exportedData.named_list.length
        expect(importRun.rows).toMatchObject({ unmatched: 0, ambiguous: 0, skipped: skippedCount })
        expect(await exportHistory(household.adult, format)).toBe(exportText)
      }
    }),
    120_000,
  )

  test(
    'importing an archive has the same result as importing its files one by one, except that a Letterboxd archive adds fewer viewings than its single files',
    withSharedData(async () => {
      const [filesProfileId, archivesProfileId] = [
        await createProfile('Files'),
        await createProfile('Archives'),
      ]
      const listArchiveFiles = (folder: string, namePattern = /./) =>
        listSharedFiles(`exports/${folder}`)
          .filter((path) => namePattern.test(path))
          .map((path) => ({
            name: path.replace('exports/', '').replace(/\.gz$/, ''),
            content: new Uint8Array(readSharedFile(path)),
          }))
          .sort((a, b) => (a.name < b.name ? -1 : 1))
      const importBothWays = async (archiveFiles: ReturnType<typeof listArchiveFiles>) => {
        household.adult.profileId = filesProfileId
        for (const { name, content } of archiveFiles) {
          if (!/Indicated/.test(name)) await importFile(household.adult, name, content)
        }
        const exportFromFiles = JSON.parse(await exportHistory(household.adult))
        household.adult.profileId = archivesProfileId
        const importRun = await importFile(household.adult, 'export.zip', createZip(archiveFiles))
        const exportFromArchive = JSON.parse(await exportHistory(household.adult))
        const repeatedImport = await importFile(household.adult, 'again.zip', createZip(archiveFiles))
        expect(repeatedImport.changed).toBe(0)
        console.info(importRun.source, importRun.rows, {
          files: exportFromFiles.play.length,
          archive: exportFromArchive.play.length,
        })
        return { exportFromFiles, exportFromArchive }
      }
      const netflixFilePattern = /ViewingActivity\.fr|MyList|Ratings|Indicated/
      for (const archiveFiles of [
        listArchiveFiles('trakt_a'),
        listArchiveFiles('imdb_a'),
        listArchiveFiles('netflix', netflixFilePattern),
        listArchiveFiles('tvtime'),
      ]) {
        const { exportFromFiles, exportFromArchive } = await importBothWays(archiveFiles)
        expect(exportFromArchive).toEqual(exportFromFiles)
      }
      const { exportFromFiles, exportFromArchive } = await importBothWays(listArchiveFiles('letterboxd_a'))
      expect(exportFromArchive.play.length).toBeLessThan(exportFromFiles.play.length)
      expect(exportFromArchive.feedback).toEqual(exportFromFiles.feedback)
      expect(exportFromArchive.list).toEqual(exportFromFiles.list)
      const listProgressTitles = ({ progress }: typeof exportFromArchive) =>
        progress.map((exportedTitle: { title: string }) => exportedTitle.title)
      expect(listProgressTitles(exportFromArchive).toSorted()).toEqual(
        listProgressTitles(exportFromFiles).toSorted(),
      )
    }),
    180_000,
  )
})

/** ZIP archives as Letterboxd and Netflix export them, imported over the API on both databases. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import { createZip } from '../../support/zip.ts'
import { LETTERBOXD_ARCHIVE, NETFLIX_ARCHIVE, NETFLIX_MY_LIST } from './archives.ts'
import {
  dumpProfileTables,
  exportHistory,
  fetchImportWithRows,
  type ImportHousehold,
  importFile,
  listTemporaryImportFiles,
  runImportAction,
  runImportDryRun,
  startImportHousehold,
} from './import-household.ts'

const readViewings = (exportText: string) =>
  JSON.parse(exportText).play.map((viewing: { title: string; watched_at: string }) => [
    viewing.title,
    viewing.watched_at,
  ])

describe.each(DATABASES)('archive import on %s', () => {
  let household: ImportHousehold
  beforeAll(async () => {
    household = await startImportHousehold()
  }, 120_000)
  afterAll(() => household.server.close())

  it('imports all histories of an archive together, lists the other files with a reason, and undoes the import', async () => {
    const profileId = await household.switchToNewProfile('Letterboxd')
    const dumpBefore = await dumpProfileTables(household.server, profileId)
    const importRun = await runImportDryRun(
      household.adult,
      'letterboxd-alice.zip',
      createZip(LETTERBOXD_ARCHIVE),
    )
    expect(importRun).toMatchObject({
      status: 'ready',
      source: 'letterboxd',
      file_name: 'letterboxd-alice.zip',
    })
    expect(
      importRun.files.map((importedFile: { name: string; rows: number; why: unknown }) => [
        importedFile.name,
        importedFile.rows,
        importedFile.why,
      ]),
    ).toEqual([
      ['deleted/diary.csv', 3, null],
      ['diary.csv', 3, null],
      ['likes/films.csv', 1, null],
      ['likes/reviews.csv', 0, 'unknown_format'],
      ['lists/best.csv', 1, null],
      ['profile.csv', 0, 'unknown_format'],
      ['ratings.csv', 2, null],
      ['reviews.csv', 1, null],
      ['watched.csv', 3, null],
      ['watchlist.csv', 1, null],
    ])
    expect(importRun.rows).toMatchObject({ total: 15, skipped: 4 })
    expect(importRun.done).toBe(importRun.total)
    const skippedRows = await fetchImportWithRows(household.adult, importRun.import_id, {
      outcome: 'skipped',
    })
    expect(skippedRows.list.results.at(-1)).toMatchObject({ file: 'ratings.csv', line: 3, why: 'no_title' })
    expect(await dumpProfileTables(household.server, profileId)).toBe(dumpBefore)
    const appliedImport = await runImportAction(household.adult, importRun.import_id, 'apply')
    expect(appliedImport.status).toBe('applied')
    const exportText = await exportHistory(household.adult)
    expect(readViewings(exportText)).toEqual([
      ['The Shawshank Redemption', '2021-01-02'],
      ['The Godfather', '2021-04-01'],
      ['Pulp Fiction', '2021-06-07'],
      ['The Shawshank Redemption', '2022-05-06'],
    ])
    const { list, list_title, feedback, progress, play } = JSON.parse(exportText)
    expect(play.map(({ note }: { note?: string }) => note ?? null)).toEqual(['Good.', null, null, null])
    expect(list.map((exportedTitle: { title: string }) => exportedTitle.title).sort()).toEqual(['Fight Club'])
    expect(list_title.map((exportedTitle: { title: string }) => exportedTitle.title)).toEqual(['Inception'])
    expect(feedback.map((exportedTitle: { title: string }) => exportedTitle.title).sort()).toEqual([
      'Pulp Fiction',
      'The Shawshank Redemption',
    ])
    expect(
      progress.find((exportedTitle: { title: string }) => /Shaw/.test(exportedTitle.title)),
    ).toMatchObject({ plays: 2 })
    expect((await runImportAction(household.adult, importRun.import_id, 'undo')).status).toBe('undone')
    expect(await dumpProfileTables(household.server, profileId)).toBe(dumpBefore)
    expect(listTemporaryImportFiles(household)).toEqual([])
  })

  it('importing an archive changes nothing if the archive was imported before, or if its files were imported one by one before', async () => {
    const firstProfileId = await household.switchToNewProfile('Again')
    await importFile(household.adult, 'a.zip', createZip(LETTERBOXD_ARCHIVE))
    const dumpAfterFirstImport = await dumpProfileTables(household.server, firstProfileId)
    expect(
      (await importFile(household.adult, 'b.zip', createZip(LETTERBOXD_ARCHIVE.toReversed()))).changed,
    ).toBe(0)
    expect(await dumpProfileTables(household.server, firstProfileId)).toBe(dumpAfterFirstImport)
    for (const archiveFiles of [LETTERBOXD_ARCHIVE, NETFLIX_ARCHIVE]) {
      const profileId = await household.switchToNewProfile('Single')
      for (const { name, content } of archiveFiles.toReversed()) {
        if (
          /watched|diary|ratings|reviews|films|list|best|Viewing/i.test(name) &&
          !/likes.rev|MACOSX/.test(name)
        ) {
          await importFile(household.adult, name, content as string)
        }
      }
      const dumpBefore = await dumpProfileTables(household.server, profileId)
      expect((await importFile(household.adult, 'a.zip', createZip(archiveFiles))).changed).toBe(0)
      expect(await dumpProfileTables(household.server, profileId)).toBe(dumpBefore)
    }
  })

  it('importing an archive without Letterboxd files has the same result as importing its files one by one', async () => {
    // Letterboxd is excluded, because only its complete archive shows which diary entry marked a movie as watched.
    const traktJson = JSON.stringify([
      {
        plays: 3,
        last_watched_at: '2021-03-18T21:04:00.000Z',
        movie: { title: 'The Shawshank Redemption', year: 1994, ids: { trakt: 1, imdb: 'tt0111161' } },
      },
    ])
    const archiveFiles = [
      ...NETFLIX_ARCHIVE.slice(1, 3),
      { name: 'trakt/watched-movies.json', content: traktJson },
      {
        name: 'z/NetflixViewingHistory.csv',
        content:
          'Title,Date\n"The Shawshank Redemption","18/03/2021"\n"Dark: Season 1: Episode 3","20/03/2021"\n',
      },
    ]
    const separateProfileId = await household.switchToNewProfile('One by one')
    for (const { name, content } of archiveFiles) await importFile(household.adult, name, content as string)
    const exportAfterSeparateImports = await exportHistory(household.adult)
    const archiveProfileId = await household.switchToNewProfile('At once')
    const importRun = await importFile(household.adult, 'all.zip', createZip(archiveFiles.toReversed()))
    expect(importRun).toMatchObject({ source: null, status: 'applied' })
    expect(await exportHistory(household.adult)).toBe(exportAfterSeparateImports)
    const dumpWithoutId = async (profileId: string) =>
      (await dumpProfileTables(household.server, profileId)).replaceAll(profileId, '')
    expect(await dumpWithoutId(archiveProfileId)).toBe(await dumpWithoutId(separateProfileId))
  })

  it('counts the rows of each owner across the files of an archive and imports only rows of the selected owners', async () => {
    await household.switchToNewProfile('Owners')
    const importRun = await runImportDryRun(household.adult, 'netflix-report.zip', createZip(NETFLIX_ARCHIVE))
    expect(importRun.source).toBe('netflix')
    expect(importRun.owners).toEqual([
      { name: 'Ann', count: 2 },
      { name: 'Ben', count: 2 },
    ])
    const skippedFiles = importRun.files.filter((file: { why: string | null }) => file.why !== null)
    expect(skippedFiles.map((file: { name: string }) => file.name.split('/').at(-1))).toEqual([
      'TermsOfUse.csv',
      'SearchHistory.csv',
      'Cover Sheet.pdf',
    ])
    await runImportAction(household.adult, importRun.import_id, 'apply', { owners: ['Ann'] })
    const exportedData = JSON.parse(await exportHistory(household.adult))
    expect(readViewings(JSON.stringify(exportedData)).map(([title]: string[]) => title)).toEqual([
      'The Shawshank Redemption',
    ])
    expect(exportedData.list).toMatchObject([{ title: 'Dark' }])
  })

  it('imports the rows without an owner in addition to the rows of the selected owner', async () => {
    await household.switchToNewProfile('No owner')
    const importRun = await runImportDryRun(
      household.adult,
      'all.zip',
      createZip([...NETFLIX_ARCHIVE, ...LETTERBOXD_ARCHIVE]),
    )
    expect(importRun.owners.map((owner: { name: string }) => owner.name)).toEqual(['Ann', 'Ben'])
    await runImportAction(household.adult, importRun.import_id, 'apply', { owners: ['Ann'] })
    const exportText = await exportHistory(household.adult)
    expect(readViewings(exportText)).toEqual([
      ['The Shawshank Redemption', '2021-01-02'],
      ['The Shawshank Redemption', '2021-03-18T20:00:00.000Z'],
      ['The Godfather', '2021-04-01'],
      ['Pulp Fiction', '2021-06-07'],
      ['The Shawshank Redemption', '2022-05-06'],
    ])
    const { list, named_list, list_title } = JSON.parse(exportText)
    expect(list).toMatchObject([{ title: 'Fight Club' }, { title: 'Dark' }])
    expect(named_list).toMatchObject([{ name: 'Best' }])
    expect(list_title).toMatchObject([{ title: 'Inception' }])
  })

  it('reads a gzipped archive, and lists no files for an upload that is not an archive', async () => {
    await household.switchToNewProfile('Packed')
    const importRun = await runImportDryRun(
      household.adult,
      'a.zip.gz',
      new Uint8Array(gzipSync(createZip(NETFLIX_ARCHIVE))),
    )
    expect(importRun).toMatchObject({ file_name: 'a.zip', rows: { total: 4 } })
    const singleFileImport = await runImportDryRun(household.adult, 'MyList.csv', NETFLIX_MY_LIST)
    expect(singleFileImport.files).toEqual([])
    expect(singleFileImport.list.results[0].file).toBe(null)
  })
})

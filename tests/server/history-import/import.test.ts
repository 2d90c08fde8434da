/** The history import endpoints: dry run, apply, undo, corrections and merging, on both databases. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { BIN_RETENTION_MS } from '../../../server/queries/bin.ts'
import { insertHistoryChanges } from '../../../server/queries/history-change.ts'
import {
  type HistoryImportRun,
  insertHistoryImport,
  selectHistoryImport,
  updateHistoryImport,
} from '../../../server/queries/history-import.ts'
import {
  selectLastRowNumber,
  selectReassignedRows,
  updateHistoryFileRow,
} from '../../../server/queries/history-import-row.ts'
import { enqueueImport } from '../../../server/services/history-import/import-queue.ts'
import { listRowWindows } from '../../../server/services/history-import/row-windows.ts'
import { DATABASES } from '../../support/server.ts'
import {
  dumpProfileTables,
  exportHistory,
  fetchImportWithRows,
  type ImportHousehold,
  importFile,
  runImportAction,
  runImportDryRun,
  startImportHousehold,
  uploadImport,
} from './import-household.ts'
import { createNetflixMyList, IMDB_RATINGS_CSV, NETFLIX_HISTORY } from './single-exports.ts'

describe.each(DATABASES)('history import on %s', () => {
  let household: ImportHousehold
  beforeAll(async () => {
    household = await startImportHousehold()
  }, 120_000)
  afterAll(() => household.server.close())

  it('reports the outcome of every row in a dry run, and changes no data of the profile', async () => {
    const profileId = await household.switchToNewProfile('Dry')
    const dumpBefore = await dumpProfileTables(household.server, profileId)
    const importRun = await runImportDryRun(household.adult, 'NetflixViewingHistory.csv', NETFLIX_HISTORY)
    expect(importRun).toMatchObject({ status: 'ready', source: 'netflix', changed: 0, message: null })
    expect(importRun.rows).toMatchObject({ total: 8, matched: 5, ambiguous: 1, unmatched: 2 })
    expect(await dumpProfileTables(household.server, profileId)).toBe(dumpBefore)
    const unmatchedRows = await fetchImportWithRows(household.adult, importRun.import_id, {
      outcome: 'unmatched',
    })
    expect(unmatchedRows.list.results).toMatchObject([{ title: 'Nobody Knows This', count: 2, type: 'tv' }])
    const matchedRows = await fetchImportWithRows(household.adult, importRun.import_id, {
      outcome: 'matched',
    })
    const darkRow = matchedRows.list.results.find(({ title }: { title: string }) => title === 'Dark')
    expect(darkRow).toMatchObject({
      episodes: { first: { season: 1, episode: 2 }, last: { season: 1, episode: 3 } },
      episode_text: null,
    })
    const ambiguousRows = await fetchImportWithRows(household.adult, importRun.import_id, {
      outcome: 'ambiguous',
    })
    expect(ambiguousRows.list.results[0].candidates).toHaveLength(2)
    expect(ambiguousRows.list.results[0]).toMatchObject({ episodes: null, episode_text: 'Season 1 · C' })
    const importsResponse = await household.adult.get(`/api/profile/${profileId}/import`)
    expect(importsResponse.body).toMatchObject({
      total_results: 1,
      results: [{ import_id: importRun.import_id }],
    })
  })

  it('reports a file without entries as one skipped row with the reason no_entries', async () => {
    const { adult } = household
    await household.switchToNewProfile('Empty files')
    for (const [name, content] of [
      ['watched.csv', 'Title,Year,Watched on\n'],
      ['history.json', '{"title":"My films","exported":{"by":"a tool"},"watched_movies":[]}'],
    ] as const) {
      const { import_id, rows } = await runImportDryRun(adult, name, content)
      expect(rows).toMatchObject({ total: 1, skipped: 1 })
      const { list } = await fetchImportWithRows(adult, import_id, { outcome: 'skipped' })
      expect(list.results).toMatchObject([{ why: 'no_entries', line: 1 }])
    }
  })

  it('the dry run shows what each row of a spreadsheet changes in the profile, and the import makes these changes', async () => {
    await household.switchToNewProfile('Sheet')
    const csvText =
      'Film;Jahr;Status;Gesehen am;Bewertung (1-5)\n' +
      'The Shawshank Redemption;1994;gesehen;02.01.2021;4,5\nFight Club;1999;Merkliste;;\nThe Godfather;1972;abgebrochen;;\n'
    const importRun = await runImportDryRun(household.adult, 'Filme.csv', csvText)
    expect(importRun).toMatchObject({ status: 'ready', source: 'other', rows: { total: 3, matched: 3 } })
    const { list } = await fetchImportWithRows(household.adult, importRun.import_id, { outcome: 'matched' })
    const effectsAndRatingByTitle = Object.fromEntries(
      list.results.map((row: { title: string; effects: string[]; rating: number | null }) => [
        row.title,
        [row.effects, row.rating],
      ]),
    )
    expect(effectsAndRatingByTitle).toEqual({
      'The Shawshank Redemption': [['watched', 'rated'], 9],
      'Fight Club': [['planned'], null],
      'The Godfather': [['dropped'], null],
    })
    await runImportAction(household.adult, importRun.import_id, 'apply')
    const exportedData = JSON.parse(await exportHistory(household.adult))
    expect(exportedData.play).toMatchObject([{ title: 'The Shawshank Redemption', watched_at: '2021-01-02' }])
    expect(exportedData.rating).toMatchObject([{ title: 'The Shawshank Redemption', rating: 9 }])
    expect(exportedData.list).toMatchObject([{ title: 'Fight Club', state: 'planned' }])
  })

  it.each([
    ['films.csv', 'Title,Year,Date,Rating', ['assumed_watched', 'rated']],
    ['watched.csv', 'Title,Year,Date,Rating', ['watched', 'rated']],
    ['films.csv', 'Title,Year,Watched on,Rating', ['watched', 'rated']],
    ['films.csv', 'Title,Year,Date rated,Rating', ['rated']],
    ['watchlist.csv', 'Title,Year,Date,Rating', ['planned', 'rated']],
  ])('the dry run of %s with the columns %s shows the effects %s', async (fileName, header, effects) => {
    await household.switchToNewProfile('Dates')
    const csvText = `${header}\nFight Club,1999,2021-03-04,8\n`
    const { import_id } = await runImportDryRun(household.adult, fileName, csvText)
    const { list } = await fetchImportWithRows(household.adult, import_id, { outcome: 'matched' })
    expect(list.results).toMatchObject([{ title: 'Fight Club', effects }])
  })

  it('the dry run lists several rows of one title as one entry with all effects of these rows', async () => {
    await household.switchToNewProfile('Group')
    const csvText =
      'Show,Season,Episode,Watched at,Status,Favourite\nDark,1,2,2021-01-02,,\nDark,1,3,2021-01-03,,\nDark,,,,Watching,yes\n'
    const importRun = await runImportDryRun(household.adult, 'shows.csv', csvText)
    const { list } = await fetchImportWithRows(household.adult, importRun.import_id, { outcome: 'matched' })
    expect(list.results).toMatchObject([
      { title: 'Dark', count: 4, effects: ['watched', 'watching', 'liked'], rating: null },
    ])
  })

  it('adds the viewings with the dates of the file, changes nothing when the file is imported again, and restores the profile when the import is undone', async () => {
    const profileId = await household.switchToNewProfile('Written')
    await household.adult.put(`/api/profile/${profileId}/feedback/movie/1`, { feedback: 'like' })
    const dumpBefore = await dumpProfileTables(household.server, profileId)
    const importRun = await importFile(household.adult, 'NetflixViewingHistory.csv', NETFLIX_HISTORY)
    expect(importRun.status).toBe('applied')
    const exportedData = JSON.parse(await exportHistory(household.adult))
    expect(exportedData.progress).toMatchObject([
      { title: 'The Shawshank Redemption', finished: true, plays: 2, updated_at: '2021-03-18T12:00:00.000Z' },
      { title: 'Dark', season: 1, episode: 2, finished: true, updated_at: '2021-03-19T12:00:00.000Z' },
      { title: 'Dark', season: 1, episode: 3 },
    ])
    expect(exportedData.play.map((viewing: { watched_at: string }) => viewing.watched_at)).toEqual([
      ...['2020-02-01', '2021-03-17', '2021-03-18', '2021-03-19', '2021-03-20'],
    ])
    expect(exportedData.play[1]).toMatchObject({
      season: 1,
      episode: null,
      episode_title: 'A Chapter of no number',
    })
    const dumpAfterImport = await dumpProfileTables(household.server, profileId)
    const repeatedImport = await importFile(household.adult, 'NetflixViewingHistory.csv', NETFLIX_HISTORY)
    expect(repeatedImport.changed).toBe(0)
    expect(await dumpProfileTables(household.server, profileId)).toBe(dumpAfterImport)
    expect((await runImportAction(household.adult, importRun.import_id, 'undo')).status).toBe('undone')
    expect(await dumpProfileTables(household.server, profileId)).toBe(dumpBefore)
  })

  it('imports a file again without duplicates after the names of its episodes were added to the catalogue', async () => {
    await household.switchToNewProfile('Episode names')
    const { primary } = household.server.database
    const historyCsv = `Title,Date
"Stranger Things: Season 1: A Chapter of no number","17/03/2021"
"Stranger Things: A Chapter of no season","18/03/2021"
"Stranger Things: Another Chapter","19/03/2021"
`
    const listViewings = async () =>
      JSON.parse(await exportHistory(household.adult)).play.map(
        ({ season, episode, episode_title, watched_at }: Record<string, unknown>) =>
          `${watched_at} ${season} ${episode} ${episode_title}`,
      )
    const { import_id: importId } = await importFile(household.adult, 'NetflixViewingHistory.csv', historyCsv)
    expect(await listViewings()).toEqual([
      '2021-03-17 1 null A Chapter of no number',
      '2021-03-18 null null A Chapter of no season',
      '2021-03-19 null null Another Chapter',
    ])
    const episodes = await primary
      .selectFrom('episode')
      .innerJoin('title', 'title.title_id', 'episode.title_id')
      .select(['episode.title_id', 'season_number', 'episode_number', 'name'])
      .where('title.imdb_id', '=', 'tt4574334')
      .where('season_number', '=', 1)
      .where('episode_number', 'in', [1, 2])
      .orderBy('episode_number')
      .execute()
    expect(episodes).toHaveLength(2)
    const renameEpisodes = async (names: (string | null)[]) => {
      for (const [index, { title_id, season_number, episode_number }] of episodes.entries())
        await primary
          .updateTable('episode')
          .set({ name: names[index] ?? null })
          .where('title_id', '=', title_id)
          .where('season_number', '=', season_number)
          .where('episode_number', '=', episode_number)
          .execute()
    }
    await renameEpisodes(['A Chapter of no number', 'A Chapter of no season'])
    await importFile(household.adult, 'NetflixViewingHistory.csv', historyCsv)
    const numberedViewings = [
      '2021-03-17 1 1 null',
      '2021-03-18 1 2 null',
      '2021-03-19 null null Another Chapter',
    ]
    expect(await listViewings()).toEqual(numberedViewings)
    await runImportAction(household.adult, importId, 'apply')
    expect(await listViewings()).toEqual(numberedViewings)
    await renameEpisodes(episodes.map(({ name }) => name))
  })

  it('keeps progress that was reported after the import when the import is undone', async () => {
    const profileId = await household.switchToNewProfile('Changed')
    const importRun = await importFile(household.adult, 'NetflixViewingHistory.csv', NETFLIX_HISTORY)
    const titleCard = importRun.list.results.find((row: { title: string }) => row.title === 'Dark').match
    await household.adult.post(`/api/profile/${profileId}/history`, {
      type: 'tv',
      media_id: titleCard.id,
      season: 1,
      episode: 3,
      progress: 700,
      data: { video_duration: 3000 },
    })
    const undoneImport = await runImportAction(household.adult, importRun.import_id, 'undo')
    expect(undoneImport).toMatchObject({ status: 'undone', changed: 1 })
    const exportedData = JSON.parse(await exportHistory(household.adult))
    expect(exportedData.progress).toMatchObject([{ title: 'Dark', season: 1, episode: 3, progress: 700 }])
    expect(exportedData.play).toEqual([])
  })

  it('stores the choice of a title, or of no title, for a row, and applies the choice in later imports', async () => {
    await household.switchToNewProfile('Remembers')
    const importRun = await runImportDryRun(household.adult, 'NetflixViewingHistory.csv', NETFLIX_HISTORY)
    const findRow = (title: string) =>
      importRun.list.results.find((row: { title: string }) => row.title === title)
    const [ambiguousRow, unmatchedRow] = [findRow('DuckTales'), findRow('Nobody Knows This')]
    const rowsPath = `/api/profile/${household.adult.profileId}/import/${importRun.import_id}/rows`
    const response = await household.adult.put(`${rowsPath}/${ambiguousRow.n}`, {
      media_id: ambiguousRow.candidates[1].id,
    })
    expect(response).toMatchObject({ status: 200, body: { rows: 1 } })
    expect((await household.adult.put(`${rowsPath}/${unmatchedRow.n}`, { media_id: null })).body).toEqual({
      rows: 2,
    })
    expect((await household.adult.put(`${rowsPath}/${unmatchedRow.n}`, { media_id: '999999' })).status).toBe(
      404,
    )
    expect((await household.adult.put(`${rowsPath}/999`, { media_id: null })).status).toBe(404)
    const correctedImport = await fetchImportWithRows(household.adult, importRun.import_id)
    expect(correctedImport.rows).toMatchObject({ matched: 6, ambiguous: 0, unmatched: 0, ignored: 2 })
    await runImportAction(household.adult, importRun.import_id, 'apply')
    expect(await exportHistory(household.adult)).toContain('DuckTales')
    const laterImport = await runImportDryRun(
      household.adult,
      'other.csv',
      NETFLIX_HISTORY.replaceAll('Season 1: ', 'Season 1: More '),
    )
    expect(laterImport.rows).toMatchObject({ ambiguous: 0, unmatched: 0, ignored: 2 })
  })

  it('imports ratings with the likes and dislikes that are derived from them, and the titles of a Netflix My List into the watchlist', async () => {
    await household.switchToNewProfile('Ratings')
    await importFile(household.adult, 'ratings.csv', IMDB_RATINGS_CSV)
    const exportedData = JSON.parse(await exportHistory(household.adult))
    expect(exportedData.feedback).toMatchObject([
      { title: 'The Shawshank Redemption', feedback: 'like', updated_at: '2020-05-05T12:00:00.000Z' },
      { title: 'The Godfather', feedback: 'dislike' },
    ])
    expect(exportedData.rating).toMatchObject([
      { title: 'The Shawshank Redemption', rating: 9, updated_at: '2020-05-05T12:00:00.000Z' },
      { title: 'The Godfather', rating: 4 },
      { title: 'Dark', rating: 6 },
    ])
    expect(exportedData.progress).toEqual([])
    const importRun = await runImportDryRun(household.adult, 'MyList.csv', createNetflixMyList('Dark'))
    expect(importRun.owners).toEqual([
      { name: 'A', count: 1 },
      { name: 'B', count: 1 },
    ])
    await runImportAction(household.adult, importRun.import_id, 'apply', { owners: ['A'] })
    const watchlistEntries = JSON.parse(await exportHistory(household.adult)).list
    expect(watchlistEntries).toMatchObject([
      { title: 'Dark', state: 'planned', favorite: false, added_at: '2022-01-22T12:00:00.000Z' },
    ])
  })

  it('imports playback positions, and a repeated import of a list does not restore a watchlist entry that the profile has removed', async () => {
    const profileId = await household.switchToNewProfile('Partly')
    const viewingDay = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10)
    const activityCsv = `Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type,Device Type,Bookmark,Latest Bookmark,Country
A,${viewingDay} 20:00:00,00:40:00,,The Godfather,,TV,00:40:00,00:40:00,DE
A,${viewingDay} 18:00:00,02:20:00,,The Shawshank Redemption,,TV,02:20:00,02:20:00,DE
`
    await importFile(household.adult, 'ViewingActivity.csv', activityCsv)
    const continueWatching = await household.adult.get(`/api/profile/${profileId}/continue-watching`)
    expect(continueWatching.body.results).toMatchObject([
      { media: { title: 'The Godfather' }, progress: { progress: 2400, finished: false } },
    ])
    const importRun = await importFile(household.adult, 'MyList.csv', createNetflixMyList('Dark'))
    expect(importRun.changed).toBe(2)
    const titleCard = importRun.list.results[0].match
    const entryPath = `/api/profile/${profileId}/watchlist/${titleCard.type}/${titleCard.id}`
    await household.adult.put(entryPath, { in_watchlist: false })
    expect((await importFile(household.adult, 'MyList.csv', createNetflixMyList('Dark'))).changed).toBe(0)
    expect((await household.adult.get(entryPath)).body.in_watchlist).toBe(false)
  })

  it('the status "stopped" of TV Time removes a series from Continue Watching, even if the date in the file is earlier than the last viewing', async () => {
    const profileId = await household.switchToNewProfile('Stopped')
    const viewingDay = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10)
    const episodesCsv = `series_tvdb_id,series_imdb_id,title,season,episode,is_watched,watched_at,rewatch_count,special
,tt5753856,Dark,1,1,true,${viewingDay} 20:00:00,0,false
`
    await importFile(household.adult, 'tvtime-series-episodes.csv', episodesCsv)
    const fetchTitles = async () => {
      const { body } = await household.adult.get(`/api/profile/${profileId}/continue-watching`)
      return body.results.map(({ media }: { media: { title: string } }) => media.title)
    }
    expect(await fetchTitles()).toEqual(['Dark'])
    const seriesCsv =
      'uuid,tvdb_id,imdb_id,title,status,created_at\nu,,tt5753856,Dark,stopped,2019-01-06 10:00:00\n'
    expect((await importFile(household.adult, 'tvtime-series.csv', seriesCsv)).changed).toBe(1)
    expect(await fetchTitles()).toEqual([])
    expect((await importFile(household.adult, 'tvtime-series.csv', seriesCsv)).changed).toBe(0)
  })

  it('matches a series by TheTVDB ID even if the name differs, and does not match it by name if the TheTVDB ID differs', async () => {
    await household.switchToNewProfile('TheTVDB')
    await household.server.database.primary
      .updateTable('title')
      .set({ tvdb_id: 334824 })
      .where('imdb_id', '=', 'tt5753856')
      .execute()
    const episodesCsv = `series_tvdb_id,series_imdb_id,title,season,episode,tvdb_id,is_watched,watched_at,rewatch_count,special
334824,,Un autre nom,1,1,6300000,true,2020-05-02 20:00:00,0,false
6300000,,Dark,1,2,334824,true,2020-05-03 20:00:00,0,false
`
    const importRun = await runImportDryRun(household.adult, 'tvtime-series-episodes.csv', episodesCsv)
    expect(importRun.rows).toMatchObject({ total: 2, matched: 1, unmatched: 1 })
    expect(importRun.list.results).toMatchObject([
      { outcome: 'matched', why: 'tvdb', title: 'Un autre nom', match: { title: 'Dark' } },
      { outcome: 'unmatched', why: 'no_title', title: 'Dark' },
    ])
  })

  it('reports a season that was hidden on Trakt, and keeps the series in Continue Watching', async () => {
    const profileId = await household.switchToNewProfile('Hidden season')
    const show = { title: 'Dark', year: 2017, ids: { trakt: 2, imdb: 'tt5753856' } }
    const watchedAt = new Date(Date.now() - 5 * 86_400_000).toISOString()
    const history = [
      { id: 1, watched_at: watchedAt, type: 'episode', show, episode: { season: 1, number: 1 } },
    ]
    await importFile(household.adult, 'history-1.json', JSON.stringify(history))
    const hiddenAt = new Date(Date.now() - 86_400_000).toISOString()
    const hiddenSeasons = [{ hidden_at: hiddenAt, type: 'season', season: { number: 0 }, show }]
    const importRun = await importFile(
      household.adult,
      'hidden-progress-watched.json',
      JSON.stringify(hiddenSeasons),
    )
    expect(importRun).toMatchObject({ changed: 0, rows: { total: 1, skipped: 1 } })
    expect(importRun.list.results).toMatchObject([{ outcome: 'skipped', why: 'episode_dropped' }])
    const { body } = await household.adult.get(`/api/profile/${profileId}/continue-watching`)
    expect(body.results).toMatchObject([{ media: { title: 'Dark' } }])
  })

  it('keeps ready, applied and undone imports for 30 days, and rejects an upload with 409 while the profile has 100 imports', async () => {
    const profileId = await household.switchToNewProfile('Many')
    const { primary } = household.server.database
    const readyRun = await runImportDryRun(household.adult, 'MyList.csv', createNetflixMyList('Dark'))
    const undoneRun = await importFile(household.adult, 'ratings.csv', IMDB_RATINGS_CSV)
    await runImportAction(household.adult, undoneRun.import_id, 'undo')
    const readyRow = await primary
      .selectFrom('history_import')
      .selectAll()
      .where('import_id', '=', readyRun.import_id)
      .executeTakeFirstOrThrow()
    const beforeRetentionMs = Date.now() - BIN_RETENTION_MS - 1_000
    const insertCopy = (importId: string, columns: Partial<HistoryImportRun>) =>
      insertHistoryImport(primary, { ...readyRow, import_id: `${profileId}-${importId}`, ...columns })
    await insertCopy('failed', { status: 'failed', created_at: readyRow.created_at - 1 })
    await insertCopy('old-ready', { created_at: beforeRetentionMs })
    await insertCopy('old-applied', {
      status: 'applied',
      created_at: beforeRetentionMs,
      applied_at: beforeRetentionMs,
    })
    await insertCopy('new-applied', {
      status: 'applied',
      created_at: beforeRetentionMs,
      applied_at: Date.now(),
    })
    await insertCopy('new-undone', { status: 'undone', created_at: beforeRetentionMs, undone_at: Date.now() })
    for (let index = 0; index < 40; index += 1)
      await insertCopy(`ready-${index}`, { created_at: readyRow.created_at + index })
    await importFile(household.adult, 'MyList.csv', createNetflixMyList('Dark'))
    const listIds = async () => {
      const { body } = await household.adult.get(`/api/profile/${profileId}/import?limit=100`)
      return body.results.map(({ import_id }: { import_id: string }) =>
        import_id.replace(`${profileId}-`, ''),
      )
    }
    const importIds = await listIds()
    expect(importIds).toHaveLength(45)
    expect(importIds).toEqual(
      expect.arrayContaining([readyRun.import_id, undoneRun.import_id, 'new-applied', 'new-undone']),
    )
    for (const deletedId of ['failed', 'old-ready', 'old-applied']) expect(importIds).not.toContain(deletedId)
    const { body: bin } = await household.adult.get(`/api/profile/${profileId}/bin`)
    expect(JSON.stringify(bin)).toContain(undoneRun.import_id)
    for (let index = 40; index < 95; index += 1)
      await insertCopy(`ready-${index}`, { created_at: readyRow.created_at + index })
    const rejectedUpload = await uploadImport(household.adult, 'MyList.csv', createNetflixMyList('Dark'))
    expect(rejectedUpload).toMatchObject({ status: 409, body: { errors: { import: ['too_many_imports'] } } })
    expect(await listIds()).toHaveLength(100)
  })

  it('when an import fails because the database is unavailable, the failure and the number of changes are stored as soon as the database is available again', async () => {
    const profileId = await household.switchToNewProfile('Outage')
    const { deps, database, logLines } = household.server
    const { import_id: importId } = await runImportDryRun(
      household.adult,
      'NetflixViewingHistory.csv',
      NETFLIX_HISTORY,
    )
    const run = await selectHistoryImport(database.primary, profileId, importId)
    if (!run) throw new Error('the import is missing')
    const applyingColumns = { status: 'applying', heartbeat_at: deps.now() }
    await updateHistoryImport(database.primary, importId, applyingColumns)
    vi.spyOn(database.primary, 'updateTable').mockImplementation(() => {
      throw new Error('Connection terminated unexpectedly')
    })
    const change = { kind: 'rating', title_id: 1, before: null, after: '{}' }
    await insertHistoryChanges(database.primary, [{ import_id: importId, seq: 1, ...change }])
    const importPromise = enqueueImport(deps, { ...run, ...applyingColumns }, async () => {
      await updateHistoryImport(database.primary, importId, { done: 1 })
    })
    await expect
      .poll(() => logLines.some((line) => line.includes('import failed') && line.includes(importId)))
      .toBe(true)
    vi.restoreAllMocks()
    expect((await fetchImportWithRows(household.adult, importId)).status).toBe('applying')
    await importPromise
    expect(await fetchImportWithRows(household.adult, importId)).toMatchObject({
      status: 'applied',
      message: 'interrupted',
      changed: 1,
    })
  })

  it('when another title is chosen for a row, applying the import moves the viewing of this row to the chosen title, and keeps the viewings that other rows added to the former title', async () => {
    const profileId = await household.switchToNewProfile('Reassigned')
    const dumpBefore = await dumpProfileTables(household.server, profileId)
    const historyCsv =
      'Title,Date\n"The Godfather","22/03/2021"\n"The Shawshank Redemption","21/03/2021"\n"Another Title","20/03/2021"\n'
    const importRun = await runImportDryRun(household.adult, 'NetflixViewingHistory.csv', historyCsv)
    const findRow = (title: string) =>
      importRun.list.results.find((row: { title: string }) => row.title === title)
    const [godfatherRow, shawshankRow] = [findRow('The Godfather'), findRow('The Shawshank Redemption')]
    const decideRow = async (row: { n: number }, mediaId: string | null) => {
      const rowPath = `/api/profile/${profileId}/import/${importRun.import_id}/rows/${row.n}`
      expect((await household.adult.put(rowPath, { media_id: mediaId })).status).toBe(200)
    }
    const listViewings = async () =>
      JSON.parse(await exportHistory(household.adult)).play.map(
        ({ title, watched_at }: { title: string; watched_at: string }) => `${watched_at} ${title}`,
      )
    await decideRow(findRow('Another Title'), godfatherRow.match.id)
    await runImportAction(household.adult, importRun.import_id, 'apply')
    expect(await listViewings()).toEqual([
      '2021-03-20 The Godfather',
      '2021-03-21 The Shawshank Redemption',
      '2021-03-22 The Godfather',
    ])
    // Decides twice about the same row. Only the last decision is applied.
    await decideRow(findRow('Another Title'), null)
    await decideRow(findRow('Another Title'), shawshankRow.match.id)
    await runImportAction(household.adult, importRun.import_id, 'apply')
    expect(await listViewings()).toEqual([
      '2021-03-20 The Shawshank Redemption',
      '2021-03-21 The Shawshank Redemption',
      '2021-03-22 The Godfather',
    ])
    await decideRow(godfatherRow, null)
    await runImportAction(household.adult, importRun.import_id, 'apply')
    const finalViewings = ['2021-03-20 The Shawshank Redemption', '2021-03-21 The Shawshank Redemption']
    expect(await listViewings()).toEqual(finalViewings)
    expect(JSON.parse(await exportHistory(household.adult)).progress).toMatchObject([{ plays: 2 }])
    await runImportAction(household.adult, importRun.import_id, 'apply')
    expect(await listViewings()).toEqual(finalViewings)
    expect((await runImportAction(household.adult, importRun.import_id, 'undo')).changed).toBe(0)
    expect(await dumpProfileTables(household.server, profileId)).toBe(dumpBefore)
  })

  it.each([
    ['was interrupted', { status: 'applying', heartbeat_at: 0, applied_at: null }],
    ['failed', { status: 'applied', applied_at: null }],
  ])(
    'removes the viewing of a row when the import is applied again with no title chosen for the row, even if the first application %s',
    async (_case, importColumns) => {
      const profileId = await household.switchToNewProfile('Stopped early')
      const historyCsv = 'Title,Date\n"The Shawshank Redemption","21/03/2021"\n'
      const importRun = await importFile(household.adult, 'NetflixViewingHistory.csv', historyCsv)
      const { import_id: importId } = importRun
      await household.server.database.primary
        .updateTable('history_import')
        .set(importColumns)
        .where('import_id', '=', importId)
        .execute()
      const rowPath = `/api/profile/${profileId}/import/${importId}/rows/${importRun.list.results[0].n}`
      expect((await household.adult.put(rowPath, { media_id: null })).status).toBe(200)
      await runImportAction(household.adult, importId, 'apply')
      expect(JSON.parse(await exportHistory(household.adult)).play).toEqual([])
    },
  )

  it('an interrupted import is continued or undone by only one of several simultaneous requests', async () => {
    const profileId = await household.switchToNewProfile('Two browsers')
    const historyCsv = 'Title,Date\n"The Shawshank Redemption","21/03/2021"\n'
    const { import_id: importId } = await importFile(household.adult, 'NetflixViewingHistory.csv', historyCsv)
    await household.server.database.primary
      .updateTable('history_import')
      .set({ status: 'applying', heartbeat_at: 0 })
      .where('import_id', '=', importId)
      .execute()
    const importPath = `/api/profile/${profileId}/import/${importId}`
    const responses = await Promise.all(
      ['apply', 'apply', 'undo'].map((action) => household.adult.post(`${importPath}/${action}`, {})),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([202, 409, 409])
  })

  it('sets watchlist titles to completed when imported viewings finish them, and restores the previous states when the import is undone', async () => {
    const profileId = await household.switchToNewProfile('Completed')
    const { primary } = household.server.database
    const myListCsv =
      'Profile Name,Title Name,Country,Utc Title Add Date\nA,Dark,Canada,2022-01-22\nA,The Shawshank Redemption,Canada,2022-01-23\n'
    await importFile(household.adult, 'MyList.csv', myListCsv)
    const listTitleStates = async () =>
      JSON.parse(await exportHistory(household.adult)).list.map(
        ({ title, state }: { title: string; state: string }) => `${title} ${state}`,
      )
    const plannedStates = ['The Shawshank Redemption planned', 'Dark planned']
    expect((await listTitleStates()).toSorted()).toEqual(plannedStates.toSorted())
    const dumpBefore = await dumpProfileTables(household.server, profileId)
    const episodes = await primary
      .selectFrom('episode')
      .innerJoin('title', 'title.title_id', 'episode.title_id')
      .select(['season_number', 'episode_number'])
      .where('title.imdb_id', '=', 'tt5753856')
      .where('season_number', '>', 0)
      .execute()
    const createEpisodesCsv = (count: number) =>
      [
        'series_tvdb_id,series_imdb_id,title,season,episode,is_watched,watched_at,rewatch_count,special',
        ...episodes
          .slice(0, count)
          .map(
            (row) =>
              `,tt5753856,Dark,${row.season_number},${row.episode_number},true,2021-03-01 20:00:00,0,false`,
          ),
      ].join('\n')
    const incompleteImport = await importFile(
      household.adult,
      'tvtime-series-episodes.csv',
      createEpisodesCsv(episodes.length - 1),
    )
    expect((await listTitleStates()).toSorted()).toEqual(plannedStates.toSorted())
    await runImportAction(household.adult, incompleteImport.import_id, 'undo')
    const seriesImport = await importFile(
      household.adult,
      'tvtime-series-episodes.csv',
      createEpisodesCsv(episodes.length),
    )
    const movieCsv = 'Title,Date\n"The Shawshank Redemption","21/03/2021"\n'
    const movieImport = await importFile(household.adult, 'NetflixViewingHistory.csv', movieCsv)
    expect((await listTitleStates()).toSorted()).toEqual(
      ['The Shawshank Redemption completed', 'Dark completed'].toSorted(),
    )
    for (const { import_id: importId } of [movieImport, seriesImport])
      expect((await runImportAction(household.adult, importId, 'undo')).changed).toBe(0)
    expect(await dumpProfileTables(household.server, profileId)).toBe(dumpBefore)
  })

  it('divides the rows of a large import into ranges, and finds in the last range the row that was applied to a title other than its current match', async () => {
    await household.switchToNewProfile('Windows')
    const { primary } = household.server.database
    const lines = Array.from({ length: 2_100 }, (_, index) => `"Unknown ${index}","22/03/2021"`)
    const historyCsv = `Title,Date\n${lines.join('\n')}\n`
    const { import_id: importId } = await runImportDryRun(
      household.adult,
      'NetflixViewingHistory.csv',
      historyCsv,
    )
    const lastRowNumber = await selectLastRowNumber(primary, importId)
    await updateHistoryFileRow(primary, importId, lastRowNumber, { data: '{"appliedTitleId":1}' })
    const windows = await Array.fromAsync(listRowWindows(primary, importId))
    expect(windows).toHaveLength(3)
    const rows = await Promise.all(windows.map((window) => selectReassignedRows(primary, importId, window)))
    expect(rows.map((windowRows) => windowRows.map(({ n }) => n))).toEqual([[], [], [lastRowNumber]])
  })

  it('counts a viewing once when several services report it', async () => {
    await household.switchToNewProfile('Services')
    const traktRows = [
      {
        plays: 3,
        last_watched_at: '2021-03-18T21:04:00.000Z',
        movie: { title: 'The Shawshank Redemption', year: 1994, ids: { trakt: 1, imdb: 'tt0111161' } },
      },
    ]
    await importFile(household.adult, 'watched-movies.json', JSON.stringify(traktRows))
    await importFile(household.adult, 'NetflixViewingHistory.csv', NETFLIX_HISTORY)
    const diaryCsv = `Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date
2021-03-20,The Shawshank Redemption,1994,https://boxd.it/1,5,,,2021-03-19
`
    const importRun = await importFile(household.adult, 'diary.csv', diaryCsv)
    // The two changes are the rating and the like that follows from the rating.
    expect(importRun.changed).toBe(2)
    const exportedData = JSON.parse(await exportHistory(household.adult))
    const isShawshank = (exportedTitle: { title: string }) =>
      exportedTitle.title === 'The Shawshank Redemption'
    expect(
      exportedData.play.filter(isShawshank).map((viewing: { watched_at: string }) => viewing.watched_at),
    ).toEqual(['2020-02-01', '2021-03-18T21:04:00.000Z'])
    expect(exportedData.progress.filter(isShawshank)).toMatchObject([
      { plays: 3, updated_at: '2021-03-18T21:04:00.000Z' },
    ])
    expect(exportedData.feedback).toMatchObject([{ title: 'The Shawshank Redemption', feedback: 'like' }])
  })

  it('undoes an import for all other titles even if one of its titles was deleted permanently', async () => {
    await household.switchToNewProfile('Purged')
    const { primary } = household.server.database
    await importFile(
      household.adult,
      'tvtime-movies.csv',
      'uuid,tvdb_id,imdb_id,title,year,is_watched,watched_at,created_at,rewatch_count\nu,,tt0068646,The Godfather,1972,true,,,0\n',
    )
    const historyCsv = 'Title,Date\n"The Godfather","22/03/2021"\n"The Shawshank Redemption","21/03/2021"\n'
    const importRun = await importFile(household.adult, 'NetflixViewingHistory.csv', historyCsv)
    await primary.deleteFrom('title').where('imdb_id', '=', 'tt0068646').execute()
    expect((await runImportAction(household.adult, importRun.import_id, 'undo')).status).toBe('undone')
    expect(JSON.parse(await exportHistory(household.adult)).play).toEqual([])
  })
})

/** Round trips of export files, accepted upload encodings, and access to imports and exports, on both databases. */
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForIdleQueue } from '../../../server/services/history-import/import-queue.ts'
import { DATABASES } from '../../support/server.ts'
import {
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

describe.each(DATABASES)('history import and export on %s', () => {
  let household: ImportHousehold
  beforeAll(async () => {
    household = await startImportHousehold()
  }, 120_000)
  afterAll(() => household.server.close())

  it('exports the same bytes after the profile was deleted permanently and its export was imported into a new profile', async () => {
    await household.switchToNewProfile('From')
    await importFile(household.adult, 'NetflixViewingHistory.csv', NETFLIX_HISTORY)
    await importFile(household.adult, 'ratings.csv', IMDB_RATINGS_CSV)
    await importFile(household.adult, 'MyList.csv', createNetflixMyList('Dark'))
    await household.adult.put(`/api/profile/${household.adult.profileId}/watchlist/movie/3`, {
      in_watchlist: false,
      favorite: true,
    })
    await household.adult.put(`/api/profile/${household.adult.profileId}/watchlist/movie/4/state/watching`)
    const [series] = (await household.adult.get('/api/series?limit=1')).body.results
    for (const [index, mark] of [
      { scopes: [{ type: 'tv', media_id: series.id, scope: 'title' }], date: 'release' },
      { scopes: [{ type: 'movie', media_id: '5', scope: 'title' }], date: 'chosen', day: '2021-03-04' },
      { scopes: [{ type: 'movie', media_id: '5', scope: 'title' }], again: true },
    ].entries())
      await household.adult.post(`/api/profile/${household.adult.profileId}/viewings`, {
        key: `mark-${index}`,
        ...mark,
      })
    const { adult } = household
    const getProfilePath = (path: string) => `/api/profile/${adult.profileId}/${path}`
    const viewing = { type: 'movie', media_id: '5', watched_at: '2021-03-04T12:00:00.000Z' }
    const note = '=Better, "much" better\nthan in the cinema: true'
    expect((await adult.put(getProfilePath('viewings/note'), { key: 'note', viewing, note })).status).toBe(
      200,
    )
    await adult.put(getProfilePath('ratings/movie/6'), { rating: 9 })
    const { list_id } = (await adult.post(getProfilePath('lists'), { name: 'Rain, snow' })).body
    const listTitles = ['7', '6'].map((media_id) => ({ type: 'movie', media_id, included: true }))
    await adult.put(getProfilePath(`lists/${list_id}/titles`), { titles: listTitles })
    const exportsByFormat = { json: await exportHistory(adult), csv: await exportHistory(adult, 'csv') }
    expect(exportsByFormat.json).toMatch(/"watched_at":"2021-03-04","marked":true,"note":"=Better, /)
    expect(exportsByFormat.csv).toContain(`"'=Better, ""much"" better\nthan in the cinema: true"`)
    expect(exportsByFormat.csv).toMatch(/2021-03-04,true/)
    for (const exportText of Object.values(exportsByFormat))
      for (const expectedText of ['Rain, snow', 'rating']) expect(exportText).toContain(expectedText)
    const sourceProfileId = adult.profileId
    adult.profileId = household.adultId
    expect((await adult.delete(`/api/profile/${sourceProfileId}`)).status).toBe(204)
    expect((await adult.delete(getProfilePath(`bin/profile/${sourceProfileId}`), {})).status).toBe(204)
    for (const [format, exportText] of Object.entries(exportsByFormat)) {
      await household.switchToNewProfile('From')
      const importRun = await importFile(household.adult, `marquee-export.${format}`, exportText)
      expect(importRun.rows).toMatchObject({ unmatched: 0, ambiguous: 0 })
      expect(await exportHistory(household.adult, format)).toBe(exportText)
      expect((await importFile(household.adult, `marquee-export.${format}`, exportText)).changed).toBe(0)
      const copiedProfileId = adult.profileId
      adult.profileId = household.adultId
      await adult.delete(`/api/profile/${copiedProfileId}`)
    }
  })

  it('a MyAnimeList entry with 12 watched episodes and one rewatch imports two viewings of each of the first 12 episodes, across seasons', async () => {
    const { adult } = household
    await household.switchToNewProfile('Anime')
    const anime =
      '<anime><series_title>Dark</series_title><series_type>TV</series_type><my_watched_episodes>12</my_watched_episodes>' +
      '<my_status>Completed</my_status><my_times_watched>1</my_times_watched></anime>'
    const xml = `<?xml version="1.0"?><myanimelist>${anime}</myanimelist>`
    expect((await importFile(adult, 'animelist.xml', xml)).rows).toMatchObject({ unmatched: 0, ambiguous: 0 })
    const { progress } = JSON.parse(await exportHistory(adult))
    expect(
      progress.map(({ season, episode, plays }: Record<string, number>) => [season, episode, plays]),
    ).toEqual([...Array.from({ length: 10 }, (_, index) => [1, index + 1, 2]), [2, 1, 2], [2, 2, 2]])
    expect((await importFile(adult, 'animelist.xml', xml)).changed).toBe(0)
  })

  it('a list keeps its description and its visibility if the titles of the list precede the list in the file', async () => {
    const { adult } = household
    await household.switchToNewProfile('Source')
    const listsPath = `/api/profile/${adult.profileId}/lists`
    const list = { name: 'Rainy days', description: 'With tea', shared: true, on_home: true }
    const { list_id } = (await adult.post(listsPath, list)).body
    const titles = [{ type: 'movie', media_id: '7', included: true }]
    expect((await adult.put(`${listsPath}/${list_id}/titles`, { titles })).status).toBe(200)
    const exportText = await exportHistory(adult)
    const { named_list, ...accountOnlyEntries } = JSON.parse(exportText)
    await household.switchToNewProfile('Target')
    await importFile(adult, 'export.json', JSON.stringify({ ...accountOnlyEntries, named_list }))
    expect(await exportHistory(adult)).toBe(exportText)
  })

  it.each([
    ['NetflixViewingHistory.csv', 'Title,Date\n"Dark","11/2/25"\n"Inception","yesterday"\n', ['Inception']],
    [
      'ratings.csv',
      'Date,Name,Year,Letterboxd URI,Rating\n2020-01-02,Tank,1984,x,\n2020-01-02,,1984,x,1\n',
      ['Tank', ''],
    ],
    [
      'tvtime-series-episodes.csv',
      'series_tvdb_id,series_imdb_id,series_uuid,title,season,episode,tvdb_id,is_watched,watched_at,rewatch_count,special\n5,,u,Elite,6,1,9,false,,0,false\n',
      ['Elite'],
    ],
    [
      'NetflixViewingHistory.csv',
      `Title,Date\n"Dark","11/2/25"\n"${'x'.repeat(501)}","yesterday"\n"${'y'.repeat(500)}","yesterday"\n`,
      ['', 'y'.repeat(500)],
    ],
  ])('lists the skipped rows of %s with the titles that they name', async (fileName, content, titles) => {
    await household.switchToNewProfile('Skipped')
    const importRun = await runImportDryRun(household.adult, fileName, content)
    const skippedRows = await fetchImportWithRows(household.adult, importRun.import_id, {
      outcome: 'skipped',
    })
    expect(skippedRows.list.results.map(({ title }: { title: string }) => title)).toEqual(titles)
  })

  it('skips rows with invalid numbers or texts, imports the other rows of the file, and can export the result', async () => {
    await household.switchToNewProfile('Numbers')
    const createViewing = (season: number, number: number, title = 'A') => ({
      watched_at: '2020-01-02T20:00:00.000Z',
      show: { title: 'Dark', year: 2017, ids: { trakt: 2, imdb: 'tt5753856' } },
      episode: { season, number, title },
    })
    const traktEntries = [
      ...[createViewing(1, 1), createViewing(1, 12.5), createViewing(1, 3_000_000_000)],
      ...[createViewing(1, 2, 'A\u0000'), createViewing(99_999, 100_000)],
    ]
    const importRun = await importFile(household.adult, 'history-1.json', JSON.stringify(traktEntries))
    expect(importRun).toMatchObject({ status: 'applied', rows: { total: 5, matched: 2, skipped: 3 } })
    expect(importRun.list.results[0].episodes).toEqual({
      first: { season: 1, episode: 1 },
      last: { season: 99_999, episode: 100_000 },
    })
    for (const format of ['json', 'csv'])
      expect(await exportHistory(household.adult, format)).toContain('2020-01-02T20:00:00.000Z')
    const { play } = JSON.parse(await exportHistory(household.adult))
    expect(play.map(({ season, episode }: Record<string, number>) => [season, episode])).toEqual([
      [1, 1],
      [99_999, 100_000],
    ])
  })

  it('imports the titles of a list with the name "collection", and skips the entries of a Trakt collection', async () => {
    await household.switchToNewProfile('Collection')
    const movie = { title: 'Inception', year: 2010, ids: { trakt: 16662, imdb: 'tt1375666' } }
    const namedListJson = JSON.stringify([{ listed_at: '2020-01-02T20:00:00.000Z', movie }])
    const namedListImport = await importFile(household.adult, 'lists-collection.json', namedListJson)
    expect(namedListImport.rows).toMatchObject({ matched: 1, skipped: 0 })
    const { list_title } = JSON.parse(await exportHistory(household.adult))
    expect(list_title).toMatchObject([{ name: 'collection', title: 'Inception' }])
    const collectionJson = JSON.stringify([{ collected_at: '2020-01-02T20:00:00.000Z', movie }])
    const collectionImport = await importFile(household.adult, 'collection-movies.json', collectionJson)
    expect(collectionImport.list.results).toMatchObject([{ outcome: 'skipped', why: 'collection' }])
  })

  it('exports whole numbers for the episode numbers and play counts that an older version stored with fractions', async () => {
    const profileId = await household.switchToNewProfile('Fractions')
    await importFile(household.adult, 'NetflixViewingHistory.csv', NETFLIX_HISTORY)
    const { primary } = household.server.database
    // Only SQLite stores a fraction in an integer column; PostgreSQL rounds it.
    for (const table of ['play', 'progress'])
      await sql`
        update ${sql.table(table)} set episode_number = 2.4 ${table === 'progress' ? sql`, plays = 1.4` : sql``}
        where profile_id = ${profileId} and episode_number = 2
      `.execute(primary)
    const { play, progress } = JSON.parse(await exportHistory(household.adult))
    expect(play).toHaveLength(5)
    for (const { episode, plays } of [...play, ...progress])
      expect([episode, plays].filter((number) => number && !Number.isInteger(number))).toEqual([])
  })

  it('accepts gzip files and multipart forms, and rejects a Content-Encoding, a body that is too large and a file without a history', async () => {
    await household.switchToNewProfile('Forms')
    const gzipImport = await runImportDryRun(
      household.adult,
      'a.csv.gz',
      new Uint8Array(gzipSync(NETFLIX_HISTORY)),
    )
    expect(gzipImport.rows.total).toBe(8)
    const formData = new FormData()
    formData.set('note', 'a field before the file')
    formData.set('file', new File([NETFLIX_HISTORY], 'Netflix “History”.csv', { type: 'text/csv' }))
    const { adult, server } = household
    const headers = { Authorization: `Bearer ${adult.accessToken}`, 'X-Profile-Id': adult.profileId ?? '' }
    const postImport = (body: BodyInit | null, extraHeaders: Record<string, string> = {}) =>
      server.request(`/api/profile/${adult.profileId}/import`, {
        method: 'POST',
        headers: { ...headers, ...extraHeaders },
        body,
      })
    const startedImport = await (await postImport(formData)).json()
    await waitForIdleQueue(server.database)
    expect(await fetchImportWithRows(adult, startedImport.import_id)).toMatchObject({
      file_name: 'Netflix “History”.csv',
      status: 'ready',
    })
    expect((await uploadImport(adult, 'a.csv', 'hello,world\n1,2\n')).body).toMatchObject({
      status_code: 422,
      errors: { file: ['unknown_format'] },
    })
    expect((await uploadImport(adult, 'a.csv', '')).status).toBe(422)
    expect((await postImport('x', { 'Content-Encoding': 'gzip' })).status).toBe(415)
    expect((await postImport('x', { 'Content-Length': '300000000' })).status).toBe(413)
    expect(
      (
        await postImport('--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--b--', {
          'Content-Type': 'multipart/form-data; boundary=b',
        })
      ).status,
    ).toBe(422)
    expect((await uploadImport(adult, 'a.csv.gz', new Uint8Array([0x1f, 0x8b, 1, 2, 3]))).status).toBe(422)
    const newerExport = (await exportHistory(adult)).replace('"version": 1', '"version": 2')
    expect(await runImportDryRun(adult, 'export.json', newerExport)).toMatchObject({
      status: 'failed',
      message: 'unknown_version',
    })
    expect(
      (await adult.post(`/api/profile/${adult.profileId}/import/${startedImport.import_id}/undo`)).status,
    ).toBe(409)
  })

  it('matches only kids titles for a kids profile, and hides the imports of other profiles', async () => {
    household.adult.profileId = household.adultId
    const kidsRun = await runImportDryRun(
      household.adult,
      'NetflixViewingHistory.csv',
      `${NETFLIX_HISTORY}"Bluey: Season 1: Episode 2","01/02/2020"\n`,
      household.kidId,
    )
    expect(kidsRun.rows.matched).toBe(1)
    expect(JSON.stringify(kidsRun)).not.toMatch(/Shawshank Redemption","original_title/)
    const adultRun = await importFile(household.adult, 'NetflixViewingHistory.csv', NETFLIX_HISTORY)
    const unsafeTitleId = adultRun.list.results.find((row: { title: string }) => row.title === 'Dark').match
      .id
    const rowsPath = `/api/profile/${household.kidId}/import/${kidsRun.import_id}/rows`
    expect((await household.adult.put(`${rowsPath}/1`, { media_id: unsafeTitleId })).status).toBe(404)
    await runImportAction(household.adult, kidsRun.import_id, 'apply', {}, household.kidId)
    const exportText = await exportHistory(household.adult, 'json', household.kidId)
    expect(exportText).toContain('Bluey')
    expect(exportText).not.toMatch(/Dark|Shawshank/)
    const adultImportPath = `/api/profile/${household.adultId}/import/${kidsRun.import_id}`
    expect((await household.adult.get(adultImportPath)).status).toBe(404)
    expect((await household.adult.post(`${adultImportPath}/apply`)).status).toBe(404)
    expect((await household.adult.get('/api/profile/nobody/import')).status).toBe(404)
  })

  it('exports the whole account to an adult profile, and returns 403 to a kids profile', async () => {
    household.adult.profileId = household.adultId
    const { server, adult, kid } = household
    const requestAccountExport = (device: typeof adult, format: string) =>
      server.request(`/api/auth/user-account/export?format=${format}`, {
        headers: { Authorization: `Bearer ${device.accessToken}`, 'X-Profile-Id': device.profileId ?? '' },
      })
    const jsonExport = await (await requestAccountExport(adult, 'json')).text()
    const exportedData = JSON.parse(jsonExport)
    expect(exportedData).toMatchObject({ format: 'marquee-export', locked_profiles: [] })
    const viewingsOfAlice = exportedData.play.filter(
      (viewing: { profile: string }) => viewing.profile === 'Alice',
    )
    const profileViewings = JSON.parse(await exportHistory(adult)).play
    expect(viewingsOfAlice).toEqual(
      profileViewings.map((viewing: object) => ({ ...viewing, profile: 'Alice' })),
    )
    const csvExport = await (await requestAccountExport(adult, 'csv')).text()
    const profileExport = await exportHistory(adult)
    for (const [fileName, content] of [
      ['account.json', jsonExport],
      ['account.csv', csvExport],
    ] as const) {
      await household.switchToNewProfile(`From ${fileName.slice(-4)}`)
      const importRun = await runImportDryRun(adult, fileName, content)
      expect(importRun.owners.map((owner: { name: string }) => owner.name)).toContain('Alice')
      await runImportAction(adult, importRun.import_id, 'apply', { owners: ['Alice'] })
      expect(await exportHistory(adult)).toBe(profileExport)
    }
    adult.profileId = household.adultId
    expect((await requestAccountExport(kid, 'json')).status).toBe(403)
  })
})

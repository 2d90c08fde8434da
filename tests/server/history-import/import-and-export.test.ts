/** Round trips of export files, accepted upload encodings, and access to imports and exports, on both databases. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForIdleQueue } from '../../../server/services/history-import/import-queue.ts'
import { DATABASES } from '../../support/server.ts'
import {
  exportHistory,
  fetchImport,
  type ImportHousehold,
  importFile,
  runImportAction,
  runImportDryRun,
  startImportHousehold,
  uploadImport,
} from './import-household.ts'
import { createNetflixMyList, IMDB_RATINGS, NETFLIX_HISTORY } from './single-exports.ts'

describe.each(DATABASES)('history import and export on %s', (_name, openTestDatabase) => {
  let home: ImportHousehold
  beforeAll(async () => {
    home = await startImportHousehold(await openTestDatabase())
  }, 120_000)
  afterAll(() => home.server.close())

  it('exports the same bytes after an export file is imported into another profile', async () => {
    await home.switchToNewProfile('From')
    await importFile(home.adult, 'NetflixViewingHistory.csv', NETFLIX_HISTORY)
    await importFile(home.adult, 'ratings.csv', IMDB_RATINGS)
    await importFile(home.adult, 'MyList.csv', createNetflixMyList('Dark'))
    await home.adult.put(`/api/profile/${home.adult.profileId}/watchlist/movie/3`, {
      in_watchlist: false,
      favorite: true,
    })
    await home.adult.put(`/api/profile/${home.adult.profileId}/watchlist/movie/4/state/watching`)
    for (const format of ['json', 'csv']) {
      const file = await exportHistory(home.adult, format)
      const sourceProfileId = home.adult.profileId
      await home.switchToNewProfile(`To ${format}`)
      const run = await importFile(home.adult, `marquee-export.${format}`, file)
      expect(run.rows).toMatchObject({ unmatched: 0, ambiguous: 0 })
      expect(await exportHistory(home.adult, format)).toBe(file)
      expect((await importFile(home.adult, `marquee-export.${format}`, file)).changed).toBe(0)
      home.adult.profileId = sourceProfileId
    }
  })

  it('accepts gzip files and multipart forms, and rejects other encodings and files without a history', async () => {
    await home.switchToNewProfile('Forms')
    const gzipImport = await runImportDryRun(
      home.adult,
      'a.csv.gz',
      new Uint8Array(gzipSync(NETFLIX_HISTORY)),
    )
    expect(gzipImport.rows.total).toBe(8)
    const form = new FormData()
    form.set('note', 'a field before the file')
    form.set('file', new File([NETFLIX_HISTORY], 'Netflix “History”.csv', { type: 'text/csv' }))
    const { adult, server } = home
    const headers = { Authorization: `Bearer ${adult.accessToken}`, 'X-Profile-Id': adult.profileId ?? '' }
    const postImport = (body: BodyInit | null, extraHeaders: Record<string, string> = {}) =>
      server.request(`/api/profile/${adult.profileId}/import`, {
        method: 'POST',
        headers: { ...headers, ...extraHeaders },
        body,
      })
    const startedImport = await (await postImport(form)).json()
    await waitForIdleQueue(server.database)
    expect(await fetchImport(adult, startedImport.import_id)).toMatchObject({
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
    home.adult.profileId = home.adultId
    const run = await runImportDryRun(
      home.kid,
      'NetflixViewingHistory.csv',
      `${NETFLIX_HISTORY}"Bluey: Season 1: Episode 2","01/02/2020"\n`,
    )
    expect(run.rows.matched).toBe(1)
    expect(JSON.stringify(run)).not.toMatch(/Shawshank Redemption","original_title/)
    const adultRun = await importFile(home.adult, 'NetflixViewingHistory.csv', NETFLIX_HISTORY)
    const unsafeId = adultRun.list.results.find((row: { title: string }) => row.title === 'Dark').match.id
    const rowsPath = `/api/profile/${home.kidId}/import/${run.import_id}/rows`
    expect((await home.kid.put(`${rowsPath}/1`, { media_id: unsafeId })).status).toBe(404)
    await runImportAction(home.kid, run.import_id, 'apply')
    const file = await exportHistory(home.kid)
    expect(file).toContain('Bluey')
    expect(file).not.toMatch(/Dark|Shawshank/)
    const adultPath = `/api/profile/${home.adultId}/import/${run.import_id}`
    expect((await home.adult.get(adultPath)).status).toBe(404)
    expect((await home.adult.post(`${adultPath}/apply`)).status).toBe(404)
    expect((await home.adult.get('/api/profile/nobody/import')).status).toBe(404)
  })

  it('exports the whole account to an adult profile, and answers 403 to a kids profile', async () => {
    home.adult.profileId = home.adultId
    const { server, adult, kid } = home
    const requestAccountExport = (device: typeof adult, format: string) =>
      server.request(`/api/auth/user-account/export?format=${format}`, {
        headers: { Authorization: `Bearer ${device.accessToken}`, 'X-Profile-Id': device.profileId ?? '' },
      })
    const json = await (await requestAccountExport(adult, 'json')).text()
    const file = JSON.parse(json)
    expect(file).toMatchObject({ format: 'marquee-export', locked_profiles: [] })
    const viewingsOfAlice = file.play.filter((viewing: { profile: string }) => viewing.profile === 'Alice')
    const profileViewings = JSON.parse(await exportHistory(adult)).play
    expect(viewingsOfAlice).toEqual(
      profileViewings.map((viewing: object) => ({ ...viewing, profile: 'Alice' })),
    )
    const csv = await (await requestAccountExport(adult, 'csv')).text()
    const profileExport = await exportHistory(adult)
    for (const [name, content] of [
      ['account.json', json],
      ['account.csv', csv],
    ] as const) {
      await home.switchToNewProfile(`From ${name.slice(-4)}`)
      const run = await runImportDryRun(adult, name, content)
      expect(run.owners.map((owner: { name: string }) => owner.name)).toContain('Alice')
      await runImportAction(adult, run.import_id, 'apply', { owners: ['Alice'] })
      expect(await exportHistory(adult)).toBe(profileExport)
    }
    adult.profileId = home.adultId
    expect((await requestAccountExport(kid, 'json')).status).toBe(403)
  })
})

/** What goes out comes in again, whatever it is packed in, and reaches those alone who may have it; on both databases. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForIdleQueue } from '../../../server/services/history-import/import-queue.ts'
import { DATABASES } from '../../support/server.ts'
import { HISTORY, RATINGS, watchlist } from './histories.ts'
import { act, bring, dryRun, exported, type Household, household, look, upload } from './household.ts'

describe.each(DATABASES)('on %s', (_name, open) => {
  let home: Household
  beforeAll(async () => {
    home = await household(await open())
  }, 120_000)
  afterAll(() => home.server.close())

  it('goes out and comes in again to the byte', async () => {
    await home.fresh('From')
    await bring(home.adult, 'NetflixViewingHistory.csv', HISTORY)
    await bring(home.adult, 'ratings.csv', RATINGS)
    await bring(home.adult, 'MyList.csv', watchlist('Dark'))
    await home.adult.put(`/api/profile/${home.adult.profileId}/watchlist/movie/3`, {
      in_watchlist: false,
      favorite: true,
    })
    await home.adult.put(`/api/profile/${home.adult.profileId}/watchlist/movie/4/state/watching`)
    for (const format of ['json', 'csv']) {
      const file = await exported(home.adult, format)
      const from = home.adult.profileId
      await home.fresh(`To ${format}`)
      const run = await bring(home.adult, `marquee-export.${format}`, file)
      expect(run.rows).toMatchObject({ unmatched: 0, ambiguous: 0 })
      expect(await exported(home.adult, format)).toBe(file)
      expect((await bring(home.adult, `marquee-export.${format}`, file)).changed).toBe(0)
      home.adult.profileId = from
    }
  })

  it('takes gzip and forms, and refuses what is no history', async () => {
    await home.fresh('Forms')
    const packed = await dryRun(home.adult, 'a.csv.gz', new Uint8Array(gzipSync(HISTORY)))
    expect(packed.rows.total).toBe(8)
    const form = new FormData()
    form.set('note', 'a field before the file')
    form.set('file', new File([HISTORY], 'Netflix “History”.csv', { type: 'text/csv' }))
    const { adult, server } = home
    const headers = { Authorization: `Bearer ${adult.accessToken}`, 'X-Profile-Id': adult.profileId ?? '' }
    const send = (body: BodyInit | null, more: Record<string, string> = {}) =>
      server.request(`/api/profile/${adult.profileId}/import`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body,
      })
    const sent = await (await send(form)).json()
    await waitForIdleQueue(server.database)
    expect(await look(adult, sent.import_id)).toMatchObject({
      file_name: 'Netflix “History”.csv',
      status: 'ready',
    })
    expect((await upload(adult, 'a.csv', 'hello,world\n1,2\n')).body).toMatchObject({
      status_code: 422,
      errors: { file: ['unknown_format'] },
    })
    expect((await upload(adult, 'a.csv', '')).status).toBe(422)
    expect((await send('x', { 'Content-Encoding': 'gzip' })).status).toBe(415)
    expect((await send('x', { 'Content-Length': '300000000' })).status).toBe(413)
    expect(
      (
        await send('--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--b--', {
          'Content-Type': 'multipart/form-data; boundary=b',
        })
      ).status,
    ).toBe(422)
    expect((await upload(adult, 'a.csv.gz', new Uint8Array([0x1f, 0x8b, 1, 2, 3]))).status).toBe(422)
    const newer = (await exported(adult)).replace('"version": 1', '"version": 2')
    expect(await dryRun(adult, 'export.json', newer)).toMatchObject({
      status: 'failed',
      message: 'unknown_version',
    })
    expect((await adult.post(`/api/profile/${adult.profileId}/import/${sent.import_id}/undo`)).status).toBe(
      409,
    )
  })

  it('keeps to a child’s catalogue, and to the caller’s own', async () => {
    home.adult.profileId = home.adultId
    const run = await dryRun(
      home.kid,
      'NetflixViewingHistory.csv',
      `${HISTORY}"Bluey: Season 1: Episode 2","01/02/2020"\n`,
    )
    expect(run.rows.matched).toBe(1)
    expect(JSON.stringify(run)).not.toMatch(/Shawshank Redemption","original_title/)
    const adultRun = await bring(home.adult, 'NetflixViewingHistory.csv', HISTORY)
    const unsafe = adultRun.list.results.find((one: { title: string }) => one.title === 'Dark').match.id
    const rows = `/api/profile/${home.kidId}/import/${run.import_id}/rows`
    expect((await home.kid.put(`${rows}/1`, { media_id: unsafe })).status).toBe(404)
    await act(home.kid, run.import_id, 'apply')
    const file = await exported(home.kid)
    expect(file).toContain('Bluey')
    expect(file).not.toMatch(/Dark|Shawshank/)
    const mine = `/api/profile/${home.adultId}/import/${run.import_id}`
    expect((await home.adult.get(mine)).status).toBe(404)
    expect((await home.adult.post(`${mine}/apply`)).status).toBe(404)
    expect((await home.adult.get('/api/profile/nobody/import')).status).toBe(404)
  })

  it('goes out for the whole account, but not to a child', async () => {
    home.adult.profileId = home.adultId
    const { server, adult, kid } = home
    const ask = (device: typeof adult, format: string) =>
      server.request(`/api/auth/user-account/export?format=${format}`, {
        headers: { Authorization: `Bearer ${device.accessToken}`, 'X-Profile-Id': device.profileId ?? '' },
      })
    const text = await (await ask(adult, 'json')).text()
    const file = JSON.parse(text)
    expect(file).toMatchObject({ format: 'marquee-export', locked_profiles: [] })
    const mine = file.play.filter((one: { profile: string }) => one.profile === 'Alice')
    const own = JSON.parse(await exported(adult)).play
    expect(mine).toEqual(own.map((one: object) => ({ ...one, profile: 'Alice' })))
    const table = await (await ask(adult, 'csv')).text()
    const alices = await exported(adult)
    for (const [name, content] of [
      ['account.json', text],
      ['account.csv', table],
    ] as const) {
      await home.fresh(`From ${name.slice(-4)}`)
      const run = await dryRun(adult, name, content)
      expect(run.owners.map((one: { name: string }) => one.name)).toContain('Alice')
      await act(adult, run.import_id, 'apply', { owners: ['Alice'] })
      expect(await exported(adult)).toBe(alices)
    }
    adult.profileId = home.adultId
    expect((await ask(kid, 'json')).status).toBe(403)
  })
})

/** History as it comes in, over the API, on both databases. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idle } from '../../../server/services/history-import/queue.ts'
import { DATABASES } from '../../support/server.ts'
import { act, bring, dryRun, exported, type Household, household, look, tables, upload } from './household.ts'

const HISTORY = `Title,Date
"Nobody Knows This: Season 1: B","22/03/2021"
"Nobody Knows This: Season 1: A","21/03/2021"
"Dark: Season 1: Episode 3","20/03/2021"
"Dark: Season 1: Episode 2","19/03/2021"
"The Shawshank Redemption","18/03/2021"
"Stranger Things: Season 1: A Chapter of no number","17/03/2021"
"DuckTales: Season 1: C","16/03/2021"
"The Shawshank Redemption","01/02/2020"
`
const RATINGS = `Const,Your Rating,Date Rated,Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors
tt0111161,9,2020-05-05,The Shawshank Redemption,,Movie,9.3,142,1994,,1,,
tt0068646,4,2020-05-06,The Godfather,,Movie,9.2,175,1972,,1,,
tt5753856,6,2020-05-07,Dark,,TV Series,8.7,60,2017,,1,,
tt9999999999,6,2020-05-07,Nothing,,Movie,8.7,60,2017,,1,,
`
const watchlist = (title: string) =>
  `Profile Name,Title Name,Country,Utc Title Add Date\nA,${title},Canada,2022-01-22\nB,The Godfather,Canada,2022-01-23\n`

describe.each(DATABASES)('on %s', (_name, open) => {
  let home: Household
  beforeAll(async () => {
    home = await household(await open())
  }, 120_000)
  afterAll(() => home.server.close())
  const made: string[] = []
  /** A household has eight profiles at most. */
  const fresh = async (name: string) => {
    const oldest = made.length >= 4 ? made.shift() : undefined
    if (oldest) {
      await home.server.database.primary.deleteFrom('profile').where('profile_id', '=', oldest).execute()
    }
    home.adult.profileId = home.adultId
    const { body } = await home.adult.post('/api/profile', { name })
    made.push(body.profile_id)
    home.adult.profileId = body.profile_id
    return body.profile_id as string
  }

  it('is looked at first: nothing is written by a dry run', async () => {
    const id = await fresh('Dry')
    const before = await tables(home.server, id)
    const run = await dryRun(home.adult, 'NetflixViewingHistory.csv', HISTORY)
    expect(run).toMatchObject({ status: 'ready', source: 'netflix', changed: 0, message: null })
    expect(run.rows).toMatchObject({ total: 8, matched: 5, ambiguous: 1, unmatched: 2 })
    expect(await tables(home.server, id)).toBe(before)
    const unmatched = await look(home.adult, run.import_id, 'unmatched')
    expect(unmatched.list.results).toMatchObject([{ title: 'Nobody Knows This', count: 2, type: 'tv' }])
    const ambiguous = await look(home.adult, run.import_id, 'ambiguous')
    expect(ambiguous.list.results[0].candidates).toHaveLength(2)
    const list = await home.adult.get(`/api/profile/${id}/import`)
    expect(list.body).toMatchObject({ total_results: 1, results: [{ import_id: run.import_id }] })
  })

  it('is written with its own times, once however often, and taken back to the row', async () => {
    const id = await fresh('Written')
    await home.adult.put(`/api/profile/${id}/feedback/movie/1`, { feedback: 'like' })
    const before = await tables(home.server, id)
    const run = await bring(home.adult, 'NetflixViewingHistory.csv', HISTORY)
    expect(run.status).toBe('applied')
    const file = JSON.parse(await exported(home.adult))
    expect(file.progress).toMatchObject([
      { title: 'The Shawshank Redemption', finished: true, plays: 2, updated_at: '2021-03-18T12:00:00.000Z' },
      { title: 'Dark', season: 1, episode: 2, finished: true, updated_at: '2021-03-19T12:00:00.000Z' },
      { title: 'Dark', season: 1, episode: 3 },
    ])
    expect(file.play.map((one: { watched_at: string }) => one.watched_at)).toEqual([
      ...['2020-02-01', '2021-03-17', '2021-03-18', '2021-03-19', '2021-03-20'],
    ])
    expect(file.play[1]).toMatchObject({ season: 1, episode: null, episode_title: 'A Chapter of no number' })
    const written = await tables(home.server, id)
    const again = await bring(home.adult, 'NetflixViewingHistory.csv', HISTORY)
    expect(again.changed).toBe(0)
    expect(await tables(home.server, id)).toBe(written)
    expect((await act(home.adult, run.import_id, 'undo')).status).toBe('undone')
    expect(await tables(home.server, id)).toBe(before)
  })

  it('leaves alone on undo what changed since', async () => {
    const id = await fresh('Changed')
    const run = await bring(home.adult, 'NetflixViewingHistory.csv', HISTORY)
    const card = run.list.results.find((one: { title: string }) => one.title === 'Dark').match
    await home.adult.post(`/api/profile/${id}/history`, {
      type: 'tv',
      media_id: card.id,
      season: 1,
      episode: 3,
      progress: 700,
      data: { video_duration: 3000 },
    })
    const undone = await act(home.adult, run.import_id, 'undo')
    expect(undone).toMatchObject({ status: 'undone', changed: 1 })
    const file = JSON.parse(await exported(home.adult))
    expect(file.progress).toMatchObject([{ title: 'Dark', season: 1, episode: 3, progress: 700 }])
    expect(file.play).toEqual([])
  })

  it('asks once what a text means and remembers', async () => {
    await fresh('Remembers')
    const run = await dryRun(home.adult, 'NetflixViewingHistory.csv', HISTORY)
    const of = (title: string) => run.list.results.find((one: { title: string }) => one.title === title)
    const [ducks, nobody] = [of('DuckTales'), of('Nobody Knows This')]
    const base = `/api/profile/${home.adult.profileId}/import/${run.import_id}/rows`
    const said = await home.adult.put(`${base}/${ducks.n}`, { media_id: ducks.candidates[1].id })
    expect(said).toMatchObject({ status: 200, body: { rows: 1 } })
    expect((await home.adult.put(`${base}/${nobody.n}`, { media_id: null })).body).toEqual({ rows: 2 })
    expect((await home.adult.put(`${base}/${nobody.n}`, { media_id: '999999' })).status).toBe(404)
    expect((await home.adult.put(`${base}/999`, { media_id: null })).status).toBe(404)
    const now = await look(home.adult, run.import_id)
    expect(now.rows).toMatchObject({ matched: 6, ambiguous: 0, unmatched: 0, ignored: 2 })
    await act(home.adult, run.import_id, 'apply')
    expect(await exported(home.adult)).toContain('DuckTales')
    const later = await dryRun(home.adult, 'other.csv', HISTORY.replaceAll('Season 1: ', 'Season 1: More '))
    expect(later.rows).toMatchObject({ ambiguous: 0, unmatched: 0, ignored: 2 })
  })

  it('takes ratings for likes, and lists for My List', async () => {
    await fresh('Ratings')
    await bring(home.adult, 'ratings.csv', RATINGS)
    const file = JSON.parse(await exported(home.adult))
    expect(file.feedback).toMatchObject([
      { title: 'The Shawshank Redemption', feedback: 'like', updated_at: '2020-05-05T12:00:00.000Z' },
      { title: 'The Godfather', feedback: 'dislike' },
    ])
    expect(file.progress).toEqual([])
    const run = await dryRun(home.adult, 'MyList.csv', watchlist('Dark'))
    expect(run.owners).toEqual([
      { name: 'A', count: 1 },
      { name: 'B', count: 1 },
    ])
    await act(home.adult, run.import_id, 'apply', { owners: ['A'] })
    const listed = JSON.parse(await exported(home.adult)).list
    expect(listed).toMatchObject([
      { title: 'Dark', state: 'planned', favorite: false, added_at: '2022-01-22T12:00:00.000Z' },
    ])
  })

  it('shows where somebody was, and does not bring back what was removed since', async () => {
    const id = await fresh('Partly')
    const day = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10)
    const activity = `Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type,Device Type,Bookmark,Latest Bookmark,Country
A,${day} 20:00:00,00:40:00,,The Godfather,,TV,00:40:00,00:40:00,DE
A,${day} 18:00:00,02:20:00,,The Shawshank Redemption,,TV,02:20:00,02:20:00,DE
`
    await bring(home.adult, 'ViewingActivity.csv', activity)
    const going = await home.adult.get(`/api/profile/${id}/continue-watching`)
    expect(going.body.results).toMatchObject([
      { media: { title: 'The Godfather' }, progress: { progress: 2400, finished: false } },
    ])
    const run = await bring(home.adult, 'MyList.csv', watchlist('Dark'))
    expect(run.changed).toBe(2)
    const card = run.list.results[0].match
    const entry = `/api/profile/${id}/watchlist/${card.type}/${card.id}`
    await home.adult.put(entry, { in_watchlist: false })
    expect((await bring(home.adult, 'MyList.csv', watchlist('Dark'))).changed).toBe(0)
    expect((await home.adult.get(entry)).body.in_watchlist).toBe(false)
  })

  it('counts one viewing once, whichever services tell of it', async () => {
    await fresh('Services')
    const trakt = [
      {
        plays: 3,
        last_watched_at: '2021-03-18T21:04:00.000Z',
        movie: { title: 'The Shawshank Redemption', year: 1994, ids: { trakt: 1, imdb: 'tt0111161' } },
      },
    ]
    await bring(home.adult, 'watched-movies.json', JSON.stringify(trakt))
    await bring(home.adult, 'NetflixViewingHistory.csv', HISTORY)
    const diary = `Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date
2021-03-20,The Shawshank Redemption,1994,https://boxd.it/1,5,,,2021-03-19
`
    const run = await bring(home.adult, 'diary.csv', diary)
    expect(run.changed).toBe(1)
    const file = JSON.parse(await exported(home.adult))
    const mine = (one: { title: string }) => one.title === 'The Shawshank Redemption'
    expect(file.play.filter(mine).map((one: { watched_at: string }) => one.watched_at)).toEqual([
      '2020-02-01',
      '2021-03-18T21:04:00.000Z',
    ])
    expect(file.progress.filter(mine)).toMatchObject([{ plays: 3, updated_at: '2021-03-18T21:04:00.000Z' }])
    expect(file.feedback).toMatchObject([{ title: 'The Shawshank Redemption', feedback: 'like' }])
  })

  it('goes out and comes in again to the byte', async () => {
    await fresh('From')
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
      await fresh(`To ${format}`)
      const run = await bring(home.adult, `marquee-export.${format}`, file)
      expect(run.rows).toMatchObject({ unmatched: 0, ambiguous: 0 })
      expect(await exported(home.adult, format)).toBe(file)
      expect((await bring(home.adult, `marquee-export.${format}`, file)).changed).toBe(0)
      home.adult.profileId = from
    }
  })

  it('takes gzip and forms, and refuses what is no history', async () => {
    await fresh('Forms')
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
    await idle(server.database)
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
      await fresh(`From ${name.slice(-4)}`)
      const run = await dryRun(adult, name, content)
      expect(run.owners.map((one: { name: string }) => one.name)).toContain('Alice')
      await act(adult, run.import_id, 'apply', { owners: ['Alice'] })
      expect(await exported(adult)).toBe(alices)
    }
    adult.profileId = home.adultId
    expect((await ask(kid, 'json')).status).toBe(403)
  })
})

/** History as it comes in, over the API, on both databases. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import { HISTORY, RATINGS, watchlist } from './histories.ts'
import { act, bring, dryRun, exported, type Household, household, look, tables } from './household.ts'

describe.each(DATABASES)('on %s', (_name, open) => {
  let home: Household
  beforeAll(async () => {
    home = await household(await open())
  }, 120_000)
  afterAll(() => home.server.close())

  it('is looked at first: nothing is written by a dry run', async () => {
    const id = await home.fresh('Dry')
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
    const id = await home.fresh('Written')
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
    const id = await home.fresh('Changed')
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
    await home.fresh('Remembers')
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
    await home.fresh('Ratings')
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
    const id = await home.fresh('Partly')
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
    await home.fresh('Services')
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
})

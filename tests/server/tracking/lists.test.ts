/** My List several at a time, hidden titles, muted notices and home's rows, over the real calls. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WATCHLIST_SORTS } from '../../../src/lib/contract/watchlist.ts'
import { Device } from '../../support/client.ts'
import { addAccount, DATABASES, startServer, type TestServer } from '../../support/server.ts'
import { addMovies, movie } from '../admin/service.ts'

const DAY = 86_400_000
const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)

describe.each(DATABASES)('over %s', (_name, open) => {
  let server: TestServer
  let device: Device
  let base = ''
  let ids: string[] = []
  beforeEach(async () => {
    server = await startServer({ database: await open() })
    await addAccount(server, 'alice@example.com')
    device = new Device(server)
    await device.login('alice@example.com')
    device.profileId = (await device.post('/api/profile', { name: 'Alice' })).body.profile_id
    base = `/api/profile/${device.profileId}`
    ids = await addMovies({ server }, [movie(1), movie(2), movie(3)])
  })
  afterEach(() => server.close())

  const put = (entries: object[]) => device.put(`${base}/watchlist`, { entries })
  const list = async (query = '') => (await device.get(`${base}/watchlist${query}`)).body.results
  const listed = async (query = '') => (await list(query)).map((one: { media_id: string }) => one.media_id)

  it('changes several titles at once; undone, the list is what it was, in its order', async () => {
    for (const id of ids) {
      await device.put(`${base}/watchlist/movie/${id}`)
      server.advance(1_000)
    }
    await put([{ type: 'movie', media_id: ids[1], favorite: true, state: 'watching' }])
    const before = await list()
    expect(await listed('?favorite=true')).toEqual([ids[1]])
    const gone = await put(
      ids.slice(0, 2).map((id) => ({ type: 'movie', media_id: id, in_watchlist: false })),
    )
    expect(gone.body.results.map((one: { in_watchlist: boolean }) => one.in_watchlist)).toEqual([
      false,
      false,
    ])
    expect(await listed()).toEqual([ids[2]])
    server.advance(60_000)
    const back = before.map(({ media: _media, ...one }: { media: unknown }) => one)
    expect((await put(back)).status).toBe(200)
    expect(await list()).toEqual(before)
  })

  it('gives all of a thousand titles, page by page, in every order and through every filter', async () => {
    const { primary } = server.database
    const states = ['planned', 'watching', 'completed'] as const
    const all = Array.from({ length: 1_000 }, (_, n) => ({
      type: n % 4 === 0 ? 'tv' : 'movie',
      state: states[n % 3] ?? 'planned',
      favorite: n % 10 === 0,
      title: `reel ${String((n * 7) % 1_000).padStart(4, '0')}`,
      /* Many share a year, some have none, and several were added at one time. */
      year: n % 50 === 0 ? null : 1950 + (n % 60),
      added: 1_700_000_000_000 + Math.floor(n / 3) * 1_000,
    }))
    const entries = []
    for (const [n, { type, title, year }] of all.entries()) {
      const { title_id } = await primary
        .insertInto('title')
        .values({
          ...{ type, slug: `reel-${n}`, original_title: title, sort_title: title, year, source: 'test' },
          ...{ source_hash: '', created_at: 0, updated_at: 0, episode_count: 1 },
        } as never)
        .returning('title_id')
        .executeTakeFirstOrThrow()
      entries.push({ profile_id: device.profileId ?? '', title_id: Number(title_id), in_watchlist: 1 })
    }
    const ids = entries.map((one) => String(one.title_id))
    for (let at = 0; at < 1_000; at += 100)
      await primary
        .insertInto('watchlist_entry')
        .values(
          entries.slice(at, at + 100).map((entry, n) => ({
            ...entry,
            state: all[at + n]?.state ?? null,
            favorite: all[at + n]?.favorite ? 1 : 0,
            added_at: all[at + n]?.added ?? 0,
            updated_at: 0,
          })),
        )
        .execute()
    const walk = async (query: string) => {
      const seen: string[] = []
      for (let page = 1; ; page++) {
        const { body } = await device.get(`${base}/watchlist?limit=100&page=${page}&${query}`)
        seen.push(...body.results.map((one: { media_id: string }) => one.media_id))
        if (page >= body.total_pages) return { seen, total: body.total_results }
      }
    }
    const by = { added_at: 'added', title: 'title', year: 'year' } as const
    const filters = [
      '',
      'type=tv',
      'state=watching',
      'favorite=true',
      'type=movie&state=completed&favorite=true',
    ]
    for (const sort of WATCHLIST_SORTS) {
      const [column = '', way] = sort.split('.')
      for (const filter of filters) {
        const wish = Object.fromEntries(new URLSearchParams(filter))
        const wanted = all.flatMap((one, n) => {
          const fits = Object.entries(wish).every(([key, value]) => String(one[key as 'type']) === value)
          return fits ? [{ id: ids[n] ?? '', key: one[by[column as 'year']] }] : []
        })
        const sign = way === 'asc' ? 1 : -1
        wanted.sort((a, b) => {
          const order = a.key === null || b.key === null ? 0 : a.key < b.key ? -1 : a.key > b.key ? 1 : 0
          return (
            Number(a.key === null) - Number(b.key === null) || sign * order || Number(a.id) - Number(b.id)
          )
        })
        const { seen, total } = await walk(`sort=${sort}&${filter}`)
        expect(total, `${sort} ${filter}`).toBe(wanted.length)
        expect(seen, `${sort} ${filter}`).toEqual(wanted.map(({ id }) => id))
      }
    }
  }, 60_000)

  it('changes none when one of them is not there, and takes no entry from the future', async () => {
    const some = [
      { type: 'movie', media_id: ids[0] },
      { type: 'movie', media_id: '987654321' },
    ]
    expect((await put(some)).status).toBe(404)
    expect(await listed()).toEqual([])
    const late = { type: 'movie', media_id: ids[0], added_at: new Date(Date.now() + DAY).toISOString() }
    const [entry] = (await put([late])).body.results
    expect(Date.parse(entry.added_at)).toBeLessThanOrEqual(server.deps.now())
  })

  it('lists what is hidden, latest first, until it is shown again', async () => {
    const rate = (id: string | undefined, feedback: string | null) =>
      device.put(`${base}/feedback/movie/${id}`, { feedback })
    await rate(ids[0], 'dislike')
    server.advance(1_000)
    await rate(ids[1], 'dislike')
    await rate(ids[2], 'like')
    const hidden = async (query = '') =>
      (await device.get(`${base}/feedback${query}`)).body.results.map((one: { id: string }) => one.id)
    expect(await hidden()).toEqual([ids[1], ids[0]])
    expect(await hidden('?limit=1&page=2')).toEqual([ids[0]])
    expect(await hidden('?feedback=liked')).toEqual([ids[2]])
    await rate(ids[1], null)
    expect(await hidden()).toEqual([ids[0]])
  })

  it('tells of a movie once ever, and of a muted title not at all', async () => {
    const lately = { release_date: day(server.deps.now() - DAY), high_quality: true }
    await addMovies({ server }, [movie(4, lately), movie(5, lately)])
    const notices = async () => (await device.get(`${base}/notifications/movies`)).body
    const first = await notices()
    expect([first.results.length, first.unseen]).toEqual([2, 2])
    await Promise.all(Array.from({ length: 10 }, notices))
    expect((await notices()).unseen).toBe(2)
    const { id } = first.results[0].media
    const mute = (muted: boolean) => device.put(`${base}/notifications/muted/movie/${id}`, { muted })
    await mute(true)
    await mute(true)
    expect((await notices()).unseen).toBe(1)
    expect((await notices()).results.map((one: { media: { id: string } }) => one.media.id)).not.toContain(id)
    const muted = (await device.get(`${base}/notifications/muted`)).body.results
    expect(muted.map((one: { id: string }) => one.id)).toEqual([id])
    await mute(false)
    const after = await notices()
    expect([after.results.length, after.unseen]).toEqual([2, 1])
    await device.put(`${base}/notifications/seen`, {})
    for (let days = 0; days < 3; days++) {
      server.advance(DAY)
      await device.login('alice@example.com')
      expect((await notices()).unseen).toBe(0)
    }
    const rows = await server.database.primary.selectFrom('notice').selectAll().execute()
    expect(rows.length).toBe(2)
  })

  it('keeps the order of home with the profile, each row once', async () => {
    const rows = [
      { row: 'genres', hidden: false },
      { row: 'picks', hidden: true },
    ]
    const set = (home_rows: object[]) => device.put(base, { preferences: { home_rows } })
    expect((await set(rows)).body.preferences.home_rows).toEqual(rows)
    expect((await device.get(base)).body.preferences.home_rows).toEqual(rows)
    const twice = await set([...rows, ...rows])
    expect([twice.status, twice.body.errors]).toEqual([422, { 'preferences.home_rows': ['twice'] }])
    expect((await set([{ row: 'else', hidden: false }])).status).toBe(422)
    expect((await set([])).body.preferences.home_rows).toEqual([])
  })
})

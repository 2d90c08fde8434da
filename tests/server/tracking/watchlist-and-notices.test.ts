/** Bulk changes, sorting and filtering of the watchlist, disliked titles, muted notices and the order of home rows. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WATCHLIST_SORTS } from '../../../src/lib/contract/watchlist.ts'
import { interceptTransactions } from '../../support/intercept-transactions.ts'
import { DATABASES, insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'
import { createSeriesRecord } from '../calendar/calendar-household.ts'

const DAY_MS = 86_400_000
const formatDay = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10)

describe.each(DATABASES)('watchlist, feedback and notices on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let device: TestClient
  let profilePath = ''
  let movieIds: string[] = []
  beforeEach(async () => {
    server = await startTestServer({ database: await openTestDatabase() })
    await insertTestAccount(server, 'alice@example.com')
    device = new TestClient(server)
    await device.login('alice@example.com')
    device.profileId = (await device.post('/api/profile', { name: 'Alice' })).body.profile_id
    profilePath = `/api/profile/${device.profileId}`
    movieIds = await addMovies({ server }, [createMovieRecord(1), createMovieRecord(2), createMovieRecord(3)])
  })
  afterEach(() => server.close())

  const changeWatchlist = (entries: object[]) => device.put(`${profilePath}/watchlist`, { entries })
  const loadWatchlist = async (query = '') =>
    (await device.get(`${profilePath}/watchlist${query}`)).body.results
  const loadWatchlistIds = async (query = '') =>
    (await loadWatchlist(query)).map((entry: { media_id: string }) => entry.media_id)

  it('one watchlist request changes several titles, and a second request restores the watchlist entries in their order', async () => {
    for (const id of movieIds) {
      await device.put(`${profilePath}/watchlist/movie/${id}`)
      server.advanceClock(1_000)
    }
    await changeWatchlist([{ type: 'movie', media_id: movieIds[1], favorite: true, state: 'watching' }])
    const entriesBefore = await loadWatchlist()
    expect(await loadWatchlistIds('?favorite=true')).toEqual([movieIds[1]])
    const removalResponse = await changeWatchlist(
      movieIds.slice(0, 2).map((id) => ({ type: 'movie', media_id: id, in_watchlist: false })),
    )
    expect(
      removalResponse.body.results.map((entry: { in_watchlist: boolean }) => entry.in_watchlist),
    ).toEqual([false, false])
    expect(await loadWatchlistIds()).toEqual([movieIds[2]])
    server.advanceClock(60_000)
    const restoredEntries = entriesBefore.map(({ media: _media, ...entry }: { media: unknown }) => entry)
    expect((await changeWatchlist(restoredEntries)).status).toBe(200)
    expect(await loadWatchlist()).toEqual(entriesBefore)
  })

  it.each([
    ['with', DAY_MS],
    ['without', null],
  ])(
    'a completed watchlist entry %s `added_at` is the same after it was removed and restored, and no viewing is added',
    async (_description, ageMs) => {
      const entryPath = `${profilePath}/watchlist/movie/${movieIds[0]}`
      await server.database.primary
        .insertInto('watchlist_entry')
        .values({
          profile_id: device.profileId ?? '',
          title_id: Number(movieIds[0]),
          in_watchlist: 1,
          state: 'completed',
          favorite: 0,
          added_at: ageMs === null ? null : server.deps.now() - ageMs,
          updated_at: server.deps.now() - DAY_MS,
        })
        .execute()
      const { body: entryBefore } = await device.get(entryPath)
      await changeWatchlist([{ type: 'movie', media_id: movieIds[0], in_watchlist: false }])
      expect((await changeWatchlist([entryBefore])).status).toBe(200)
      expect((await device.get(entryPath)).body).toEqual(entryBefore)
      expect((await device.get(`${profilePath}/viewings`)).body.results).toEqual([])
      expect((await device.get(`${profilePath}/history/movie/${movieIds[0]}`)).body.latest).toBeNull()
    },
  )

  it('the watchlist returns 1000 entries page by page in every order and with several filters', async () => {
    const { primary } = server.database
    const states = ['planned', 'watching', 'completed'] as const
    const titles = Array.from({ length: 1_000 }, (_, index) => ({
      type: index % 4 === 0 ? 'tv' : 'movie',
      state: states[index % 3] ?? 'planned',
      favorite: index % 10 === 0,
      title: `reel ${String((index * 7) % 1_000).padStart(4, '0')}`,
      // Many titles have the same year or the same date of addition. Some titles have no year or no date.
      year: index % 50 === 0 ? null : 1950 + (index % 60),
      added: index % 40 === 0 ? null : 1_700_000_000_000 + Math.floor(index / 3) * 1_000,
    }))
    const watchlistRows = []
    for (const [index, { type, title, year }] of titles.entries()) {
      const { title_id } = await primary
        .insertInto('title')
        .values({
          ...{ type, slug: `reel-${index}`, original_title: title, sort_title: title, year, source: 'test' },
          ...{ source_hash: '', created_at: 0, updated_at: 0, episode_count: 1 },
        } as never)
        .returning('title_id')
        .executeTakeFirstOrThrow()
      watchlistRows.push({ profile_id: device.profileId ?? '', title_id: Number(title_id), in_watchlist: 1 })
    }
    const titleIds = watchlistRows.map((entry) => String(entry.title_id))
    for (let startIndex = 0; startIndex < 1_000; startIndex += 100)
      await primary
        .insertInto('watchlist_entry')
        .values(
          watchlistRows.slice(startIndex, startIndex + 100).map((entry, index) => ({
            ...entry,
            state: titles[startIndex + index]?.state ?? null,
            favorite: titles[startIndex + index]?.favorite ? 1 : 0,
            added_at: titles[startIndex + index]?.added ?? null,
            updated_at: 0,
          })),
        )
        .execute()
    // Without statistics, PostgreSQL chooses plans whose time grows with the square of the number of titles.
    await sql`analyze`.execute(primary)
    const loadAllPages = async (query: string) => {
      const loadedIds: string[] = []
      for (let page = 1; ; page++) {
        const { body } = await device.get(`${profilePath}/watchlist?limit=100&page=${page}&${query}`)
        loadedIds.push(...body.results.map((entry: { media_id: string }) => entry.media_id))
        if (page >= body.total_pages) return { loadedIds, total: body.total_results }
      }
    }
    const sortFields = { added_at: 'added', title: 'title', year: 'year' } as const
    const filters = [
      '',
      'type=tv',
      'state=watching',
      'favorite=true',
      'type=movie&state=completed&favorite=true',
    ]
    for (const sort of WATCHLIST_SORTS) {
      const [column = '', direction] = sort.split('.')
      for (const filter of filters) {
        const filterValues = Object.fromEntries(new URLSearchParams(filter))
        const expectedEntries = titles.flatMap((title, index) => {
          const isMatch = Object.entries(filterValues).every(
            ([key, value]) => String(title[key as 'type']) === value,
          )
          return isMatch ? [{ id: titleIds[index] ?? '', key: title[sortFields[column as 'year']] }] : []
        })
        const orderSign = direction === 'asc' ? 1 : -1
        expectedEntries.sort((a, b) => {
          const comparison = a.key === null || b.key === null ? 0 : a.key < b.key ? -1 : a.key > b.key ? 1 : 0
          return (
            Number(a.key === null) - Number(b.key === null) ||
            orderSign * comparison ||
            Number(a.id) - Number(b.id)
          )
        })
        const { loadedIds, total: totalCount } = await loadAllPages(`sort=${sort}&${filter}`)
        expect(totalCount, `${sort} ${filter}`).toBe(expectedEntries.length)
        expect(loadedIds, `${sort} ${filter}`).toEqual(expectedEntries.map(({ id }) => id))
      }
    }
  }, 60_000)

  it('a completed watchlist entry that is removed and restored gets back its watch state and time of addition, and no viewing is added', async () => {
    const entryPath = `${profilePath}/watchlist/movie/${movieIds[0]}`
    const entryFields = { state: 'completed', added_at: '2024-05-06T12:00:00.000Z' }
    const restoredEntry = { type: 'movie', media_id: movieIds[0], in_watchlist: true, ...entryFields }
    expect((await device.put(entryPath, entryFields)).body).toMatchObject(restoredEntry)
    await device.put(entryPath, { in_watchlist: false })
    expect((await changeWatchlist([restoredEntry])).body.results).toMatchObject([restoredEntry])
    expect((await device.get(`${profilePath}/viewings`)).body.results).toEqual([])
    await device.put(entryPath, { state: 'completed' })
    expect((await device.get(`${profilePath}/viewings`)).body.results).toHaveLength(1)
  })

  it('a watchlist change with an unknown title returns 404 and changes nothing, and a future `added_at` is stored as the current time', async () => {
    const watchlistChanges = [
      { type: 'movie', media_id: movieIds[0] },
      { type: 'movie', media_id: '987654321' },
    ]
    expect((await changeWatchlist(watchlistChanges)).status).toBe(404)
    expect(await loadWatchlistIds()).toEqual([])
    const futureEntry = {
      type: 'movie',
      media_id: movieIds[0],
      added_at: new Date(Date.now() + DAY_MS).toISOString(),
    }
    const [entry] = (await changeWatchlist([futureEntry])).body.results
    expect(Date.parse(entry.added_at)).toBeLessThanOrEqual(server.deps.now())
  })

  it('disliked titles are listed, latest first, until the feedback is removed', async () => {
    const setFeedback = (id: string | undefined, feedback: string | null) =>
      device.put(`${profilePath}/feedback/movie/${id}`, { feedback })
    await setFeedback(movieIds[0], 'dislike')
    server.advanceClock(1_000)
    await setFeedback(movieIds[1], 'dislike')
    await setFeedback(movieIds[2], 'like')
    const loadFeedbackIds = async (query = '') =>
      (await device.get(`${profilePath}/feedback${query}`)).body.results.map(
        (media: { id: string }) => media.id,
      )
    expect(await loadFeedbackIds()).toEqual([movieIds[1], movieIds[0]])
    expect(await loadFeedbackIds('?limit=1&page=2')).toEqual([movieIds[0]])
    expect(await loadFeedbackIds('?feedback=liked')).toEqual([movieIds[2]])
    await setFeedback(movieIds[1], null)
    expect(await loadFeedbackIds()).toEqual([movieIds[0]])
  })

  it('each new movie causes one notice, and notices of muted titles are not listed', async () => {
    const recentRelease = { release_date: formatDay(server.deps.now() - DAY_MS), high_quality: true }
    await addMovies({ server }, [createMovieRecord(4, recentRelease), createMovieRecord(5, recentRelease)])
    const loadNotices = async () => (await device.get(`${profilePath}/notifications/movies`)).body
    const notices = await loadNotices()
    expect([notices.results.length, notices.unseen]).toEqual([2, 2])
    await Promise.all(Array.from({ length: 10 }, loadNotices))
    expect((await loadNotices()).unseen).toBe(2)
    const { id } = notices.results[0].media
    const setMuted = (isMuted: boolean) =>
      device.put(`${profilePath}/notifications/muted/movie/${id}`, { muted: isMuted })
    await setMuted(true)
    await setMuted(true)
    expect((await loadNotices()).unseen).toBe(1)
    expect(
      (await loadNotices()).results.map((notice: { media: { id: string } }) => notice.media.id),
    ).not.toContain(id)
    const mutedTitles = (await device.get(`${profilePath}/notifications/muted`)).body.results
    expect(mutedTitles.map((media: { id: string }) => media.id)).toEqual([id])
    const setRule = (rule: string, options: object = {}) =>
      device.put(`${profilePath}/notifications/rules/movie/${id}`, { rule, ...options })
    await setRule('all', { keep_unseen: true })
    expect((await loadNotices()).unseen).toBe(2)
    expect((await setMuted(true)).body).toEqual({ muted: true, previous_rule: 'all' })
    expect((await setMuted(false)).body).toEqual({ muted: false, previous_rule: 'none' })
    const noticesAfterUnmuting = await loadNotices()
    expect([noticesAfterUnmuting.results.length, noticesAfterUnmuting.unseen]).toEqual([2, 1])
    await device.put(`${profilePath}/notifications/seen`, {})
    for (let dayIndex = 0; dayIndex < 3; dayIndex++) {
      server.advanceClock(DAY_MS)
      await device.login('alice@example.com')
      expect((await loadNotices()).unseen).toBe(0)
    }
    const rows = await server.database.primary.selectFrom('notice').selectAll().execute()
    expect(rows.length).toBe(2)
  })

  it('listing notices uses one transaction if a new notice must be stored, and no transaction otherwise', async () => {
    const recentRelease = { release_date: formatDay(server.deps.now() - DAY_MS), high_quality: true }
    await addMovies({ server }, [createMovieRecord(4, recentRelease)])
    const { database } = server.deps
    let transactionCount = 0
    const primary = interceptTransactions(database.primary, async () => {
      transactionCount += 1
    })
    server.deps.database = { ...database, primary }
    const listNotices = async (kind: 'movies' | 'episodes') => {
      transactionCount = 0
      const { body } = await device.get(`${profilePath}/notifications/${kind}`)
      return { transactionCount, noticeCount: body.results.length }
    }
    expect(await listNotices('episodes')).toEqual({ transactionCount: 0, noticeCount: 0 })
    expect(await listNotices('movies')).toEqual({ transactionCount: 1, noticeCount: 1 })
    expect(await listNotices('movies')).toEqual({ transactionCount: 0, noticeCount: 1 })
  })

  it('the rule `seasons` causes a notice for the first episode of a season, even if the number of that episode is not 1', async () => {
    const airDate = formatDay(server.deps.now() - DAY_MS)
    const createSeason = (season_number: number, numbers: number[]) => ({
      season_number,
      episodes: numbers.map((episode_number) => ({ episode_number, air_date: airDate })),
    })
    const seasons = [createSeason(2, [62, 63]), createSeason(3, [0, 1])]
    const [id] = await addMovies({ server }, [createSeriesRecord(6, [], { seasons })])
    await device.put(`${profilePath}/watchlist/tv/${id}`)
    await device.put(`${profilePath}/notifications/rules/tv/${id}`, { rule: 'seasons' })
    const { results } = (await device.get(`${profilePath}/notifications/episodes`)).body
    expect(
      results.map((notice: { season: number; episode: number }) => [notice.season, notice.episode]),
    ).toEqual([
      [3, 0],
      [2, 62],
    ])
  })

  it('the notice of an episode disappears when the episode is postponed or removed, and a postponed episode gets a notice on its new air date', async () => {
    const formatDayFromNow = (days: number) => formatDay(server.deps.now() + days * DAY_MS)
    const importSeries = (airDates: string[]) =>
      addMovies({ server }, [createSeriesRecord(7, airDates, { imdb_id: 'tt7000007' })])
    const [id] = await importSeries([formatDayFromNow(-3), formatDayFromNow(-2), formatDayFromNow(-1)])
    await device.put(`${profilePath}/watchlist/tv/${id}`)
    const loadNotices = async () => {
      const { results, unseen } = (await device.get(`${profilePath}/notifications/episodes`)).body
      return [unseen, ...results.map((notice: { episode: number }) => notice.episode)]
    }
    expect(await loadNotices()).toEqual([3, 3, 2, 1])
    await device.put(`${profilePath}/notifications/seen`, {})
    await importSeries([formatDayFromNow(-3), formatDayFromNow(5)])
    expect(await loadNotices()).toEqual([0, 1])
    server.advanceClock(6 * DAY_MS)
    await device.login('alice@example.com')
    expect(await loadNotices()).toEqual([1, 2, 1])
  })

  it('an episode that was finished has no unseen notice while the profile watches the episode again', async () => {
    const airDate = formatDay(server.deps.now() - DAY_MS)
    const [id] = await addMovies({ server }, [createSeriesRecord(8, [airDate], { imdb_id: 'tt7000008' })])
    await device.put(`${profilePath}/watchlist/tv/${id}`)
    const reportPosition = (positionSeconds: number) =>
      device.post(`${profilePath}/history`, {
        ...{ type: 'tv', media_id: id, season: 1, episode: 1 },
        ...{ progress: positionSeconds, data: { video_duration: 3_000 } },
      })
    const countUnseen = async () =>
      (await device.get(`${profilePath}/notifications/episodes`)).body.unseen as number
    expect(await countUnseen()).toBe(1)
    await reportPosition(3_000)
    expect(await countUnseen()).toBe(0)
    expect((await reportPosition(100)).body.finished).toBe(false)
    expect(await countUnseen()).toBe(0)
  })

  it('the profile stores the order of the home rows, and duplicate or unknown rows are rejected', async () => {
    const rows = [
      { row: 'genres', hidden: false },
      { row: 'picks', hidden: true },
    ]
    const setHomeRows = (home_rows: object[]) => device.put(profilePath, { preferences: { home_rows } })
    expect((await setHomeRows(rows)).body.preferences.home_rows).toEqual(rows)
    expect((await device.get(profilePath)).body.preferences.home_rows).toEqual(rows)
    const duplicateResponse = await setHomeRows([...rows, ...rows])
    expect([duplicateResponse.status, duplicateResponse.body.errors]).toEqual([
      422,
      { 'preferences.home_rows': ['twice'] },
    ])
    expect((await setHomeRows([{ row: 'else', hidden: false }])).status).toBe(422)
    expect((await setHomeRows([])).body.preferences.home_rows).toEqual([])
  })
})

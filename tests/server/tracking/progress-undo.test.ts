/** Undo of deleted progress, including a deletion that was sent twice because its response was lost. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BIN_RETENTION_MS } from '../../../server/queries/bin.ts'
import { deleteExpiredRows } from '../../../server/queries/maintenance.ts'
import { PROGRESS_UNDO_PERIOD_MS } from '../../../server/queries/progress-removal.ts'
import { DATABASES, insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'

describe.each(DATABASES)('undo of deleted progress on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let device: TestClient
  let historyPath = ''
  let movieIds: string[] = []
  beforeEach(async () => {
    server = await startTestServer({ database: await openTestDatabase() })
    await insertTestAccount(server, 'alice@example.com')
    device = new TestClient(server)
    await device.login('alice@example.com')
    device.profileId = (await device.post('/api/profile', { name: 'Alice' })).body.profile_id
    historyPath = `/api/profile/${device.profileId}/history`
    movieIds = await addMovies({ server }, [createMovieRecord(1), createMovieRecord(2)])
    for (const media_id of movieIds) await saveProgress(media_id, 600)
  })
  afterEach(() => server.close())

  const saveProgress = (media_id: string, positionSeconds: number) =>
    device.post(historyPath, {
      type: 'movie',
      media_id,
      progress: positionSeconds,
      data: { video_duration: 6_000 },
    })
  const loadPositionsSeconds = () =>
    Promise.all(
      movieIds.map(
        async (id) => (await device.get(`${historyPath}/movie/${id}`)).body.latest?.progress ?? null,
      ),
    )

  it.each([
    ['the progress of one title', () => `${historyPath}/movie/${movieIds[0]}`, [null, 600]],
    ['the whole history', () => historyPath, [null, null]],
  ] as const)(
    'after the deletion of %s was sent twice, the first Undo restores the deleted progress, and a second Undo returns 404',
    async (_description, getPath, positionsAfterDelete) => {
      const reply = await device.delete(getPath())
      expect(reply).toMatchObject({ status: 200, body: { removed_at: expect.any(String) } })
      expect(await device.delete(getPath(), { repeated: true })).toMatchObject({
        status: 200,
        body: reply.body,
      })
      expect(await loadPositionsSeconds()).toEqual(positionsAfterDelete)
      expect((await device.post(`${historyPath}/undo`)).status).toBe(204)
      expect(await loadPositionsSeconds()).toEqual([600, 600])
      expect((await device.post(`${historyPath}/undo`)).status).toBe(404)
    },
  )

  it('restores deleted progress even if a device that was offline has sent the same deletion again hours later', async () => {
    const moviePath = `${historyPath}/movie/${movieIds[0]}`
    await device.delete(moviePath)
    server.advanceClock(8 * 3_600_000)
    await device.login('alice@example.com')
    await device.delete(moviePath, { repeated: true })
    expect((await device.post(`${historyPath}/undo`)).status).toBe(204)
    expect(await loadPositionsSeconds()).toEqual([600, 600])
  })

  it('restores the progress that the Undo request names, although progress of another title was deleted later', async () => {
    const { body: reply } = await device.delete(`${historyPath}/movie/${movieIds[0]}`)
    await device.delete(`${historyPath}/movie/${movieIds[1]}`)
    expect((await device.post(`${historyPath}/undo`, reply)).status).toBe(204)
    expect(await loadPositionsSeconds()).toEqual([600, null])
    expect((await device.post(`${historyPath}/undo`, reply)).status).toBe(404)
    expect(await loadPositionsSeconds()).toEqual([600, null])
  })

  it.each([
    ['the whole history', () => historyPath],
    ['the progress of a title', () => `${historyPath}/movie/${movieIds[0]}`],
  ])('after a deletion of %s that finds no progress, Undo returns 404', async (_description, getPath) => {
    for (const id of [movieIds[1], movieIds[0]]) await device.delete(`${historyPath}/movie/${id}`)
    server.advanceClock(3_600_000)
    await device.login('alice@example.com')
    const reply = await device.delete(getPath())
    expect(reply).toMatchObject({ status: 200, body: { removed_at: null } })
    expect((await device.post(`${historyPath}/undo`, reply.body)).status).toBe(404)
    expect((await device.post(`${historyPath}/undo`)).status).toBe(404)
    expect(await loadPositionsSeconds()).toEqual([null, null])
  })

  it('reverts only the last deletion of progress, and keeps progress that was saved after that deletion', async () => {
    await device.delete(`${historyPath}/movie/${movieIds[0]}`)
    await device.delete(`${historyPath}/movie/${movieIds[1]}`)
    await saveProgress(movieIds[1] ?? '', 30)
    await device.post(`${historyPath}/undo`)
    expect(await loadPositionsSeconds()).toEqual([null, 30])
  })

  it('restores nothing if the last deletion finds no progress because an earlier deletion removed it, even if a deletion for another title was undone in between', async () => {
    await device.delete(`${historyPath}/movie/${movieIds[0]}`)
    await device.delete(`${historyPath}/movie/${movieIds[0]}`)
    await device.delete(`${historyPath}/movie/${movieIds[1]}`)
    await device.post(`${historyPath}/undo`)
    await device.delete(`${historyPath}/movie/${movieIds[0]}`)
    expect((await device.post(`${historyPath}/undo`)).status).toBe(404)
    expect(await loadPositionsSeconds()).toEqual([null, 600])
  })

  it('restores nothing if the last deletion found no progress, even if the previous deletion removed the progress of another title', async () => {
    const [unplayedId] = await addMovies({ server }, [createMovieRecord(3)])
    await device.delete(`${historyPath}/movie/${movieIds[0]}`)
    await device.delete(`${historyPath}/movie/${unplayedId}`)
    expect((await device.post(`${historyPath}/undo`)).status).toBe(404)
    expect(await loadPositionsSeconds()).toEqual([null, 600])
  })

  const getEntryPath = (id: string | undefined) => `/api/profile/${device.profileId}/watchlist/movie/${id}`
  const markMoviesCompleted = async () => {
    for (const id of movieIds) await device.put(`${getEntryPath(id)}/state/completed`)
    server.advanceClock(1_000)
  }
  const loadWatchStates = () =>
    Promise.all(movieIds.map(async (id) => (await device.get(getEntryPath(id))).body.state))

  it.each([
    ['the progress of one title', () => `${historyPath}/movie/${movieIds[0]}`, ['planned', 'completed']],
    ['the whole history', () => historyPath, ['planned', 'planned']],
  ] as const)(
    'deleting %s changes the watch state of the affected titles from completed to planned, and Undo changes it back',
    async (_description, getPath, statesAfterDelete) => {
      await markMoviesCompleted()
      await device.delete(getPath())
      expect(await loadWatchStates()).toEqual(statesAfterDelete)
      server.advanceClock(1_000)
      await device.delete(getPath(), { repeated: true })
      expect((await device.post(`${historyPath}/undo`)).status).toBe(204)
      expect(await loadWatchStates()).toEqual(['completed', 'completed'])
    },
  )

  it('a planned watchlist entry stays planned when the progress of its title is deleted and restored', async () => {
    await device.put(getEntryPath(movieIds[0]))
    server.advanceClock(1_000)
    await device.delete(historyPath)
    await device.post(`${historyPath}/undo`)
    expect(await loadWatchStates()).toEqual(['planned', null])
  })

  it('Undo keeps the watch state of a title if its watchlist entry was changed or the title was started again after the deletion', async () => {
    await markMoviesCompleted()
    await device.delete(historyPath)
    server.advanceClock(1_000)
    await device.put(`${getEntryPath(movieIds[0])}/state/planned`)
    await saveProgress(movieIds[1] ?? '', 30)
    await device.post(`${historyPath}/undo`)
    expect(await loadWatchStates()).toEqual(['planned', 'planned'])
  })

  it('Undo after the undo period returns 404, and the watchlist entries stay planned', async () => {
    await markMoviesCompleted()
    const { body: reply } = await device.delete(historyPath)
    server.advanceClock(PROGRESS_UNDO_PERIOD_MS + 1_000)
    await device.login('alice@example.com')
    expect((await device.post(`${historyPath}/undo`)).status).toBe(404)
    expect((await device.post(`${historyPath}/undo`, reply)).status).toBe(404)
    expect(await loadWatchStates()).toEqual(['planned', 'planned'])
  })

  it('maintenance erases deleted progress and viewings when the retention period of the bin has passed', async () => {
    const { primary } = server.database
    const countRemovedRows = async () => [
      (await primary.selectFrom('progress_removed').selectAll().execute()).length,
      (await primary.selectFrom('play_removed').selectAll().execute()).length,
    ]
    await markMoviesCompleted()
    await device.delete(historyPath)
    server.advanceClock(BIN_RETENTION_MS - 60_000)
    await deleteExpiredRows(primary, server.deps.now())
    expect(await countRemovedRows()).toEqual([2, 2])
    server.advanceClock(60_000)
    await deleteExpiredRows(primary, server.deps.now())
    expect(await countRemovedRows()).toEqual([0, 0])
  })
})

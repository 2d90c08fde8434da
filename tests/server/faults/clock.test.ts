/**
 * Clocks that are set back, run ahead or differ between servers. They must not lengthen locks, unlocks, streams and
 * limits, lose progress, or stop imports.
 */
import { expect, it } from 'vitest'
import { Problem } from '../../../server/core/problem.ts'
import { migrateDatabase } from '../../../server/db/migrate.ts'
import type { HistoryImportRun } from '../../../server/queries/history-import.ts'
import { acquireLease } from '../../../server/queries/lease.ts'
import { toImportRun } from '../../../server/services/history-import/import-run-state.ts'
import { listDirectStreams, recordDirectRequest } from '../../../server/services/playback/direct-streams.ts'
import { limitLookupRate } from '../../../server/services/playback/lookup-rate.ts'
import type { MediaClaim } from '../../../server/services/playback/media-url.ts'
import { DATABASES, insertTestAccount, startTestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'

const DAY_MS = 86_400_000
const FIVE_YEARS_MS = 5 * 365 * DAY_MS

it('after the clock is set back a day, accounts and profiles that were locked by wrong passwords or PINs stay locked for at most 30 seconds', async () => {
  const server = await startTestServer()
  try {
    await insertTestAccount(server, 'alice@example.com')
    const device = new TestClient(server)
    await device.login('alice@example.com')
    const { profile_id } = (await device.post('/api/profile', { name: 'Alice' })).body
    const path = `/api/profile/${profile_id}`
    await device.post(`${path}/lock`, { pin: '4711' })
    for (let attempt = 0; attempt < 5; attempt++) await device.post(`${path}/unlock`, { pin: '0000' })
    const otherDevice = new TestClient(server)
    for (let attempt = 0; attempt < 10; attempt++)
      await otherDevice.login('alice@example.com', 'Wrong-Word-1')
    server.advanceClock(-DAY_MS)
    const rateLimitedReply = await otherDevice.login('alice@example.com')
    expect([rateLimitedReply.status, Number(rateLimitedReply.headers.get('Retry-After')) <= 30]).toEqual([
      429,
      true,
    ])
    server.advanceClock(31_000)
    expect((await otherDevice.login('alice@example.com')).status).toBe(200)
    await device.login('alice@example.com')
    const unlockResponse = await device.post(`${path}/unlock`, { pin: '4711' })
    expect([unlockResponse.status, Number(unlockResponse.headers.get('Retry-After')) <= 30]).toEqual([
      403,
      true,
    ])
    server.advanceClock(31_000)
    expect((await device.post(`${path}/unlock`, { pin: '4711' })).status).toBe(200)
  } finally {
    await server.close()
  }
}, 60_000)

it('if a profile was unlocked while the clock was years ahead, the profile is locked again after the clock is corrected', async () => {
  const server = await startTestServer()
  try {
    await insertTestAccount(server, 'alice@example.com')
    const device = new TestClient(server)
    await device.login('alice@example.com')
    const { profile_id } = (await device.post('/api/profile', { name: 'Alice' })).body
    await device.post(`/api/profile/${profile_id}/lock`, { pin: '4711' })
    expect((await device.post(`/api/profile/${profile_id}/unlock`, { pin: '4711' })).status).toBe(200)
    const readWatchlist = async () => (await device.get(`/api/profile/${profile_id}/watchlist`)).status
    expect(await readWatchlist()).toBe(200)
    const { primary } = server.database
    const unlocked_until = server.deps.now() + FIVE_YEARS_MS
    await primary.updateTable('login').set({ unlocked_until }).execute()
    expect(await readWatchlist()).toBe(403)
    expect((await device.post(`/api/profile/${profile_id}/unlock`, { pin: '4711' })).status).toBe(200)
    expect(await readWatchlist()).toBe(200)
  } finally {
    await server.close()
  }
})

it('if a refresh token was replaced while the clock was ahead, the replaced token is rejected after the clock is set back', async () => {
  const server = await startTestServer()
  try {
    await insertTestAccount(server, 'alice@example.com')
    const device = new TestClient(server)
    await device.login('alice@example.com')
    const replacedCookie = device.cookie
    expect((await device.post('/api/auth/refresh')).status).toBe(200)
    server.advanceClock(-DAY_MS)
    const otherDevice = new TestClient(server)
    otherDevice.cookie = replacedCookie
    expect((await otherDevice.post('/api/auth/refresh')).status).toBe(401)
  } finally {
    await server.close()
  }
})

it('a progress report is stored even if the clock of the server that receives it is 3 s behind the time of the previous report', async () => {
  const server = await startTestServer()
  try {
    const [media_id] = await addMovies({ server }, [createMovieRecord(1)])
    await insertTestAccount(server, 'alice@example.com')
    const device = new TestClient(server)
    await device.login('alice@example.com')
    const { profile_id } = (await device.post('/api/profile', { name: 'Alice' })).body
    const reportProgress = (progressSeconds: number) =>
      device.post(`/api/profile/${profile_id}/history`, {
        type: 'movie',
        media_id,
        progress: progressSeconds,
        data: { video_duration: 600 },
      })
    expect((await reportProgress(100)).body.progress).toBe(100)
    server.advanceClock(-3_000)
    expect((await reportProgress(160)).body.progress).toBe(160)
  } finally {
    await server.close()
  }
})

it.each(DATABASES)(
  'on %s, a lease counts as free if its end is years later than its duration allows',
  async (_name, openDatabase) => {
    const database = await openDatabase()
    try {
      await migrateDatabase(database)
      const lease = { name: 'notices', holder: 'other', until: Date.now() + 5_000 }
      await database.primary.insertInto('lease').values(lease).execute()
      const request = { name: 'notices', holder: 'own', durationMs: 15_000 }
      expect(await acquireLease(database.primary, request)).toBe(false)
      await database.primary
        .updateTable('lease')
        .set({ until: Date.now() + FIVE_YEARS_MS })
        .execute()
      expect(await acquireLease(database.primary, request)).toBe(true)
    } finally {
      await database.close()
    }
  },
)

it('a stream without requests ends after a minute although the clock was set back a day', async () => {
  const server = await startTestServer()
  try {
    const claim = {
      sid: 'device',
      profileId: null,
      pinGeneration: 0,
      titleId: 1,
      location: { source: 'library', name: 'film.mp4' },
    } as unknown as MediaClaim
    recordDirectRequest(server.deps, claim)()
    expect(listDirectStreams(server.deps)).toHaveLength(1)
    server.advanceClock(-DAY_MS)
    server.advanceClock(61_000)
    expect(listDirectStreams(server.deps)).toEqual([])
  } finally {
    await server.close()
  }
})

it('an account that has reached the limit of stream lookups can look up streams again after a minute although the clock was set back a day', async () => {
  const server = await startTestServer()
  try {
    const limitNextLookup = () => limitLookupRate(server.deps, 'account')
    for (let lookup = 0; lookup < 60; lookup++) limitNextLookup()
    expect(limitNextLookup).toThrow(Problem)
    server.advanceClock(-DAY_MS)
    server.advanceClock(61_000)
    expect(limitNextLookup).not.toThrow()
  } finally {
    await server.close()
  }
})

it('an import counts as interrupted when its last heartbeat is minutes old or years in the future, but not when it is only hours in the future', async () => {
  const server = await startTestServer()
  try {
    const createImportRun = (heartbeatAgeMs: number) => {
      const row = {
        status: 'applying',
        counts: '{}',
        message: null,
        created_at: 0,
        applied_at: null,
        undone_at: null,
        heartbeat_at: server.deps.now() - heartbeatAgeMs,
      }
      return toImportRun(server, row as unknown as HistoryImportRun)
    }
    expect(createImportRun(-FIVE_YEARS_MS)).toMatchObject({ status: 'applied', message: 'interrupted' })
    expect(createImportRun(-DAY_MS / 2)).toMatchObject({ status: 'applying', message: null })
    expect(createImportRun(2 * 60_000)).toMatchObject({ status: 'applied', message: 'interrupted' })
  } finally {
    await server.close()
  }
})

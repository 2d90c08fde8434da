/**
 * Two devices of one profile send 500 mixed writes each to 20 titles. The network loses and repeats requests, and
 * loses responses. The final state must be the result of some serial order of the writes. The stored progress must be
 * the newest report since the last reset. No acknowledged write may be lost, and no table may have a duplicate row.
 */
import { afterEach, expect, it } from 'vitest'
import { createSeededGenerator } from '../../../server/images/random.ts'
import { DATABASES, insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'
import { findPossibleStates, type TitleState, type TitleWrite } from './serial-order.ts'
import { UnreliableDevice } from './unreliable-device.ts'

const TITLE_COUNT = 20
const WRITES_PER_DEVICE = 500
const VIDEO_DURATION_SECONDS = 1_000
/**
 * Watch states that change no other field of a title. The state `completed` is omitted, because setting it also changes
 * the progress, and finishing the playback also sets it. tests/server/tracking/viewings.test.ts covers both cases.
 */
const WATCH_STATES = ['planned', 'watching'] as const
/** Largest reported position. It is below 90 % of the duration, so no report finishes a movie. */
const MAX_PROGRESS_SECONDS = 800

let server: TestServer
afterEach(() => server.close())

it.each(DATABASES)(
  'writes of two devices end in a state that some serial order of these writes produces (%s)',
  async (_name, openTestDatabase) => {
    server = await startTestServer({ database: await openTestDatabase() })
    const account = await insertTestAccount(server, 'alice@example.com')
    const titleIds = await addMovies(
      { server },
      Array.from({ length: TITLE_COUNT }, (_, index) => createMovieRecord(index + 1)),
    )
    const devices = await Promise.all([1, 2].map(() => createSignedInDevice(account.email)))
    const profileId = (await devices[0]?.post('/api/profile', { name: 'Alice' }))?.body.profile_id as string
    const drawNumber = createSeededGenerator(20_261_121)
    const writes: TitleWrite[] = []
    let nextOrder = 0
    const firstReportedAtMs = Date.now() - 3_600_000
    await Promise.all(
      devices.map(async (device, deviceIndex) => {
        device.profileId = profileId
        device.faults = {
          drawNumber: createSeededGenerator(deviceIndex + 7),
          requestLossRate: 0.1,
          repeatRate: 0.1,
          responseLossRate: 0.1,
        }
        for (let writeIndex = 0; writeIndex < WRITES_PER_DEVICE; writeIndex++) {
          const write = createRandomWrite(
            titleIds[Math.floor(drawNumber() * TITLE_COUNT)] ?? '',
            drawNumber,
            firstReportedAtMs + writeIndex * 2_000 + deviceIndex,
          )
          const startOrder = nextOrder++
          const response = await device.sendUntilAcknowledged(
            write.method,
            write.buildPath(profileId),
            write.body,
          )
          expect([200, 204]).toContain(response.status)
          await Promise.all(device.pendingRepeats.splice(0))
          writes.push({ ...write, deviceIndex, startOrder, endOrder: nextOrder++ })
        }
      }),
    )
    expect(writes).toHaveLength(2 * WRITES_PER_DEVICE)
    const db = server.database.primary
    for (const id of titleIds) {
      const selectRows = (tableName: 'watchlist_entry' | 'feedback' | 'progress') =>
        db.selectFrom(tableName).selectAll().where('title_id', '=', Number(id)).execute()
      const [watchlistRows, feedbackRows, progressRows] = await Promise.all([
        selectRows('watchlist_entry'),
        selectRows('feedback'),
        selectRows('progress'),
      ])
      expect([watchlistRows.length <= 1, feedbackRows.length <= 1, progressRows.length <= 1]).toEqual([
        true,
        true,
        true,
      ])
      const watchlistEntry = (await devices[0]?.get(`/api/profile/${profileId}/watchlist/movie/${id}`))?.body
      const feedback = (await devices[0]?.get(`/api/profile/${profileId}/feedback/movie/${id}`))?.body
      const { latest } = (await devices[0]?.get(`/api/profile/${profileId}/history/movie/${id}`))?.body ?? {}
      const finalState: TitleState = {
        watchlist: watchlistEntry.in_watchlist ? `${watchlistEntry.state}` : 'out',
        favorite: String(watchlistEntry.favorite),
        feedback: String(feedback.feedback),
        progress: latest ? String(latest.progress) : 'none',
      }
      const titleWrites = writes.filter((write) => write.titleId === id)
      for (const [field, finalValue] of Object.entries(finalState) as [keyof TitleState, string][])
        expect([...findPossibleStates(titleWrites, field)], `${field} of ${id}`).toContain(finalValue)
    }
  },
  90_000,
)

async function createSignedInDevice(email: string): Promise<UnreliableDevice> {
  const device = new UnreliableDevice(server)
  await device.login(email)
  return device
}

/** Returns a random write: its HTTP request and its description for `findPossibleStates`. */
function createRandomWrite(
  id: string,
  drawNumber: () => number,
  reportedAtMs: number,
): Omit<TitleWrite, 'deviceIndex' | 'startOrder' | 'endOrder'> & HttpWrite {
  const pickValue = <T>(values: readonly T[]) => values[Math.floor(drawNumber() * values.length)] as T
  const createPathBuilder = (suffix: string) => (profileId: string) => `/api/profile/${profileId}/${suffix}`
  const kind = pickValue(['in', 'out', 'state', 'favorite', 'rate', 'progress', 'progress', 'reset'] as const)
  if (kind === 'in' || kind === 'out') {
    const body = { in_watchlist: kind === 'in' }
    return {
      titleId: id,
      kind,
      writtenValue: '',
      reportedAtMs,
      method: 'PUT',
      buildPath: createPathBuilder(`watchlist/movie/${id}/toggle`),
      body,
    }
  }
  if (kind === 'state') {
    const watchState = pickValue(WATCH_STATES)
    return {
      titleId: id,
      kind,
      writtenValue: watchState,
      reportedAtMs,
      method: 'PUT',
      buildPath: createPathBuilder(`watchlist/movie/${id}/state/${watchState}`),
      body: {},
    }
  }
  if (kind === 'favorite') {
    const isFavorite = drawNumber() < 0.5
    const buildPath = createPathBuilder(`watchlist/movie/${id}`)
    return {
      titleId: id,
      kind,
      writtenValue: String(isFavorite),
      reportedAtMs,
      method: 'PUT',
      buildPath,
      body: { favorite: isFavorite },
    }
  }
  if (kind === 'rate') {
    const feedback = pickValue(['like', 'dislike', null])
    const storedFeedback = feedback === null ? 'null' : `${feedback}d`
    return {
      titleId: id,
      kind,
      writtenValue: storedFeedback,
      reportedAtMs,
      method: 'PUT',
      buildPath: createPathBuilder(`feedback/movie/${id}`),
      body: { feedback },
    }
  }
  if (kind === 'reset')
    return {
      titleId: id,
      kind,
      writtenValue: '',
      reportedAtMs,
      method: 'DELETE',
      buildPath: createPathBuilder(`history/movie/${id}`),
      body: undefined,
    }
  const positionSeconds = 1 + Math.floor(drawNumber() * MAX_PROGRESS_SECONDS)
  const progressReport = {
    type: 'movie',
    media_id: id,
    progress: positionSeconds,
    data: { video_duration: VIDEO_DURATION_SECONDS },
    at: new Date(reportedAtMs).toISOString(),
  }
  return {
    titleId: id,
    kind,
    writtenValue: String(positionSeconds),
    reportedAtMs,
    method: 'POST',
    buildPath: createPathBuilder('history'),
    body: progressReport,
  }
}

interface HttpWrite {
  method: string
  buildPath: (profileId: string) => string
  body: unknown
}

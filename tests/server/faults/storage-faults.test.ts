/**
 * The storage fails during every call of the API contract. A write must not return 500, must not report success if its
 * data is lost, and must not store only some of its rows. Reads still work. Writes succeed again after the fault,
 * without a restart.
 */
import { spawn } from 'node:child_process'
import { closeSync, copyFileSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTestVideo } from '../../../scripts/test-videos.ts'
import { DATABASE_FILE_NAME, openSqliteDatabase } from '../../../server/db/database.ts'
import { getRefreshCookieName } from '../../../server/http/request.ts'
import { waitForIdleQueue } from '../../../server/services/history-import/import-queue.ts'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import type { Endpoint } from '../../../src/lib/contract/endpoint.ts'
import { disableDiskSync, usesPostgres } from '../../support/databases.ts'
import { ALL_ENDPOINTS, createRequiredQuery, getEndpointName } from '../../support/endpoints.ts'
import { HttpTestClient } from '../../support/http-test-client.ts'
import { listChangedTables, readTables, watchTables } from '../../support/read-tables.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { failWriteStatement, listStorageFaults, type StorageFault } from '../../support/storage-faults.ts'
import { TestClient } from '../../support/test-client.ts'
import { findFreePort, waitUntilReady } from '../../support/test-service.ts'
import { waitFor } from '../../support/wait-for.ts'
import {
  buildWriteRequest,
  createWriteCaller,
  WRITE_CALLS,
  type WriteCaller,
} from '../../support/write-calls.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'
import { createTempFolder, startMediaTestServer } from '../media/media-test-server.ts'

let dataFolder = ''
let server: TestServer
/** Id of the movie in the requests of profiles. Each request of an administrator gets another movie. */
let mediaId = ''
let movieCount = 1

beforeAll(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'marquee-faults-'))
  server = await startTestServer({
    env: { DATA_DIR: dataFolder },
    ...(!usesPostgres && {
      database: disableDiskSync(openSqliteDatabase(join(dataFolder, DATABASE_FILE_NAME))),
    }),
  })
  ;[mediaId = ''] = await addMovies({ server }, [createMovieRecord(1)])
  await server.deps.searchIndex.catchUp()
  await findJobWorker(server.deps)?.stop()
}, 60_000)
afterAll(async () => {
  await server.close()
  rmSync(dataFolder, { recursive: true, force: true })
})

/**
 * Tables that are not compared: leases and counters of attempts, which may change although a request fails, and tables
 * that change in the background after an accepted upload.
 */
const IGNORED_TABLES = ['rate_limit', 'pin_attempt', 'lease', 'history_import_row', 'history_import_group']
const isLoginTable = (tableName: string) => tableName === 'login'

/**
 * Deletes all jobs and block rules. If an earlier call has queued a job or created a block rule, the server rejects
 * the next call of that kind. Waits for the import of an earlier call, because writes of the import would count as
 * writes of the next call.
 */
async function deleteJobsAndBlockRules(): Promise<void> {
  await waitForIdleQueue(server.deps.database)
  for (const table of ['job', 'block_rule'] as const)
    await server.database.primary.deleteFrom(table).execute()
}

async function sendWrite(endpoint: Endpoint, caller: WriteCaller, movieId: string) {
  const findChangedTables = await watchTables(server.database, IGNORED_TABLES)
  const { path, init } = buildWriteRequest(endpoint, caller, movieId)
  const response = await server.request(path, init)
  const responseText = await response.text()
  const changedTables = await findChangedTables()
  const { status, headers } = response
  return { status, text: responseText, retryAfter: headers.get('Retry-After'), changedTables }
}

/**
 * Returns the ID of the movie for a call. Administrator calls get a new movie each, because they may delete the movie.
 */
async function getOrAddMovieId(endpoint: Endpoint): Promise<string> {
  if (endpoint.access !== 'admin') return mediaId
  movieCount += 1
  const [movieId = ''] = await addMovies({ server }, [createMovieRecord(movieCount)])
  return movieId
}

async function refreshSession(cookie: string) {
  const response = await server.request('/api/auth/refresh', {
    method: 'POST',
    headers: { Cookie: `${getRefreshCookieName(server.deps.config)}=${cookie}` },
  })
  return { status: response.status, cookie: /=([^;]*)/.exec(response.headers.get('set-cookie') ?? '')?.[1] }
}

const loadServerStatus = async () => (await new TestClient(server).get('/api/health/ready')).body
const countLogLines = (logText: string) => server.logLines.filter((line) => line.includes(logText)).length

describe('storage faults', () => {
  const faultlessResultsByEndpoint = new Map<Endpoint, Awaited<ReturnType<typeof sendWrite>>>()
  let faults: StorageFault[] = []
  beforeAll(async () => {
    faults = listStorageFaults(server)
    for (const [, endpoint] of WRITE_CALLS)
      faultlessResultsByEndpoint.set(
        endpoint,
        await sendWrite(endpoint, await createWriteCaller(server), await getOrAddMovieId(endpoint)),
      )
    await deleteJobsAndBlockRules()
  }, 120_000)

  it('without a fault, more than 30 write calls of the contract change the database', () => {
    const resultsWithChanges = [...faultlessResultsByEndpoint.values()].filter(
      ({ status, changedTables }) => status < 300 && changedTables.length > 0,
    )
    expect(resultsWithChanges.length).toBeGreaterThan(30)
  })

  it.each(['full disk', 'read-only database', ...(usesPostgres ? ['failing disk'] : [])])(
    'with a %s, writes get 503 with Retry-After, and reads still succeed',
    async (faultName) => {
      const expectedLogCount = faultName === 'full disk' ? 1 : 0
      const fault = faults.find(({ name }) => name.endsWith(faultName)) as StorageFault
      const caller = await createWriteCaller(server)
      const movieIdsByEndpoint = new Map<Endpoint, string>()
      for (const [, endpoint] of WRITE_CALLS)
        movieIdsByEndpoint.set(endpoint, await getOrAddMovieId(endpoint))
      await server.deps.searchIndex.catchUp()
      server.advanceClock(61_000)
      const statusesOfReads = await sendReads(caller)
      expect(statusesOfReads.filter((status) => status.endsWith('422'))).toEqual([])
      expect(statusesOfReads).toContain('GET /api/search: 200')
      server.advanceClock(61_000)
      server.logLines.length = 0
      await fault.start()
      try {
        for (const [name, endpoint] of WRITE_CALLS) {
          const faultlessResult = faultlessResultsByEndpoint.get(endpoint)
          const {
            status,
            text: responseText,
            retryAfter,
            changedTables,
          } = await sendWrite(endpoint, caller, movieIdsByEndpoint.get(endpoint) ?? '')
          const shouldFail =
            (faultlessResult?.status ?? 0) < 300 && (faultlessResult?.changedTables.length ?? 0) > 0
          const expectedStatuses = shouldFail ? [503] : [503, faultlessResult?.status]
          expect(expectedStatuses, `${name}: ${status} ${responseText} ${server.logLines.at(-2)}`).toContain(
            status,
          )
          if (status === 503) expect([name, retryAfter]).toEqual([name, '2'])
          expect([name, changedTables]).toEqual([name, []])
        }
        expect(await sendReads(caller)).toEqual(statusesOfReads)
        expect(await refreshSession(caller.cookie)).toEqual({ status: 200, cookie: caller.cookie })
        expect(await loadServerStatus()).toEqual({ status: 'degraded' })
        // A fault within a minute after the recovery from another fault is not logged.
        expect(countLogLines('the database cannot be written')).toBe(expectedLogCount)
        expect(countLogLines('request_failed')).toBe(0)
      } finally {
        await fault.end()
      }
      await waitFor(async () => expect(await loadServerStatus()).toEqual({ status: 'ok' }))
      expect(countLogLines('the database can be written again')).toBe(expectedLogCount)
      const { status } = await sendWrite(
        WRITE_CALLS.find(([name]) => name === 'PUT /api/profile/{id}')?.[1] as Endpoint,
        caller,
        mediaId,
      )
      expect(status).toBe(200)
    },
    120_000,
  )
})

it.runIf(existsSync('/dev/full'))('the server answers requests while its log cannot be written', async () => {
  const port = await findFreePort()
  const fullFileDescriptor = openSync('/dev/full', 'w')
  const folder = mkdtempSync(join(tmpdir(), 'marquee-full-log-'))
  const serverProcess = spawn(process.execPath, ['server/main.ts'], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder,
      DATABASE_URL: '',
      REDIS_URL: '',
      DEMO: '0',
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', fullFileDescriptor, fullFileDescriptor],
  })
  const client = new HttpTestClient(`http://127.0.0.1:${port}`)
  try {
    await waitUntilReady(async () => (await client.get('/api/health/ready')).status === 200, 60_000)
    for (let requestIndex = 0; requestIndex < 2; requestIndex += 1)
      expect((await client.get('/api/movies')).status).toBeLessThan(500)
    expect((await client.get('/api/health/ready')).status).toBe(200)
    expect(serverProcess.exitCode).toBeNull()
  } finally {
    serverProcess.kill('SIGKILL')
    closeSync(fullFileDescriptor)
    rmSync(folder, { recursive: true, force: true })
  }
})

it('on a full disk, a movie that was never played before still plays, and the session is refreshed', async () => {
  const mediaFolder = createTempFolder()
  copyFileSync(makeTestVideo('hevc-aac.mkv'), join(mediaFolder.path, 'Unplayed (2001).mkv'))
  const mediaServer = await startMediaTestServer(
    { MEDIA_DIR: mediaFolder.path, PATH: process.env['PATH'] ?? '' },
    [{ title: 'Unplayed', year: 2001, imdb: 'tt0000901' }],
  )
  const { adult } = mediaServer
  const [fault] = listStorageFaults(mediaServer.server)
  await fault?.start()
  try {
    const { status, body } = await mediaServer.lookUpStream('movie/tt0000901')
    expect([status, body.sources[0]?.delivery]).toEqual([200, 'transcode'])
    const watch = { type: 'movie', slug: (await adult.get('/api/movies')).body.results[0].slug }
    const refreshResponse = await adult.post('/api/auth/refresh', { watch })
    expect(refreshResponse.status).toBe(200)
    expect(refreshResponse.body.watch.stream.sources).toHaveLength(body.sources.length)
  } finally {
    await fault?.end()
    await mediaServer.close()
    mediaFolder.remove()
  }
}, 60_000)

/**
 * Returns the statuses of all read calls of the API contract, except the readiness check. Each call is sent twice: as
 * the other profile of the account, and as the profile of `caller`. The acting profile of the device therefore changes
 * between the requests.
 */
async function sendReads(caller: WriteCaller): Promise<string[]> {
  const client = new TestClient(server)
  client.accessToken = caller.accessToken
  const profiles = (await client.get('/api/profile')).body.results as { profile_id: string }[]
  const otherProfileId = profiles.find(({ profile_id }) => profile_id !== caller.profileId)?.profile_id ?? ''
  const statuses: string[] = []
  for (const endpoint of ALL_ENDPOINTS) {
    if (endpoint.method !== 'GET' || endpoint.path === '/health/ready') continue
    const { path, init } = buildWriteRequest(endpoint, caller, mediaId)
    const { body: _body, ...requestInit } = init
    const query = createRequiredQuery(endpoint, { q: 'lantern', from: '2026-11-01', until: '2026-11-30' })
    for (const profileId of [otherProfileId, caller.profileId]) {
      const headers = { ...requestInit.headers, 'X-Profile-Id': profileId }
      const response = await server.request(`${path}?${query}`, { ...requestInit, headers })
      await response.body?.cancel()
      statuses.push(`${getEndpointName(endpoint)}: ${response.status}`)
    }
  }
  return statuses
}

describe.runIf(!usesPostgres).each(WRITE_CALLS)('%s', (_name, endpoint) => {
  it('stores all rows of the call or none when one of the statements of the call has an I/O error', async () => {
    const { sqlite } = server.database
    await deleteJobsAndBlockRules()
    // Deletes the callers of other tests, because their rows would slow down the comparison of the tables.
    await server.database.primary.deleteFrom('account').execute()
    const faultlessResult = await sendWrite(
      endpoint,
      await createWriteCaller(server),
      await getOrAddMovieId(endpoint),
    )
    for (let statementNumber = 1; statementNumber < 40; statementNumber += 1) {
      await deleteJobsAndBlockRules()
      const caller = await createWriteCaller(server)
      const movieId = await getOrAddMovieId(endpoint)
      // After an I/O error, SQLite either rolls back the transaction or leaves the transaction open. Statements with
      // an even number simulate the rollback.
      const failingStatement = failWriteStatement(statementNumber, () => {
        if (statementNumber % 2 === 0 && sqlite?.isTransaction) sqlite.exec('rollback')
      })
      const {
        status,
        text: responseText,
        changedTables,
      } = await sendWrite(endpoint, caller, movieId).finally(failingStatement.endFault)
      if (!failingStatement.isReached()) return
      const description = `statement ${statementNumber}: ${status} ${responseText}`
      expect([503, faultlessResult.status], `${description} ${server.logLines.at(-2)}`).toContain(status)
      const expectedTables = status < 300 ? faultlessResult.changedTables : []
      const excludeLoginTable = (tables: string[]) => tables.filter((table) => !isLoginTable(table))
      if (status === 503 || status < 300)
        expect([description, excludeLoginTable(changedTables)]).toEqual([
          description,
          excludeLoginTable(expectedTables),
        ])
    }
    expect.fail('more than 40 statements')
  }, 60_000)
})

it.runIf(!usesPostgres)(
  'the server answers write calls with 503 and changes nothing while another process holds the database lock',
  async () => {
    const caller = await createWriteCaller(server)
    const otherConnection = new DatabaseSync(join(dataFolder, DATABASE_FILE_NAME))
    const tablesBefore = await readTables(server.database.primary)
    otherConnection.exec('begin immediate')
    try {
      const callResults = await Promise.all(
        WRITE_CALLS.map(async ([name, endpoint]) => {
          const { path, init } = buildWriteRequest(endpoint, caller, mediaId)
          const response = await server.request(path, init)
          return { name, status: response.status, isSuccess: response.ok }
        }),
      )
      expect(callResults.filter(({ status }) => status >= 500 && status !== 503)).toEqual([])
      expect(callResults.filter(({ status }) => status === 503).length).toBeGreaterThan(30)
      expect(listChangedTables(tablesBefore, await readTables(server.database.primary))).toEqual([])
    } finally {
      otherConnection.close()
    }
  },
  60_000,
)

/**
 * The limit of simultaneous encodings. The dashboard shows the limit of the whole server, and each process has an equal
 * share, but at least one encoding. The disk space of segments is divided equally between the processes and their
 * streams.
 */
import { availableParallelism } from 'node:os'
import { afterAll, expect, test } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import {
  computeDiskShareBytes,
  loadProcessConversionLimit,
} from '../../../server/services/playback/conversion/conversion-limit.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'

const servers: TestServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

/** Returns the limit in the reply to the dashboard, and the limit of one process. */
async function readLimits(workerCount: number, setting: number): Promise<[number, number]> {
  const server = await startTestServer({
    database: openSqliteDatabase(':memory:'),
    env: { WORKERS: String(workerCount), FFMPEG_PATH: 'off' },
  })
  servers.push(server)
  await insertTestAccount(server, 'admin@example.com', 'admin')
  const admin = new TestClient(server)
  await admin.login('admin@example.com')
  expect(
    (await admin.post('/api/settings', { key: 'conversion_limit', value: setting })).status,
  ).toBeLessThan(300)
  const { body } = await admin.get('/api/admin/streams')
  return [body.ffmpeg.limit, await loadProcessConversionLimit(server.deps)]
}

const HALF_CORE_COUNT = Math.max(1, Math.floor(availableParallelism() / 2))

test.each([
  { workerCount: 1, setting: 4, limits: [4, 4] },
  { workerCount: 2, setting: 4, limits: [4, 2] },
  { workerCount: 3, setting: 2, limits: [2, 1] },
  { workerCount: 1, setting: 0, limits: [HALF_CORE_COUNT, HALF_CORE_COUNT] },
])(
  'with WORKERS=$workerCount and conversion_limit=$setting, the conversion limits of the server and of one process are $limits',
  async ({ workerCount, setting, limits }) => expect(await readLimits(workerCount, setting)).toEqual(limits),
)

test.each([
  { workerCount: 1, sessionCount: 1, megabytes: 4000 },
  { workerCount: 1, sessionCount: 4, megabytes: 1000 },
  { workerCount: 2, sessionCount: 4, megabytes: 500 },
])(
  'with WORKERS=$workerCount and $sessionCount streams in this process, each stream may use $megabytes of 4000 megabytes of disk space for its segments',
  ({ workerCount, sessionCount, megabytes }) =>
    expect(computeDiskShareBytes({ config: { workerCount } }, 4000, sessionCount)).toBe(
      megabytes * 1024 * 1024,
    ),
)

/**
 * A real server process with 300 or 400 slow clients of each kind. `npm run bench:slow-clients` measures 2,000 clients
 * of each kind and compares response times.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HttpTestClient } from '../support/http-test-client.ts'
import { prepareServerProcess, readFirstSignIn, type ServerProcess } from '../support/server-processes.ts'
import { listLoopbackAddresses, SLOW_CLIENT_KINDS, startSlowClients } from '../support/slow-clients.ts'

const SLOW_CLIENT_COUNT = 300
/** This number exceeds MAX_ADMISSION_LIMIT, which slow bodies would use up if they counted as requests in progress. */
const SLOW_BODY_COUNT = 400
let folder = ''
let server: ServerProcess
let client: HttpTestClient

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-slow-'))
  server = await prepareServerProcess(folder, { DEMO: '1' })
  await server.start()
  client = new HttpTestClient(server.url)
  const { email, password } = readFirstSignIn([folder])
  await client.login(email, password)
  client.profileId = (await client.get('/api/profile')).body.results[0].profile_id
}, 150_000)
afterAll(async () => {
  await server?.kill()
  rmSync(folder, { recursive: true, force: true })
})

describe.each([1, 50])('slow clients from %i addresses', (addressCount) => {
  it.each(SLOW_CLIENT_KINDS)(
    'slow clients of the kind "%s" do not block signed-in reads and writes',
    async (kind) => {
      const slowClients = await startSlowClients({
        port: server.port,
        kind,
        count: kind === 'body' ? SLOW_BODY_COUNT : SLOW_CLIENT_COUNT,
        addresses: addressCount === 1 ? ['127.0.0.1'] : listLoopbackAddresses(addressCount),
      })
      try {
        const statuses: number[] = []
        for (let round = 0; round < 5; round += 1) {
          const responses = await Promise.all([
            client.get('/api/movies?limit=5'),
            client.get('/api/auth/me'),
            client.post(`/api/profile/${client.profileId}/history`, {
              type: 'movie',
              media_id: (await client.get('/api/movies?limit=1')).body.results[0].id,
              progress: 10 + round,
              data: { video_duration: 6_000 },
            }),
            client.get('/api/health/ready'),
          ])
          statuses.push(...responses.map(({ status }) => status))
        }
        expect(statuses).toEqual(Array.from({ length: 20 }, () => 200))
      } finally {
        slowClients.stop()
      }
    },
  )
})

/** The list of running streams for administrators, when several processes serve streams. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordDirectRequest } from '../../../server/services/playback/direct-streams.ts'
import type { MediaClaim } from '../../../server/services/playback/media-url.ts'
import { answerStreamMessages } from '../../../server/services/playback/running-streams.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { addTestTitles, createHousehold, type Household } from '../security/household.ts'

let server: TestServer
let household: Household
let claim: MediaClaim
beforeAll(async () => {
  server = await startTestServer()
  household = await createHousehold(server, { role: 'admin', pin: null })
  household.adult.profileId = household.mainId
  const { safe } = await addTestTitles(server)
  const [device] = (await household.adult.get('/api/auth/devices')).body.results
  claim = {
    location: { source: 'library', name: 'film.mp4' },
    titleId: Number(safe.id),
    expiresAtMs: Number.MAX_SAFE_INTEGER,
    sid: device.device_id,
    profileId: household.mainId,
    pinGeneration: 0,
  }
}, 60_000)
afterAll(() => server.close())

/** Simulates another process by a copy of the deps object. The copy has its own streams and shares the event bus. */
function createOtherProcessDeps() {
  const otherDeps = { ...server.deps }
  answerStreamMessages(otherDeps)
  return otherDeps
}
const listStreams = async () => (await household.adult.get('/api/admin/streams')).body.results

it('the list of running streams contains the streams of every process, and a stream that several processes serve is listed only once', async () => {
  const otherProcesses = [createOtherProcessDeps(), createOtherProcessDeps()]
  answerStreamMessages(server.deps)
  expect(await listStreams()).toEqual([])
  const otherClaim = { ...claim, location: { ...claim.location, name: 'other.mp4' } }
  for (const deps of otherProcesses) recordDirectRequest(deps, claim)
  recordDirectRequest(otherProcesses[1] ?? server.deps, otherClaim)
  expect(await listStreams()).toHaveLength(2)
  const startedAtMs = server.deps.now()
  server.advanceClock(30_000)
  recordDirectRequest(server.deps, claim)
  const streams = (await listStreams()) as { started_at: string; last_request_at: string }[]
  expect(streams).toHaveLength(2)
  const requestTimesMs = streams.map(({ last_request_at }) => Date.parse(last_request_at))
  expect(Math.max(...requestTimesMs)).toBeGreaterThan(startedAtMs + 25_000)
  for (const { started_at } of streams) expect(Date.parse(started_at)).toBeLessThanOrEqual(startedAtMs)
})

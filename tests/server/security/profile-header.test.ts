/**
 * Requests with an X-Profile-Id header that names no profile of the account, to every endpoint that needs a signed-in
 * device.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { sha256 } from '../../../server/services/auth/secret.ts'
import { hashDatabase } from '../../support/database-hash.ts'
import { ALL_ENDPOINTS, createSampleBody, getEndpointName } from '../../support/endpoints.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '../../support/server.ts'
import { fillEndpointPath, type TestClient } from '../../support/test-client.ts'
import { addTestTitles, createHousehold, type Household } from './household.ts'

const SIGNED_IN_ENDPOINTS = ALL_ENDPOINTS.filter(
  ({ access }) => access !== 'public' && access !== 'invitation',
)
  .map((endpoint) => [getEndpointName(endpoint), endpoint] as const)
  .sort()

let server: TestServer
let household: Household
let foreignHousehold: Household
let mediaId = ''
beforeAll(async () => {
  server = await startTestServer({ database: openSqliteDatabase(':memory:') })
  mediaId = (await addTestTitles(server)).safe.id
  // Repeats until the id contains a letter. Otherwise, swapping the case would not change the id.
  do household = await createHousehold(server, { role: 'admin', pin: null })
  while (swapCase(household.mainId) === household.mainId)
  foreignHousehold = await createHousehold(server)
}, 60_000)
afterAll(() => server.close())

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

const PROFILE_HEADERS: [string, () => string][] = [
  ['the profile of another account', () => foreignHousehold.mainId],
  ['a profile that does not exist', () => 'AAAAAAAAAAAAAAAAAAAAAA'],
  ['an empty text', () => ''],
  ['two profiles', () => `${household.mainId}, ${household.mainId}`],
  ['a path', () => `../${household.mainId}`],
  ['the ID of a profile of the account in swapped upper and lower case', () => swapCase(household.mainId)],
  ['characters outside ASCII', () => 'é\u00a0'],
]
const computeDatabaseHash = () => hashDatabase(server)

describe.each(PROFILE_HEADERS)('X-Profile-Id with %s', (_kind, getHeader) => {
  it.each(SIGNED_IN_ENDPOINTS)(
    '%s rejects the header X-Profile-Id with 403 and changes nothing',
    async (_name, endpoint) => {
      const device: TestClient = household.adult
      const hashBefore = computeDatabaseHash()
      const params = {
        id: household.mainId,
        type: 'movie',
        mediaId,
        state: 'planned',
        key: 'invitation_days',
      }
      const response = await device.send(
        endpoint.method,
        fillEndpointPath(endpoint, params),
        createSampleBody(endpoint, { password: TEST_PASSWORD }),
        { 'X-Profile-Id': getHeader() },
      )
      expect([response.status, response.body.errors]).toEqual([403, { profile: ['unknown'] }])
      expect(computeDatabaseHash()).toBe(hashBefore)
    },
  )
})

it('two requests with a rejected profile ID within a minute are recorded once in the audit log, with the hash of the ID', async () => {
  await server.database.primary.deleteFrom('audit_event').execute()
  const device = await household.signIn()
  device.profileId = foreignHousehold.mainId
  await device.get('/api/profile')
  await device.get('/api/profile')
  const events = await server.database.primary
    .selectFrom('audit_event')
    .select(['action', 'outcome', 'target'])
    .where('action', '=', 'object_denied')
    .execute()
  expect(events).toEqual([
    { action: 'object_denied', outcome: 'denied', target: sha256(foreignHousehold.mainId) },
  ])
})

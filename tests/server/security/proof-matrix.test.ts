/**
 * Sends a request to every endpoint that needs a proof. The first sender is a person who holds the device of an adult,
 * but knows no secret. The test repeats the requests for every state in which an adult may hand over the device.
 * The second sender is a person who has the proof.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import type { Endpoint } from '../../../src/lib/contract/endpoint.ts'
import { updateProfile } from '../../../src/lib/contract/profiles.ts'
import { PROOF_EXEMPT_SETTINGS } from '../../../src/lib/rules/own-settings.ts'
import { hashDatabase } from '../../support/database-hash.ts'
import { createSampleBody, getEndpointName } from '../../support/endpoints.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '../../support/server.ts'
import type { TestClient } from '../../support/test-client.ts'
import { addTestTitles, createHousehold, HOUR_MS, type Household, PIN, refreshToken } from './household.ts'
import { DEVICE_ENDPOINTS, PROOF_ENDPOINTS, sendProofRequest } from './proof-requests.ts'

/**
 * Endpoints that signed-in devices may call without a proof, by reason. The test fails for a new endpoint until the
 * endpoint requires a proof or matches a pattern of this list.
 */
const UNPROVEN_PATTERNS_BY_REASON: Record<string, RegExp[]> = {
  'reads what the acting profile may see': [
    /^GET \/api\/(actors|movies|series|seasons|search|recommend|library)\b/,
    /^GET \/proxy\/torrent-streamer\/stream\//,
  ],
  'names and kinds of profiles, for the profile picker': [
    /^GET \/api\/profile$/,
    /^GET \/api\/profile\/\{id\}$/,
    /^GET \/api\/auth\/me$/,
  ],
  'takes rights away, or requires the secret itself': [
    /^POST \/api\/profile\/leave$/,
    /^POST \/api\/profile\/\{id\}\/unlock$/,
    /^(POST|DELETE) \/api\/profile\/\{id\}\/group$/,
    /^DELETE \/api\/profile\/\{id\}\/notifications\/devices\/\{deviceId\}$/,
    /^POST \/api\/auth\/second-factor\/(confirm|passkey|passkey\/options)$/,
  ],
  'what a viewer does with titles that the profile may see': [
    /^GET \/api\/profile\/\{id\}\/(bin|calendar|feedback|history|statistics|viewings|watch-next|watchlist|continue-watching|notifications|recommend)\b/,
    /^(POST|PUT) \/api\/profile\/\{id\}\/(history|interaction\/\{type\}\/\{mediaId\}|notifications\/.+)$/,
    /^PUT \/api\/profile\/\{id\}\/watchlist/,
    /^POST \/api\/profile\/\{id\}\/viewings$/,
    /^PUT \/api\/profile\/\{id\}\/viewings\/note$/,
    /^(GET|POST|PUT|DELETE) \/api\/profile\/\{id\}\/lists\b/,
    /^(GET|PUT) \/api\/profile\/\{id\}\/ratings\//,
    /^(GET|PUT) \/api\/profile\/\{id\}\/availability\/\{type\}\/\{mediaId\}$/,
  ],
  'what a child asks its parents for, and how long it may watch': [
    /^GET \/api\/profile\/\{id\}\/viewing-time$/,
    /^POST \/api\/profile\/\{id\}\/viewing-time\/finish$/,
    /^(GET|POST) \/api\/profile\/\{id\}\/requests$/,
  ],
  'passes keys and texts between two devices of the account; the television asks for its own proofs': [
    /^(GET|POST|DELETE) \/api\/remote\//,
  ],
  'tells which data has changed, without the data': [/^GET \/api\/events$/],
}
const ADULT_ENDPOINTS = PROOF_ENDPOINTS.filter(([, { proof }]) => proof === 'adult' || proof === 'main')

let server: TestServer
let mediaId = ''
beforeAll(async () => {
  server = await startTestServer({ database: openSqliteDatabase(':memory:') })
  mediaId = (await addTestTitles(server)).safe.id
}, 60_000)
afterAll(() => server.close())

/** Deletes all households and the audit log. Otherwise, hashing the database would take longer with each household. */
async function deleteHouseholds(): Promise<void> {
  for (const table of ['account', 'audit_event', 'audit_anchor'] as const)
    await server.database.primary.deleteFrom(table).execute()
}

const sendRequest = (device: TestClient, endpoint: Endpoint, profileId: string, password: string | null) =>
  sendProofRequest(device, endpoint, { profileId, mediaId, password })

/** Creates a household whose kids profile has disliked a title. Only the removal of a dislike needs a proof. */
async function createTestHousehold(): Promise<Household> {
  const household = await createHousehold(server)
  const path = `/api/profile/${household.kidId}/feedback/movie/${mediaId}`
  await household.adult.put(path, { feedback: 'dislike' })
  return household
}

/** Returns a device of the household in a state in which the server must not treat the user as an adult. */
type DeviceOpener = (household: Household) => Promise<TestClient>
const unlockMainProfile = async (household: Household) => {
  const device = await household.signIn()
  await device.post(`/api/profile/${household.mainId}/unlock`, { pin: PIN })
  device.profileId = household.mainId
  return device
}
const DEVICE_OPENERS_BY_STATE: Record<string, DeviceOpener> = {
  'the kids profile acts': async ({ signIn, kidId }) => Object.assign(await signIn(), { profileId: kidId }),
  'a profile with limits acts': async ({ adult, signIn }) => {
    const { profile_id: profileId } = (await adult.post('/api/profile', { name: 'Teen', avatar: 1 })).body
    const limits = { guide: { violence: 'mild' }, accepts_unknown_guide: true }
    await adult.put(`/api/profile/${profileId}/limits`, limits)
    return Object.assign(await signIn(), { profileId })
  },
  'a profile with a limited viewing time acts': async ({ adult, signIn }) => {
    const { profile_id: profileId } = (await adult.post('/api/profile', { name: 'Teen', avatar: 1 })).body
    const limits = { school_day_minutes: 60, weekend_minutes: null, quiet_start: null, quiet_end: null }
    await adult.put(`/api/profile/${profileId}/viewing-limits`, limits)
    return Object.assign(await signIn(), { profileId })
  },
  'the kids profile watches together with the main profile': async (household) => {
    const device = await unlockMainProfile(household)
    await device.post(`/api/profile/${household.mainId}/group`, {
      members: [{ profile_id: household.kidId }],
    })
    return device
  },
  'no profile acts on a new device': ({ signIn }) => signIn(),
  'the request names the locked main profile': async ({ signIn, mainId }) =>
    Object.assign(await signIn(), { profileId: mainId }),
  'the unlock has expired': async (household) => {
    const device = await unlockMainProfile(household)
    server.advanceClock(12 * HOUR_MS + 1)
    await refreshToken(device)
    return device
  },
  'the profile picker has been opened': async (household) => {
    const device = await unlockMainProfile(household)
    await device.post('/api/profile/leave')
    return device
  },
  'the kids profile has been chosen after the main profile': async (household) => {
    const device = await unlockMainProfile(household)
    device.profileId = household.kidId
    await device.get(`/api/profile/${household.kidId}/watchlist`)
    device.profileId = household.mainId
    return device
  },
  'the PIN has been changed on another device': async (household) => {
    const device = await unlockMainProfile(household)
    await household.adult.put(`/api/profile/${household.mainId}/update-lock`, {
      current_pin: PIN,
      new_pin: '9999',
    })
    return device
  },
}

const computeDatabaseHash = () => hashDatabase(server)

/**
 * Creates a household and one of its devices for all tests of a describe block. The tests may send only requests that
 * the server rejects. A rejected request can change only the logins and the rate limits. Both are restored after each
 * test, so that every test starts in the same state.
 */
function useOpenedDevice(openDevice: DeviceOpener): () => { household: Household; device: TestClient } {
  let household: Household
  let device: TestClient
  let restoreLogins: () => Promise<void>
  beforeAll(async () => {
    household = await createTestHousehold()
    device = await openDevice(household)
    const { primary } = server.database
    const logins = await primary.selectFrom('login').selectAll().execute()
    restoreLogins = async () => {
      for (const login of logins)
        await primary.updateTable('login').set(login).where('sid', '=', login.sid).execute()
    }
  })
  afterEach(async () => {
    await restoreLogins()
    await server.database.primary.deleteFrom('rate_limit').execute()
  })
  afterAll(deleteHouseholds)
  return () => ({ household, device })
}

it('every endpoint for signed-in devices either requires the proof of an adult or is listed in UNPROVEN_PATTERNS_BY_REASON', () => {
  const patterns = Object.values(UNPROVEN_PATTERNS_BY_REASON).flat()
  const isListed = (endpointName: string) => patterns.some((pattern) => pattern.test(endpointName))
  const unprotectedNames = DEVICE_ENDPOINTS.filter(({ proof }) => proof === undefined).map(getEndpointName)
  expect(unprotectedNames.filter((name) => !isListed(name))).toEqual([])
  expect(PROOF_ENDPOINTS.map(([name]) => name).filter(isListed)).toEqual([])
  expect(PROOF_ENDPOINTS.length).toBeGreaterThan(20)
})

describe.each(Object.entries(DEVICE_OPENERS_BY_STATE))('when %s', (_state, openDevice) => {
  const getHouseholdAndDevice = useOpenedDevice(openDevice)

  it.each(PROOF_ENDPOINTS)(
    '%s is rejected without a valid proof and changes nothing',
    async (_name, endpoint) => {
      const { household, device } = getHouseholdAndDevice()
      const hashBefore = computeDatabaseHash()
      const response = await sendRequest(
        device,
        endpoint,
        household.kidId,
        endpoint.proof === 'password' ? 'Wrong12345' : null,
      )
      expect([response.status, response.body.type]).toEqual([
        403,
        expect.stringMatching(/^(forbidden|profile_locked)$/),
      ])
      expect(computeDatabaseHash()).toBe(hashBefore)
    },
  )
})

describe.each(Object.entries(DEVICE_OPENERS_BY_STATE))('when %s', (_state, openDevice) => {
  afterEach(deleteHouseholds)

  it('GET /api/auth/me and a refresh do not return the email address', async () => {
    const household = await createTestHousehold()
    const device = await openDevice(household)
    const responses = [await device.get('/api/auth/me'), await device.post('/api/auth/refresh')]
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(JSON.stringify(responses.map(({ body }) => body))).not.toContain(household.email)
  })
})

const ENDPOINTS_WITH_BODY = PROOF_ENDPOINTS.filter(([, { method, upload }]) => method !== 'GET' && !upload)

describe('while an adult acts', () => {
  const getHouseholdAndDevice = useOpenedDevice(async ({ adult }) => adult)

  it.each(ENDPOINTS_WITH_BODY)('%s is rejected with a wrong password', async (_name, endpoint) => {
    const { household, device } = getHouseholdAndDevice()
    const hashBefore = computeDatabaseHash()
    const response = await sendRequest(device, endpoint, household.kidId, 'Wrong12345')
    expect([response.status, response.body.errors]).toEqual([403, { password: ['wrong'] }])
    expect(computeDatabaseHash()).toBe(hashBefore)
  })
})

describe('the proof of an adult', () => {
  afterEach(deleteHouseholds)

  it.each(ADULT_ENDPOINTS)('%s is allowed while an adult profile acts', async (_name, endpoint) => {
    const { adult, kidId } = await createTestHousehold()
    const response = await sendRequest(adult, endpoint, kidId, null)
    expect([response.status, response.body?.type]).not.toEqual([403, 'forbidden'])
  })

  it.each(ENDPOINTS_WITH_BODY)(
    '%s is allowed on a kids profile with the account password',
    async (_name, endpoint) => {
      const { signIn, kidId } = await createTestHousehold()
      const device = Object.assign(await signIn(), { profileId: kidId })
      const response = await sendRequest(device, endpoint, kidId, TEST_PASSWORD)
      expect(response.status).not.toBe(403)
    },
  )

  it.each(ADULT_ENDPOINTS)(
    '%s requires no proof in an account that has neither kids profiles nor PINs',
    async (_name, endpoint) => {
      const { adult, mainId, kidId, signIn } = await createHousehold(server, { pin: null })
      await adult.delete(`/api/profile/${kidId}`)
      const response = await sendRequest(await signIn(), endpoint, mainId, null)
      expect([response.status, response.body?.type]).not.toEqual([403, 'forbidden'])
    },
  )
})

describe('a kids profile', () => {
  afterEach(deleteHouseholds)

  const sampleBody = createSampleBody(updateProfile, {}) as Record<string, unknown>
  const preferences = Object.keys(sampleBody['preferences'] as object).map((name) => `preferences.${name}`)
  const fields = [
    ...Object.keys(sampleBody).filter((name) => !['preferences', 'password'].includes(name)),
    ...preferences,
  ]
  const validValuesByField: Record<string, unknown> = {
    name: 'Changed',
    avatar: 3,
    kids: false,
    'preferences.language': 'fr',
    'preferences.content_genres': { movie: [], tv: [] },
    'preferences.home_rows': [],
    'preferences.text_size': 130,
    'preferences.media_title_language': 'original',
  }

  it.each(fields)(
    'a kids profile can change its field %s if and only if PROOF_EXEMPT_SETTINGS contains the field',
    async (field) => {
      const { signIn, kidId } = await createHousehold(server)
      const device = Object.assign(await signIn(), { profileId: kidId })
      const newValue = validValuesByField[field] ?? true
      const [groupName, fieldName] = field.split('.')
      const body = fieldName ? { preferences: { [fieldName]: newValue } } : { [groupName ?? '']: newValue }
      const isOwnSetting = (PROOF_EXEMPT_SETTINGS as readonly string[]).includes(field)
      const { status } = await device.put(`/api/profile/${kidId}`, body)
      expect([field, status]).toEqual([field, isOwnSetting ? 200 : 403])
      const ownPreferences = 'preferences' in body ? (body['preferences'] as object) : {}
      const bodyWithTwoChanges = { ...body, preferences: { ...ownPreferences, autoplay_next: false } }
      expect((await device.put(`/api/profile/${kidId}`, bodyWithTwoChanges)).status).toBe(403)
    },
  )
})

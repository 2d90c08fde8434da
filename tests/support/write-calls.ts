/** Every write call of the contract with a valid request, for tests that cause a fault during each call. */
import { randomBytes } from 'node:crypto'
import { insertAccount } from '../../server/queries/account.ts'
import { createLogin } from '../../server/services/auth/create-login.ts'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'
import { ALL_ENDPOINTS, createSampleBody, getEndpointName } from './endpoints.ts'
import { createPushBrowser } from './push-service.ts'
import { insertTestAccount, TEST_PASSWORD, type TestServer } from './server.ts'
import { fillEndpointPath, TestClient } from './test-client.ts'

export const WRITE_CALLS = ALL_ENDPOINTS.filter((endpoint) => endpoint.method !== 'GET')
  .map((endpoint) => [getEndpointName(endpoint), endpoint] as const)
  .sort()

/** A signed-in administrator with two profiles. */
export interface WriteCaller {
  accountId: string
  profileId: string
  /** Another profile of the account, without a PIN. */
  otherProfileId: string
  accessToken: string
  cookie: string
}

const createRandomId = () => randomBytes(16).toString('base64url')
const REQUEST_INFO = {
  id: 'test',
  ip: null,
  userAgent: 'test',
  address: '127.0.0.1',
  timeZone: null,
} as never
const PUSH_SUBSCRIPTION = createPushBrowser('https://push.example.com').subscription
let templateAccount: Awaited<ReturnType<typeof insertTestAccount>> | undefined

/**
 * Creates an administrator with two profiles, and signs in as this administrator. Copies the password hash of a
 * template account, because hashing takes longer than the rest of a test.
 */
export async function createWriteCaller(server: TestServer): Promise<WriteCaller> {
  templateAccount ??= await insertTestAccount(server, 'template@example.com', 'admin')
  const account = {
    ...templateAccount,
    account_id: createRandomId(),
    email: `${createRandomId().toLowerCase()}@example.com`,
  }
  const { primary } = server.database
  await insertAccount(primary, account)
  const { tokens, refreshToken } = await createLogin(server.deps, REQUEST_INFO, account, {
    deviceName: 'TV',
  })
  const device = new TestClient(server)
  device.accessToken = tokens.access_token
  const { body } = await device.post('/api/profile', { name: 'Main' })
  const otherProfileResponse = await device.post('/api/profile', { name: 'Other' })
  // A request that changes the acting profile updates the row of the login. Makes the main profile the acting profile
  // first, so that the request of the test does not update this row.
  device.profileId = body.profile_id
  await device.get('/api/profile')
  return {
    accountId: account.account_id,
    profileId: body.profile_id,
    otherProfileId: otherProfileResponse.body.profile_id,
    accessToken: tokens.access_token,
    cookie: refreshToken,
  }
}

/** Returns values of the path parameters of an endpoint; `mediaId` is a movie that the caller may see. */
export function buildPathParams(endpoint: Endpoint, caller: WriteCaller, mediaId: string) {
  return {
    id: endpoint.path.startsWith('/profile') ? caller.profileId : mediaId,
    type: 'movie',
    mediaId,
    state: 'planned',
    signal: `liked:${mediaId}`,
    import_id: 'AAAAAAAAAAAAAAAAAAAAAA',
    n: '1',
    key: 'invitation_days',
    device_id: 'AAAAAAAAAAAAAAAAAAAAAA',
    field: 'rated',
    service: 'tmdb',
    kind: 'list',
    imdbId: 'tt0000001',
    season: '1',
    episode: '1',
  }
}

/** Builds the request of a write call for this caller; `mediaId` is a movie that the caller may see. */
export function buildWriteRequest(endpoint: Endpoint, caller: WriteCaller, mediaId: string) {
  const valuesByProperty = {
    pin: '0000',
    current_pin: '0000',
    new_pin: '1111',
    name: 'Another name',
    email: `${createRandomId().toLowerCase()}@example.com`,
    password: TEST_PASSWORD,
    current_password: TEST_PASSWORD,
    new_password: `${TEST_PASSWORD}x`,
    type: endpoint.path.includes('passkey') ? 'public-key' : 'movie',
    media_id: mediaId,
    notification_ids: ['1'],
    ids: [mediaId],
    key: 'invitation_days',
    value: 3,
    importer: 'demo',
    options: {},
    at: new Date().toISOString(),
    date: 'chosen',
    decoders: undefined,
    audio_language: undefined,
    audio_kind: undefined,
    season: undefined,
    episode: undefined,
    progress: 60,
    video_duration: 600,
    content_genres: { movie: [], tv: [] },
    title_language: 'en',
    added_at: new Date().toISOString(),
    requested: true,
    trailer: 'https://example.com/trailer',
    imdb_id: 'tt7654321',
    new_email: `${createRandomId().toLowerCase()}@example.com`,
    profile_id: null,
    providers: [],
    address: 'https://example.com/',
    media_origins: [],
    poster: null,
    filter: undefined,
    genres: [18],
    muted: true,
    school_day_minutes: 60,
    weekend_minutes: 60,
    quiet_start: 1_200,
    quiet_end: 420,
    time_zone: 'Europe/Paris',
    session: 'player-one',
    rule: endpoint.path.includes('/notifications/') ? 'none' : 'deny',
    quiet: { from: '22:00', until: '07:00' },
    digest: false,
    ...PUSH_SUBSCRIPTION,
    ...(endpoint.path.endsWith('/group') && { profile_id: caller.otherProfileId }),
  }
  const body = endpoint.upload
    ? 'Title,Date\n"Lantern 1","5/2/20"\n'
    : JSON.stringify(createSampleBody(endpoint, valuesByProperty))
  return {
    path: fillEndpointPath(endpoint, buildPathParams(endpoint, caller, mediaId)),
    init: {
      method: endpoint.method,
      headers: {
        Authorization: `Bearer ${caller.accessToken}`,
        'Content-Type': endpoint.upload ? 'text/csv' : 'application/json',
      },
      body,
    },
  }
}

/** Creates a household on a test server: an account with adult and kids profiles, and signed-in devices. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'

export const PIN = '4821'
export const HOUR_MS = 3_600_000

export interface Household {
  email: string
  accountId: string
  /** Id of the main profile, for adults. Its PIN is `PIN` unless the option `pin` states another PIN or null. */
  mainId: string
  /** Id of a kids profile without a PIN. */
  kidId: string
  /** A device on which the main profile acts and is unlocked. */
  adult: TestClient
  /** Signs in on a new device. No profile acts on this device yet. */
  signIn: () => Promise<TestClient>
}

/**
 * Starts one server for the tests of a describe block. Before each test, creates a household, resets the rate limits,
 * and calls `setHousehold`.
 */
export function useHouseholds(
  openTestDatabase: () => Promise<TestServer['database']>,
  setHousehold: (server: TestServer, household: Household) => void,
): void {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ database: await openTestDatabase() })
  }, 60_000)
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.database.primary.deleteFrom('rate_limit').execute()
    setHousehold(server, await createHousehold(server))
  })
}

export async function createHousehold(
  server: TestServer,
  { role = 'user' as 'admin' | 'user', pin = PIN as string | null } = {},
): Promise<Household> {
  const email = `${crypto.randomUUID()}@example.org`
  const { account_id } = await insertTestAccount(server, email, role)
  const signIn = async () => {
    const device = new TestClient(server)
    await device.login(email)
    return device
  }
  const adult = await signIn()
  const createProfile = async (name: string, isKids: boolean): Promise<string> =>
    (await adult.post('/api/profile', { name, kids: isKids, avatar: 1 })).body.profile_id
  const mainId = await createProfile('Main', false)
  const kidId = await createProfile('Kid', true)
  adult.profileId = mainId
  if (pin !== null) await adult.post(`/api/profile/${mainId}/lock`, { pin })
  return { email, accountId: account_id, mainId, kidId, adult, signIn }
}

/** Requests a new access token for a device, because an access token expires after ten minutes. */
export async function refreshToken(device: TestClient): Promise<void> {
  const { body } = await device.post('/api/auth/refresh')
  device.accessToken = body.access_token
}

export interface TestTitle {
  id: string
  slug: string
  imdbId: string
}

/** Adds one movie that is safe for kids and one movie that is not safe for kids. */
export async function addTestTitles(server: TestServer): Promise<{ safe: TestTitle; unsafe: TestTitle }> {
  const records = [createMovieRecord(1), createMovieRecord(2, { safe_for_kids: false, rated: '18+' })]
  const titleIds = await addMovies({ server }, records)
  const findTitle = (index: number): TestTitle => ({
    id: titleIds[index] ?? '',
    slug: slugsById.get(titleIds[index] ?? '') ?? '',
    imdbId: records[index]?.imdb_id ?? '',
  })
  const rows = await server.database.primary.selectFrom('title').select(['title_id', 'slug']).execute()
  const slugsById = new Map(rows.map((row) => [String(row.title_id), row.slug]))
  return { safe: findTitle(0), unsafe: findTitle(1) }
}

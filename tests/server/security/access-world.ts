/**
 * The state of one random sequence of steps: a household with two devices on a test server, and the access model.
 * The model states what each device may do.
 */
import { TEST_PASSWORD, type TestServer } from '../../support/server.ts'
import type { TestClient, TestResponse } from '../../support/test-client.ts'
import { AccessModel, type ModelDevice } from './access-model.ts'
import { createHousehold, type Household, PIN, refreshToken, type TestTitle } from './household.ts'

const TOKEN_LIFETIME_MS = 9 * 60_000
/**
 * Time by which the clocks advance before each request. The server caches the access checks of a stream for less than
 * this time, so every request is checked again.
 */
const STEP_MS = 1_100

export interface WorldDevice {
  client: TestClient
  modelDevice: ModelDevice
  isSignedIn: boolean
  tokenIssuedAtMs: number
}

/** The media URL of an unsafe video. `profileId` and `pinVersion` describe the profile that requested the URL. */
interface MediaUrl {
  path: string
  profileId: string | null
  pinVersion: number
}

export interface AccessWorld {
  server: TestServer
  household: Household
  titles: { safe: TestTitle; unsafe: TestTitle }
  /** Id of a profile of another account. */
  foreignProfileId: string
  model: AccessModel
  /** The device of the child. The adult sometimes uses this device too. */
  tablet: WorldDevice
  /** The device that only the adult uses. */
  phone: WorldDevice
  mediaUrls: MediaUrl[]
  /** Number of wrong PINs since the last right PIN, by profile id. */
  pinGuessCountsByProfileId: Map<string, number>
  advanceClocks: (durationMs: number) => void
  /** Sends a request with the given X-Profile-Id. First refreshes an access token that expires soon. */
  sendRequest: (
    device: WorldDevice,
    headerProfileId: string | null,
    request: WorldRequest,
  ) => Promise<TestResponse>
}
type WorldRequest = [method: string, path: string, body?: unknown]

const createDevice = async (household: Household): Promise<WorldDevice> => ({
  client: await household.signIn(),
  modelDevice: { actingProfileId: null, unlock: null },
  isSignedIn: true,
  tokenIssuedAtMs: 0,
})

export async function createWorld(
  server: TestServer,
  sharedFixture: Pick<AccessWorld, 'titles' | 'foreignProfileId'>,
  hasMainPin: boolean,
): Promise<AccessWorld> {
  const household = await createHousehold(server, { pin: hasMainPin ? PIN : null })
  const model = new AccessModel()
  const { mainId, kidId } = household
  const pin = hasMainPin ? PIN : null
  model.profiles.set(mainId, { isMain: true, isKids: false, pin, pinVersion: hasMainPin ? 1 : 0 })
  model.profiles.set(kidId, { isMain: false, isKids: true, pin: null, pinVersion: 0 })
  const advanceClocks = (durationMs: number) => {
    server.advanceClock(durationMs)
    model.nowMs += durationMs
  }
  return {
    ...sharedFixture,
    server,
    household,
    model,
    tablet: await createDevice(household),
    phone: await createDevice(household),
    mediaUrls: [],
    pinGuessCountsByProfileId: new Map(),
    advanceClocks,
    sendRequest: async (device, headerProfileId, [method, path, body]) => {
      advanceClocks(STEP_MS)
      if (device.isSignedIn && model.nowMs - device.tokenIssuedAtMs > TOKEN_LIFETIME_MS) {
        device.client.profileId = null
        await refreshToken(device.client)
        device.tokenIssuedAtMs = model.nowMs
      }
      device.client.profileId = headerProfileId
      return device.client.send(method, path, body)
    },
  }
}

/**
 * Signs a device in with the email and the password, as the adult does. Deletes the rate limits before the sign-in.
 * Throws if the sign-in fails.
 */
export async function signInAgain(world: AccessWorld, device: WorldDevice): Promise<void> {
  await world.server.database.primary.deleteFrom('rate_limit').execute()
  device.client.cookie = null
  const { status } = await device.client.login(world.household.email, TEST_PASSWORD)
  if (status !== 200) throw new Error(`sign-in failed with ${status}`)
  Object.assign(device, {
    modelDevice: { actingProfileId: null, unlock: null },
    isSignedIn: true,
    tokenIssuedAtMs: world.model.nowMs,
  })
}

/** The requests of the contract that need a proof, with valid bodies. */
import type { Endpoint } from '../../../src/lib/contract/endpoint.ts'
import { ALL_ENDPOINTS, createSampleBody, getEndpointName } from '../../support/endpoints.ts'
import { fillEndpointPath, type TestClient, type TestResponse } from '../../support/test-client.ts'
import { PIN } from './household.ts'

const ABSENT_ID = 'AAAAAAAAAAAAAAAAAAAAAA'

/** Requests of a signed-in device, without those for administrators. */
export const DEVICE_ENDPOINTS = ALL_ENDPOINTS.filter(
  ({ access }) =>
    access === 'user' || access === 'viewer' || access === 'profile' || access === 'profile:any',
)
export const PROOF_ENDPOINTS = DEVICE_ENDPOINTS.filter(({ proof }) => proof !== undefined)
  .map((endpoint) => [getEndpointName(endpoint), endpoint] as const)
  .sort()

interface ProofRequest {
  profileId: string
  mediaId: string
  /** Replaces the password fields of the body; they are left out when it is null. */
  password: string | null
}

export function sendProofRequest(
  device: TestClient,
  endpoint: Endpoint,
  { profileId, mediaId, password }: ProofRequest,
): Promise<TestResponse> {
  const params = { type: 'movie', mediaId, signal: `liked:${mediaId}`, import_id: ABSENT_ID, n: '1' }
  const path = fillEndpointPath(endpoint, { id: profileId, ...params })
  return device.send(endpoint.method, path, createBody(endpoint, { mediaId, password }))
}

function createBody(endpoint: Endpoint, { mediaId, password }: Omit<ProofRequest, 'profileId'>): unknown {
  const body = createSampleBody(endpoint, {
    pin: '0000',
    current_pin: PIN,
    new_pin: '1111',
    new_password: 'Melies1902',
    name: 'Changed',
    kids: false,
    language: 'fr',
    content_genres: { movie: [], tv: [] },
    home_rows: [],
    text_size: 100,
    quiet_start: 1_200,
    quiet_end: 420,
    time_zone: 'UTC',
    session: 'player-one',
    feedback: 'like',
    media_id: endpoint.path.endsWith('/viewings') ? mediaId : null,
    device_id: ABSENT_ID,
    interface_language: 'fr',
    title_language: 'fr',
    ...(password !== null && { password, current_password: password }),
  }) as Record<string, unknown> | undefined
  // The PIN of the main profile is a proof too, which watch-requests.test.ts tests.
  if (endpoint.path.startsWith('/user/requests')) delete body?.['pin']
  // Fields for administrators, who are tested in admin-matrix.test.ts.
  for (const field of ['user_id', 'role', 'blocked']) delete body?.[field]
  if (password === null && endpoint.proof !== 'password') delete body?.['password']
  return body
}

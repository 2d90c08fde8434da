/** The endpoints that need a proof, and a function that sends a valid request to such an endpoint. */
import type { Endpoint } from '../../../src/lib/contract/endpoint.ts'
import { ALL_ENDPOINTS, createSampleBody, getEndpointName } from '../../support/endpoints.ts'
import { fillEndpointPath, type TestClient, type TestResponse } from '../../support/test-client.ts'
import { PIN } from './household.ts'

const ABSENT_ID = 'AAAAAAAAAAAAAAAAAAAAAA'

/** Endpoints for signed-in devices, without the endpoints for administrators. */
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
  /**
   * Value of the password fields. With null, the body has no `password`, except for endpoints whose only proof is the
   * password.
   */
  password: string | null
}

export function sendProofRequest(
  device: TestClient,
  endpoint: Endpoint,
  { profileId, mediaId, password }: ProofRequest,
): Promise<TestResponse> {
  const params = {
    type: 'movie',
    mediaId,
    signal: `liked:${mediaId}`,
    import_id: ABSENT_ID,
    n: '1',
    kind: 'list',
    itemId: ABSENT_ID,
  }
  const path = fillEndpointPath(endpoint, { id: profileId, ...params })
  return device.send(endpoint.method, path, createProofBody(endpoint, { mediaId, password }))
}

function createProofBody(
  endpoint: Endpoint,
  { mediaId, password }: Omit<ProofRequest, 'profileId'>,
): unknown {
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
    new_email: 'new@example.com',
    profile_id: null,
    interface_language: 'fr',
    title_language: 'fr',
    ...(password !== null && { password, current_password: password }),
  }) as Record<string, unknown> | undefined
  // Removes the PIN of the main profile from the body, because this PIN is a proof too.
  // watch-requests.test.ts and parent-pin.test.ts test the proof with the PIN.
  const canProveWithPin =
    endpoint.path.startsWith('/user/requests') || endpoint.path.endsWith('/viewing-time/extra')
  if (canProveWithPin) delete body?.['pin']
  // Removes the fields for administrators. admin-matrix.test.ts tests these fields.
  for (const field of ['user_id', 'role', 'blocked']) delete body?.[field]
  if (password === null && endpoint.proof !== 'password') delete body?.['password']
  return body
}

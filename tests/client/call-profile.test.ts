import { afterEach, expect, it, vi } from 'vitest'
import { callApi } from '../../src/lib/client/call.ts'
import { startProfileSession } from '../../src/lib/client/profile-session.ts'
import { listProfiles, setProfilePin } from '../../src/lib/contract/profiles.ts'

const USER = { user_id: 'u', email: null, role: 'user' }
const TOKENS = { access_token: 'a.b.c', token_type: 'Bearer', expires_in: 600, user: USER }
const REFUSAL = { type: 'forbidden', status_code: 403, message: '', errors: { profile: ['unknown'] } }
const createJsonResponse = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

const sentProfileIds: (string | null)[] = []
vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
  if (url.endsWith('/auth/refresh')) return createJsonResponse(TOKENS)
  const profileId = new Headers(init?.headers).get('x-profile-id')
  sentProfileIds.push(profileId)
  return profileId === 'deleted' ? createJsonResponse(REFUSAL, 403) : createJsonResponse({ results: [] })
})
afterEach(() => sentProfileIds.splice(0))

it('a call with `profile: null` sends no X-Profile-Id header', async () => {
  startProfileSession('deleted')
  expect(await callApi(listProfiles, { profile: null })).toEqual({ results: [] })
  expect(sentProfileIds).toEqual([null])
})

it('a call about a profile that no longer exists fails with 403 and is not repeated', async () => {
  startProfileSession('deleted')
  const pinRequest = callApi(setProfilePin, { params: { id: 'deleted' }, body: { pin: '1234' } })
  await expect(pinRequest).rejects.toMatchObject({ status: 403 })
  expect(sentProfileIds).toEqual(['deleted'])
})

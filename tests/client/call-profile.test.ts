import { afterEach, expect, it, vi } from 'vitest'
import { callApi } from '../../src/lib/client/call.ts'
import { startProfileSession } from '../../src/lib/client/profile-session.ts'
import { listProfiles, setProfilePin } from '../../src/lib/contract/profiles.ts'

const USER = { user_id: 'u', email: null, role: 'user' }
const TOKENS = { access_token: 'a.b.c', token_type: 'Bearer', expires_in: 600, user: USER }
const REFUSAL = { type: 'forbidden', status_code: 403, message: '', errors: { profile: ['unknown'] } }
const createJsonResponse = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

const sentIds: (string | null)[] = []
vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
  if (url.endsWith('/auth/refresh')) return createJsonResponse(TOKENS)
  const id = new Headers(init?.headers).get('x-profile-id')
  sentIds.push(id)
  return id === 'deleted' ? createJsonResponse(REFUSAL, 403) : createJsonResponse({ results: [] })
})
afterEach(() => sentIds.splice(0))

it('sends no X-Profile-Id header with a call for no profile', async () => {
  startProfileSession('deleted')
  expect(await callApi(listProfiles, { profile: null })).toEqual({ results: [] })
  expect(sentIds).toEqual([null])
})

it('does not repeat a call about a profile that the account no longer has', async () => {
  startProfileSession('deleted')
  const call = callApi(setProfilePin, { params: { id: 'deleted' }, body: { pin: '1234' } })
  await expect(call).rejects.toMatchObject({ status: 403 })
  expect(sentIds).toEqual(['deleted'])
})

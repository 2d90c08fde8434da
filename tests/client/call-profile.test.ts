import { afterEach, expect, it, vi } from 'vitest'
import { callApi, setActingProfileGetter } from '../../src/lib/client/call.ts'
import { listProfiles, setProfilePin } from '../../src/lib/contract/profiles.ts'

const USER = { user_id: 'u', email: null, role: 'user' }
const TOKENS = { access_token: 'a.b.c', token_type: 'Bearer', expires_in: 600, user: USER }
const REFUSAL = { type: 'forbidden', status_code: 403, message: '', errors: { profile: ['unknown'] } }
const respond = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

let actingId: string | null = null
const sentIds: (string | null)[] = []
vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
  if (url.endsWith('/auth/refresh')) return respond(TOKENS)
  const id = new Headers(init?.headers).get('x-profile-id')
  sentIds.push(id)
  return id === 'deleted' ? respond(REFUSAL, 403) : respond({ results: [] })
})
setActingProfileGetter(
  () => actingId,
  (unknownId) => {
    if (unknownId === actingId) actingId = null
  },
)
afterEach(() => sentIds.splice(0))

it('repeats a call about the account without a profile that the account no longer has', async () => {
  actingId = 'deleted'
  expect(await callApi(listProfiles)).toEqual({ results: [] })
  expect([sentIds, actingId]).toEqual([['deleted', null], null])
})

it('forgets a profile that the account no longer has when a call for it is refused', async () => {
  actingId = 'deleted'
  const call = callApi(setProfilePin, { params: { id: 'deleted' }, body: { pin: '1234' } })
  await expect(call).rejects.toMatchObject({ status: 403 })
  expect([sentIds, actingId]).toEqual([['deleted'], null])
})

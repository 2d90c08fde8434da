import { afterEach, expect, it, vi } from 'vitest'
import { callApi } from '../../src/lib/client/call.ts'
import { prefetchRead } from '../../src/lib/client/prefetch-read.ts'
import { startProfileSession } from '../../src/lib/client/profile-session.ts'
import { listProfiles, setProfilePin } from '../../src/lib/contract/profiles.ts'

const USER = { user_id: 'u', email: null, role: 'user' }
const TOKENS = { access_token: 'a.b.c', token_type: 'Bearer', expires_in: 600, user: USER }
const REJECTION = { type: 'forbidden', status_code: 403, message: '', errors: { profile: ['unknown'] } }
const createJsonResponse = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

const sentProfileIds: (string | null)[] = []
vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
  if (url.endsWith('/auth/refresh')) return createJsonResponse(TOKENS)
  const profileId = new Headers(init?.headers).get('x-profile-id')
  sentProfileIds.push(profileId)
  return profileId === 'deleted'
    ? createJsonResponse(REJECTION, 403)
    : createJsonResponse({ results: [], profileId })
})
afterEach(() => sentProfileIds.splice(0))

it('a call with `profile: null` sends no X-Profile-Id header', async () => {
  startProfileSession('deleted')
  expect(await callApi(listProfiles, { profile: null })).toEqual({ results: [], profileId: null })
  expect(sentProfileIds).toEqual([null])
})

it('a call about a profile that no longer exists fails with 403 and is not retried', async () => {
  startProfileSession('deleted')
  const pinRequestPromise = callApi(setProfilePin, { params: { id: 'deleted' }, body: { pin: '1234' } })
  await expect(pinRequestPromise).rejects.toMatchObject({ status: 403 })
  expect(sentProfileIds).toEqual(['deleted'])
})

it('concurrent reads of one URL for different profiles get separate replies', async () => {
  startProfileSession('acting')
  const replies = await Promise.all([
    callApi(listProfiles),
    callApi(listProfiles),
    callApi(listProfiles, { profile: 'other' }),
    callApi(listProfiles, { profile: null }),
  ])
  expect(replies).toMatchObject(['acting', 'acting', 'other', null].map((profileId) => ({ profileId })))
  expect(sentProfileIds).toHaveLength(3)
})

it('a response prefetched for the acting profile is not used for another profile', async () => {
  startProfileSession('acting')
  prefetchRead(listProfiles, {})
  expect(await callApi(listProfiles, { profile: 'other' })).toMatchObject({ profileId: 'other' })
  expect(await callApi(listProfiles)).toMatchObject({ profileId: 'acting' })
  expect(sentProfileIds).toEqual(['acting', 'other'])
})

it('a read that the boot script sent for the acting profile is not used for another profile', async () => {
  startProfileSession('acting')
  const bootReply = Promise.resolve(createJsonResponse({ results: [], profileId: 'acting' }))
  vi.stubGlobal('__boot', { reads: { '/api/profile': bootReply } })
  expect(await callApi(listProfiles, { profile: 'other' })).toMatchObject({ profileId: 'other' })
  expect(await callApi(listProfiles)).toMatchObject({ profileId: 'acting' })
  expect(sentProfileIds).toEqual(['other'])
})

it('a call sends the time zone of the device', async () => {
  let sentTimeZone: string | null = null
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (url.endsWith('/auth/refresh')) return createJsonResponse(TOKENS)
    sentTimeZone = new Headers(init?.headers).get('x-time-zone')
    return createJsonResponse({ results: [] })
  })
  await callApi(listProfiles, { profile: 'time-zone' })
  expect(sentTimeZone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
})

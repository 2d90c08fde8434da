/** Identical reads that are in progress at the same time: whether they share a request, and which reply is cached. */
import { beforeEach, expect, it, vi } from 'vitest'
import { callApi } from '../../src/lib/client/call.ts'
import { startProfileSession } from '../../src/lib/client/profile-session.ts'
import { listProfiles } from '../../src/lib/contract/profiles.ts'
import { waitFor } from '../support/wait-for.ts'

/** Replies that were passed to the read cache. */
const cachedReplies: unknown[] = []
vi.mock('../../src/lib/client/read-cache.ts', () => ({
  cacheReply: async (_url: string, _profileId: string | null, reply: unknown) => cachedReplies.push(reply),
}))

const USER = { user_id: 'u', email: null, role: 'user' }
const TOKENS = { access_token: 'a.b.c', token_type: 'Bearer', expires_in: 600, user: USER }
/** Functions that answer the requests of the test, in the order in which the requests arrived. */
const respondFunctions: ((body: unknown) => void)[] = []

beforeEach(() => {
  cachedReplies.length = 0
  respondFunctions.length = 0
  vi.stubGlobal('fetch', (url: string) =>
    url.endsWith('/auth/refresh')
      ? Promise.resolve(Response.json(TOKENS))
      : new Promise((resolve) => respondFunctions.push((body) => resolve(Response.json(body)))),
  )
  startProfileSession('acting')
})

const waitForRequests = (requestCount: number) =>
  waitFor(() => expect(respondFunctions).toHaveLength(requestCount))

it('a read with `isRequestShared: false` sends its own request while an identical read is in progress', async () => {
  const earlierReplyPromise = callApi(listProfiles)
  await waitForRequests(1)
  const laterReplyPromise = callApi(listProfiles, { isRequestShared: false })
  await waitForRequests(2)
  respondFunctions[1]?.({ results: ['new'] })
  respondFunctions[0]?.({ results: ['old'] })
  expect(await Promise.all([earlierReplyPromise, laterReplyPromise])).toEqual([
    { results: ['old'] },
    { results: ['new'] },
  ])
})

it('of two separate requests to one URL, only the reply to the later request is cached, even if the reply to the earlier request arrives last', async () => {
  vi.stubGlobal('caches', {})
  const earlierReplyPromise = callApi(listProfiles)
  await waitForRequests(1)
  const laterReplyPromise = callApi(listProfiles, { isRequestShared: false })
  await waitForRequests(2)
  respondFunctions[1]?.({ results: ['new'] })
  await laterReplyPromise
  respondFunctions[0]?.({ results: ['old'] })
  await earlierReplyPromise
  await waitFor(() => expect(cachedReplies).toEqual([{ results: ['new'] }]))
})

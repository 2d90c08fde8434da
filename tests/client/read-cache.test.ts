/** The cache of API replies on the device: ownership, access and deletion. Cache Storage is replaced by maps. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '../../src/lib/client/errors.ts'
import {
  cacheReply,
  consumeReplacedRepliesFlag,
  findCachedReply,
  listCachedReplies,
  waitForReply,
} from '../../src/lib/client/read-cache.ts'
import { clearStoredUser, storeUser } from '../../src/lib/client/stored-session.ts'
import { REACHABILITY_EVENT } from '../../src/lib/storage-keys.ts'

type CacheEntries = Map<string, Response>
const cachesByName = new Map<string, CacheEntries>()
const createCache = (responsesByUrl: CacheEntries) => ({
  match: async (request: string | { url: string }) =>
    responsesByUrl.get(typeof request === 'string' ? request : request.url)?.clone(),
  put: async (url: string, response: Response) => void responsesByUrl.set(url, response),
  delete: async ({ url }: { url: string }) => responsesByUrl.delete(url),
  keys: async () => [...responsesByUrl.keys()].map((url) => ({ url })),
})
const createStorage = () => {
  const valuesByKey = new Map<string, string>()
  return {
    getItem: (key: string) => valuesByKey.get(key) ?? null,
    setItem: (key: string, value: string) => void valuesByKey.set(key, value),
    removeItem: (key: string) => void valuesByKey.delete(key),
  }
}

const createUser = (user_id: string) => ({ user_id, email: `${user_id}@example.org` }) as never
const createProfile = (profile_id: string, overrides: object = {}) => ({
  profile_id,
  name: profile_id,
  kids: false,
  audience: 'adult',
  locked: false,
  unlocked: true,
  ...overrides,
})
const KIDS_OVERRIDES = { kids: true, restricted: true, audience: 'kids' }
const cacheProfileList = (...profiles: object[]) => cacheReply('/api/profile', 'alex', { results: profiles })
const MOVIE_PATH = '/api/movies/slug/arrival'

beforeEach(async () => {
  cachesByName.clear()
  Object.assign(globalThis, {
    caches: {
      open: async (cacheName: string) => {
        const responsesByUrl = cachesByName.get(cacheName) ?? new Map()
        cachesByName.set(cacheName, responsesByUrl)
        return createCache(responsesByUrl)
      },
      keys: async () => [...cachesByName.keys()],
      delete: async (cacheName: string) => cachesByName.delete(cacheName),
    },
    localStorage: createStorage(),
    sessionStorage: createStorage(),
    location: { origin: 'http://marquee.example' },
    document: { documentElement: { lang: 'en' } },
  })
  storeUser(createUser('a1'))
  await cacheProfileList(
    createProfile('alex'),
    createProfile('kim', KIDS_OVERRIDES),
    createProfile('robin', { locked: true }),
  )
})
/** Gives cache deletions time to finish, because the code under test does not await them. */
const waitForDeletions = () => new Promise((resolve) => setTimeout(resolve, 5))

test('a cached reply is returned only for the same profile and page language, but a cached list of profiles is returned for every page language', async () => {
  await cacheReply(MOVIE_PATH, 'alex', { title: 'Arrival' })
  expect(await findCachedReply(MOVIE_PATH, 'alex')).toEqual({ title: 'Arrival' })
  expect(await findCachedReply(MOVIE_PATH, 'kim')).toBeUndefined()
  expect(await listCachedReplies('kim')).toEqual([])
  Object.assign(globalThis, { document: { documentElement: { lang: 'ar' } } })
  expect(await findCachedReply(MOVIE_PATH, 'alex')).toBeUndefined()
  expect(await findCachedReply('/api/profile', 'alex')).toMatchObject({
    results: [{ profile_id: 'alex' }, {}, {}],
  })
})

test('cached replies of a locked profile are returned only in a browser tab in which the PIN was entered', async () => {
  await cacheReply(MOVIE_PATH, 'robin', { title: 'Arrival' })
  expect(await findCachedReply(MOVIE_PATH, 'robin')).toBeUndefined()
  expect(await listCachedReplies('robin')).toEqual([])
  sessionStorage.setItem('marquee-unlocked', 'other robin')
  expect(await findCachedReply(MOVIE_PATH, 'robin')).toEqual({ title: 'Arrival' })
  expect(await listCachedReplies('robin')).toHaveLength(1)
})

test('while a kids profile is chosen in an account with an exit PIN, cached replies of other profiles are not returned', async () => {
  await cacheReply(MOVIE_PATH, 'alex', { title: 'Arrival' })
  await cacheReply(MOVIE_PATH, 'kim', { title: 'Paddington' })
  await cacheReply('/api/profile', null, {
    results: [createProfile('alex'), createProfile('kim', KIDS_OVERRIDES)],
    has_exit_pin: true,
  })
  localStorage.setItem('marquee-profile', 'kim')
  expect(await findCachedReply(MOVIE_PATH, 'alex')).toBeUndefined()
  expect(await findCachedReply(MOVIE_PATH, 'kim')).toEqual({ title: 'Paddington' })
  expect(await findCachedReply('/api/profile', null)).toMatchObject({
    results: [
      { locked: true, needs_exit_pin: true, unlocked: false },
      { locked: false, unlocked: true },
    ],
    has_exit_pin: true,
  })
  localStorage.setItem('marquee-profile', 'alex')
  expect(await findCachedReply(MOVIE_PATH, 'alex')).toEqual({ title: 'Arrival' })
})

test.each([
  ['a profile that became a kids profile', createProfile('alex', KIDS_OVERRIDES)],
  ['a profile with new limits', createProfile('alex', { audience: 'limited' })],
  ['a profile that no longer exists', createProfile('sam')],
])('an updated list of profiles deletes the cached replies of %s', async (_, newProfile) => {
  await cacheReply(MOVIE_PATH, 'alex', { title: 'Arrival' })
  await cacheReply(MOVIE_PATH, 'kim', { title: 'Paddington' })
  await cacheProfileList(newProfile, createProfile('kim', KIDS_OVERRIDES))
  await waitForDeletions()
  await cacheProfileList(createProfile('alex'), createProfile('kim', KIDS_OVERRIDES))
  expect(await findCachedReply(MOVIE_PATH, 'alex')).toBeUndefined()
  expect(await findCachedReply(MOVIE_PATH, 'kim')).toEqual({ title: 'Paddington' })
})

test('the caches of replies and images are deleted when another account signs in or the user signs out, and no reply is cached while nobody is signed in', async () => {
  await cacheReply(MOVIE_PATH, 'alex', { title: 'Arrival' })
  storeUser(createUser('a2'))
  await waitForDeletions()
  expect([...cachesByName.keys()]).toEqual(['marquee-pictures'])
  await cacheProfileList(createProfile('alex'))
  await cacheReply(MOVIE_PATH, 'alex', { title: 'Arrival' })
  clearStoredUser()
  await waitForDeletions()
  expect([...cachesByName.keys()]).toEqual([])
  await cacheReply(MOVIE_PATH, 'alex', { title: 'Arrival' })
  expect([...cachesByName.keys()]).toEqual([])
})

test('a sign-out while a reply is being cached, or while an account signs in, leaves no cache behind', async () => {
  const cachingPromise = cacheReply(MOVIE_PATH, 'alex', { title: 'Arrival' })
  clearStoredUser()
  await cachingPromise
  await waitForDeletions()
  expect([...cachesByName.keys()]).toEqual([])
  storeUser(createUser('a1'))
  storeUser(createUser('a2'))
  clearStoredUser()
  await waitForDeletions()
  expect([...cachesByName.keys()]).toEqual([])
})

test.each([
  '/api/auth/me',
  '/api/auth/devices?limit=100',
  '/api/movies?admin=true&page=1',
  '/api/admin/overview',
  '/api/profile/alex/export?format=json',
  '/api/profile/alex/recommend/signals',
  '/proxy/torrent-streamer/stream/movie/tt1',
])('the read cache never stores the reply of %s', async (url) => {
  await cacheReply(url, 'alex', { secret: true })
  expect(await findCachedReply(url, 'alex')).toBeUndefined()
  expect(await listCachedReplies('alex')).toEqual([])
})

test('when a page caches its first reply for a profile, the oldest cached replies of the profile are deleted until 600 remain', async () => {
  const cacheName = 'marquee-reads a1 robin'
  const replies = Array.from({ length: 650 }, (_, index) => [`/reply/${index}`, new Response()] as const)
  cachesByName.set(cacheName, new Map(replies))
  vi.resetModules()
  const nextPage = await import('../../src/lib/client/read-cache.ts')
  await nextPage.cacheReply(MOVIE_PATH, 'alex', { title: 'Arrival' })
  await nextPage.cacheReply(MOVIE_PATH, 'robin', { title: 'Arrival' })
  expect(cachesByName.get(cacheName)?.size).toBe(600)
})

test('the reply to a write of one watchlist entry is cached as the reply of the GET request, and replies to other writes are not cached', async () => {
  const entryPath = '/api/profile/alex/watchlist/movie/44'
  await cacheReply(entryPath, 'alex', { in_watchlist: true })
  await cacheReply(entryPath, 'alex', { in_watchlist: false }, true)
  expect(await findCachedReply(entryPath, 'alex')).toEqual({ in_watchlist: false })
  await cacheReply('/api/profile/alex/watchlist', 'alex', { results: [] }, true)
  expect(await findCachedReply('/api/profile/alex/watchlist', 'alex')).toBeUndefined()
})

test('in an account with an exit PIN, choosing a profile with limits marks the other profiles in the cached list as locked by the exit PIN', async () => {
  await cacheReply('/api/profile', null, {
    results: [createProfile('alex'), createProfile('teen', { restricted: true })],
    has_exit_pin: true,
  })
  localStorage.setItem('marquee-profile', 'teen')
  expect(await findCachedReply('/api/profile', null)).toMatchObject({
    results: [{ needs_exit_pin: true, unlocked: false }, { unlocked: true }],
  })
})

describe('a read that the server answers with an error', () => {
  const createError = (status: number) =>
    new ApiError({ type: 'any', status, message: 'Any', retryAfterSeconds: 2 })

  test.each([502, 503, 504])(
    'with status %i returns the cached reply, and requests a refetch when the time in Retry-After has passed',
    async (status) => {
      vi.useFakeTimers()
      const dispatchedTypes: string[] = []
      Object.assign(globalThis, { dispatchEvent: ({ type }: Event) => dispatchedTypes.push(type) })
      await cacheReply(MOVIE_PATH, 'alex', { title: 'Arrival' })
      expect(await waitForReply(Promise.reject(createError(status)), MOVIE_PATH, 'alex')).toEqual({
        title: 'Arrival',
      })
      expect(consumeReplacedRepliesFlag()).toBe(true)
      vi.advanceTimersByTime(1_999)
      expect(dispatchedTypes).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      expect(dispatchedTypes).toEqual([REACHABILITY_EVENT])
      vi.useRealTimers()
    },
  )

  test.each([502, 503, 504])('with status %i throws the error if no reply is cached', async (status) => {
    const error = createError(status)
    await expect(waitForReply(Promise.reject(error), MOVIE_PATH, 'alex')).rejects.toBe(error)
  })

  test.each([404, 409, 500])('with status %i throws the error even if a reply is cached', async (status) => {
    await cacheReply(MOVIE_PATH, 'alex', { title: 'Arrival' })
    const error = createError(status)
    await expect(waitForReply(Promise.reject(error), MOVIE_PATH, 'alex')).rejects.toBe(error)
    expect(consumeReplacedRepliesFlag()).toBe(false)
  })
})

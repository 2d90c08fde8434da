/** The cache of API replies on the device: ownership, access and deletion. Cache Storage is replaced by maps. */
import { beforeEach, expect, test } from 'vitest'
import { cacheReply, findCachedReply, listCachedReplies } from '../../src/lib/client/read-cache.ts'
import { clearStoredUser, storeUser } from '../../src/lib/client/stored-session.ts'

type CacheEntries = Map<string, Response>
const cachesByName = new Map<string, CacheEntries>()
const createCache = (entries: CacheEntries) => ({
  match: async (key: string | { url: string }) =>
    entries.get(typeof key === 'string' ? key : key.url)?.clone(),
  put: async (key: string, value: Response) => void entries.set(key, value),
  delete: async ({ url }: { url: string }) => entries.delete(url),
  keys: async () => [...entries.keys()].map((url) => ({ url })),
})
const createStorage = () => {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
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
const KIDS = { kids: true, audience: 'kids' }
const cacheProfileList = (...results: object[]) => cacheReply('/api/profile', 'alex', { results })
const MOVIE_PATH = '/api/movies/slug/arrival'

beforeEach(async () => {
  cachesByName.clear()
  Object.assign(globalThis, {
    caches: {
      open: async (name: string) => {
        const entries = cachesByName.get(name) ?? new Map()
        cachesByName.set(name, entries)
        return createCache(entries)
      },
      keys: async () => [...cachesByName.keys()],
      delete: async (name: string) => cachesByName.delete(name),
    },
    localStorage: createStorage(),
    sessionStorage: createStorage(),
    location: { origin: 'http://marquee.example' },
    document: { documentElement: { lang: 'en' } },
  })
  storeUser(createUser('a1'))
  await cacheProfileList(
    createProfile('alex'),
    createProfile('kim', KIDS),
    createProfile('robin', { locked: true }),
  )
})
/** Waits until cache deletions have finished, because the code under test does not await them. */
const waitForDeletions = () => new Promise((resolve) => setTimeout(resolve, 5))

test('returns a reply only to the profile, account and language for which it was cached', async () => {
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

test('returns replies of a locked profile only in a tab where its PIN was entered', async () => {
  await cacheReply(MOVIE_PATH, 'robin', { title: 'Arrival' })
  expect(await findCachedReply(MOVIE_PATH, 'robin')).toBeUndefined()
  expect(await listCachedReplies('robin')).toEqual([])
  sessionStorage.setItem('marquee-unlocked', 'other robin')
  expect(await findCachedReply(MOVIE_PATH, 'robin')).toEqual({ title: 'Arrival' })
  expect(await listCachedReplies('robin')).toHaveLength(1)
})

test.each([
  ['a profile that became a kids profile', createProfile('alex', KIDS)],
  ['a profile with new limits', createProfile('alex', { audience: 'limited' })],
  ['a profile that no longer exists', createProfile('sam')],
])('deletes the cached replies of %s', async (_, newProfile) => {
  await cacheReply(MOVIE_PATH, 'alex', { title: 'Arrival' })
  await cacheReply(MOVIE_PATH, 'kim', { title: 'Paddington' })
  await cacheProfileList(newProfile, createProfile('kim', KIDS))
  await waitForDeletions()
  await cacheProfileList(createProfile('alex'), createProfile('kim', KIDS))
  expect(await findCachedReply(MOVIE_PATH, 'alex')).toBeUndefined()
  expect(await findCachedReply(MOVIE_PATH, 'kim')).toEqual({ title: 'Paddington' })
})

test('deletes all caches on sign-out and when another account signs in, and caches nothing while signed out', async () => {
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

test('leaves no cache behind when the user signs out while a reply is being cached or an account signs in', async () => {
  const caching = cacheReply(MOVIE_PATH, 'alex', { title: 'Arrival' })
  clearStoredUser()
  await caching
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
])('never caches %s', async (url) => {
  await cacheReply(url, 'alex', { secret: true })
  expect(await findCachedReply(url, 'alex')).toBeUndefined()
  expect(await listCachedReplies('alex')).toEqual([])
})

test('caches the reply to a write of a single watchlist entry as the reply to its GET request, and caches no reply to other writes', async () => {
  const entryPath = '/api/profile/alex/watchlist/movie/44'
  await cacheReply(entryPath, 'alex', { in_watchlist: true })
  await cacheReply(entryPath, 'alex', { in_watchlist: false }, true)
  expect(await findCachedReply(entryPath, 'alex')).toEqual({ in_watchlist: false })
  await cacheReply('/api/profile/alex/watchlist', 'alex', { results: [] }, true)
  expect(await findCachedReply('/api/profile/alex/watchlist', 'alex')).toBeUndefined()
})

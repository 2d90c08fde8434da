/** What was seen: whose it is, when it is shown, and when it goes. Against caches made of maps. */
import { beforeEach, expect, test } from 'vitest'
import { cacheReply, findCachedReply, listCachedReplies } from '../../src/lib/client/read-cache.ts'
import { clearStoredUser, storeUser } from '../../src/lib/client/stored-session.ts'

type Stored = Map<string, Response>
const stores = new Map<string, Stored>()
const cacheOf = (stored: Stored) => ({
  match: async (key: string | { url: string }) =>
    stored.get(typeof key === 'string' ? key : key.url)?.clone(),
  put: async (key: string, value: Response) => void stored.set(key, value),
  delete: async ({ url }: { url: string }) => stored.delete(url),
  keys: async () => [...stored.keys()].map((url) => ({ url })),
})
const storage = () => {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
}

const account = (user_id: string) => ({ user_id, email: `${user_id}@example.org` }) as never
const profile = (profile_id: string, more: object = {}) => ({
  profile_id,
  name: profile_id,
  kids: false,
  locked: false,
  unlocked: true,
  ...more,
})
const household = (...results: object[]) => cacheReply('/api/profile', 'alex', { results })
const MOVIE = '/api/movies/slug/arrival'

beforeEach(async () => {
  stores.clear()
  Object.assign(globalThis, {
    caches: {
      open: async (name: string) => {
        const stored = stores.get(name) ?? new Map()
        stores.set(name, stored)
        return cacheOf(stored)
      },
      keys: async () => [...stores.keys()],
      delete: async (name: string) => stores.delete(name),
    },
    localStorage: storage(),
    sessionStorage: storage(),
    location: { origin: 'http://marquee.example' },
    document: { documentElement: { lang: 'en' } },
  })
  storeUser(account('a1'))
  await household(profile('alex'), profile('kim', { kids: true }), profile('robin', { locked: true }))
})
const quiet = () => new Promise((resolve) => setTimeout(resolve, 5))

test('an answer is for the profile, the account and the language that it was given to', async () => {
  await cacheReply(MOVIE, 'alex', { title: 'Arrival' })
  expect(await findCachedReply(MOVIE, 'alex')).toEqual({ title: 'Arrival' })
  expect(await findCachedReply(MOVIE, 'kim')).toBeUndefined()
  expect(await listCachedReplies('kim')).toEqual([])
  Object.assign(globalThis, { document: { documentElement: { lang: 'ar' } } })
  expect(await findCachedReply(MOVIE, 'alex')).toBeUndefined()
  expect(await findCachedReply('/api/profile', 'alex')).toMatchObject({
    results: [{ profile_id: 'alex' }, {}, {}],
  })
})

test('a locked profile is shut unless its PIN was said here', async () => {
  await cacheReply(MOVIE, 'robin', { title: 'Arrival' })
  expect(await findCachedReply(MOVIE, 'robin')).toBeUndefined()
  expect(await listCachedReplies('robin')).toEqual([])
  sessionStorage.setItem('marquee-unlocked', 'other robin')
  expect(await findCachedReply(MOVIE, 'robin')).toEqual({ title: 'Arrival' })
  expect(await listCachedReplies('robin')).toHaveLength(1)
})

test.each([
  ['a profile that became a kids profile', profile('alex', { kids: true })],
  ['a profile that is gone', profile('sam')],
])('%s loses what was kept for it', async (_, now) => {
  await cacheReply(MOVIE, 'alex', { title: 'Arrival' })
  await cacheReply(MOVIE, 'kim', { title: 'Paddington' })
  await household(now, profile('kim', { kids: true }))
  await quiet()
  await household(profile('alex'), profile('kim', { kids: true }))
  expect(await findCachedReply(MOVIE, 'alex')).toBeUndefined()
  expect(await findCachedReply(MOVIE, 'kim')).toEqual({ title: 'Paddington' })
})

test('signing out and another account leave nothing', async () => {
  await cacheReply(MOVIE, 'alex', { title: 'Arrival' })
  storeUser(account('a2'))
  await quiet()
  expect([...stores.keys()]).toEqual([])
  await household(profile('alex'))
  await cacheReply(MOVIE, 'alex', { title: 'Arrival' })
  clearStoredUser()
  await quiet()
  expect([...stores.keys()]).toEqual([])
  await cacheReply(MOVIE, 'alex', { title: 'Arrival' })
  expect([...stores.keys()]).toEqual([])
})

test.each([
  '/api/auth/me',
  '/api/auth/devices?limit=100',
  '/api/movies?admin=true&page=1',
  '/api/admin/overview',
  '/api/profile/alex/export?format=json',
  '/api/profile/alex/recommend/signals',
  '/proxy/torrent-streamer/stream/movie/tt1',
])('%s is never kept', async (url) => {
  await cacheReply(url, 'alex', { secret: true })
  expect(await findCachedReply(url, 'alex')).toBeUndefined()
  expect(await listCachedReplies('alex')).toEqual([])
})

test('what was written to one title is what a read of it says; answers to other writes are not kept', async () => {
  const entry = '/api/profile/alex/watchlist/movie/44'
  await cacheReply(entry, 'alex', { in_watchlist: true })
  await cacheReply(entry, 'alex', { in_watchlist: false }, true)
  expect(await findCachedReply(entry, 'alex')).toEqual({ in_watchlist: false })
  await cacheReply('/api/profile/alex/watchlist', 'alex', { results: [] }, true)
  expect(await findCachedReply('/api/profile/alex/watchlist', 'alex')).toBeUndefined()
})

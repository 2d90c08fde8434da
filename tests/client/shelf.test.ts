/** What was seen: whose it is, when it is shown, and when it goes. Against caches made of maps. */
import { beforeEach, expect, test } from 'vitest'
import { forgetUser, rememberUser } from '../../src/lib/client/remembered.ts'
import { all, find, keep } from '../../src/lib/client/shelf.ts'

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
const household = (...results: object[]) => keep('/api/profile', 'alex', { results })
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
  rememberUser(account('a1'))
  await household(profile('alex'), profile('kim', { kids: true }), profile('robin', { locked: true }))
})
const quiet = () => new Promise((resolve) => setTimeout(resolve, 5))

test('an answer is for the profile, the account and the language that it was given to', async () => {
  await keep(MOVIE, 'alex', { title: 'Arrival' })
  expect(await find(MOVIE, 'alex')).toEqual({ title: 'Arrival' })
  expect(await find(MOVIE, 'kim')).toBeUndefined()
  expect(await all('kim')).toEqual([])
  Object.assign(globalThis, { document: { documentElement: { lang: 'ar' } } })
  expect(await find(MOVIE, 'alex')).toBeUndefined()
  expect(await find('/api/profile', 'alex')).toMatchObject({ results: [{ profile_id: 'alex' }, {}, {}] })
})

test('a locked profile is shut unless its PIN was said here', async () => {
  await keep(MOVIE, 'robin', { title: 'Arrival' })
  expect(await find(MOVIE, 'robin')).toBeUndefined()
  expect(await all('robin')).toEqual([])
  sessionStorage.setItem('marquee-unlocked', 'other robin')
  expect(await find(MOVIE, 'robin')).toEqual({ title: 'Arrival' })
  expect(await all('robin')).toHaveLength(1)
})

test.each([
  ['a profile that became a kids profile', profile('alex', { kids: true })],
  ['a profile that is gone', profile('sam')],
])('%s loses what was kept for it', async (_, now) => {
  await keep(MOVIE, 'alex', { title: 'Arrival' })
  await keep(MOVIE, 'kim', { title: 'Paddington' })
  await household(now, profile('kim', { kids: true }))
  await quiet()
  await household(profile('alex'), profile('kim', { kids: true }))
  expect(await find(MOVIE, 'alex')).toBeUndefined()
  expect(await find(MOVIE, 'kim')).toEqual({ title: 'Paddington' })
})

test('signing out and another account leave nothing', async () => {
  await keep(MOVIE, 'alex', { title: 'Arrival' })
  rememberUser(account('a2'))
  await quiet()
  expect([...stores.keys()]).toEqual([])
  await household(profile('alex'))
  await keep(MOVIE, 'alex', { title: 'Arrival' })
  forgetUser()
  await quiet()
  expect([...stores.keys()]).toEqual([])
  await keep(MOVIE, 'alex', { title: 'Arrival' })
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
  await keep(url, 'alex', { secret: true })
  expect(await find(url, 'alex')).toBeUndefined()
  expect(await all('alex')).toEqual([])
})

test('what was written to one title is what a read of it says; answers to other writes are not kept', async () => {
  const entry = '/api/profile/alex/watchlist/movie/44'
  await keep(entry, 'alex', { in_watchlist: true })
  await keep(entry, 'alex', { in_watchlist: false }, true)
  expect(await find(entry, 'alex')).toEqual({ in_watchlist: false })
  await keep('/api/profile/alex/watchlist', 'alex', { results: [] }, true)
  expect(await find('/api/profile/alex/watchlist', 'alex')).toBeUndefined()
})

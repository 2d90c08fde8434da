/**
 * Answers that were seen, for when the network is off. The page keeps them, not the service worker: only the page knows
 * whose they are. One cache per account and profile; entries by language and address (docs/offline.md).
 */
import type { Profile } from '../contract/profiles.ts'
import { forgetKept, readsOf, rememberedUser } from './remembered.ts'

/** Catalogue and a profile's own lists. What is for administrators, exports and imports are not among them. */
const KEPT =
  /^\/api\/(movies|series|seasons|actors|recommend|search|profile$|profile\/[^/]+\/(watchlist|history|feedback|recommend|continue-watching|notifications))/
const NEVER = /admin=true|\/signals|\/import|\/export/
/** Addresses where the answer to a write is what a read would say. */
const ONE = /\/(watchlist|feedback)\/(movie|tv)\/[^/?]+$/
const MOST = 600
const PROFILES = '/api/profile'

let puts = 0

/** Profiles are called the same in every language, and opening one may change it. */
const keyOf = (url: string) =>
  `${location.origin}/_kept${url === PROFILES ? '' : `/${document.documentElement.lang}`}${url}`
const isKept = (url: string) => KEPT.test(url.split('?')[0] ?? '') && !NEVER.test(url)
const cacheOf = (url: string, profile: string | null) => {
  const user = rememberedUser()
  return user && globalThis.caches
    ? caches.open(readsOf(user.user_id, url === PROFILES ? null : profile))
    : null
}

export async function keep(
  url: string,
  profile: string | null,
  value: unknown,
  written = false,
): Promise<void> {
  if (!isKept(url) || (written && !ONE.test(url))) return
  const cache = await cacheOf(url, profile)
  if (!cache) return
  if (url === PROFILES) await forgetChanged(cache, profilesOf(value))
  await cache.put(keyOf(url), Response.json(value))
  puts += 1
  if (puts % 50 === 0) await trim(cache)
}

/** What was answered last; undefined where nothing is, or where it may not be shown now. */
export async function find(url: string, profile: string | null): Promise<unknown> {
  if (!isKept(url)) return undefined
  const value = await (await (await cacheOf(url, profile))?.match(keyOf(url)))?.json()
  if (url !== PROFILES) return value !== undefined && (await isOpen(profile)) ? value : undefined
  const results = profilesOf(value).map((one) => ({ ...one, unlocked: !one.locked || isUnlocked(one) }))
  return value === undefined ? undefined : { results }
}

/** Everything that a profile was told. */
export async function all(profile: string | null): Promise<unknown[]> {
  const cache = await cacheOf('', profile)
  if (!cache || !(await isOpen(profile))) return []
  const keys = await cache.keys()
  const answers = await Promise.all(keys.map((key) => cache.match(key)))
  return Promise.all(answers.map((answer) => answer?.json() as Promise<unknown>))
}

const profilesOf = (value: unknown) => (value as { results: Profile[] } | undefined)?.results ?? []

/** A locked profile is shown only where its PIN was said in this session of the browser's tab. */
function isUnlocked({ profile_id }: Profile): boolean {
  return (sessionStorage.getItem('marquee-unlocked') ?? '').split(' ').includes(profile_id)
}

async function isOpen(profile: string | null): Promise<boolean> {
  const kept = (await find(PROFILES, null)) as { results: Profile[] } | undefined
  return kept?.results.find((one) => one.profile_id === profile)?.unlocked === true
}

/** A profile that is gone, or became a kids profile or ceased to be one, starts anew. */
async function forgetChanged(cache: Cache, now: readonly Profile[]): Promise<void> {
  const before = profilesOf(await (await cache.match(keyOf(PROFILES)))?.json())
  for (const { profile_id, kids } of before) {
    const same = now.find((one) => one.profile_id === profile_id)
    if (same?.kids !== kids) forgetKept(profile_id)
  }
}

/** The oldest go first. */
async function trim(cache: Cache): Promise<void> {
  const keys = await cache.keys()
  for (const key of keys.slice(0, Math.max(0, keys.length - MOST))) await cache.delete(key)
}

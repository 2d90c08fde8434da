/**
 * The service worker: pages, their files and pictures when the network is off (docs/decisions/0015-service-worker.md).
 * It never touches /api/ or /proxy/: what a profile was told is kept by the page (src/lib/client/shelf.ts), which knows
 * whose it is. scripts/worker-file.ts strips the types and puts `GIVEN` before it.
 */

declare const GIVEN: {
  /** Of the files below; another build is another version. */
  version: string
  /** Addresses of hashed files and icons. */
  files: string[]
  /** Address patterns with the locale's prefix as first group, and an address that answers with the same shell. */
  pages: { pattern: string; address: string }[]
  offline: string
}
interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchLike extends Extendable {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}
interface MessageLike extends Extendable {
  readonly data: { kind?: string; prefix?: string; pictures?: string[] } | null
}
interface Scope {
  readonly registration: { readonly navigationPreload?: { disable(): Promise<void> } }
  readonly clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(kind: 'install' | 'activate', listener: (event: Extendable) => void): void
  addEventListener(kind: 'fetch', listener: (event: FetchLike) => void): void
  addEventListener(kind: 'message', listener: (event: MessageLike) => void): void
}

const scope = globalThis as unknown as Scope
const SITE = 'marquee-site-'
const OWN = SITE + GIVEN.version
const PICTURES = 'marquee-pictures'
const MOST_PICTURES = 500
const SHELL = '/_shell'
/** A line this slow is answered with the shell of last time, if there is one. */
const PATIENCE_MS = 3_000
const AT_ONCE = 4
const ANY = { ignoreVary: true }
const patterns = GIVEN.pages.map(({ pattern, address }) => ({ pattern: new RegExp(pattern), address }))

scope.addEventListener('install', (event) => event.waitUntil(install()))
scope.addEventListener('activate', (event) => event.waitUntil(activate()))
scope.addEventListener('message', (event) => {
  const { kind, prefix, pictures = [] } = event.data ?? {}
  if (kind === 'shells' && prefix !== undefined)
    event.waitUntil(keepShells(prefix).then(() => keepPictures(pictures)))
})

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || request.headers.has('range')) return
  if (pathname.startsWith('/images/')) event.respondWith(picture(event))
  else if (GIVEN.files.includes(pathname) || pathname.startsWith('/_a/')) event.respondWith(file(request))
  else if (/^\/(api|proxy)\/|^\/(fr\/|ar\/)?watch\/embed/.test(pathname)) return
  else if (shellOf(pathname) || request.mode === 'navigate') event.respondWith(page(event, pathname))
})

/** Every file of this build, so that no page of it ever misses one; on a metered line, only what is used. */
async function install(): Promise<void> {
  const lean = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
  const cache = await caches.open(OWN)
  const left = lean ? [] : [...GIVEN.files]
  const fetchNext = async () => {
    for (let url = left.pop(); url; url = left.pop()) {
      if (await cache.match(url, ANY)) continue
      const known = await caches.match(url, ANY)
      const hashed = url.startsWith('/_a/')
      const answer = known && hashed ? known : await fetch(url).catch(() => null)
      if (answer?.ok) await cache.put(url, answer.clone())
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, fetchNext))
  for (const prefix of await languagesKept()) await keepShells(prefix)
  await scope.skipWaiting()
}

/** Prefixes of the languages whose shells an earlier build has put away. */
async function languagesKept(): Promise<Set<string>> {
  const prefixes = new Set<string>()
  for (const name of (await caches.keys()).filter((one) => one.startsWith(SITE))) {
    for (const { url } of await (await caches.open(name)).keys()) {
      const { pathname } = new URL(url)
      if (pathname.startsWith(SHELL)) prefixes.add(/^\/_shell(\/fr|\/ar)?\//.exec(pathname)?.[1] ?? '')
    }
  }
  return prefixes
}

/** The files of the build before stay: a tab that it opened may still ask for them. No page waits for more than this. */
async function activate(): Promise<void> {
  /* An earlier build had pages asked for ahead of the worker: what it passes on, such as a download that is good for once, came twice. */
  await scope.registration.navigationPreload?.disable()
  const before = (await caches.keys()).filter((name) => name.startsWith(SITE) && name !== OWN)
  await Promise.all(before.slice(0, -1).map((name) => caches.delete(name)))
  await scope.clients.claim()
}

/** Shells of a language that this build has not put away yet. */
async function keepShells(prefix: string): Promise<void> {
  const cache = await caches.open(OWN)
  for (const { address } of GIVEN.pages) {
    const key = SHELL + prefix + address
    if (await cache.match(key)) continue
    const answer = await fetch(prefix + address).catch(() => null)
    if (answer?.ok) await cache.put(key, await plain(answer))
  }
}

function shellOf(pathname: string): string | null {
  for (const { pattern, address } of patterns) {
    const found = pattern.exec(pathname)
    if (found) return SHELL + (found[1] ?? '') + address
  }
  return null
}

/** A browser refuses a redirected answer for a page. */
async function plain(answer: Response): Promise<Response> {
  if (!answer.redirected) return answer
  return new Response(await answer.blob(), { status: answer.status, headers: answer.headers })
}

/** The newest build's shell first, then the one before. */
async function kept(key: string): Promise<Response | undefined> {
  return (await (await caches.open(OWN)).match(key, ANY)) ?? caches.match(key, ANY)
}

/**
 * This build's shell at once, with a newer one fetched for the next time: every file that it asks for is put away beside
 * it. Where there is only one of an earlier build, or the viewer reloads, the network is asked first.
 */
async function page(event: FetchLike, pathname: string): Promise<Response> {
  const key = shellOf(pathname)
  const fresh = fresher(event, key)
  event.waitUntil(fresh.catch(() => {}))
  const own = key ? await (await caches.open(OWN)).match(key, ANY) : undefined
  if (own && event.request.cache === 'default') return own
  const before = own ?? (key ? await caches.match(key, ANY) : undefined)
  const patience = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS))
  const answer = await (before ? Promise.race([fresh, patience]) : fresh).catch(() => null)
  if (answer && !(answer.status >= 500 && before)) return answer
  return before ?? (await offlinePage(pathname)) ?? Response.error()
}

async function fresher(event: FetchLike, key: string | null): Promise<Response> {
  const answer = await fetch(event.request)
  if (key && answer.ok && answer.type === 'basic' && !answer.redirected) {
    const copy = answer.clone()
    event.waitUntil(caches.open(OWN).then((cache) => cache.put(key, copy)))
  }
  return answer
}

async function offlinePage(pathname: string): Promise<Response | undefined> {
  const prefix = /^\/(fr|ar)(?=\/|$)/.exec(pathname)?.[0] ?? ''
  return kept(SHELL + prefix + GIVEN.offline)
}

/** Hashed files never change; icons do, and are of the build that kept them. */
async function file(request: Request): Promise<Response> {
  const known = await kept(request.url)
  if (known) return known
  const answer = await fetch(request)
  if (answer.ok) await (await caches.open(OWN)).put(request.url, answer.clone())
  return answer
}

/** Pictures by their hash or name: what was seen once is not fetched again. The oldest go first. */
async function picture(event: FetchLike): Promise<Response> {
  const cache = await caches.open(PICTURES)
  const { request } = event
  const known = await cache.match(request.url, ANY)
  if (known) return known
  const answer = await fetch(request).catch(() => null)
  if (!answer) return (await otherSize(cache, request.url)) ?? blank()
  if (answer.status === 200 && answer.type === 'basic') {
    const copy = answer.clone()
    event.waitUntil(cache.put(request.url, copy).then(() => trim(cache)))
  }
  return answer
}

/** What a page showed before there was a worker; the browser still has them. */
async function keepPictures(urls: readonly string[]): Promise<void> {
  const cache = await caches.open(PICTURES)
  for (const url of urls) {
    if (new URL(url).origin !== location.origin || (await cache.match(url, ANY))) continue
    const answer = await fetch(url).catch(() => null)
    if (answer?.status === 200) await cache.put(url, answer)
  }
  await trim(cache)
}

/** `/images/w342/…` where only `/images/w500/…` was seen. */
async function otherSize(cache: Cache, url: string): Promise<Response | undefined> {
  const name = (address: string) => new URL(address).pathname.replace(/^\/images\/[^/]+/, '')
  const known = (await cache.keys()).find((key) => name(key.url) === name(url))
  return known && cache.match(known, ANY)
}

/** The place stays empty, without the browser's sign of a broken picture. */
function blank(): Response {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  return new Response(svg, { headers: { 'Content-Type': 'image/svg+xml' } })
}

async function trim(cache: Cache): Promise<void> {
  const keys = await cache.keys()
  for (const key of keys.slice(0, Math.max(0, keys.length - MOST_PICTURES))) await cache.delete(key)
}

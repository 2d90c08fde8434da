/**
 * The service worker: serves pages, their files and images offline (docs/decisions/0014-service-worker.md). It does not
 * handle /api/ and /proxy/. The page caches API responses itself (src/lib/client/read-cache.ts), because it knows to
 * which profile they belong. scripts/worker-file.ts bundles this module and prepends the constant `BUILD_MANIFEST`.
 */
import { HASHED_FILE_PREFIX } from '../lib/file-policies.ts'
import { getLocalePrefix, splitLocale } from '../lib/i18n/locale-prefix.ts'
import { IMAGE_CACHE, SITE_CACHE_PREFIX } from '../lib/storage-keys.ts'
import type { CacheShellsMessage } from './messages.ts'

declare const BUILD_MANIFEST: {
  /** Hash of all files of the build. */
  version: string
  /** Paths of the hashed files and the icons. */
  files: string[]
  /**
   * For each page: a pattern that matches the paths of the page, and one of these paths. The first group of the pattern
   * is the locale prefix.
   */
  pages: { pattern: string; examplePath: string }[]
  /** Path of the page that is shown offline if a page is not cached. */
  offline: string
  /** Name of the site (`SITE_NAME`). */
  siteName: string
}
interface ExtendableEvent extends Event {
  waitUntil(task: Promise<unknown>): void
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
interface WorkerMessageEvent extends ExtendableEvent {
  readonly data: Partial<CacheShellsMessage> | null
}
interface PushEvent extends ExtendableEvent {
  readonly data: { json(): unknown } | null
}
interface NotificationClickEvent extends ExtendableEvent {
  readonly notification: { readonly data: unknown; close(): void }
}
interface WindowClient {
  readonly url: string
  focus(): Promise<unknown>
  navigate(url: string): Promise<unknown>
}
interface WorkerScope {
  readonly registration: {
    readonly navigationPreload?: { disable(): Promise<void> }
    showNotification(title: string, options: object): Promise<void>
  }
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly WindowClient[]>
    openWindow(url: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(kind: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void
  addEventListener(kind: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(kind: 'push', listener: (event: PushEvent) => void): void
  addEventListener(kind: 'notificationclick', listener: (event: NotificationClickEvent) => void): void
  addEventListener(kind: 'message', listener: (event: WorkerMessageEvent) => void): void
}

const scope = globalThis as unknown as WorkerScope
const SITE_CACHE = SITE_CACHE_PREFIX + BUILD_MANIFEST.version
const MAX_IMAGES = 500
const SHELL_KEY_PREFIX = '/_shell'
/** Key of an entry that exists when the cache contains every file of the build. */
const COMPLETE_KEY = '/_complete'
/** Key of an entry that exists when the worker of this build was active, so that open tabs may need the files. */
const ACTIVATED_KEY = '/_activated'
/** Key of an entry that exists when the server has sent a page of another build. */
const OUTDATED_KEY = '/_outdated'
/** Files that a page needs before its islands can start. */
const PAGE_FILE_PATTERN = /\/_a\/[^"'\s]+?\.(?:js|css)\b/g
/** If the network has not answered after this time, a cached page is served. */
const NETWORK_TIMEOUT_MS = 3_000
const MAX_PARALLEL_FETCHES = 4
const CACHE_MATCH_OPTIONS = { ignoreVary: true }
const pagePatterns = BUILD_MANIFEST.pages.map(({ pattern, examplePath }) => ({
  pattern: new RegExp(pattern),
  examplePath,
}))

scope.addEventListener('install', (event) => event.waitUntil(installWorker()))
scope.addEventListener('activate', (event) => event.waitUntil(activateWorker()))
scope.addEventListener('message', (event) => {
  const { kind, prefix: localePrefix, imageUrls = [] } = event.data ?? {}
  if (kind === 'cache-shells' && localePrefix !== undefined)
    event.waitUntil(cacheShells(localePrefix).then(() => cacheImages(imageUrls)))
})

scope.addEventListener('push', (event) => event.waitUntil(showNotice(event)))
scope.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(String(event.notification.data ?? '/')))
})

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || request.headers.has('range')) return
  if (pathname.startsWith('/images/')) event.respondWith(serveImage(event))
  else if (BUILD_MANIFEST.files.includes(pathname) || isHashed(pathname)) event.respondWith(serveFile(event))
  else if (/^\/(api|proxy)\/|^\/watch\/embed/.test(splitLocale(pathname).path)) return
  else if (findShellKey(pathname) || request.mode === 'navigate')
    event.respondWith(servePage(event, pathname))
})

/**
 * Shows a notice in the language of its profile. Shows a notification for every push message, because browsers end a
 * subscription whose messages show none. While nobody is signed in, the notification has no content: the server sends
 * notices of the previous user until it knows of the sign-out.
 */
async function showNotice({ data }: PushEvent): Promise<void> {
  const notice = (await isSignedIn()) ? (data?.json() as Record<string, string> | undefined) : undefined
  const { title = BUILD_MANIFEST.siteName, body, path, tag, lang, dir } = notice ?? {}
  await scope.registration.showNotification(title, {
    body,
    tag,
    lang,
    dir,
    data: path,
    icon: '/icons/192.png',
    badge: '/icons/192.png',
  })
}

/** Opens a page of the site in an open tab that does not show the player. Without such a tab, opens a new tab. */
async function openPage(path: string): Promise<void> {
  const url = new URL(path, location.origin)
  if (url.origin !== location.origin) return
  const tabs = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const [tab] = tabs.filter((client) => !/\/watch\//.test(new URL(client.url).pathname))
  if (!tab) {
    await scope.clients.openWindow(url.href)
    return
  }
  await tab.focus()
  // A tab that this worker does not control cannot be navigated.
  await tab.navigate(url.href).catch(() => scope.clients.openWindow(url.href))
}

/** Hashed files never change. */
const isHashed = (path: string) => path.startsWith(HASHED_FILE_PREFIX)
/** Unhashed files are revalidated, because the HTTP cache may contain the file of an earlier build. */
const chooseFetchOptions = (path: string): RequestInit => (isHashed(path) ? {} : { cache: 'no-cache' })

/**
 * Caches every file of this build, so that all pages of the build work offline. If the browser saves data, the worker
 * caches a file only when a page requests the file. Throws when a hashed file cannot be downloaded: the browser then
 * installs the worker again at the next visit, and downloads only the files that are missing.
 */
async function installWorker(): Promise<void> {
  const isDataSavingOn = navigator.connection?.saveData === true
  const cache = await caches.open(SITE_CACHE)
  let isComplete = !isDataSavingOn
  const pendingUrls = isDataSavingOn ? [] : [...BUILD_MANIFEST.files]
  const fetchPendingFiles = async () => {
    for (let url = pendingUrls.pop(); url; url = pendingUrls.pop()) {
      if (await cache.match(url, CACHE_MATCH_OPTIONS)) continue
      const cachedResponse = await caches.match(url, CACHE_MATCH_OPTIONS)
      const response =
        cachedResponse && isHashed(url)
          ? cachedResponse
          : await fetch(url, chooseFetchOptions(url)).catch(() => null)
      if (response?.ok)
        await cache.put(url, response.clone()).catch(() => {
          isComplete = false
        })
      else if (isHashed(url)) throw new Error(`Cannot download ${url}`)
    }
  }
  await Promise.all(Array.from({ length: MAX_PARALLEL_FETCHES }, fetchPendingFiles))
  if (isComplete) await putIfPossible(cache, COMPLETE_KEY, new Response())
  for (const localePrefix of await findCachedLocalePrefixes()) await cacheShells(localePrefix)
  await scope.skipWaiting()
}

const findLocalePrefix = (pathname: string) => getLocalePrefix(splitLocale(pathname).locale)

/** Returns the locale prefixes of the shells that earlier builds have cached. */
async function findCachedLocalePrefixes(): Promise<Set<string>> {
  const localePrefixes = new Set<string>()
  for (const name of (await caches.keys()).filter((cacheName) => cacheName.startsWith(SITE_CACHE_PREFIX))) {
    for (const { url } of await (await caches.open(name)).keys()) {
      const { pathname } = new URL(url)
      if (pathname.startsWith(SHELL_KEY_PREFIX))
        localePrefixes.add(findLocalePrefix(pathname.slice(SHELL_KEY_PREFIX.length)))
    }
  }
  return localePrefixes
}

/**
 * Deletes old caches except the cache of the build that was active before, which open tabs may still need. A later
 * cache may exist, because the installation of another build has failed.
 */
async function activateWorker(): Promise<void> {
  /*
   * Disables the navigation preload that an earlier build turned on. With it, requests that the worker does not handle,
   * such as one-time downloads, would be sent twice.
   */
  await scope.registration.navigationPreload?.disable()
  const oldCaches = (await caches.keys()).filter(
    (name) => name.startsWith(SITE_CACHE_PREFIX) && name !== SITE_CACHE,
  )
  let previousCache = oldCaches.at(-1)
  for (const name of oldCaches) if (await (await caches.open(name)).match(ACTIVATED_KEY)) previousCache = name
  await Promise.all(oldCaches.filter((name) => name !== previousCache).map((name) => caches.delete(name)))
  await putIfPossible(await caches.open(SITE_CACHE), ACTIVATED_KEY, new Response())
  await scope.clients.claim()
}

/** Caches the shells of a locale that are not cached yet. */
async function cacheShells(localePrefix: string): Promise<void> {
  const cache = await caches.open(SITE_CACHE)
  for (const { examplePath } of BUILD_MANIFEST.pages) {
    const shellKey = SHELL_KEY_PREFIX + localePrefix + examplePath
    if (await cache.match(shellKey)) continue
    const response = await fetch(localePrefix + examplePath).catch(() => null)
    if (response?.ok) await cacheShell(shellKey, await removeRedirect(response))
  }
}

const listPageFiles = async (shell: Response) => (await shell.clone().text()).match(PAGE_FILE_PATTERN) ?? []

/**
 * Caches a shell of this build. After an update, the server sends shells of a build whose files are not cached yet: the
 * network then gets priority. A page without files of a build, such as the maintenance page of a proxy, is ignored.
 */
async function cacheShell(shellKey: string, shell: Response): Promise<void> {
  const cache = await caches.open(SITE_CACHE)
  const pageFiles = await listPageFiles(shell)
  if (pageFiles.length === 0) return
  if (pageFiles.every((file) => BUILD_MANIFEST.files.includes(file))) {
    await cache.delete(OUTDATED_KEY)
    await putIfPossible(cache, shellKey, shell)
  } else await putIfPossible(cache, OUTDATED_KEY, new Response())
}

/** True if the files of a cached shell are also cached. */
async function areFilesCached(shell: Response): Promise<boolean> {
  const cachedFiles = await Promise.all((await listPageFiles(shell)).map(matchSiteCaches))
  return cachedFiles.every(Boolean)
}

/** Returns the cache key of the shell of a page, or null if the path is not a page. */
function findShellKey(pathname: string): string | null {
  for (const { pattern, examplePath } of pagePatterns) {
    const match = pattern.exec(pathname)
    if (match) return SHELL_KEY_PREFIX + (match[1] ?? '') + examplePath
  }
  return null
}

/** Copies a redirected response, because browsers reject redirected responses for navigations. */
async function removeRedirect(response: Response): Promise<Response> {
  if (!response.redirected) return response
  return new Response(await response.blob(), { status: response.status, headers: response.headers })
}

/** Looks in the cache of this build first, then in the caches of earlier builds. */
async function matchSiteCaches(cacheKey: string): Promise<Response | undefined> {
  return (
    (await (await caches.open(SITE_CACHE)).match(cacheKey, CACHE_MATCH_OPTIONS)) ??
    caches.match(cacheKey, CACHE_MATCH_OPTIONS)
  )
}

/**
 * Serves the shell of this build from the cache and updates the cache in the background (stale-while-revalidate). The
 * response of the network has priority on reload, when the server has a newer build, and when only the shell of an
 * earlier build is cached. A shell whose files are not cached is not served.
 */
async function servePage(event: FetchEvent, pathname: string): Promise<Response> {
  const shellKey = findShellKey(pathname)
  const networkResponse = fetchPage(event, shellKey)
  event.waitUntil(networkResponse.catch(() => {}))
  const cache = await caches.open(SITE_CACHE)
  const currentShell = shellKey ? await cache.match(shellKey, CACHE_MATCH_OPTIONS) : undefined
  const foundShell =
    currentShell ?? (shellKey ? await caches.match(shellKey, CACHE_MATCH_OPTIONS) : undefined)
  const isComplete = currentShell && (await cache.match(COMPLETE_KEY))
  const cachedShell =
    foundShell && (isComplete || (await areFilesCached(foundShell))) ? foundShell : undefined
  const isNetworkFirst = event.request.cache !== 'default' || (await cache.match(OUTDATED_KEY))
  if (currentShell && cachedShell && !isNetworkFirst) return cachedShell
  const timeoutPromise = new Promise<null>((resolve) => setTimeout(() => resolve(null), NETWORK_TIMEOUT_MS))
  const response = await (cachedShell
    ? Promise.race([networkResponse, timeoutPromise])
    : networkResponse
  ).catch(() => null)
  if (response && !(response.status >= 500 && cachedShell)) return response
  return cachedShell ?? (await matchOfflinePage(pathname)) ?? Response.error()
}

/** Fetches a page and caches its shell. */
async function fetchPage(event: FetchEvent, shellKey: string | null): Promise<Response> {
  const response = await fetch(event.request)
  if (shellKey && response.ok && response.type === 'basic' && !response.redirected) {
    const responseCopy = response.clone()
    event.waitUntil(cacheShell(shellKey, responseCopy))
  }
  return response
}

/**
 * Returns the same page in another locale, or else the page that is shown offline. After the language was changed
 * without a network, no shell of the new locale is cached, and every page would otherwise be an error.
 */
async function matchOfflinePage(pathname: string): Promise<Response | undefined> {
  const localePrefixes = new Set([findLocalePrefix(pathname), ...(await findCachedLocalePrefixes())])
  const examplePath = findShellKey(splitLocale(pathname).path)?.slice(SHELL_KEY_PREFIX.length)
  for (const localePrefix of examplePath ? localePrefixes : []) {
    const shell = await matchSiteCaches(SHELL_KEY_PREFIX + localePrefix + examplePath)
    if (shell && (await areFilesCached(shell))) return shell
  }
  for (const localePrefix of localePrefixes) {
    const offlineShell = await matchSiteCaches(SHELL_KEY_PREFIX + localePrefix + BUILD_MANIFEST.offline)
    if (offlineShell) return offlineShell
  }
  return undefined
}

/** Serves a file from the cache, or fetches and caches it. */
async function serveFile(event: FetchEvent): Promise<Response> {
  const { request } = event
  const cachedResponse = await matchSiteCaches(request.url)
  if (cachedResponse) return cachedResponse
  const response = await fetch(request, chooseFetchOptions(new URL(request.url).pathname))
  if (response.ok) {
    const responseCopy = response.clone()
    event.waitUntil(caches.open(SITE_CACHE).then((cache) => putIfPossible(cache, request.url, responseCopy)))
  }
  return response
}

/** Caches a response. If the storage of the device is full, does nothing: the response is then used without a cache. */
const putIfPossible = (cache: Cache, cacheKey: string, response: Response): Promise<void> =>
  cache.put(cacheKey, response).catch(() => {})

/**
 * True for images that never change at their URL. Drawn images that stand in for another image, and images of hidden
 * titles, are not cached.
 */
const isCacheableImage = ({ status, headers }: Response) =>
  status === 200 && headers.get('cache-control')?.includes('immutable') === true

/** The page creates the cache of images while somebody is signed in (lib/client/stored-session.ts). */
const isSignedIn = () => caches.has(IMAGE_CACHE)

async function openImageCache(): Promise<Cache | null> {
  return (await isSignedIn()) ? caches.open(IMAGE_CACHE) : null
}

/** Serves an image from the cache first, because the image at a URL never changes. */
async function serveImage(event: FetchEvent): Promise<Response> {
  const cache = await openImageCache()
  const { request } = event
  const cachedResponse = await cache?.match(request.url, CACHE_MATCH_OPTIONS)
  if (cachedResponse) return cachedResponse
  const response = await fetch(request).catch(() => null)
  if (!response) return (cache && (await matchOtherImageSize(cache, request.url))) ?? createEmptyImage()
  if (cache && isCacheableImage(response) && response.type === 'basic') {
    const responseCopy = response.clone()
    event.waitUntil(putIfPossible(cache, request.url, responseCopy).then(() => evictOldImages(cache)))
  }
  return response
}

/** Caches the images that a page has loaded before the worker was active; they are still in the HTTP cache. */
async function cacheImages(imageUrls: readonly string[]): Promise<void> {
  const cache = await openImageCache()
  if (!cache) return
  for (const imageUrl of imageUrls) {
    if (new URL(imageUrl).origin !== location.origin || (await cache.match(imageUrl, CACHE_MATCH_OPTIONS)))
      continue
    const response = await fetch(imageUrl).catch(() => null)
    if (response && isCacheableImage(response)) await putIfPossible(cache, imageUrl, response)
  }
  await evictOldImages(cache)
}

/** Finds another size of an image, for example `/images/w500/…` for `/images/w342/…`. */
async function matchOtherImageSize(cache: Cache, url: string): Promise<Response | undefined> {
  const getImageName = (imageUrl: string) => new URL(imageUrl).pathname.replace(/^\/images\/[^/]+/, '')
  const cachedRequest = (await cache.keys()).find(
    (request) => getImageName(request.url) === getImageName(url),
  )
  return cachedRequest && cache.match(cachedRequest, CACHE_MATCH_OPTIONS)
}

/** An empty image, which avoids the broken-image icon and keeps the reserved space. */
function createEmptyImage(): Response {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  return new Response(svg, { headers: { 'Content-Type': 'image/svg+xml' } })
}

/** Deletes the images that were cached first, so that at most MAX_IMAGES remain. */
async function evictOldImages(cache: Cache): Promise<void> {
  const cachedRequests = await cache.keys()
  for (const cachedRequest of cachedRequests.slice(0, Math.max(0, cachedRequests.length - MAX_IMAGES)))
    await cache.delete(cachedRequest)
}

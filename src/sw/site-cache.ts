/**
 * Caches the files and shells of this build. The cache of the build that was active before stays, because open tabs may
 * still need it.
 */
import { HASHED_FILE_PREFIX } from '../lib/file-policies.ts'
import { getLocalePrefix, splitLocale } from '../lib/i18n/locale-prefix.ts'
import { SITE_CACHE_PREFIX } from '../lib/storage-keys.ts'
import { buildManifest } from './build-manifest.ts'
import { CACHE_MATCH_OPTIONS, cacheIfPossible } from './cache-access.ts'
import { workerScope } from './worker-scope.ts'

export const SITE_CACHE_NAME = SITE_CACHE_PREFIX + buildManifest.version
export const SHELL_KEY_PREFIX = '/_shell'
/** Key of an entry that exists when the cache contains every hashed file of the build manifest. */
export const CACHE_COMPLETE_KEY = '/_complete'
/**
 * Key of an entry in the cache of a build whose worker has been active. Open tabs may still need the files of such a
 * build.
 */
const WORKER_ACTIVATED_KEY = '/_activated'
/** Key of an entry that exists when the server has sent a page of another build. */
export const BUILD_OUTDATED_KEY = '/_outdated'
/** Matches the paths of the scripts and style sheets that a page needs before its islands can start. */
const PAGE_FILE_PATTERN = /\/_a\/[^"'\s]+?\.(?:js|css)\b/g
const MAX_PARALLEL_FETCHES = 4
const pagePatterns = buildManifest.pages.map(({ pattern, examplePath }) => ({
  pattern: new RegExp(pattern),
  examplePath,
}))

/** True for a file whose name contains a hash of its content, so that the file never changes. */
export const isHashedFile = (path: string) => path.startsWith(HASHED_FILE_PREFIX)
/** Unhashed files are revalidated, because the HTTP cache may contain the file of an earlier build. */
export const chooseFetchOptions = (path: string): RequestInit =>
  isHashedFile(path) ? {} : { cache: 'no-cache' }

/**
 * Caches every file of the build manifest, so that all pages except the player work offline. Also caches the shells of
 * every locale that has cached shells. If the browser saves data, the worker caches a file only when a page requests
 * the file. Throws when a hashed file cannot be downloaded: the browser then installs the worker again at the next
 * visit, and downloads only the files that are missing.
 */
export async function installWorker(): Promise<void> {
  const isDataSavingOn = navigator.connection?.saveData === true
  const cache = await caches.open(SITE_CACHE_NAME)
  let isComplete = !isDataSavingOn
  const pendingUrls = isDataSavingOn ? [] : [...buildManifest.files]
  const fetchPendingFiles = async () => {
    for (let url = pendingUrls.pop(); url; url = pendingUrls.pop()) {
      if (await cache.match(url, CACHE_MATCH_OPTIONS)) continue
      const cachedResponse = await caches.match(url, CACHE_MATCH_OPTIONS)
      const response =
        cachedResponse && isHashedFile(url)
          ? cachedResponse
          : await fetch(url, chooseFetchOptions(url)).catch(() => null)
      if (response?.ok)
        await cache.put(url, response.clone()).catch(() => {
          isComplete = false
        })
      else if (isHashedFile(url)) throw new Error(`Cannot download ${url}`)
    }
  }
  await Promise.all(Array.from({ length: MAX_PARALLEL_FETCHES }, fetchPendingFiles))
  if (isComplete) await cacheIfPossible(cache, CACHE_COMPLETE_KEY, new Response())
  for (const localePrefix of await findCachedLocalePrefixes()) await cacheShells(localePrefix)
  await workerScope.skipWaiting()
}

export const findLocalePrefix = (pathname: string) => getLocalePrefix(splitLocale(pathname).locale)

/** Returns the locale prefixes of all cached shells, including those of earlier builds. */
export async function findCachedLocalePrefixes(): Promise<Set<string>> {
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
 * Deletes old caches except the cache of the build that was active before, which open tabs may still need.
 * WORKER_ACTIVATED_KEY marks this cache: the newest of the old caches may belong to a build that was never active,
 * because its installation failed.
 */
export async function activateWorker(): Promise<void> {
  /*
   * Disables the navigation preload that an earlier build turned on. With navigation preload, requests that the worker
   * does not handle, such as one-time downloads, would be sent twice.
   */
  await workerScope.registration.navigationPreload?.disable()
  const oldCacheNames = (await caches.keys()).filter(
    (name) => name.startsWith(SITE_CACHE_PREFIX) && name !== SITE_CACHE_NAME,
  )
  let previousCacheName = oldCacheNames.at(-1)
  for (const name of oldCacheNames)
    if (await (await caches.open(name)).match(WORKER_ACTIVATED_KEY)) previousCacheName = name
  await Promise.all(
    oldCacheNames.filter((name) => name !== previousCacheName).map((name) => caches.delete(name)),
  )
  await cacheIfPossible(await caches.open(SITE_CACHE_NAME), WORKER_ACTIVATED_KEY, new Response())
  await workerScope.clients.claim()
}

/** Caches the shells of a locale that are not cached yet. */
export async function cacheShells(localePrefix: string): Promise<void> {
  const cache = await caches.open(SITE_CACHE_NAME)
  for (const { examplePath } of buildManifest.pages) {
    const shellKey = SHELL_KEY_PREFIX + localePrefix + examplePath
    if (await cache.match(shellKey)) continue
    const response = await fetch(localePrefix + examplePath).catch(() => null)
    if (response?.ok) await cacheShell(shellKey, await removeRedirect(response))
  }
}

const listPageFiles = async (shell: Response) => (await shell.clone().text()).match(PAGE_FILE_PATTERN) ?? []

/**
 * Caches a shell of this build. For a shell of another build, whose files may not be cached, stores BUILD_OUTDATED_KEY
 * instead, so that pages are requested from the network first. Ignores a page without files of a build, such as the
 * maintenance page of a proxy.
 */
export async function cacheShell(shellKey: string, shell: Response): Promise<void> {
  const cache = await caches.open(SITE_CACHE_NAME)
  const pageFiles = await listPageFiles(shell)
  if (pageFiles.length === 0) return
  if (pageFiles.every((file) => buildManifest.files.includes(file))) {
    await cache.delete(BUILD_OUTDATED_KEY)
    await cacheIfPossible(cache, shellKey, shell)
  } else await cacheIfPossible(cache, BUILD_OUTDATED_KEY, new Response())
}

/** True if the files of a cached shell are also cached. */
export async function areFilesCached(shell: Response): Promise<boolean> {
  const cachedFiles = await Promise.all((await listPageFiles(shell)).map(matchSiteCaches))
  return cachedFiles.every(Boolean)
}

/** Returns the cache key of the shell of a page, or null if the path is not a page. */
export function findShellKey(pathname: string): string | null {
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

/**
 * Returns a cached response from the cache of this build, or else from the caches of earlier builds; undefined if no
 * cache contains the key.
 */
export async function matchSiteCaches(cacheKey: string): Promise<Response | undefined> {
  return (
    (await (await caches.open(SITE_CACHE_NAME)).match(cacheKey, CACHE_MATCH_OPTIONS)) ??
    caches.match(cacheKey, CACHE_MATCH_OPTIONS)
  )
}

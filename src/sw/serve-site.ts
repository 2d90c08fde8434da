/** Serves pages and their files from the network and the cache of the site. */
import { splitLocale } from '../lib/i18n/locale-prefix.ts'
import { buildManifest } from './build-manifest.ts'
import { CACHE_MATCH_OPTIONS, cacheIfPossible } from './cache-access.ts'
import {
  areFilesCached,
  BUILD_OUTDATED_KEY,
  CACHE_COMPLETE_KEY,
  cacheShell,
  chooseFetchOptions,
  findCachedLocalePrefixes,
  findLocalePrefix,
  findShellKey,
  matchSiteCaches,
  SHELL_KEY_PREFIX,
  SITE_CACHE_NAME,
} from './site-cache.ts'
import type { FetchEvent } from './worker-scope.ts'

/** Time after which a cached page, if there is one, is served instead of waiting for the network. */
const NETWORK_TIMEOUT_MS = 3_000

/**
 * Serves the shell of this build from the cache and updates the cache in the background (stale-while-revalidate). The
 * response of the network has priority in three cases: on reload, when the server has a newer build, or when only the
 * shell of an earlier build is cached. A shell whose files are not cached is not served.
 */
export async function servePage(event: FetchEvent, pathname: string): Promise<Response> {
  const shellKey = findShellKey(pathname)
  const networkResponsePromise = fetchPage(event, shellKey)
  event.waitUntil(networkResponsePromise.catch(() => {}))
  const cache = await caches.open(SITE_CACHE_NAME)
  const currentShell = shellKey ? await cache.match(shellKey, CACHE_MATCH_OPTIONS) : undefined
  const shellOfAnyBuild =
    currentShell ?? (shellKey ? await caches.match(shellKey, CACHE_MATCH_OPTIONS) : undefined)
  const isComplete = currentShell && (await cache.match(CACHE_COMPLETE_KEY))
  const cachedShell =
    shellOfAnyBuild && (isComplete || (await areFilesCached(shellOfAnyBuild))) ? shellOfAnyBuild : undefined
  const isNetworkFirst = event.request.cache !== 'default' || (await cache.match(BUILD_OUTDATED_KEY))
  if (currentShell && cachedShell && !isNetworkFirst) return cachedShell
  const timeoutPromise = new Promise<null>((resolve) => setTimeout(() => resolve(null), NETWORK_TIMEOUT_MS))
  const response = await (cachedShell
    ? Promise.race([networkResponsePromise, timeoutPromise])
    : networkResponsePromise
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
 * Returns the cached shell of the same page in any locale, or else the offline page; undefined if neither is cached.
 * After the language was changed without a network, no shell of the new locale is cached, and every page would
 * otherwise be an error.
 */
async function matchOfflinePage(pathname: string): Promise<Response | undefined> {
  const localePrefixes = new Set([findLocalePrefix(pathname), ...(await findCachedLocalePrefixes())])
  const examplePath = findShellKey(splitLocale(pathname).path)?.slice(SHELL_KEY_PREFIX.length)
  for (const localePrefix of examplePath ? localePrefixes : []) {
    const shell = await matchSiteCaches(SHELL_KEY_PREFIX + localePrefix + examplePath)
    if (shell && (await areFilesCached(shell))) return shell
  }
  for (const localePrefix of localePrefixes) {
    const offlineShell = await matchSiteCaches(SHELL_KEY_PREFIX + localePrefix + buildManifest.offline)
    if (offlineShell) return offlineShell
  }
  return undefined
}

/** Serves a file from the cache, or fetches and caches it. */
export async function serveFile(event: FetchEvent): Promise<Response> {
  const { request } = event
  const cachedResponse = await matchSiteCaches(request.url)
  if (cachedResponse) return cachedResponse
  const response = await fetch(request, chooseFetchOptions(new URL(request.url).pathname))
  if (response.ok) {
    const responseCopy = response.clone()
    event.waitUntil(
      caches.open(SITE_CACHE_NAME).then((cache) => cacheIfPossible(cache, request.url, responseCopy)),
    )
  }
  return response
}

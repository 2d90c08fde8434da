/** Helpers of the offline journeys. */
import { expect, type Page } from '@playwright/test'
import { getTranslation, signInAsProfile } from './journey-helpers.ts'

const t = (key: string) => getTranslation('en', key)
export const getOfflineStatus = (page: Page) =>
  page.getByRole('status').filter({ hasText: t('common:offline') })

/** Waits until the service worker has cached the site and the page has cached its API replies. */
export async function waitUntilSiteCached(page: Page): Promise<void> {
  const isSiteCached = () =>
    page.evaluate(
      async () =>
        navigator.serviceWorker.controller !== null &&
        (await caches.match(`${location.origin}/_shell/offline/`)) !== undefined,
    )
  await expect.poll(isSiteCached, { timeout: 20_000 }).toBe(true)
  await waitUntilRepliesCached(page)
}

/**
 * Waits until the API replies of the page whose paths match CACHED_PATH_PATTERN are in the read cache (client/call.ts
 * caches them one second after the response). `extraPaths` lists the paths of further replies that must be cached.
 * These replies arrive inside another response, such as the title in the session response of the watch page.
 */
export async function waitUntilRepliesCached(page: Page, extraPaths: readonly string[] = []): Promise<void> {
  const listUncachedPaths = () =>
    page.evaluate(async (extraPaths) => {
      const CACHED_PATH_PATTERN =
        /\/api\/(movies|series|profile\/[^/]+\/(watchlist|recommend|continue-watching|watch-next))(?!.*signals)/
      const resourceUrls = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
      const cachedUrls: string[] = []
      for (const cacheName of await caches.keys())
        if (cacheName.includes('reads'))
          cachedUrls.push(...(await (await caches.open(cacheName)).keys()).map(({ url }) => url))
      const apiUrls = resourceUrls.filter(({ pathname }) => CACHED_PATH_PATTERN.test(pathname))
      const requiredPaths = [...apiUrls.map(({ pathname, search }) => pathname + search), ...extraPaths]
      if (requiredPaths.length === 0) return ['no API request was sent']
      return requiredPaths.filter((path) => !cachedUrls.some((url) => url.endsWith(path)))
    }, extraPaths)
  await expect.poll(listUncachedPaths, { timeout: 20_000 }).toEqual([])
}

export async function signInAndOpenHome(page: Page, name = 'Alex'): Promise<void> {
  await signInAsProfile(page, name)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
}

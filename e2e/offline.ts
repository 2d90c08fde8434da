/** What the journeys without a network share. */
import { expect, type Page } from '@playwright/test'
import { signIn, words } from './household.ts'

const w = (key: string) => words('en', key)
export const offlineSign = (page: Page) => page.getByRole('status').filter({ hasText: w('common:offline') })

/** The worker has put the site away, and the page what it was told. */
export async function settled(page: Page): Promise<void> {
  const isAway = () =>
    page.evaluate(
      async () =>
        navigator.serviceWorker.controller !== null &&
        (await caches.match(`${location.origin}/_shell/offline/`)) !== undefined,
    )
  await expect.poll(isAway, { timeout: 20_000 }).toBe(true)
  await kept(page)
}

/**
 * What the page was told stands in the device's caches (a second after each answer: client/call.ts); `also`, what came with
 * another answer, as the player's title does with its session.
 */
export async function kept(page: Page, also: readonly string[] = []): Promise<void> {
  const missing = () =>
    page.evaluate(async (also) => {
      const KEPT =
        /\/api\/(movies|series|profile\/[^/]+\/(watchlist|recommend|continue-watching))(?!.*signals)/
      const told = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
      const held: string[] = []
      for (const name of await caches.keys())
        if (name.includes('reads'))
          held.push(...(await (await caches.open(name)).keys()).map(({ url }) => url))
      const asked = told.filter(({ pathname }) => KEPT.test(pathname))
      const paths = [...asked.map(({ pathname, search }) => pathname + search), ...also]
      if (paths.length === 0) return ['nothing was asked']
      return paths.filter((path) => !held.some((url) => url.endsWith(path)))
    }, also)
  await expect.poll(missing, { timeout: 20_000 }).toEqual([])
}

export async function home(page: Page, name = 'Alex'): Promise<void> {
  await signIn(page, 'en')
  await page.getByRole('button', { name }).first().click()
  await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
}

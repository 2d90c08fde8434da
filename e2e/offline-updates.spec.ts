/** A new build is deployed while pages are open: open tabs keep working, and the new build loads at the next visit. */
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page, test } from '@playwright/test'
import { collectPageProblems, getTranslation } from './journey-helpers.ts'
import { signInAndOpenHome, waitUntilSiteCached } from './offline.ts'

test.use({ serviceWorkers: 'allow' })

const t = (key: string) => getTranslation('en', key)

/**
 * Serves the site through a proxy. After `serveNewBuild()` the proxy simulates a new build: it serves a changed service
 * worker, and none of the old build's files below `/_a/`. A proxy is necessary because Playwright cannot intercept the
 * script of an updated service worker.
 */
async function startUpdatableSite() {
  const sitePort = Number(process.env['E2E_PORT'])
  const nextWorkerScript = readFileSync('dist/sw.js', 'utf8')
    .replace(/"version":"\w+"/, '"version":"next"')
    .replace(/"files":\[[^\]]*\]/, '"files":[]')
  let isNewBuildServed = false
  const server = createServer((incomingRequest, response) => {
    const { url = '/', method, headers } = incomingRequest
    if (isNewBuildServed && url === '/sw.js')
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(nextWorkerScript)
    else if (isNewBuildServed && url.startsWith('/_a/')) response.writeHead(404).end()
    else {
      const upstreamRequest = request(
        { port: sitePort, host: '127.0.0.1', path: url, method, headers },
        (upstreamResponse) => {
          response.writeHead(upstreamResponse.statusCode ?? 502, {
            ...upstreamResponse.headers,
            ...(isNewBuildServed && { 'X-Build': 'next' }),
          })
          upstreamResponse.pipe(response)
        },
      )
      upstreamRequest.on('error', () => response.destroy())
      incomingRequest.pipe(upstreamRequest)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serveNewBuild: () => {
      isNewBuildServed = true
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

test('an open tab loads further pages without errors after the site is updated', async ({ browser }) => {
  const site = await startUpdatableSite()
  const page = await browser.newPage({ baseURL: site.url })
  const { problems } = collectPageProblems(page)
  await signInAndOpenHome(page)
  await waitUntilSiteCached(page)
  site.serveNewBuild()
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
  await expect
    .poll(() => page.evaluate(async () => (await caches.keys()).includes('marquee-site-next')))
    .toBe(true)
  await page
    .getByRole('link', { name: t('common:movies'), exact: true })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: t('common:movies') })).toBeVisible()
  await page.locator('.card-grid a').first().click()
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
  expect(problems).toEqual([])
  await page.context().close()
  site.close()
})

test('a cached page opens from the cache after an update, and the new build loads on reload or at the next visit', async ({
  browser,
}) => {
  const site = await startUpdatableSite()
  const page = await browser.newPage({ baseURL: site.url })
  await signInAndOpenHome(page)
  await waitUntilSiteCached(page)
  const getServedBuild = async (navigationPromise: Promise<Awaited<ReturnType<Page['reload']>>>) => {
    const response = await navigationPromise
    expect(response?.fromServiceWorker()).toBe(true)
    return response?.headers()['x-build'] ?? 'first'
  }
  const isCached = () =>
    page.evaluate(async () => Boolean(await caches.match(`${location.origin}/_shell/movies/`)))
  await expect.poll(isCached).toBe(true)
  site.serveNewBuild()
  expect(await getServedBuild(page.goto('/movies/'))).toBe('first')
  await expect(page.getByRole('heading', { level: 1, name: t('common:movies') })).toBeVisible()
  expect(await getServedBuild(page.reload())).toBe('next')
  await expect.poll(() => getServedBuild(page.goto('/mylist/'))).toBe('next')
  await page.context().close()
  site.close()
})

test('a failed download of an island causes exactly one reload of the page', async ({ browser }) => {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  let pageLoadCount = 0
  page.on('load', () => (pageLoadCount += 1))
  await page.addInitScript(() =>
    addEventListener('astro:hydration-error', () =>
      sessionStorage.setItem(
        'hydrationErrorCount',
        `${Number(sessionStorage.getItem('hydrationErrorCount')) + 1}`,
      ),
    ),
  )
  await page.route(/_a\/LoginPage\..*\.js/, (route) => route.abort())
  await page.goto('/login/')
  const readErrorCount = () =>
    page.evaluate(() => sessionStorage.getItem('hydrationErrorCount')).catch(() => null)
  await expect.poll(readErrorCount, { timeout: 20_000 }).toBe('2')
  /* An unwanted second reload would start before the next frame. */
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(pageLoadCount).toBe(2)
  await context.close()
})

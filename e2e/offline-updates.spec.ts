/** Another build takes the place of the one that is open: no tab breaks, and the newest comes in time. */
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page, test } from '@playwright/test'
import { watch, words } from './household.ts'
import { home, settled } from './offline.ts'

const w = (key: string) => words('en', key)

/**
 * The site at an address of its own, which has another build from `update()` on: another worker, and none of the files of
 * this one. (Playwright cannot answer for the script of a worker that is updated.)
 */
async function sameSiteUntilUpdated() {
  const behind = Number(process.env['E2E_PORT'])
  const next = readFileSync('dist/sw.js', 'utf8')
    .replace(/"version":"\w+"/, '"version":"next"')
    .replace(/"files":\[[^\]]*\]/, '"files":[]')
  let updated = false
  const server = createServer((asked, answer) => {
    const { url = '/', method, headers } = asked
    if (updated && url === '/sw.js') answer.writeHead(200, { 'Content-Type': 'text/javascript' }).end(next)
    else if (updated && url.startsWith('/_a/')) answer.writeHead(404).end()
    else {
      const passed = request({ port: behind, host: '127.0.0.1', path: url, method, headers }, (reply) => {
        answer.writeHead(reply.statusCode ?? 502, { ...reply.headers, ...(updated && { 'X-Build': 'next' }) })
        reply.pipe(answer)
      })
      passed.on('error', () => answer.destroy())
      asked.pipe(passed)
    }
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    update: () => {
      updated = true
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

test('a site that is updated breaks no open tab', async ({ browser }) => {
  const site = await sameSiteUntilUpdated()
  const page = await browser.newPage({ baseURL: site.address })
  const { problems } = watch(page)
  await home(page)
  await settled(page)
  site.update()
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
  await expect
    .poll(() => page.evaluate(async () => (await caches.keys()).includes('marquee-site-next')))
    .toBe(true)
  await page
    .getByRole('link', { name: w('common:movies'), exact: true })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: w('common:movies') })).toBeVisible()
  await page.locator('.card-grid a').first().click()
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
  expect(problems).toEqual([])
  await page.context().close()
  site.close()
})

test('a page that was kept is there at once; the newest comes with a reload or the next visit', async ({
  browser,
}) => {
  const site = await sameSiteUntilUpdated()
  const page = await browser.newPage({ baseURL: site.address })
  await home(page)
  await settled(page)
  const build = async (visit: Promise<Awaited<ReturnType<Page['reload']>>>) => {
    const answer = await visit
    expect(answer?.fromServiceWorker()).toBe(true)
    return answer?.headers()['x-build'] ?? 'first'
  }
  const isKept = () =>
    page.evaluate(async () => Boolean(await caches.match(`${location.origin}/_shell/movies/`)))
  await expect.poll(isKept).toBe(true)
  site.update()
  expect(await build(page.goto('/movies/'))).toBe('first')
  await expect(page.getByRole('heading', { level: 1, name: w('common:movies') })).toBeVisible()
  expect(await build(page.reload())).toBe('next')
  await expect.poll(() => build(page.goto('/mylist/'))).toBe('next')
  await page.context().close()
  site.close()
})

test('code that cannot be had reloads the page once', async ({ browser }) => {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  let loads = 0
  page.on('load', () => (loads += 1))
  await page.addInitScript(() =>
    addEventListener('astro:hydration-error', () =>
      sessionStorage.setItem('refused', `${Number(sessionStorage.getItem('refused')) + 1}`),
    ),
  )
  await page.route(/_a\/Login\..*\.js/, (route) => route.abort())
  await page.goto('/login/')
  const refused = () => page.evaluate(() => sessionStorage.getItem('refused')).catch(() => null)
  await expect.poll(refused, { timeout: 20_000 }).toBe('2')
  /* A second reload would have begun in the same turn. */
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(loads).toBe(2)
  await context.close()
})

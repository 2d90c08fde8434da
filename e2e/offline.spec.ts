/** The network goes and comes back: what was seen stays, what was done arrives once, and nothing is shown to the wrong eyes. */
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page, test } from '@playwright/test'
import { credentials, signIn, watch, words } from './household.ts'

const w = (key: string) => words('en', key)
const offlineSign = (page: Page) => page.getByRole('status').filter({ hasText: w('common:offline') })

/** The worker has put the site away, and the page what it was told. */
async function settled(page: Page): Promise<void> {
  const isAway = () =>
    page.evaluate(
      async () =>
        navigator.serviceWorker.controller !== null &&
        (await caches.match(`${location.origin}/_shell/offline/`)) !== undefined,
    )
  await expect.poll(isAway, { timeout: 20_000 }).toBe(true)
  await kept(page)
}

/** What the page was told stands in the device's caches (a second after each answer: client/call.ts). */
async function kept(page: Page): Promise<void> {
  const missing = () =>
    page.evaluate(async () => {
      const KEPT =
        /\/api\/(movies|series|profile\/[^/]+\/(watchlist|recommend|continue-watching))(?!.*signals)/
      const told = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
      const held: string[] = []
      for (const name of await caches.keys())
        if (name.includes('reads'))
          held.push(...(await (await caches.open(name)).keys()).map(({ url }) => url))
      const asked = told.filter(({ pathname }) => KEPT.test(pathname))
      if (asked.length === 0) return ['nothing was asked']
      return asked
        .map(({ pathname, search }) => pathname + search)
        .filter((path) => !held.some((url) => url.endsWith(path)))
    })
  await expect.poll(missing, { timeout: 20_000 }).toEqual([])
}

async function home(page: Page, name = 'Alex'): Promise<void> {
  await signIn(page, 'en')
  await page.getByRole('button', { name }).first().click()
  await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
}

const cacheNames = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => /reads|pictures/.test(name)))

test('home, a title, My List and search go on without a network, and say so', async ({ page, context }) => {
  await home(page)
  await page.goto('/movies/arrival')
  await expect(page.getByRole('heading', { level: 1, name: 'Arrival' })).toBeVisible()
  await kept(page)
  await page.goto('/mylist/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await kept(page)
  await page.goto('/')
  await settled(page)

  await context.setOffline(true)
  await expect(offlineSign(page)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
  await expect(page.locator('section[aria-label] li img').first()).toBeVisible()
  await page.goto('/movies/arrival')
  await expect(page.getByRole('heading', { level: 1, name: 'Arrival' })).toBeVisible()
  await page.goto('/mylist/')
  await expect(page.getByRole('heading', { level: 1, name: w('mylist:title') })).toBeVisible()
  await page.goto('/search/')
  await page.getByRole('textbox').fill('arriv')
  await expect(page.getByText(w('searchpage:offlineResults'))).toBeVisible()
  await expect(page.locator('.card-grid a[href*="arrival"]').first()).toBeVisible()

  await page.goto('/actor/nobody-was-here')
  await expect(page.getByRole('heading', { name: w('errors:offlineTitle') })).toBeVisible()
  await page.goto('/not-a-page-at-all')
  await expect(page.getByRole('heading', { name: w('errors:offlineTitle') })).toBeVisible()
  await context.setOffline(false)
  await page.goto('/')
  await expect(offlineSign(page)).toHaveCount(0)
})

test('what is done without a network waits, stays over a reload, and arrives once', async ({
  page,
  context,
}) => {
  await home(page)
  await page.goto('/movies/arrival')
  const button = page.getByRole('main').getByRole('button', { name: w('common:addToList') })
  await expect(page.getByRole('heading', { level: 1, name: 'Arrival' })).toBeVisible()
  const inList = page.getByRole('main').getByRole('button', { name: w('common:removeFromList') })
  await expect(button.or(inList).first()).toBeVisible()
  await kept(page)
  if (await inList.first().isVisible()) await inList.first().click()
  await expect(button.first()).toBeVisible()
  await page.goto('/mylist/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await settled(page)
  await page.goto('/movies/arrival')
  await kept(page)

  await context.setOffline(true)
  await button.first().click()
  await page
    .getByRole('button', { name: w('common:like'), exact: true })
    .first()
    .click()
  await expect(offlineSign(page)).toContainText(w('common:changesWait_other').replace('{{count}}', '2'))
  await page.reload()
  await expect(inList.first()).toBeVisible()
  await expect(page.getByRole('button', { name: w('common:liked') }).first()).toBeVisible()
  await page.goto('/mylist/')
  await expect(page.locator('.card-grid a[href*="arrival"]').first()).toBeVisible()

  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && /watchlist|feedback/.test(request.url()))
      sent.push(new URL(request.url()).pathname.replace(/.*\/(watchlist|feedback)\/.*/, '$1'))
  })
  const second = await context.newPage()
  await second.goto('/mylist/')
  await context.setOffline(false)
  await expect(offlineSign(page)).toHaveCount(0)
  await expect
    .poll(() =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('marquee-waiting'))),
    )
    .toEqual([])
  await second.close()
  await page.evaluate(async () => {
    for (const name of await caches.keys()) if (name.startsWith('marquee-reads')) await caches.delete(name)
  })
  await page.reload()
  await expect(page.locator('.card-grid a[href*="arrival"]').first()).toBeVisible()
  expect(sent.length).toBeLessThanOrEqual(2)
  expect(new Set(sent).size).toBe(sent.length)
})

test('progress made without a network arrives when it is back', async ({ page, context }) => {
  await home(page)
  await settled(page)
  await page.goto('/watch/?type=movie&slug=arrival')
  const video = page.locator('video')
  await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.currentTime)).toBeGreaterThan(1)
  await kept(page)
  await context.setOffline(true)
  await video.evaluate((one: HTMLVideoElement) => one.pause())
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => / progress movie\//.test(key))))
    .toBe(true)
  const saved = page.waitForResponse(
    (answer) => /\/history$/.test(answer.url()) && answer.request().method() === 'POST',
  )
  await context.setOffline(false)
  expect((await saved).status()).toBe(200)
})

const waitingKinds = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith('marquee-waiting'))
      .map((key) => (JSON.parse(localStorage.getItem(key) ?? '{}') as { kind: string }).kind)
      .sort(),
  )

test('a reset that waits is taken back, also after a reload', async ({ page, context }) => {
  await home(page)
  const main = page.getByRole('main')
  const reset = main.getByRole('button', { name: w('detail:resetProgress') })
  await page.goto('/watch/?type=movie&slug=inception')
  const video = page.locator('video')
  await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.currentTime)).toBeGreaterThan(1)
  const saved = page.waitForResponse(
    (answer) => /\/history$/.test(answer.url()) && answer.request().method() === 'POST',
  )
  await video.evaluate((one: HTMLVideoElement) => one.pause())
  await saved
  await page.goto('/movies/inception')
  await expect(reset).toBeVisible()
  await settled(page)
  const heard: string[] = []
  page.on('response', (answer) => {
    if (/\/history/.test(answer.url()) && answer.request().method() !== 'GET') heard.push(answer.url())
  })

  await context.setOffline(true)
  await expect(offlineSign(page)).toBeVisible()
  const undo = page.getByRole('button', { name: w('common:undo') })
  await reset.click()
  await expect.poll(() => waitingKinds(page)).toEqual(['reset'])
  await expect(page.getByText(w('detail:progressReset'))).toBeVisible()
  await expect(reset).toHaveCount(0)
  await page
    .getByRole('status')
    .getByRole('button', { name: w('common:undo') })
    .click()
  await expect.poll(() => waitingKinds(page)).toEqual([])
  await expect(reset).toBeVisible()

  await reset.click()
  await expect.poll(() => waitingKinds(page)).toEqual(['reset'])
  await page.reload()
  await expect(undo).toBeVisible()
  await undo.click()
  await expect.poll(() => waitingKinds(page)).toEqual([])
  await expect(reset).toBeVisible()

  await context.setOffline(false)
  await expect(offlineSign(page)).toHaveCount(0)
  await page.reload()
  await expect(reset).toBeVisible()
  expect(heard).toEqual([])
})

test('several titles changed without a network arrive once; Undo takes back what waits', async ({
  page,
  context,
}) => {
  await home(page)
  for (const slug of ['arrival', 'inception']) {
    await page.goto(`/movies/${slug}`)
    const add = page.getByRole('main').getByRole('button', { name: w('common:addToList') })
    const listed = page.getByRole('main').getByRole('button', { name: w('common:removeFromList') })
    await expect(add.or(listed).first()).toBeVisible()
    await kept(page)
    if (await add.first().isVisible()) await add.first().click()
    await expect(listed.first()).toBeVisible()
  }
  await page.goto('/mylist/')
  const cards = page.locator('.card-grid > li')
  await expect(cards.nth(1)).toBeVisible()
  await settled(page)
  const many = await cards.count()
  const bar = page.getByRole('region', { name: w('mylist:select') })
  const removeTwo = async () => {
    await page.getByRole('button', { name: w('mylist:select'), exact: true }).click()
    for (const nth of [0, 1]) await page.locator('.card-grid label').nth(nth).click()
    await bar.getByRole('button', { name: w('common:removeFromList') }).click()
  }

  await context.setOffline(true)
  await expect(offlineSign(page)).toBeVisible()
  await removeTwo()
  await expect(page.getByText(w('mylist:changed_other').replace('{{count}}', '2'))).toBeVisible()
  await expect(cards).toHaveCount(many - 2)
  await expect.poll(() => waitingKinds(page)).toEqual(['several'])
  await page.getByRole('button', { name: w('common:undo') }).click()
  await expect(cards).toHaveCount(many)
  await expect.poll(() => waitingKinds(page)).toEqual([])

  await removeTwo()
  await expect(cards).toHaveCount(many - 2)
  await page.reload()
  await expect(cards).toHaveCount(many - 2)
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'PUT' && /\/watchlist$/.test(request.url())) sent += 1
  })
  await context.setOffline(false)
  await expect(offlineSign(page)).toHaveCount(0)
  await expect.poll(() => waitingKinds(page)).toEqual([])
  await page.reload()
  await expect(cards).toHaveCount(many - 2)
  expect(sent).toBe(1)
})

test('kids and PIN rules hold, and signing out leaves nothing', async ({ page, context }) => {
  const { pin } = credentials()
  await home(page, 'Robin').catch(() => {})
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  for (const digit of pin) await page.keyboard.press(digit)
  await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
  await settled(page)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()

  /* Another tab has not said the PIN: the profile stays shut. */
  const other = await context.newPage()
  await other.goto('/')
  await expect(other.getByRole('heading', { level: 1, name: w('profiles:heading') })).toBeVisible()
  await other.getByRole('button', { name: 'Robin' }).click()
  await other.getByRole('dialog').waitFor()
  for (const digit of pin) await other.keyboard.press(digit)
  await expect(other.getByText(w('profiles:offlineLocked'))).toBeVisible()
  await other.keyboard.press('Escape')

  /* Nobody else's answers: this profile was never here. */
  await other.getByRole('button', { name: 'Alex' }).click()
  await expect(other.getByRole('heading', { name: w('errors:offlineTitle') })).toBeVisible()
  await other.close()

  await context.setOffline(false)
  expect((await cacheNames(page)).length).toBeGreaterThan(0)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
  await kept(page)
  await page.locator('header button[aria-expanded]').last().click()
  await page.getByRole('button', { name: w('header:logout') }).click()
  await expect(page).toHaveURL(/\/login\//)
  await expect.poll(() => cacheNames(page)).toEqual([])
  await context.setOffline(true)
  await page.goto('/')
  await expect(page.locator('form')).toBeVisible()
})

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

test('the browser may install it', async ({ page }) => {
  await page.goto('/ar/login/')
  const manifest = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')
    return (await fetch(link?.href ?? '')).json()
  })
  expect(manifest).toMatchObject({
    lang: 'ar',
    dir: 'rtl',
    start_url: '/ar/',
    display: 'standalone',
    id: '/',
  })
  const client = await page.context().newCDPSession(page)
  await page.waitForFunction(() => navigator.serviceWorker.getRegistration().then(Boolean), null, {
    timeout: 20_000,
  })
  const { installabilityErrors } = await client.send('Page.getInstallabilityErrors')
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
})

/** From one page to the next: in one document, from what was fetched ahead (page-scripts/shell-prefetch.ts, page-swap.ts). */
import { expect, type Page, test } from '@playwright/test'
import { enter } from './settle.ts'

/** Every shell that may come next was fetched ahead; the last of them is the actor's. */
async function ahead(page: Page): Promise<void> {
  const codeOf = (name: string) => page.locator(`head link[rel=modulepreload][href*="/${name}."]`)
  await expect(codeOf('ActorPage')).toHaveCount(1, { timeout: 20_000 })
}

test('pages that may come next are there already, and their code is asked for once', async ({ page }) => {
  await enter(page)
  await ahead(page)
  await page.evaluate(() => Object.assign(window, { same: true }))
  const shells: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('/') || pathname.endsWith('/_')) shells.push(pathname)
  })
  await page.locator('.row-track a[href*="/movies/"]').first().click()
  await expect(page.locator('article h1')).toBeVisible()
  const menu = page.getByRole('navigation').first()
  await menu.getByRole('link', { name: 'TV Shows' }).click()
  await expect(page).toHaveURL(/\/tvshows\/$/)
  await page.locator('[data-card]').first().click()
  await expect(page.locator('article h1')).toBeVisible()
  await page.goBack()
  await expect(page.locator('[data-card]').first()).toBeVisible()
  expect(await page.evaluate(() => 'same' in window)).toBe(true)
  expect(shells).toEqual([])
  const code = await page
    .locator('head link[rel=modulepreload]')
    .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href))
  expect(code.length).toBeGreaterThan(20)
  expect([...new Set(code)]).toEqual(code)
})

test('a link stays pressed while the page that it leads to comes, and no longer', async ({ page }) => {
  await enter(page)
  await ahead(page)
  const card = page.locator('.row-track a[href*="/movies/"]').first()
  const going = page.locator('[data-going]')
  await page.evaluate(() =>
    document.addEventListener('astro:before-swap', () =>
      Object.assign(window, { leftBy: document.querySelector('[data-going]')?.getAttribute('href') }),
    ),
  )
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await card.hover()
  await page.mouse.down()
  await expect.poll(() => asked.some((path) => /\/watchlist\/movie\//.test(path))).toBe(true)
  await expect.poll(() => asked.some((path) => /\/history\/movie\//.test(path))).toBe(true)
  await page.mouse.move(0, 0)
  await page.mouse.up()
  await expect(going).toHaveCount(0)
  await card.click({ modifiers: ['Control'] })
  await expect(going).toHaveCount(0)
  const address = await card.getAttribute('href')
  await card.click()
  await expect(page.locator('article h1')).toBeVisible()
  expect(await page.evaluate(() => (window as unknown as { leftBy: string }).leftBy)).toBe(address)
  await page.getByRole('navigation').first().getByRole('link', { name: 'Movies' }).click()
  await expect(page).toHaveURL(/\/movies\/$/)
  await expect(going).toHaveCount(0)
})

/** Navigation within one document, with prefetched pages (page-scripts/shell-prefetch.ts, page-swap.ts). */
import { expect, type Page, test } from '@playwright/test'
import { getTranslation } from './journey-helpers.ts'
import { goBack, signInAsAlex } from './page-navigation.ts'

/**
 * Waits until all shells of PREFETCHED_PAGES (shell-prefetch.ts) are prefetched. The actor page is the last one. After
 * its shell is prefetched, the document contains the preload link of its module.
 */
async function waitForPrefetch(page: Page): Promise<void> {
  const getModulePreload = (name: string) => page.locator(`head link[rel=modulepreload][href*="/${name}."]`)
  await expect(getModulePreload('ActorPage')).toHaveCount(1, { timeout: 20_000 })
}

test('navigation uses prefetched shells without loading a new document, and preloads each module once', async ({
  page,
}) => {
  await signInAsAlex(page)
  await waitForPrefetch(page)
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
  const shellRequests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('/') || pathname.endsWith('/_')) shellRequests.push(pathname)
  })
  /* Searches in `main`, because the cover (click-cover.ts) shows the same heading before the new page is opened. */
  const titleHeading = page.locator('main article h1')
  await page.locator('.row-track a[href*="/movies/"]').first().click()
  await expect(titleHeading).toBeVisible()
  const mainMenu = page.getByRole('navigation').first()
  await mainMenu.getByRole('link', { name: 'TV Shows' }).click()
  await expect(page).toHaveURL(/\/tvshows\/$/)
  await page.locator('[data-card]').first().click()
  await expect(titleHeading).toBeVisible()
  await goBack(page)
  await expect(page.locator('[data-card]').first()).toBeVisible()
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
  expect(shellRequests).toEqual([])
  const preloadedUrls = await page
    .locator('head link[rel=modulepreload]')
    .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href))
  expect(preloadedUrls.length).toBeGreaterThan(20)
  expect([...new Set(preloadedUrls)]).toEqual(preloadedUrls)
})

test('a title page that is opened from another title page shows its cast row from the first card, and going back restores the scroll offset of the previous cast row, or the end of that row if the window has become wider', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signInAsAlex(page)
  await waitForPrefetch(page)
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
  const castRow = page
    .getByRole('region', { name: getTranslation('en', 'detail:cast') })
    .locator('.row-track')
  const getCastOffsetPx = () => castRow.evaluate((track) => track.scrollLeft)
  await page.locator('.row-track a[href*="/movies/"]').first().click()
  await castRow.evaluate((track) => track.scrollTo({ left: 200, behavior: 'instant' }))
  await expect.poll(getCastOffsetPx).toBeGreaterThan(100)
  const titleUrl = page.url()
  await page.locator('main section .row-track a[href*="/movies/"]').first().click()
  await expect(page).not.toHaveURL(titleUrl)
  await expect(page.locator('main article h1')).toBeVisible()
  expect(await getCastOffsetPx()).toBe(0)
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
  await goBack(page)
  await expect.poll(getCastOffsetPx).toBeGreaterThan(100)
  // Scrolls to the end of the row. The window becomes wider before Back, so the row then has a smaller maximum scroll
  // offset.
  await castRow.evaluate((track) => track.scrollTo({ left: track.scrollWidth, behavior: 'instant' }))
  const endOffsetPx = await getCastOffsetPx()
  await page.locator('main section .row-track a[href*="/movies/"]').first().click()
  await expect(page).not.toHaveURL(titleUrl)
  /* The URL changes before the page does. A resize of the previous page would change the offset that Back restores. */
  await expect.poll(getCastOffsetPx).toBe(0)
  await page.setViewportSize({ width: 900, height: 844 })
  await goBack(page)
  await expect.poll(getCastOffsetPx).toBeGreaterThan(100)
  expect(await getCastOffsetPx()).toBeLessThan(endOffsetPx)
  await castRow.evaluate((track) => track.scrollTo({ left: 0, behavior: 'instant' }))
  await expect(castRow.locator('~ button')).toHaveCount(1)
  expect(await getCastOffsetPx()).toBe(0)
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
})

test('a clicked link to a title is marked until the title page is shown, and holding the mouse button down on the link already prefetches the watchlist entry and the progress of the title', async ({
  page,
}) => {
  await signInAsAlex(page)
  await waitForPrefetch(page)
  const card = page.locator('.row-track [data-card][href*="/movies/"]').first()
  const pressedLinks = page.locator('[data-going]')
  await page.evaluate(() =>
    document.addEventListener('astro:before-swap', () =>
      Object.assign(window, {
        lastPressedHref: document.querySelector('[data-going]')?.getAttribute('href'),
      }),
    ),
  )
  const requestedPaths: string[] = []
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname))
  /* The first hover loads the code that handles the press. */
  const triggersScriptPromise = page
    .waitForResponse(/\/preview-triggers\./)
    .then((response) => response.finished())
  await card.hover()
  await triggersScriptPromise
  await page.mouse.move(0, 0)
  await card.hover()
  await page.mouse.down()
  await expect.poll(() => requestedPaths.some((path) => /\/watchlist\/movie\//.test(path))).toBe(true)
  await expect.poll(() => requestedPaths.some((path) => /\/history\/movie\//.test(path))).toBe(true)
  await page.mouse.move(0, 0)
  await page.mouse.up()
  await expect(pressedLinks).toHaveCount(0)
  await card.click({ modifiers: ['Control'] })
  await expect(pressedLinks).toHaveCount(0)
  const cardUrl = await card.getAttribute('href')
  await card.click()
  await expect(page.locator('main article h1')).toBeVisible()
  expect(await page.evaluate(() => (window as unknown as { lastPressedHref: string }).lastPressedHref)).toBe(
    cardUrl,
  )
  await page.getByRole('navigation').first().getByRole('link', { name: 'Movies' }).click()
  await expect(page).toHaveURL(/\/movies\/$/)
  await expect(pressedLinks).toHaveCount(0)
})

test('a click on a card shows the title in the next frame, and going back restores the scroll position and focuses the clicked card', async ({
  page,
}) => {
  await signInAsAlex(page)
  await waitForPrefetch(page)
  const card = page.locator('.row-track a[href*="/movies/"]').first()
  await card.hover()
  const cardUrl = await card.getAttribute('href')
  const scrollTop = await page.evaluate(() => scrollY)
  await page.evaluate(() =>
    addEventListener(
      'click',
      () =>
        requestAnimationFrame(() =>
          Object.assign(window, {
            firstFrame: {
              title: document.querySelector('body > div > article h1')?.textContent,
              path: location.pathname,
            },
          }),
        ),
      { capture: true, once: true },
    ),
  )
  await card.click()
  const heading = page.locator('main article h1')
  await expect(heading).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`${cardUrl}$`))
  const firstFrame = await page.evaluate(
    () => (window as unknown as { firstFrame: { title: string; path: string } }).firstFrame,
  )
  expect(firstFrame).toEqual({ title: await heading.textContent(), path: '/' })
  await expect(page.locator('body > div > article')).toHaveCount(0)
  await page.goBack()
  await expect(card).toBeVisible()
  await expect(page.locator(`main a[href="${cardUrl}"]`).first()).toBeFocused()
  expect(await page.evaluate(() => scrollY)).toBe(scrollTop)
  // If a title is in two rows, the focus returns to the card from which the title was opened.
  const repeatedUrl = await page.locator('main .row-track a').evaluateAll((links) => {
    const urls = links.map((link) => link.getAttribute('href'))
    return urls.find((url, index) => urls.indexOf(url) < index)
  })
  const secondCard = page.locator(`main a[href="${repeatedUrl}"]`).last()
  await secondCard.click()
  await expect(heading).toBeVisible()
  await page.goBack()
  await expect(secondCard).toBeFocused()
})

/**
 * Previews opened with the pointer: a pointer that rests on a card opens the preview of the card, but a moving pointer
 * opens no preview.
 */
import { expect, type Page, test } from '@playwright/test'
import { getTranslation } from './journey-helpers.ts'
import { openPage, setInterfaceLanguage } from './page-navigation.ts'
import {
  getBoundingBox,
  getCards,
  getHomeRow,
  getPreview,
  hoverCard,
  movePointerAway,
  openDesktopPage,
} from './preview.ts'

const t = (key: string) => getTranslation('en', key)
test.setTimeout(120_000)
let page: Page

test.beforeAll(async ({ browser }) => {
  page = await openDesktopPage(browser)
})
test.afterAll(() => page.context().close())
test.beforeEach(() => page.mouse.move(2, 890))

test('resting the pointer on a card opens the preview, and moving the pointer off the preview closes the preview', async () => {
  await openPage(page, 'en', '/')
  const card = getCards(getHomeRow(page, 'home:popularMovies')).nth(2)
  await hoverCard(card)
  const startMs = Date.now()
  await expect(getPreview(page)).toBeVisible()
  expect(Date.now() - startMs).toBeGreaterThan(250)
  const titleName = (await card.locator('.sr-only > span').textContent()) ?? ''
  await expect(getPreview(page)).toHaveAttribute('aria-label', titleName)
  await expect(
    getPreview(page).getByRole('link', { name: new RegExp(`^(${t('common:play')}|${t('common:resume')})`) }),
  ).toBeVisible()
  await expect(getPreview(page).getByRole('link', { name: new RegExp(t('common:moreInfo')) })).toBeVisible()
  for (const [offLabel, onLabel] of [
    ['common:addToList', 'common:removeFromList'],
    ['common:like', 'common:liked'],
    ['common:dislike', 'common:disliked'],
  ] as const)
    await expect(
      getPreview(page).getByRole('button', { name: new RegExp(`^(${t(offLabel)}|${t(onLabel)})$`) }),
    ).toBeVisible()
  /* The preview is larger than its card and stays open while the pointer moves over it. */
  const { x, y, width, height } = await getBoundingBox(getPreview(page))
  await page.mouse.move(x + width - 6, y + height - 6, { steps: 4 })
  await expect.poll(() => getPreview(page).count()).toBe(1)
  await movePointerAway(page)
  await expect(getPreview(page)).toHaveCount(0)
})

test('the preview has its final position and size from the first frame in which it is visible', async () => {
  await openPage(page, 'en', '/tvshows/')
  await page.evaluate(() => {
    const frames: string[] = []
    Object.assign(globalThis, { frames })
    const recordFrame = () => {
      const previewElement = document.querySelector<HTMLElement>('.preview')
      if (previewElement)
        frames.push(
          [
            previewElement.offsetLeft,
            previewElement.offsetTop,
            previewElement.offsetWidth,
            previewElement.offsetHeight,
          ].join(),
        )
      requestAnimationFrame(recordFrame)
    }
    recordFrame()
  })
  await hoverCard(getCards(page.locator('.card-grid')).nth(3))
  await expect(getPreview(page)).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => (globalThis as never as { frames: string[] }).frames.length))
    .toBeGreaterThan(40)
  expect(await page.evaluate(() => new Set((globalThis as never as { frames: string[] }).frames).size)).toBe(
    1,
  )
  await movePointerAway(page)
  await expect(getPreview(page)).toHaveCount(0)
})

test('a moving pointer opens no preview, even if the pointer stays on one card longer than the hover delay', async () => {
  await openPage(page, 'en', '/movies/')
  /*
   * Records the previews that open although the pointer never paused for 95 ms between two moves. On a busy machine,
   * moves of this test can be delayed, and a preview may open after a pause of that length.
   */
  await page.evaluate(() => {
    const earlyOpenings: string[] = []
    const moveTimesMs: number[] = []
    Object.assign(globalThis, { earlyOpenings })
    document.addEventListener('pointermove', () => moveTimesMs.push(performance.now()), { capture: true })
    new MutationObserver(() => {
      if (!document.querySelector('.preview')) return
      const timesMs = [...moveTimesMs.slice(-60), performance.now()]
      const longestRestMs = Math.max(
        ...timesMs.map((timeMs, index) => timeMs - (timesMs[index - 1] ?? timeMs)),
      )
      if (longestRestMs < 95) earlyOpenings.push(timesMs.join())
    }).observe(document.body, { childList: true })
  })
  const allCards = getCards(page.locator('.card-grid'))
  const firstBox = await getBoundingBox(allCards.nth(0))
  const lastBox = await getBoundingBox(allCards.nth(5))
  for (let passIndex = 0; passIndex < 3; passIndex++) {
    await page.mouse.move(firstBox.x + 20, firstBox.y + 100)
    await page.mouse.move(lastBox.x + 60, lastBox.y + 100, { steps: 30 })
  }
  /* Moves back and forth on one card for longer than the hover delay. */
  const endMs = Date.now() + 1_200
  for (let moveIndex = 0; Date.now() < endMs; moveIndex++)
    await page.mouse.move(firstBox.x + 20 + (moveIndex % 2) * 120, firstBox.y + 100 + (moveIndex % 5) * 8)
  await movePointerAway(page)
  await expect(getPreview(page)).toHaveCount(0)
  expect(
    await page.evaluate(() => (globalThis as never as { earlyOpenings: string[] }).earlyOpenings),
  ).toEqual([])
})

for (const [locale, paths] of [
  ['en', ['/', '/movies/']],
  ['ar', ['/']],
] as const) {
  test(`the preview of a card at the edge of the window is completely visible in ${locale}`, async () => {
    await setInterfaceLanguage(page, locale)
    for (const path of paths) {
      await openPage(page, locale, path)
      const allCards =
        path === '/'
          ? getCards(getHomeRow(page, 'home:popularMovies', locale))
          : getCards(page.locator('.card-grid'))
      let checkedCardCount = 0
      for (const index of [0, 5, 6]) {
        const card = allCards.nth(index)
        const isOnScreen = await card.evaluate((element) => {
          const { left, right } = element.getBoundingClientRect()
          return right > 60 && left < innerWidth - 60
        })
        if (!isOnScreen) continue
        await hoverCard(card)
        await expect(getPreview(page)).toBeVisible()
        const previewBox = await getPreview(page).evaluate((element: HTMLElement) => ({
          start: element.offsetLeft,
          end: element.offsetLeft + element.offsetWidth,
          top: element.offsetTop,
          bottom: element.offsetTop + element.offsetHeight,
          viewportWidth: document.documentElement.clientWidth,
        }))
        expect(previewBox.start).toBeGreaterThanOrEqual(0)
        expect(previewBox.end).toBeLessThanOrEqual(previewBox.viewportWidth)
        expect(previewBox.top).toBeGreaterThanOrEqual(0)
        expect(previewBox.bottom).toBeLessThanOrEqual(900)
        if (index === 0) {
          const { left, right } = await card.evaluate((element) => {
            const { left, right } = element.getBoundingClientRect()
            return { left, right }
          })
          if (locale === 'en') expect(Math.abs(previewBox.start - left)).toBeLessThan(2)
          else expect(Math.abs(previewBox.end - right)).toBeLessThan(2)
        }
        await movePointerAway(page)
        await expect(getPreview(page)).toHaveCount(0)
        checkedCardCount += 1
      }
      expect(checkedCardCount).toBeGreaterThan(1)
    }
    await setInterfaceLanguage(page, 'en')
  })
}

test('Escape, scrolling and a click outside close the preview, and the preview reopens only after the pointer moves', async () => {
  await openPage(page, 'en', '/movies/')
  const card = getCards(page.locator('.card-grid')).nth(2)
  await hoverCard(card)
  await expect(getPreview(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(getPreview(page)).toHaveCount(0)
  /* The pointer has not moved, so the preview must stay closed. */
  await page.waitForFunction(
    (startMs) => performance.now() > startMs + 900,
    await page.evaluate(() => performance.now()),
  )
  await expect(getPreview(page)).toHaveCount(0)
  await movePointerAway(page)
  await hoverCard(card)
  await expect(getPreview(page)).toBeVisible()
  await page.mouse.wheel(0, 120)
  await expect(getPreview(page)).toHaveCount(0)
  await movePointerAway(page)
  await hoverCard(card)
  await expect(getPreview(page)).toBeVisible()
  await page.mouse.move(600, 80)
  await page.mouse.down()
  await expect(getPreview(page)).toHaveCount(0)
  await page.mouse.up()
})

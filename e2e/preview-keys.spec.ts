/** Previews opened by keyboard and remote, and in lite mode. */
import { expect, type Page, test } from '@playwright/test'
import { createAxe, getTranslation } from './journey-helpers.ts'
import { openPage, setInterfaceLanguage, waitUntilSettled } from './page-navigation.ts'
import {
  focusWithKeyboard,
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

test('in the last row of a page, Tab moves the focus from a card to its button for more actions, and then away from the card', async () => {
  await openPage(page, 'en', '/movies/arrival')
  await page.mouse.wheel(0, 5_000)
  const card = page.getByRole('link', { name: /^Interstellar/ })
  await focusWithKeyboard(card)
  await expect(page.locator('[data-more]')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.locator('[data-more]')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.locator('[data-more]')).not.toBeFocused()
  await expect(card).not.toBeFocused()
})

test('the button for more actions, the menu key and Shift+F10 open the preview of a card', async () => {
  await openPage(page, 'en', '/')
  const card = getCards(getHomeRow(page, 'home:popularMovies')).first()
  await focusWithKeyboard(card)
  await expect(card).toHaveAttribute('aria-keyshortcuts', 'Shift+F10')
  const moreButton = page.getByRole('button', { name: new RegExp(`^${t('common:moreActions')}: `) })
  await expect(moreButton).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(moreButton).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(
    dialog.getByRole('link', { name: new RegExp(`^(${t('common:play')}|${t('common:resume')})`) }),
  ).toBeFocused()
  /* The right arrow key moves the focus within the dialog. */
  await page.keyboard.press('ArrowRight')
  const listButtonName = new RegExp(`^(${t('common:addToList')}|${t('common:removeFromList')})$`)
  await expect(dialog.getByRole('button', { name: listButtonName })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(card).toBeFocused()
  for (const key of ['Shift+F10', 'ContextMenu']) {
    await page.keyboard.press(key)
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(card).toBeFocused()
  }
  /* A row has two tab stops, the card and its button, so the second Tab leaves the row. */
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(getHomeRow(page, 'home:popularMovies').locator('.more-actions')).toHaveCount(0)
  expect(await getHomeRow(page, 'home:popularMovies').locator(':focus').count()).toBe(0)
})

test('with a remote control, holding OK opens the preview, and pressing OK opens the title', async () => {
  await openPage(page, 'en', '/')
  const card = getCards(getHomeRow(page, 'home:popularMovies')).nth(1)
  await expect
    .poll(async () => {
      await page.keyboard.press('ArrowDown')
      return page.evaluate(() => sessionStorage.getItem('marquee-remote'))
    })
    .toBe('1')
  await card.focus()
  /* The first focus of a card loads the code that handles the OK key. */
  const isLoaded = () =>
    page.evaluate(() =>
      performance.getEntriesByType('resource').some(({ name }) => /\/preview-triggers\./.test(name)),
    )
  await expect.poll(isLoaded).toBe(true)
  await waitUntilSettled(page)
  await page.keyboard.down('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  /* Key repeats of the held key must not activate the focused button. */
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await expect(dialog).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(card).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/(movies|tvshows)\/.+/)
})

test('an open preview has no accessibility violations in either theme and either reading direction', async () => {
  for (const locale of ['en', 'ar'] as const) {
    await setInterfaceLanguage(page, locale)
    await openPage(page, locale, '/')
    for (const openingMethod of ['rest', 'menu'] as const) {
      const card = getCards(getHomeRow(page, 'home:popularMovies', locale)).nth(2)
      if (openingMethod === 'rest') await hoverCard(card)
      else {
        await movePointerAway(page)
        await focusWithKeyboard(card)
        await page.keyboard.press('Shift+F10')
      }
      await expect(getPreview(page)).toBeVisible()
      for (const theme of ['dark', 'light']) {
        await page.evaluate(async (themeName) => {
          document.documentElement.dataset['theme'] = themeName
          const animations = document.getAnimations().map((animation) => animation.finished.catch(() => {}))
          await Promise.race([Promise.all(animations), new Promise((resolve) => setTimeout(resolve, 1_000))])
        }, theme)
        // One check of the whole page is enough, because every-page.spec.ts checks the page without a preview in each
        // language and theme.
        const shouldCheckWholePage = locale === 'en' && theme === 'dark'
        const axe = shouldCheckWholePage ? createAxe(page) : createAxe(page).include('.preview')
        const { violations } = await axe.analyze()
        expect
          .soft(
            violations.map(
              (violation) =>
                `${locale} ${openingMethod} ${theme} ${violation.id}: ${violation.nodes[0]?.target}`,
            ),
          )
          .toEqual([])
      }
      await page.keyboard.press('Escape')
      await expect(getPreview(page)).toHaveCount(0)
    }
  }
  await setInterfaceLanguage(page, 'en')
})

test('in lite mode the preview opens by key but not by hovering', async () => {
  await page.evaluate(() => localStorage.setItem('lite', '1'))
  await openPage(page, 'en', '/movies/')
  await expect(page.locator('html')).toHaveAttribute('data-lite', '')
  const card = getCards(page.locator('.card-grid')).nth(2)
  await hoverCard(card)
  await page.waitForFunction(
    (startMs) => performance.now() > startMs + 1_200,
    await page.evaluate(() => performance.now()),
  )
  await expect(getPreview(page)).toHaveCount(0)
  await focusWithKeyboard(card)
  await page.keyboard.press('Shift+F10')
  await expect(getPreview(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.evaluate(() => localStorage.removeItem('lite'))
})

test('after a dislike in the preview, the card disappears, and the focus moves to the card that takes its place', async () => {
  await openPage(page, 'en', '/')
  const cards = getCards(getHomeRow(page, 'home:popularMovies'))
  await focusWithKeyboard(cards.nth(1))
  const dislikedPath = (await cards.nth(1).getAttribute('href')) ?? ''
  await expect(cards.nth(1)).toHaveAttribute('aria-keyshortcuts', 'Shift+F10')
  await page.keyboard.press('Shift+F10')
  await getPreview(page)
    .getByRole('button', { name: t('common:dislike') })
    .press('Enter')
  await expect(cards.nth(1)).not.toHaveAttribute('href', dislikedPath)
  await page.keyboard.press('Escape')
  await expect(getPreview(page)).toHaveCount(0)
  await expect(cards.nth(1)).toBeFocused()
  await page.getByRole('button', { name: t('common:undo') }).click()
  await expect(cards.nth(1)).toHaveAttribute('href', dislikedPath)
})

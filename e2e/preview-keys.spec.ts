/** More of a title by keys and by a remote, and for whoever wants nothing to open by itself. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { words } from './household.ts'
import { byKey, cards, desk, leave, preview, rest, row } from './preview.ts'
import { open, settled, speak } from './settle.ts'

const w = (key: string) => words('en', key)
test.setTimeout(120_000)
let page: Page

test.beforeAll(async ({ browser }) => {
  page = await desk(browser)
})
test.afterAll(() => page.context().close())
test.beforeEach(() => page.mouse.move(2, 890))

test('by keyboard: a named button after the card, the menu key and Shift+F10', async () => {
  await open(page, 'en', '/')
  const card = cards(row(page, 'home:popularMovies')).first()
  await byKey(card)
  await expect(card).toHaveAttribute('aria-keyshortcuts', 'Shift+F10')
  const more = page.getByRole('button', { name: new RegExp(`^${w('common:moreActions')}: `) })
  await expect(more).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(more).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(
    dialog.getByRole('link', { name: new RegExp(`^(${w('common:play')}|${w('common:resume')})`) }),
  ).toBeFocused()
  /* Arrows and Tab stay inside. */
  await page.keyboard.press('ArrowRight')
  await expect(dialog.getByRole('button', { name: w('common:addToList') })).toBeFocused()
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
  /* One stop of the row, and its button: the next one is elsewhere. */
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(row(page, 'home:popularMovies').locator('.more-actions')).toHaveCount(0)
  expect(await row(page, 'home:popularMovies').locator(':focus').count()).toBe(0)
})

test('a remote holds OK for it, and presses OK for the title', async () => {
  await open(page, 'en', '/')
  const card = cards(row(page, 'home:popularMovies')).nth(1)
  await expect
    .poll(async () => {
      await page.keyboard.press('ArrowDown')
      return page.evaluate(() => sessionStorage.getItem('marquee-remote'))
    })
    .toBe('1')
  await card.focus()
  /* The first card that is met brings the code that listens. */
  const isThere = () =>
    page.evaluate(() =>
      performance.getEntriesByType('resource').some(({ name }) => /\/previews\./.test(name)),
    )
  await expect.poll(isThere).toBe(true)
  await settled(page)
  await page.keyboard.down('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  /* Held on, the key repeats: that plays nothing. */
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

test('open, it has no findings in either theme, from left and from right', async () => {
  for (const locale of ['en', 'ar'] as const) {
    await speak(page, locale)
    await open(page, locale, '/')
    for (const way of ['rest', 'menu'] as const) {
      const card = cards(row(page, 'home:popularMovies', locale)).nth(2)
      if (way === 'rest') await rest(card)
      else {
        await leave(page)
        await byKey(card)
        await page.keyboard.press('Shift+F10')
      }
      await expect(preview(page)).toBeVisible()
      for (const theme of ['dark', 'light']) {
        await page.evaluate(async (name) => {
          document.documentElement.dataset['theme'] = name
          const still = document.getAnimations().map((one) => one.finished.catch(() => {}))
          await Promise.race([Promise.all(still), new Promise((done) => setTimeout(done, 1_000))])
        }, theme)
        const { violations } = await new AxeBuilder({ page }).analyze()
        expect
          .soft(violations.map((one) => `${locale} ${way} ${theme} ${one.id}: ${one.nodes[0]?.target}`))
          .toEqual([])
      }
      await page.keyboard.press('Escape')
      await expect(preview(page)).toHaveCount(0)
    }
  }
  await speak(page, 'en')
})

test('in lite mode nothing opens by itself, and keys still open it', async () => {
  await page.evaluate(() => localStorage.setItem('lite', '1'))
  await open(page, 'en', '/movies/')
  await expect(page.locator('html')).toHaveAttribute('data-lite', '')
  const card = cards(page.locator('.card-grid')).nth(2)
  await rest(card)
  await page.waitForFunction(
    (from) => performance.now() > from + 1_200,
    await page.evaluate(() => performance.now()),
  )
  await expect(preview(page)).toHaveCount(0)
  await byKey(card)
  await page.keyboard.press('Shift+F10')
  await expect(preview(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.evaluate(() => localStorage.removeItem('lite'))
})

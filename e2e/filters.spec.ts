/** Filters, tabs and the search field show a press in the next frame. The list changes after this frame. */
import { expect, type Locator, type Page, test } from '@playwright/test'
import { getTranslation, signInAsProfile } from './journey-helpers.ts'
import { openPage } from './page-navigation.ts'

const t = (key: string) => getTranslation('en', key)
let page: Page

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage()
  await signInAsProfile(page, 'Alex')
})
test.afterAll(() => page.close())

/**
 * Clicks elements one after the other without a frame in between, and returns whether each element is pressed
 * afterwards. React renders after each click in a microtask.
 */
const clickInOneFrame = (elements: Locator) =>
  elements.evaluateAll(async (clickedElements) => {
    for (const element of clickedElements) {
      ;(element as HTMLElement).click()
      await Promise.resolve()
    }
    return clickedElements.map(({ ariaPressed }) => ariaPressed)
  })

test('two genres that are pressed before the next frame are both applied, and two filter chips that are pressed before the next frame are both removed', async () => {
  await openPage(page, 'en', '/movies/')
  const filtersButton = page.getByRole('button', { name: t('browse:filters'), exact: true })
  await filtersButton.click()
  const dialog = page.locator('dialog:modal')
  const firstGenres = dialog.locator('fieldset:first-of-type button:nth-of-type(-n+2)')
  expect(await clickInOneFrame(firstGenres)).toEqual(['true', 'true'])
  await expect(page).toHaveURL(/includeGenres=\d+&includeGenres=\d+$/)
  await dialog.getByRole('button', { name: t('common:done') }).click()
  await expect(dialog).toBeHidden()
  await expect(filtersButton).toBeFocused()
  const chips = page.getByRole('button', {
    name: new RegExp(t('browse:removeFilter').replace('{{name}}', '')),
  })
  await expect(chips).toHaveCount(2)
  await clickInOneFrame(chips)
  await expect(page).toHaveURL(/\/movies\/$/)
  await expect(chips).toHaveCount(0)
})

test('a pressed tab does not change the URL of a page that opens before the next frame', async () => {
  await openPage(page, 'en', '/movies/')
  await page.getByRole('tab', { name: t('browse:topRated') }).evaluate(async (tab: HTMLElement) => {
    tab.click()
    history.pushState(null, '', '/tvshows/')
    document.body.replaceWith(document.createElement('body'))
    // `useOptimisticChange` must notice that another page was opened. Otherwise the press would change the URL after
    // the next frame.
    return new Promise((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))),
    )
  })
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/tvshows/')
})

test('a character that is typed right after the search was cleared is kept', async () => {
  await openPage(page, 'en', '/search/?q=dark')
  const field = page.getByRole('textbox', { name: t('searchpage:placeholder') })
  await page.getByRole('button', { name: t('searchpage:clear') }).evaluate(async (button: HTMLElement) => {
    button.click()
    // React renders in a microtask, before the next frame.
    await Promise.resolve()
    const input = document.querySelector<HTMLInputElement>('search input')
    const setInputValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
    for (const text of ['d', 'du']) {
      setInputValue?.call(input, text)
      input?.dispatchEvent(new Event('input', { bubbles: true }))
    }
  })
  await expect(page).toHaveURL(/\?q=du$/)
  await expect(field).toHaveValue('du')
})

/** Focus and Back in remote control mode: the focus is never lost, and Back returns to the previous state. */
import { expect, type Page, test } from '@playwright/test'
import { expectFocusGraph } from './focus-graph.ts'
import { getPlayLink, getTranslation, signInAsProfile } from './journey-helpers.ts'
import { openPage, waitUntilSettled } from './page-navigation.ts'
import { isPaused } from './player.ts'
import { LG_BACK_KEY, pressKeys, pressRemoteBack, turnOnRemoteControl } from './remote-control.ts'

const t = (key: string) => getTranslation('en', key)
test.setTimeout(150_000)
let page: Page

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage({ viewport: { width: 1920, height: 1080 }, reducedMotion: 'reduce' })
  await signInAsProfile(page, 'Alex')
})
test.afterAll(() => page.close())

test('leaving a menu with Tab or Back closes the menu, pressing Back again leaves the page, and closing a dialog restores the focus', async () => {
  await openPage(page, 'en', '/movies/')
  await openPage(page, 'en', '/mylist/')
  await page.getByRole('button', { name: new RegExp(`^${t('header:notifications')}`) }).press('Enter')
  await page.locator('[data-panel]').waitFor()
  const isFocusInMenu = () =>
    page.evaluate(() => document.activeElement?.closest(':has(> [data-panel])') != null)
  while (await isFocusInMenu()) await pressKeys(page, 'Tab')
  await expect(page.locator('[data-panel]')).toHaveCount(0)
  await turnOnRemoteControl(page)
  const menuButton = page.getByRole('button', { name: new RegExp(t('header:menu').replace('{{name}}', '')) })
  await menuButton.focus()
  await pressKeys(page, 'Enter')
  await page.locator('[data-panel] a').first().waitFor()
  await pressKeys(page, 'ArrowDown')
  await expect(page.locator('[data-panel] :focus')).toBeVisible()
  await pressRemoteBack(page)
  await expect(page.locator('[data-panel]')).toHaveCount(0)
  await expect(menuButton).toBeFocused()
  await pressRemoteBack(page)
  await expect(page).toHaveURL(/\/movies\/$/)
  await waitUntilSettled(page)
  await turnOnRemoteControl(page)
  const filtersButton = page.getByRole('button', { name: t('browse:filters') })
  await filtersButton.focus()
  await pressKeys(page, 'Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator('[data-first]')).toBeFocused()
  await pressKeys(page, 'Enter')
  await expect(page).toHaveURL(/includeGenres/)
  await expect(dialog.getByRole('status')).toHaveText(/\d/)
  await dialog.getByRole('button', { name: t('browse:reset') }).press('Enter')
  await expect(page).not.toHaveURL(/includeGenres/)
  await pressKeys(page, 'Escape')
  await expect(filtersButton).toBeFocused()
})

test('after the filters button was focused, which renders its hidden dialog, the Up key does not jump from the top of the page to its end', async () => {
  await openPage(page, 'en', '/movies/')
  await turnOnRemoteControl(page)
  await page.getByRole('button', { name: t('browse:filters') }).focus()
  await page.locator('dialog').waitFor({ state: 'attached' })
  for (let pressCount = 0; pressCount < 4; pressCount++) await pressKeys(page, 'ArrowUp')
  await expect(page.locator('header :focus')).toBeVisible()
})

test('with a remote control, Escape clears the search field and goes back from the empty field, and Backspace deletes text or the focused part of the query', async () => {
  await openPage(page, 'en', '/movies/')
  await turnOnRemoteControl(page)
  // The key "/" opens the search. In the search field, the key enters a slash.
  await page.keyboard.press('/')
  const searchBox = page.getByRole('textbox', { name: t('searchpage:placeholder') })
  await expect(searchBox).toBeFocused()
  await page.keyboard.type('a/')
  await expect(searchBox).toHaveValue('a/')
  await pressKeys(page, 'Backspace', 'Backspace', 'Backspace')
  await page.keyboard.type('dark')
  await pressKeys(page, 'Escape')
  await expect(searchBox).toHaveValue('')
  await expect(page).toHaveURL(/\/search\//)
  await pressKeys(page, 'Escape')
  await expect(page).toHaveURL(/\/movies\/$/)
  // If a recognised part of the query has the focus, Backspace removes this part.
  await openPage(page, 'en', '/search/?q=comedy+2016')
  const facetChips = page.getByRole('list', { name: t('searchpage:recognised') }).getByRole('button')
  await expect(facetChips).toHaveCount(2)
  await turnOnRemoteControl(page)
  await facetChips.first().press('Backspace')
  await expect(facetChips).toHaveCount(1)
  await expect(searchBox).not.toHaveValue('')
  await expect(page).toHaveURL(/\/search\//)
})

test('in remote control mode, arrow keys leave a date field until a digit is typed, and then change the parts of the date', async () => {
  await openPage(page, 'en', '/movies/pulp-fiction')
  await turnOnRemoteControl(page)
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await page.getByRole('button', { name: t('seen:options').replace('{{title}}', title) }).press('Enter')
  await page.getByRole('button', { name: t('seen:onDay') }).press('Enter')
  const dayField = page.getByLabel(t('seen:day'))
  await expect(dayField).toBeFocused()
  await dayField.fill('2024-05-06')
  await pressKeys(page, 'ArrowDown')
  await expect(page.getByRole('dialog').getByRole('button', { name: t('common:markSeen') })).toBeFocused()
  await pressKeys(page, 'ArrowUp')
  await expect(dayField).toBeFocused()
  await expect(dayField).toHaveValue('2024-05-06')
  await page.keyboard.type('05')
  await pressKeys(page, 'ArrowUp')
  await expect(dayField).toBeFocused()
  await expect(dayField).not.toHaveValue('2024-05-06')
  await pressKeys(page, 'ArrowDown')
  await expect(dayField).toHaveValue('2024-05-06')
  await pressKeys(page, 'ArrowRight', 'ArrowDown')
  await expect(dayField).toHaveValue('2023-05-06')
  await pressKeys(page, 'Escape')
})

test('in remote control mode, opening a title focuses an element in the content of the title page, and going back focuses the card of the title', async () => {
  await openPage(page, 'en', '/movies/')
  await turnOnRemoteControl(page)
  const card = page.locator('.card-grid a').nth(9)
  await card.focus()
  const titleUrl = await card.getAttribute('href')
  await pressKeys(page, 'Enter')
  await expect(page).toHaveURL(new RegExp(`${titleUrl}$`))
  await expect(page.locator('main :focus')).toBeVisible()
  await pressKeys(page, 'Escape')
  await expect(page).toHaveURL(/\/movies\/$/)
  await expect(page.locator(`.card-grid a[href="${titleUrl}"]`)).toBeFocused()
})

test('in remote control mode, opening the home page from a header link focuses the Play button of the hero without scrolling', async () => {
  await openPage(page, 'en', '/movies/')
  await turnOnRemoteControl(page)
  await page
    .locator('header')
    .getByRole('link', { name: t('common:home'), exact: true })
    .press('Enter')
  await expect(page.locator('.hero-actions :focus')).toHaveText(
    new RegExp(`${t('common:play')}|${t('common:resume')}`),
  )
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
})

test('on a page with tabs, the first arrow key press focuses the selected tab, and in remote control mode a reload focuses the selected tab without a key press', async ({
  context,
}) => {
  const tabPage = await context.newPage()
  await signInAsProfile(tabPage, 'Alex')
  const selectedTab = tabPage.getByRole('tab', { name: t('account:preferences'), exact: true })
  await openPage(tabPage, 'en', '/account/?tab=preferences')
  await pressKeys(tabPage, 'ArrowDown')
  await expect(selectedTab).toBeFocused()
  // The key press has turned on remote control mode. In this mode, a new page moves the focus to one of its controls.
  await tabPage.reload()
  await expect(selectedTab).toBeFocused()
})

test('in remote control mode, a reload of the calendar focuses the selected view, although a button precedes the views', async () => {
  await openPage(page, 'en', '/calendar/')
  await turnOnRemoteControl(page)
  await page.reload()
  await expect(page.getByRole('tab', { name: t('calendar:agenda'), exact: true })).toBeFocused()
})

test('removing the focused card moves the focus to a nearby element, and the Down key then focuses the Undo button', async () => {
  await openPage(page, 'en', '/mylist/')
  const removeButtons = page.locator('.card-grid').getByRole('button', { name: t('common:removeFromList') })
  await removeButtons.nth(1).waitFor()
  const initialCount = await removeButtons.count()
  await removeButtons.first().focus()
  await pressKeys(page, 'Enter')
  await expect(removeButtons).toHaveCount(initialCount - 1)
  /* The focus must not move to the next remove button, because a second press of OK would then remove another title. */
  await expect(page.locator('.card-grid [data-card]').first()).toBeFocused()
  await page.getByRole('button', { name: t('common:undo') }).click()
  await expect(removeButtons).toHaveCount(initialCount)
  await openPage(page, 'en', '/')
  await turnOnRemoteControl(page)
  const continueWatchingRow = page.getByRole('region', { name: t('home:continueWatching') })
  const cards = continueWatchingRow.locator('[data-card]')
  await cards.first().waitFor()
  const initialCardCount = await cards.count()
  await continueWatchingRow
    .getByRole('button', { name: t('home:removeFromRow') })
    .first()
    .focus()
  await pressKeys(page, 'Enter')
  await expect(cards).toHaveCount(initialCardCount - 1)
  await expect(page.locator('[data-card]:focus')).toBeVisible()
  const undoButton = page.getByRole('button', { name: t('common:undo') })
  // The code that handles the key is loaded together with the message, so the first key press may have no
  // effect.
  await expect(async () => {
    await pressKeys(page, 'ArrowDown')
    await expect(undoButton).toBeFocused({ timeout: 1_000 })
  }).toPass({ timeout: 10_000 })
  await pressKeys(page, 'Enter')
  await expect(cards).toHaveCount(initialCardCount)
})

test('in remote control mode, a title page that fails to load focuses its retry button', async () => {
  await page.route('**/api/**/pulp-fiction*', (route) =>
    route.fulfill({ status: 500, json: { type: 'internal', message: 'broken' } }),
  )
  await page.mouse.move(200, 300)
  await openPage(page, 'en', '/movies/')
  await turnOnRemoteControl(page)
  /*
   * Sends the event of a resting pointer, which headed Chromium reports on new pages. A resting pointer must not end
   * remote control mode.
   */
  await page.evaluate(() => {
    for (const eventTarget of [document, document.body])
      eventTarget.dispatchEvent(
        new PointerEvent('pointermove', { clientX: 200, clientY: 300, bubbles: true }),
      )
  })
  await openPage(page, 'en', '/movies/pulp-fiction')
  await expect(page.getByRole('button', { name: t('common:tryAgain') })).toBeFocused()
  await page.unrouteAll()
})

test('arrow keys reach every player control, and pressing Back returns to the page before the player', async () => {
  await openPage(page, 'en', '/movies/arrival')
  await turnOnRemoteControl(page)
  await getPlayLink(page, 'en').press('Enter')
  await expect(page).toHaveURL(/\/watch\//)
  await page.locator('#picture').waitFor()
  const captionsButton = page.getByRole('button', { name: t('watch:captions'), exact: true })
  await expect(captionsButton).toBeAttached()
  await expect.poll(() => isPaused(page)).toBe(false)
  await pressKeys(page, 'ArrowDown')
  await expect(captionsButton).toBeFocused()
  expect(await isPaused(page)).toBe(false)
  await pressKeys(page, 'Enter')
  await expect(page.getByRole('region', { name: t('watch:captions') })).toBeVisible()
  await pressRemoteBack(page)
  await pressRemoteBack(page)
  await expect(captionsButton).not.toBeFocused()
  await pressKeys(page, 'ArrowUp')
  await expect(page.getByRole('slider', { name: t('watch:seek') })).toBeFocused()
  await pressKeys(page, 'k')
  await expect(page.getByText(getTranslation('en', 'common:skip'))).toHaveCount(0)
  const playButton = page.locator('[data-play]:visible').first()
  await playButton.focus()
  await expectFocusGraph(page, 'player')
  await page.getByRole('button', { name: t('watch:settings') }).focus()
  await pressKeys(page, 'Enter')
  await pressRemoteBack(page)
  await pressRemoteBack(page)
  /* The pointer of a remote turns off remote control mode. The Back key must still work. */
  await page.mouse.move(600, 400)
  await page.mouse.move(640, 420)
  await pressRemoteBack(page, LG_BACK_KEY)
  await expect(page).toHaveURL(/\/movies\/arrival$/)
  await waitUntilSettled(page)
  await pressRemoteBack(page)
  await expect(page).not.toHaveURL(/\/watch\//)
})

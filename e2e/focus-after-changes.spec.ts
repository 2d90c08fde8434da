/** Focus, announcements and colours after something on the page has changed, for keyboards and screen readers. */
import { expect, type Page, test } from '@playwright/test'
import { getTranslation, signInAsProfile } from './journey-helpers.ts'
import { goBack, openPage, waitUntilSettled } from './page-navigation.ts'
import { pressKeys } from './remote-control.ts'

const t = (key: string) => getTranslation('en', key)
let page: Page

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext()).newPage()
  await signInAsProfile(page, 'Alex')
})
test.afterAll(() => page.context().close())

test('when a button opens the next step of a dialog or page, an element of that step gets the focus', async () => {
  await openPage(page, 'en', '/profiles/?manage=1')
  await page.getByRole('button', { name: /Sunny/ }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('common:delete'), exact: true }).press('Enter')
  await expect(dialog.getByRole('heading', { name: t('profiles:deleteHeading') })).toBeFocused()
  await dialog.getByRole('button', { name: t('common:cancel') }).press('Enter')
  await expect(dialog.getByLabel(t('profiles:name'))).toBeFocused()
  await pressKeys(page, 'Escape')
  await openPage(page, 'en', '/profiles/')
  await page.getByRole('button', { name: /Robin/ }).press('Enter')
  await dialog.getByRole('button', { name: t('profiles:forgotPin') }).press('Enter')
  await expect(dialog.getByLabel(t('profiles:password'), { exact: true })).toBeFocused()
  await pressKeys(page, 'Escape')
  await openPage(page, 'en', '/reset/')
  await page.getByLabel(t('auth:email')).fill('nobody@example.com')
  await pressKeys(page, 'Enter')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toBeFocused()
  // The server of this test sends no emails, so the page explains that no email will arrive.
  await expect(heading).toHaveAccessibleDescription(new RegExp(`^${t('reset:noMail')}`))
})

test('the box of the last PIN digit keeps the focus while the PIN is checked, and after a wrong PIN the box of the first digit gets the focus', async () => {
  await openPage(page, 'en', '/profiles/')
  await page.getByRole('button', { name: /Robin/ }).press('Enter')
  const digits = page.getByRole('dialog').getByRole('textbox')
  await expect(digits.first()).toBeFocused()
  const { promise: releasePromise, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/unlock$/, async (route) => {
    await releasePromise
    await route.continue()
  })
  await pressKeys(page, '9', '9', '9', '9')
  await expect(digits.last()).toHaveAttribute('readonly')
  await expect(digits.last()).toBeFocused()
  /* The user may enter the next PIN as soon as the error is visible, so the fields must be ready in the same frame. */
  const digitFieldsAtErrorPromise = page.evaluate(
    (errorText) =>
      new Promise((resolve) => {
        const resolveAtError = (_records: MutationRecord[], observer: MutationObserver) => {
          if (!document.querySelector('dialog')?.textContent?.includes(errorText)) return
          observer.disconnect()
          const digitFields = [...document.querySelectorAll<HTMLInputElement>('dialog fieldset input')]
          const focusedIndex = digitFields.indexOf(document.activeElement as HTMLInputElement)
          resolve({
            focusedIndex,
            values: digitFields.map(({ value }) => value),
            isReadOnly: digitFields[0]?.readOnly,
          })
        }
        const changes = { childList: true, subtree: true, characterData: true }
        new MutationObserver(resolveAtError).observe(document.body, changes)
      }),
    t('profiles:invalidPin'),
  )
  release()
  expect(await digitFieldsAtErrorPromise).toEqual({
    focusedIndex: 0,
    values: ['', '', '', ''],
    isReadOnly: false,
  })
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(t('profiles:invalidPin'))
  await expect(digits.first()).toBeFocused()
  await expect(digits.first()).toHaveValue('')
  await expect(digits.first()).toHaveAccessibleDescription(t('profiles:invalidPin'))
  await page.unroute(/\/unlock$/)
  await pressKeys(page, 'Escape')
})

test('the bar of the selection mode does not cover the watchlist entry that has the focus, and is not sticky at 400 % zoom', async () => {
  await page.setViewportSize({ width: 1000, height: 560 })
  await openPage(page, 'en', '/mylist/')
  await page.getByRole('button', { name: t('mylist:select'), exact: true }).press('Enter')
  const selectionBar = page.getByRole('region', { name: t('mylist:select') })
  const checkboxes = page.getByRole('checkbox')
  await checkboxes.last().focus()
  const getSelectionBarBottom = () =>
    selectionBar.evaluate((element) => element.getBoundingClientRect().bottom)
  for (let count = await checkboxes.count(); count > 1; count -= 1) {
    await pressKeys(page, 'Shift+Tab')
    const top = await page.evaluate(() => document.activeElement?.getBoundingClientRect().top ?? 0)
    expect(top).toBeGreaterThan(await getSelectionBarBottom())
  }
  await page.setViewportSize({ width: 320, height: 256 })
  await expect(selectionBar).toHaveCSS('position', 'static')
  await page.setViewportSize({ width: 1280, height: 720 })
})

test('Ctrl+Z undoes the removal that the message reports, and the list shows the title again', async () => {
  await openPage(page, 'en', '/mylist/')
  const removeButton = page
    .getByRole('button', { name: new RegExp(`^${t('common:removeFromList')}`) })
    .first()
  const name = (await removeButton.getAttribute('aria-label')) ?? ''
  await removeButton.press('Enter')
  const undoButton = page.getByRole('button', { name: t('common:undo') })
  await expect(undoButton).toBeVisible()
  await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
  await pressKeys(page, 'Control+z')
  await expect(undoButton).toHaveCount(0)
  await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
})

test('going back from a title to the search results focuses the card of the title and restores the scroll position', async () => {
  await openPage(page, 'en', '/search/')
  await page.getByRole('textbox', { name: t('searchpage:placeholder') }).fill('the')
  await page.locator('.card-grid a').nth(9).waitFor()
  await waitUntilSettled(page)
  const card = page.locator('.card-grid a').nth(9)
  await card.focus()
  const href = await card.getAttribute('href')
  const scrollPx = await page.evaluate(() => scrollY)
  await pressKeys(page, 'Enter')
  await expect(page).toHaveURL(new RegExp(`${href}$`))
  await waitUntilSettled(page)
  await goBack(page)
  await expect(page.locator(`.card-grid a[href="${href}"]`)).toBeFocused()
  expect(Math.abs((await page.evaluate(() => scrollY)) - scrollPx)).toBeLessThan(80)
  await openPage(page, 'en', '/search/')
  await expect(page.getByRole('textbox', { name: t('searchpage:placeholder') })).toBeFocused()
})

test('when a key press on a button disables the button, the focus moves to another control of the dialog', async () => {
  await openPage(page, 'en', '/movies/')
  await page.getByRole('button', { name: t('browse:filters') }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.locator('[data-first]').press('Enter')
  await dialog.getByRole('button', { name: t('browse:reset') }).press('Enter')
  await expect(dialog.getByRole('button', { name: t('browse:reset') })).toBeDisabled()
  await expect(dialog.locator(':focus:not(:disabled)')).toBeVisible()
})

test('a password field names the rule that a new password breaks, and an attempt to submit this password focuses the field', async () => {
  await openPage(page, 'en', '/account/?tab=security')
  const field = page.getByLabel(t('account:newPassword'), { exact: true })
  await page.getByLabel(t('account:currentPassword'), { exact: true }).fill('something')
  await field.fill('abcdefgh')
  await expect(field).toHaveAccessibleDescription(
    new RegExp(`${t('auth:rule_no_number')}\\s*\\(not met yet\\)`),
  )
  await page.getByRole('button', { name: t('common:save') }).press('Enter')
  await expect(field).toBeFocused()
  const messageText = await field.evaluate((input: HTMLInputElement) => input.validationMessage)
  expect(messageText).toContain(t('auth:rule_no_number'))
})

test('a screen reader announces the name of an opened title, and that a search in a table found nothing', async () => {
  await openPage(page, 'en', '/movies/')
  await page.locator('.card-grid a').first().press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(t('common:movies'))
  const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await expect(page.locator('.astro-route-announcer')).toContainText(name)
  await openPage(page, 'en', '/dashboard/?section=catalogue')
  await expect(page.locator('[data-table-status]')).not.toBeEmpty()
  await page.getByRole('searchbox').fill('zzzzqqqq')
  await expect(page.locator('[data-table-status]')).toHaveText(t('dashboard:nothingFound'))
})

test('with forced colours, pressed buttons differ from other buttons, and the played part of the timeline differs from the rest of the timeline', async () => {
  await page.emulateMedia({ forcedColors: 'active' })
  const getBackgroundColour = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor)
  await openPage(page, 'en', '/watch-next/')
  expect(await getBackgroundColour('main [aria-pressed=true]')).not.toBe(
    await getBackgroundColour('main [aria-pressed=false]'),
  )
  await page.goto('/watch/?type=movie&slug=arrival')
  await page.locator('[data-timeline]').waitFor({ state: 'attached' })
  expect(await getBackgroundColour('[data-timeline] .bg-accent')).not.toBe(
    await getBackgroundColour('[data-timeline] > div'),
  )
  await page.emulateMedia({ forcedColors: 'none' })
})

/** Dialogs open as popovers and become modal after their first frame (src/ui/dialog-opening.ts). */
import { expect, type Locator, type Page, test } from '@playwright/test'
import { FRAME_TIMEOUT_MS } from '../src/lib/wait-for-paint.ts'
import { collectPageProblems, getTranslation, signInAsProfile } from './journey-helpers.ts'
import { openPage } from './page-navigation.ts'

const t = (key: string) => getTranslation('en', key)
const MODAL_DIALOG_SELECTOR = 'dialog:modal'

async function openMoviesPage(page: Page): Promise<void> {
  await signInAsProfile(page, 'Alex')
  await openPage(page, 'en', '/movies/')
}
const getFiltersButton = (page: Page) => page.getByRole('button', { name: t('browse:filters'), exact: true })

test('an opened dialog becomes modal without moving the focus, and Escape returns the focus to the button that opened the dialog', async ({
  page,
}) => {
  await openMoviesPage(page)
  await getFiltersButton(page).click()
  const dialog = page.locator(MODAL_DIALOG_SELECTOR)
  await expect(dialog).toHaveAccessibleName(t('browse:filters'))
  await expect(dialog.locator('[data-first]')).toBeFocused()
  await expect(dialog.locator('[autofocus]')).toHaveCount(0)
  await expect(dialog).not.toHaveAttribute('popover')
  await expect(dialog.getByLabel(t('browse:releaseYear')).getByRole('option')).not.toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(getFiltersButton(page)).toBeFocused()
})

test('a key press before the first frame of a dialog makes the dialog modal immediately', async ({
  page,
}) => {
  await openMoviesPage(page)
  const isDialogModal = await getFiltersButton(page).evaluate(async (button: HTMLElement) => {
    button.click()
    // Waits for the microtask in which React renders, which runs before the next frame.
    await Promise.resolve()
    const dialog = document.querySelector(':popover-open')
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))
    return dialog?.matches(':modal')
  })
  expect(isDialogModal).toBe(true)
})

test('a dialog that is closed before its first frame does not open again', async ({ page }) => {
  const { problems } = collectPageProblems(page)
  await openMoviesPage(page)
  await getFiltersButton(page).evaluate(async (button: HTMLElement, doneButtonText) => {
    button.click()
    await Promise.resolve()
    const dialogButtons = [...document.querySelectorAll<HTMLElement>(':popover-open button')]
    dialogButtons.find(({ textContent }) => textContent === doneButtonText)?.click()
    // Waits for the second frame, because an open dialog becomes modal after its first frame.
    return new Promise((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))),
    )
  }, t('common:done'))
  await expect(page.locator('dialog:is(:modal, :popover-open)')).toHaveCount(0)
  await getFiltersButton(page).click()
  await expect(page.locator(MODAL_DIALOG_SELECTOR)).toBeVisible()
  expect(problems).toEqual([])
})

test('each time the filters open, their first frame shows only the genres, and a later frame shows all fields', async ({
  page,
}) => {
  await openMoviesPage(page)
  for (const openingName of ['first opening', 'second opening']) {
    const openingResult = await getFiltersButton(page).evaluate(
      async (button: HTMLElement, frameTimeoutMs) => {
        // Disables the timeout of wait-for-paint.ts. On a busy machine, the wait for the first frame could
        // otherwise time out before this frame.
        const { setTimeout: startTimer } = window
        window.setTimeout = ((callback: () => void, delayMs = 0) =>
          delayMs === frameTimeoutMs ? 0 : startTimer(callback, delayMs)) as typeof setTimeout
        button.click()
        const waitForFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
        const countVisibleElements = (selector: string) =>
          [...document.querySelectorAll(`dialog:popover-open ${selector}, dialog:modal ${selector}`)].filter(
            (element) => element.checkVisibility(),
          ).length
        await waitForFrame()
        window.setTimeout = startTimer
        const areGenresVisible = countVisibleElements('fieldset button') > 0
        const initialFieldCount = countVisibleElements('select')
        while (countVisibleElements('select') === 0) await waitForFrame()
        const hiddenFieldCount =
          document.querySelectorAll('dialog select').length - countVisibleElements('select')
        return { areGenresVisible, initialFieldCount, hiddenFieldCount }
      },
      FRAME_TIMEOUT_MS,
    )
    expect(openingResult, openingName).toEqual({
      areGenresVisible: true,
      initialFieldCount: 0,
      hiddenFieldCount: 0,
    })
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('in a browser without the Popover API, a dialog opens as a modal dialog immediately', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(HTMLElement.prototype, 'showPopover')
    Reflect.deleteProperty(HTMLElement.prototype, 'popover')
  })
  await openMoviesPage(page)
  const isDialogModal = await getFiltersButton(page).evaluate(async (button: HTMLElement) => {
    button.click()
    // Waits for the microtask in which React renders, which runs before the next frame.
    await Promise.resolve()
    return document.querySelector('dialog[open]')?.matches(':modal')
  })
  expect(isDialogModal).toBe(true)
  await expect(page.locator(`${MODAL_DIALOG_SELECTOR} [data-first]`)).toBeFocused()
})

test('an opened dialog that sets no initial focus focuses its first field on a laptop, and its close button on a phone', async ({
  page,
  browser,
}) => {
  await signInAsProfile(page, 'Alex')
  await openPage(page, 'en', '/account/?tab=security')
  const dialog = page.locator(MODAL_DIALOG_SELECTOR)
  const openDialog = async (button: Locator) => {
    await button.click()
    await expect(dialog).toBeVisible()
  }
  await openDialog(page.getByRole('button', { name: t('account:deleteAccount') }))
  await expect(dialog.getByLabel(t('account:email'))).toBeFocused()
  await page.keyboard.press('Escape')
  await openPage(page, 'en', '/account/?tab=taste')
  await openDialog(page.getByRole('button', { name: t('customise:open') }))
  await expect(dialog.getByRole('switch').first()).toBeFocused()

  const phonePage = await browser.newPage({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await signInAsProfile(phonePage, 'Alex')
  await openPage(phonePage, 'en', '/account/?tab=security')
  await phonePage.getByRole('button', { name: t('account:deleteAccount') }).click()
  const phoneDialog = phonePage.locator(MODAL_DIALOG_SELECTOR)
  await expect(phoneDialog.getByRole('button', { name: t('common:close') })).toBeFocused()
  await phonePage.close()
})

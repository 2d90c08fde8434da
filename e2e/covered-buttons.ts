/** Checks that a message covers no button. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { Locale } from '../src/lib/i18n/locales.ts'
import { getTranslation } from './journey-helpers.ts'
import { openPage } from './page-navigation.ts'

/** Returns the labels of the buttons and links that `message` overlaps in the last row of the dialog. */
async function findCoveredButtons(dialog: Locator, message: Locator): Promise<string[]> {
  const messageBox = await message.boundingBox()
  if (!messageBox) throw new Error('The message is not visible.')
  return dialog.evaluate((element, { x, y, width, height }) => {
    const buttons = [...element.querySelectorAll<HTMLElement>('[data-last-row] :is(button, a)')]
    if (buttons.length === 0) throw new Error('The dialog has no buttons at its end.')
    const isCovered = (button: HTMLElement) => {
      const { left, right, top, bottom } = button.getBoundingClientRect()
      return left < x + width && right > x && top < y + height && bottom > y
    }
    return buttons.filter(isCovered).map((button) => button.textContent ?? '')
  }, messageBox)
}

/** Makes a change in the dialog of the home rows fail, and expects that the error message covers no button. */
export async function expectMessageCoversNoButton(page: Page, locale: Locale): Promise<void> {
  await openPage(page, locale, '/account/?tab=taste')
  await page.getByRole('button', { name: getTranslation(locale, 'customise:open'), exact: true }).click()
  await page.route('**/api/profile/*', (route) => route.fulfill({ status: 500, json: {} }))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('switch').first().click()
  const message = dialog.getByText(getTranslation(locale, 'errors:generic'))
  await expect(message).toBeVisible()
  expect(await findCoveredButtons(dialog, message)).toEqual([])
  await page.unroute('**/api/profile/*')
}

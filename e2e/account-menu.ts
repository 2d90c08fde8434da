/** Helpers that switch profiles in the account menu of the page header. The interface must be in English. */
import { expect, type Locator, type Page } from '@playwright/test'
import { getTranslation } from './journey-helpers.ts'
import { waitUntilSettled } from './page-navigation.ts'

const t = (key: string) => getTranslation('en', key)

export const openAccountMenu = (page: Page): Promise<void> =>
  page.locator('header button[aria-expanded]').last().click()

/** Returns the entry of the open account menu that switches to the profile. */
export const getProfileOption = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: t('header:switchTo').replace('{{name}}', name) })

/** Waits until the home page of the profile is open and settled. */
export async function expectHomeOf(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
  const menuLabel = t('header:menu').replace('{{name}}', name)
  await expect(page.getByRole('button', { name: menuLabel })).toBeVisible()
  await waitUntilSettled(page)
}

export async function switchProfileInMenu(page: Page, name: string): Promise<void> {
  await openAccountMenu(page)
  await getProfileOption(page, name).click()
  await expectHomeOf(page, name)
}

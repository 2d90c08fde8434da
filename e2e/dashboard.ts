/** Helpers of the dashboard journeys: a shared administrator session, and the controls that every section has. */
import { type Browser, expect, type Page } from '@playwright/test'
import type { Locale } from '../src/lib/i18n/locales.ts'
import { getLocalePrefix, getTranslation, signInAsProfile } from './journey-helpers.ts'
import { setInterfaceLanguage } from './page-navigation.ts'

const t = (key: string) => getTranslation('en', key)
/** The main profile of the demo household. Its language is English. */
const MAIN_PROFILE_NAME = 'Alex'

/** State of the signed-in browser context, reused by the next test because the server limits the rate of sign-ins. */
let savedStorageState: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>> | undefined
export async function openAdminPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext(savedStorageState ? { storageState: savedStorageState } : {})
  const page = await context.newPage()
  if (!savedStorageState) await signInAsProfile(page, MAIN_PROFILE_NAME)
  return page
}
/** Closes the page and restores English, so that the next test begins in English. */
export async function closeAdminPage(page: Page): Promise<void> {
  await setInterfaceLanguage(page, 'en')
  savedStorageState = await page.context().storageState()
  await page.context().close()
}

export async function openDashboard(page: Page, query: string, locale: Locale = 'en'): Promise<void> {
  await page.goto(`${getLocalePrefix(locale)}/dashboard/${query}`)
  await expect(page.locator('[data-dashboard] h1')).toBeVisible()
}
export const getTableRow = (page: Page, rowText: string) => page.getByRole('row').filter({ hasText: rowText })
export async function chooseRowAction(page: Page, rowText: string, actionName: string): Promise<void> {
  await getTableRow(page, rowText)
    .getByRole('button', { name: t('dashboard:actionsFor').replace('{{name}}', rowText) })
    .click()
  await page
    .getByRole('button', { name: actionName, exact: true })
    .and(page.locator(':popover-open *'))
    .click()
}
export const confirmDialog = (page: Page, buttonName: string) =>
  page.getByRole('dialog').getByRole('button', { name: buttonName, exact: true }).click()
export const clickUndo = (page: Page) => page.getByRole('button', { name: t('common:undo') }).click()

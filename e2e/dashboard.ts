/** What an administrator's journeys share: a way in that is signed in once, and the parts of every section. */
import { type Browser, expect, type Page } from '@playwright/test'
import { type Locale, prefix, signIn, words } from './household.ts'

const w = (key: string) => words('en', key)

/** Signs in and acts as the main profile, whose language is English. */
async function enter(page: Page): Promise<void> {
  await signIn(page, 'en')
  await page.getByRole('button', { name: 'Alex' }).click()
  await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
}

/** A session's state, so that each test need not sign in anew (the server slows down who does that often). */
let state: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>> | undefined
export async function administrator(browser: Browser): Promise<Page> {
  const context = await browser.newContext(state ? { storageState: state } : {})
  const page = await context.newPage()
  if (!state) await enter(page)
  return page
}
export async function leave(page: Page): Promise<void> {
  state = await page.context().storageState()
  await page.context().close()
}

export async function open(page: Page, query: string, locale: Locale = 'en'): Promise<void> {
  await page.goto(`${prefix(locale)}/dashboard/${query}`)
  await expect(page.locator('[data-dashboard] h1')).toBeVisible()
}
export const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
export async function choose(page: Page, inRow: string, item: string): Promise<void> {
  await row(page, inRow)
    .getByRole('button', { name: w('dashboard:actionsFor').replace('{{name}}', inRow) })
    .click()
  await page.getByRole('button', { name: item, exact: true }).and(page.locator(':popover-open *')).click()
}
export const confirm = (page: Page, does: string) =>
  page.getByRole('dialog').getByRole('button', { name: does, exact: true }).click()
export const undo = (page: Page) => page.getByRole('button', { name: w('common:undo') }).click()

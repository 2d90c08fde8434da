/** Every section of the dashboard in three languages, and what all of them have in common. */
import { expect, test } from '@playwright/test'
import { LOCALES } from '../src/lib/i18n/locales.ts'
import { DASHBOARD_SECTIONS } from '../src/lib/rules/dashboard-sections.ts'
import { administrator, leave, open, row } from './dashboard.ts'
import { expectAccessible, watch, words } from './household.ts'

const w = (key: string) => words('en', key)

for (const locale of LOCALES) {
  test(`every section in ${locale}`, async ({ browser }) => {
    const page = await administrator(browser)
    const { problems } = watch(page)
    await page.addInitScript((language) => localStorage.setItem('i18nextLng', language), locale)
    await open(page, '', locale)
    const rail = page.getByRole('navigation', { name: words(locale, 'dashboard:title'), exact: true })
    for (const section of DASHBOARD_SECTIONS) {
      const name = words(locale, `dashboard:section_${section}`)
      await rail.getByRole('link', { name, exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
      await expect(page.locator('[data-dashboard] .skeleton')).toHaveCount(0)
      await expect(page).toHaveTitle(new RegExp(name))
      await expectAccessible(page)
    }
    await page.goBack()
    await expect(
      page.getByRole('heading', { level: 1, name: words(locale, 'dashboard:section_backups'), exact: true }),
    ).toBeVisible()
    expect(problems).toEqual([])
    await page.evaluate(() => localStorage.setItem('i18nextLng', 'en'))
    await leave(page)
  })
}

test('filters are in the address; Back takes them back; a link opens them', async ({ browser }) => {
  const page = await administrator(browser)
  await open(page, '?section=catalogue')
  await page.getByRole('button', { name: w('common:next') }).click()
  await expect(page).toHaveURL(/page=2/)
  await page.getByRole('searchbox').fill('arrival')
  await expect(page).toHaveURL(/search=arrival/)
  await expect(page).not.toHaveURL(/page=2/)
  await expect(row(page, 'Arrival')).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await open(page, '?section=catalogue&type=tv&search=zzzz')
  await expect(page.getByText(w('dashboard:nothingFound'))).toBeVisible()
  await page.getByRole('button', { name: w('dashboard:clearFilters') }).click()
  await expect(page.getByRole('row').nth(5)).toBeVisible()
  await leave(page)
})

test('rows are walked through with arrows', async ({ browser }) => {
  const page = await administrator(browser)
  await open(page, '?section=catalogue')
  const boxes = page.locator('tbody input[type=checkbox]')
  await expect(boxes).toHaveCount(20)
  await boxes.nth(0).focus()
  await page.keyboard.press('ArrowDown')
  await expect(boxes.nth(1)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(boxes.nth(1)).toBeChecked()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('tbody tr').nth(1).getByRole('button').first()).toBeFocused()
  await leave(page)
})

/** What an administrator changes of titles, and what viewers see of it. */
import { expect, test } from '@playwright/test'
import { administrator, choose, confirm, leave, open, row, undo } from './dashboard.ts'
import { expectAccessible, words } from './household.ts'

const w = (key: string) => words('en', key)

test('a blocked title is gone until it is unblocked', async ({ browser }) => {
  const page = await administrator(browser)
  await open(page, '?section=blocklist')
  await page.getByRole('button', { name: w('dashboardlibrary:addBlock') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(w('dashboardlibrary:findTitle')).fill('arrival')
  await dialog.getByRole('button', { name: /Arrival/ }).click()
  await dialog.getByLabel(w('dashboardlibrary:reasonOptional')).fill('Too sad')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: w('dashboardlibrary:block'), exact: true }).click()
  await expect(row(page, 'Arrival')).toContainText('Too sad')
  await page.goto('/movies/arrival')
  await expect(page.getByRole('heading', { name: w('errors:notFoundTitle') })).toBeVisible()
  await open(page, '?section=blocklist&type=movie')
  await row(page, 'Arrival').getByRole('button').click()
  await confirm(page, w('dashboardlibrary:removeBlock'))
  await expect(page.getByText(w('dashboard:nothingFound'))).toBeVisible()
  await page.goto('/movies/arrival')
  await expect(page.getByRole('heading', { level: 1, name: 'Arrival' })).toBeVisible()
  await leave(page)
})

test('a hidden title is gone for viewers, and a deleted one comes back with Undo', async ({ browser }) => {
  const page = await administrator(browser)
  const list = '?section=catalogue&search=arrival'
  await open(page, list)
  await row(page, 'Arrival').getByRole('checkbox').check()
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: w('dashboardlibrary:hide') })
    .click()
  await expectAccessible(page)
  await confirm(page, w('dashboardlibrary:hide'))
  await expect(row(page, 'Arrival')).toContainText(w('dashboardlibrary:hidden'))
  await page.goto('/movies/arrival')
  await expect(page.getByRole('heading', { name: w('errors:notFoundTitle') })).toBeVisible()
  await open(page, `${list}&published=false`)
  await choose(page, 'Arrival', w('dashboardlibrary:publish'))
  await expect(page.getByText(w('dashboard:nothingFound'))).toBeVisible()

  await open(page, list)
  await choose(page, 'Arrival', w('common:delete'))
  await confirm(page, w('common:delete'))
  await expect(page.getByText(w('dashboard:nothingFound'))).toBeVisible()
  await undo(page)
  await expect(row(page, 'Arrival')).toContainText(w('dashboardlibrary:published'))

  await choose(page, 'Arrival', w('common:edit'))
  const kids = page.getByRole('dialog').getByRole('switch', { name: w('dashboardlibrary:safeForKids') })
  await expect(kids).toBeVisible()
  const before = await kids.getAttribute('aria-checked')
  await kids.click()
  await page.getByRole('dialog').getByLabel(w('guide:Profanity')).selectOption('Severe')
  await expectAccessible(page)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: w('common:save') })
    .click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await undo(page)
  await choose(page, 'Arrival', w('common:edit'))
  await expect(kids).toHaveAttribute('aria-checked', before ?? '')
  await leave(page)
})

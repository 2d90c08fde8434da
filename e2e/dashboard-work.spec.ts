/** Long work, settings and the log, as an administrator follows them. */
import { expect, test } from '@playwright/test'
import { administrator, leave, open, row } from './dashboard.ts'
import { expectAccessible, words } from './household.ts'

const w = (key: string) => words('en', key)

test('long work is started, followed and kept: the index, an import, a backup', async ({ browser }) => {
  const page = await administrator(browser)
  await open(page, '?section=caches')
  await page.getByRole('button', { name: w('dashboardsystem:rebuild') }).click()
  await expect(page.getByText(w('dashboardsystem:lastDone').split(':')[0] ?? '')).toBeVisible()
  await open(page, '?section=imports')
  await page
    .getByRole('button', { name: w('dashboardlibrary:startImport') })
    .first()
    .click()
  await expectAccessible(page)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: w('dashboardlibrary:startImport') })
    .click()
  await expect(row(page, w('dashboard:job_import_demo'))).toContainText(w('dashboard:job_state_done'))
  await page.getByRole('button', { name: w('dashboard:job_import_demo'), exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText(w('dashboard:report_read'))
  await page.keyboard.press('Escape')

  await open(page, '?section=backups')
  const kept = page.locator('tbody tr')
  const before = await kept.count()
  await page.getByRole('button', { name: w('dashboardsystem:makeBackup') }).click()
  await expect.poll(() => kept.count()).toBeGreaterThan(before)
  await expectAccessible(page)
  await kept.first().getByRole('button').click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: w('dashboardsystem:download') })
      .and(page.locator(':popover-open *'))
      .click(),
  ])
  expect(download.suggestedFilename()).toMatch(/marquee/)

  await open(page, '?section=jobs&kind=backup')
  await expect(row(page, w('dashboard:job_backup')).first()).toContainText(w('dashboard:job_state_done'))
  await leave(page)
})

test('settings are saved one by one and checked; the log knows who did it', async ({ browser }) => {
  const page = await administrator(browser)
  await open(page, '?section=settings')
  const days = page.getByRole('textbox', { name: w('dashboardsystem:setting_invitation_days') })
  await days.fill('99')
  await expect(page.getByRole('alert')).toContainText('30')
  await expect(page.getByRole('button', { name: w('common:save') })).toBeDisabled()
  await days.fill('14')
  await days.press('Enter')
  await expect(page.getByText(w('dashboardsystem:saved'), { exact: true })).toBeVisible()
  await page.reload()
  await expect(days).toHaveValue('14')
  await page.getByRole('button', { name: w('dashboardsystem:reset') }).click()
  await expect(days).toHaveValue('7')
  await open(page, '?section=audit&action=setting_change')
  await expect(row(page, w('dashboardsystem:action_setting_change')).first()).toBeVisible()
  await page.getByRole('button', { name: w('dashboardsystem:verify') }).click()
  await expect(page.getByText(w('dashboardsystem:verified_other').split(':')[0] ?? '')).toBeVisible()
  await page.getByRole('row').nth(1).getByRole('button').click()
  await expectAccessible(page)
  await leave(page)
})

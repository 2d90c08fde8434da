/** Background jobs, settings and the audit log in the dashboard. */
import { expect, test } from '@playwright/test'
import { closeAdminPage, getTableRow, openAdminPage, openDashboard } from './dashboard.ts'
import { expectAccessible, getTranslation } from './journey-helpers.ts'

const t = (key: string) => getTranslation('en', key)

test('an administrator rebuilds the search index, runs an import and downloads a backup, and the jobs are listed as done', async ({
  browser,
}) => {
  const page = await openAdminPage(browser)
  await openDashboard(page, '?section=caches')
  await page.getByRole('button', { name: t('dashboardsystem:rebuild') }).click()
  await expect(page.getByText(t('dashboardsystem:lastDone').split(':')[0] ?? '')).toBeVisible()
  await openDashboard(page, '?section=imports')
  await page
    .getByRole('button', { name: t('dashboardlibrary:startImport') })
    .first()
    .click()
  await expectAccessible(page)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('dashboardlibrary:startImport') })
    .click()
  await expect(getTableRow(page, t('dashboard:job_import_demo'))).toContainText(t('dashboard:job_state_done'))
  await page.getByRole('button', { name: t('dashboard:job_import_demo'), exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText(t('dashboard:report_read'))
  await page.keyboard.press('Escape')

  await openDashboard(page, '?section=backups')
  const backupRows = page.locator('tbody tr')
  const initialCount = await backupRows.count()
  await page.getByRole('button', { name: t('dashboardsystem:makeBackup') }).click()
  await expect.poll(() => backupRows.count()).toBeGreaterThan(initialCount)
  await expectAccessible(page)
  await backupRows.first().getByRole('button').click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: t('dashboardsystem:download') })
      .and(page.locator(':popover-open *'))
      .click(),
  ])
  expect(download.suggestedFilename()).toMatch(/marquee/)

  await openDashboard(page, '?section=jobs&kind=backup')
  await expect(getTableRow(page, t('dashboard:job_backup')).first()).toContainText(
    t('dashboard:job_state_done'),
  )
  await closeAdminPage(page)
})

test('settings are validated and saved individually, and their changes appear in the audit log', async ({
  browser,
}) => {
  const page = await openAdminPage(browser)
  await openDashboard(page, '?section=settings')
  const daysField = page.getByRole('textbox', { name: t('dashboardsystem:setting_invitation_days') })
  await daysField.fill('99')
  await expect(page.getByRole('alert')).toContainText('30')
  await daysField.fill('14')
  await daysField.press('Tab')
  await expect(page.getByText(t('dashboardsystem:saved'), { exact: true })).toBeVisible()
  await page.reload()
  await expect(daysField).toHaveValue('14')
  await page.getByRole('button', { name: t('dashboardsystem:reset') }).click()
  await expect(daysField).toHaveValue('7')
  const imageUrlLabel = t('dashboardsystem:setting_tmdb_image_url')
  await page
    .getByRole('button', {
      name: t('common:pair')
        .replace('{{name}}', t('dashboardsystem:changeText'))
        .replace('{{value}}', imageUrlLabel),
    })
    .click()
  const imageUrlField = page.getByRole('textbox', { name: imageUrlLabel })
  await imageUrlField.fill('nonsense')
  await imageUrlField.press('Enter')
  await expect(page.getByRole('alert')).toHaveText(t('dashboardsystem:invalidText'))
  await expect(imageUrlField).toHaveValue('nonsense')
  await expectAccessible(page)
  await imageUrlField.press('Escape')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await openDashboard(page, '?section=audit&action=setting_change')
  await expect(getTableRow(page, t('dashboardsystem:action_setting_change')).first()).toBeVisible()
  await page.getByRole('button', { name: t('dashboardsystem:verify') }).click()
  await expect(page.getByText(t('dashboardsystem:verified_other').split(':')[0] ?? '')).toBeVisible()
  await page.getByRole('row').nth(1).getByRole('button').click()
  await expectAccessible(page)
  await closeAdminPage(page)
})

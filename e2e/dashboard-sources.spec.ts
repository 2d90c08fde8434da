/** Editing the fields of a title, and the settings of external services. */
import { expect, test } from '@playwright/test'
import { chooseRowAction, closeAdminPage, getTableRow, openAdminPage, openDashboard } from './dashboard.ts'
import { expectAccessible, getTranslation } from './journey-helpers.ts'

test('an edited title name appears immediately in the table, and one button restores the imported name', async ({
  browser,
}) => {
  const t = (key: string) => getTranslation('en', key)
  const page = await openAdminPage(browser)
  await openDashboard(page, '?section=catalogue&search=parasite')
  await chooseRowAction(page, 'Parasite', t('common:edit'))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('dashboardlibrary:view_details') }).click()
  const titleField = dialog.getByLabel(t('dashboardlibrary:fieldTitle').replace('{{language}}', 'English'), {
    exact: true,
  })
  await expect(titleField).toHaveValue('Parasite')
  // The save button stays in view, because a remote would need many key presses to scroll to the end of the fields.
  const saveButton = dialog.getByRole('button', { name: t('common:save') })
  await expect(saveButton).toBeInViewport({ ratio: 1 })
  await titleField.fill('Parasite, restored')
  await expectAccessible(page)
  await saveButton.click()
  await expect(getTableRow(page, 'Parasite, restored')).toBeVisible()
  await chooseRowAction(page, 'Parasite, restored', t('common:edit'))
  await dialog.getByRole('button', { name: t('dashboardlibrary:view_details') }).click()
  await dialog.getByText(t('dashboardlibrary:useImported'), { exact: true }).click()
  await expect(titleField).toHaveValue('Parasite')
  await dialog.getByRole('button', { name: t('dashboardlibrary:view_poster') }).click()
  await expect(dialog.getByRole('button', { name: t('dashboardlibrary:posterDrawn') })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expectAccessible(page)
  await closeAdminPage(page)
})

test('one button restores the imported poster of a title, and another button restores the imported value of "safe for kids"', async ({
  browser,
}) => {
  const t = (key: string) => getTranslation('en', key)
  const page = await openAdminPage(browser)
  await openDashboard(page, '?section=catalogue&search=parasite')
  await chooseRowAction(page, 'Parasite', t('common:edit'))
  const dialog = page.getByRole('dialog')
  const kidsSwitch = dialog.getByRole('switch', { name: t('dashboardlibrary:safeForKids') })
  const getImportedValueButton = (labelKey: string) =>
    dialog.getByRole('button', {
      name: t('dashboardlibrary:useImportedOf').replace('{{field}}', t(`dashboardlibrary:${labelKey}`)),
    })
  await expect(kidsSwitch).toHaveAttribute('aria-checked', 'false')
  await kidsSwitch.click()
  await dialog.getByRole('button', { name: t('common:save') }).click()
  await expect(dialog).toHaveCount(0)
  await chooseRowAction(page, 'Parasite', t('common:edit'))
  await expect(kidsSwitch).toHaveAttribute('aria-checked', 'true')
  await expectAccessible(page)
  await getImportedValueButton('safeForKids').click()
  await expect(kidsSwitch).toHaveAttribute('aria-checked', 'false')
  await expect(getImportedValueButton('safeForKids')).toHaveCount(0)
  await dialog.getByRole('button', { name: t('dashboardlibrary:view_poster') }).click()
  await dialog.getByRole('button', { name: t('dashboardlibrary:posterDrawn') }).click()
  await getImportedValueButton('view_poster').click()
  await expect(getImportedValueButton('view_poster')).toHaveCount(0)
  await closeAdminPage(page)
})

test('an administrator adds, tests and removes a resolver and a media server by keyboard in Arabic', async ({
  browser,
}) => {
  const t = (key: string) => getTranslation('ar', key)
  const page = await openAdminPage(browser)
  const confirmRemoval = async () => {
    const dialog = page.getByRole('dialog')
    await expectAccessible(page)
    await dialog.getByText(t('dashboardsystem:removeSecret'), { exact: true }).press('Enter')
    await expect(dialog).toHaveCount(0)
  }
  await page.goto('/ar/dashboard/?section=settings')
  const addressField = page.getByLabel(t('dashboardsystem:resolverAddress'), { exact: true })
  await addressField.fill('http://127.0.0.1:1/secret/manifest.json')
  await addressField.press('Enter')
  const resolverRow = page.getByRole('listitem').filter({ hasText: 'http://127.0.0.1:1' })
  await expect(resolverRow).toContainText(t('dashboardsystem:protocol_stremio'))
  await expect(page.getByText('secret')).toHaveCount(0)
  await resolverRow.getByText(t('dashboardsystem:testResolver'), { exact: true }).press('Enter')
  await expect(resolverRow.getByRole('status')).toHaveText(t('dashboardsystem:connection_unreachable'))
  await expectAccessible(page)
  await resolverRow.getByText(t('dashboardsystem:removeSecret'), { exact: true }).press('Enter')
  await confirmRemoval()
  await expect(resolverRow).toHaveCount(0)
  await page
    .getByLabel(t('dashboardsystem:mediaServerAddress'), { exact: true })
    .fill('http://127.0.0.1:1/web/index.html')
  const tokenField = page.getByLabel(t('dashboardsystem:mediaServerToken_jellyfin'), { exact: true })
  await tokenField.fill('secret')
  await tokenField.press('Enter')
  const mediaServerRow = page.getByRole('listitem').filter({ hasText: 'http://127.0.0.1:1' })
  await expect(mediaServerRow).toContainText(t('dashboardsystem:mediaServer_jellyfin'))
  await expect(tokenField).toHaveValue('')
  await mediaServerRow.getByText(t('dashboardsystem:testConnection'), { exact: true }).press('Enter')
  await expect(mediaServerRow.getByRole('status')).toHaveText(
    t('dashboardsystem:mediaServerProblem_connection_refused'),
  )
  await expectAccessible(page)
  await page.goto('/ar/dashboard/?section=library')
  await expect(page.getByText(t('dashboardlibrary:noServerItems'))).toBeVisible()
  await expect(page.getByRole('button', { name: /127\.0\.0\.1:1/ })).toContainText(
    t('dashboardsystem:mediaServerProblem_connection_refused'),
  )
  await expectAccessible(page)
  await page.goto('/ar/dashboard/?section=settings')
  await mediaServerRow.getByText(t('dashboardsystem:removeSecret'), { exact: true }).press('Enter')
  await confirmRemoval()
  await expect(mediaServerRow).toHaveCount(0)
  await closeAdminPage(page)
})

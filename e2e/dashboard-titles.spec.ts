/** Changes of titles by an administrator, and their effect for viewers. */
import { expect, test } from '@playwright/test'
import {
  chooseRowAction,
  clickUndo,
  closeAdminPage,
  confirmDialog,
  getTableRow,
  openAdminPage,
  openDashboard,
} from './dashboard.ts'
import { expectAccessible, getTranslation } from './journey-helpers.ts'

const t = (key: string) => getTranslation('en', key)

test('the page of a blocked title shows "not found" until the title is unblocked', async ({ browser }) => {
  const page = await openAdminPage(browser)
  await openDashboard(page, '?section=blocklist')
  await page.getByRole('button', { name: t('dashboardlibrary:addBlock') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('dashboardlibrary:findTitle')).fill('arrival')
  await dialog.getByRole('button', { name: /Arrival/ }).click()
  await dialog.getByLabel(t('dashboardlibrary:reasonOptional')).fill('Too sad')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: t('dashboardlibrary:block'), exact: true }).click()
  await expect(getTableRow(page, 'Arrival')).toContainText('Too sad')
  await page.goto('/movies/arrival')
  await expect(page.getByRole('heading', { name: t('errors:notFoundTitle') })).toBeVisible()
  await openDashboard(page, '?section=blocklist&type=movie')
  await getTableRow(page, 'Arrival').getByRole('button').click()
  await confirmDialog(page, t('dashboardlibrary:removeBlock'))
  await expect(page.getByText(t('dashboard:nothingFound')).last()).toBeVisible()
  await page.goto('/movies/arrival')
  await expect(page.getByRole('heading', { level: 1, name: 'Arrival' })).toBeVisible()
  await closeAdminPage(page)
})

test('the page of a hidden title shows "not found", and Undo restores a deleted or edited title', async ({
  browser,
}) => {
  const page = await openAdminPage(browser)
  const catalogueQuery = '?section=catalogue&search=arrival'
  await openDashboard(page, catalogueQuery)
  await getTableRow(page, 'Arrival').getByRole('checkbox').check()
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: t('dashboardlibrary:hide') })
    .click()
  await expectAccessible(page)
  // The dialog must close before the reply arrives, because the toolbar under it displays the progress.
  const { promise: releasePromise, resolve: releaseRequest } = Promise.withResolvers<void>()
  await page.route('**/api/admin/titles/publish', async (route) => {
    await releasePromise
    await route.continue()
  })
  await confirmDialog(page, t('dashboardlibrary:hide'))
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const toolbar = page.getByRole('toolbar')
  await expect(toolbar).toContainText('0 of 1 done')
  await expect(toolbar.getByRole('button', { name: t('dashboardlibrary:hide') })).toBeFocused()
  releaseRequest()
  await expect(getTableRow(page, 'Arrival')).toContainText(t('dashboardlibrary:hidden'))
  await page.goto('/movies/arrival')
  await expect(page.getByRole('heading', { name: t('errors:notFoundTitle') })).toBeVisible()
  await openDashboard(page, `${catalogueQuery}&published=false`)
  await chooseRowAction(page, 'Arrival', t('dashboardlibrary:publish'))
  await expect(page.getByText(t('dashboard:nothingFound')).last()).toBeVisible()

  await openDashboard(page, catalogueQuery)
  await chooseRowAction(page, 'Arrival', t('common:delete'))
  await confirmDialog(page, t('common:delete'))
  await expect(page.getByText(t('dashboard:nothingFound')).last()).toBeVisible()
  await clickUndo(page)
  await expect(getTableRow(page, 'Arrival')).toContainText(t('dashboardlibrary:published'))

  await chooseRowAction(page, 'Arrival', t('common:edit'))
  const kidsSwitch = page.getByRole('dialog').getByRole('switch', { name: t('dashboardlibrary:safeForKids') })
  await expect(kidsSwitch).toBeVisible()
  const initialCheckedState = await kidsSwitch.getAttribute('aria-checked')
  await kidsSwitch.click()
  await page.getByRole('dialog').getByLabel(t('guide:Profanity')).selectOption('Severe')
  await expectAccessible(page)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('common:save') })
    .click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await clickUndo(page)
  await chooseRowAction(page, 'Arrival', t('common:edit'))
  await expect(kidsSwitch).toHaveAttribute('aria-checked', initialCheckedState ?? '')
  await closeAdminPage(page)
})

test('a second click on Next while page 2 of a table is loading opens page 3, and a page number that is typed during loading is not reset', async ({
  browser,
}) => {
  const page = await openAdminPage(browser)
  await openDashboard(page, '?section=catalogue')
  const { promise: releasePromise, resolve: releaseReplies } = Promise.withResolvers<void>()
  await page.route(/\/api\/movies\?admin/, async (route) => {
    await releasePromise
    await route.continue()
  })
  const nextButton = page.getByRole('button', { name: t('common:next'), exact: true })
  const pageField = page.getByRole('textbox', { name: t('dashboard:pageNumber') })
  await nextButton.click()
  await nextButton.click()
  await expect(page).toHaveURL(/page=3/)
  await pageField.fill('5')
  await expect(page.getByText(/^1–20 /).last()).toBeVisible()
  releaseReplies()
  await expect(page.getByText(/^41–60 /).last()).toBeVisible()
  await expect(pageField).toHaveValue('5')
  await pageField.press('Enter')
  await expect(page.getByText(/^81–100 /).last()).toBeVisible()
  await closeAdminPage(page)
})

test('a table of the dashboard remembers its page size and columns, opens the page whose number is typed, and can select all rows that match the filters', async ({
  browser,
}) => {
  const page = await openAdminPage(browser)
  await openDashboard(page, '?section=catalogue')
  const tableRows = page.getByRole('table').locator('tbody tr')
  await expect(tableRows).toHaveCount(20)
  const pageField = page.getByRole('textbox', { name: t('dashboard:pageNumber') })
  await pageField.fill('3')
  await pageField.press('Enter')
  await expect(page).toHaveURL(/page=3/)
  await pageField.fill('9999')
  await pageField.press('Enter')
  await expect(page.getByRole('button', { name: t('common:next'), exact: true })).toBeDisabled()
  await pageField.fill('3')
  await pageField.press('Enter')
  await expect(page.getByText(/^41–60 /).last()).toBeVisible()
  await page.getByLabel(t('dashboard:pageSize')).selectOption('50')
  await expect(page.getByText(/^1–50 /).last()).toBeVisible()

  const columnHeader = page.getByRole('columnheader', { name: t('dashboardlibrary:rated'), exact: true })
  await expect(columnHeader).toBeVisible()
  await page.getByRole('button', { name: t('dashboard:columns') }).press('Enter')
  await expectAccessible(page)
  await page.getByRole('checkbox', { name: t('dashboardlibrary:rated'), exact: true }).uncheck()
  await page.keyboard.press('Escape')
  await expect(columnHeader).toHaveCount(0)
  await page.reload()
  await expect(tableRows).toHaveCount(50)
  await expect(columnHeader).toHaveCount(0)
  await page.getByRole('button', { name: t('dashboard:columns') }).click()
  await page.getByRole('button', { name: t('dashboard:allColumns') }).click()
  await page.keyboard.press('Escape')
  await expect(columnHeader).toBeVisible()

  const rangeText =
    (await page
      .getByText(/^1–50 /)
      .last()
      .textContent()) ?? ''
  const totalCount = Number(/of ([\d,]+)/.exec(rangeText)?.[1]?.replace(',', ''))
  await page.getByRole('checkbox', { name: t('dashboard:selectAll') }).check()
  const toolbar = page.getByRole('toolbar')
  await toolbar.getByRole('button', { name: /that match/ }).click()
  await expect(toolbar).toContainText(`${totalCount.toLocaleString('en')} `)
  await toolbar.getByRole('button', { name: t('dashboardlibrary:publish') }).click()
  await expect(toolbar).toHaveCount(0)
  await closeAdminPage(page)
})

test('a dialog stays open when a text selection ends outside the dialog, and while the change made in the dialog is being saved', async ({
  browser,
}) => {
  const page = await openAdminPage(browser)
  await openDashboard(page, '?section=catalogue&search=arrival')
  await chooseRowAction(page, 'Arrival', t('common:edit'))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('dashboardlibrary:view_details') }).click()
  const titleField = dialog.getByLabel(t('dashboardlibrary:fieldTitle').replace('{{language}}', 'English'), {
    exact: true,
  })
  await titleField.hover()
  await page.mouse.down()
  await page.mouse.move(5, 5)
  await page.mouse.up()
  await titleField.fill('Arrival, again')
  const { promise: releasePromise, resolve: releaseRequest } = Promise.withResolvers<void>()
  await page.route('**/api/admin/titles/*', async (route) => {
    await releasePromise
    await route.continue()
  })
  await dialog.getByRole('button', { name: t('common:save') }).click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await dialog.getByRole('button', { name: t('common:close') }).click()
  await expect(titleField).toHaveValue('Arrival, again')
  releaseRequest()
  await expect(dialog).toHaveCount(0)
  await clickUndo(page)
  await expect(page.getByText(t('dashboard:undone'), { exact: true })).toBeVisible()
  await chooseRowAction(page, 'Arrival', t('common:edit'))
  await expect(dialog).toBeVisible()
  await page.mouse.click(5, 5)
  await expect(dialog).toHaveCount(0)
  await closeAdminPage(page)
})

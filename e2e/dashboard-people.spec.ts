/** Invitations, roles and blocking of users, and access to the dashboard. */
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
const ADMIN_EMAIL = 'admin@marquee.local'
const GUEST_CREDENTIALS = { email: 'guest@example.com', password: 'Lumiere1895' }

test('an invited user signs up, becomes an administrator, and is later blocked and deleted', async ({
  browser,
}) => {
  const page = await openAdminPage(browser)
  await openDashboard(page, '?section=invitations')
  await page.getByRole('button', { name: t('dashboardpeople:invite') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('dashboardpeople:emailOptional')).fill(GUEST_CREDENTIALS.email)
  await expectAccessible(page)
  const inviteRequestPromise = page.waitForRequest('**/api/auth/register/invite')
  await dialog.getByRole('button', { name: t('dashboardpeople:makeLink') }).click()
  // The administrator chose no validity period, so the request contains none. The server then uses the number of days
  // in the settings.
  expect((await inviteRequestPromise).postDataJSON()).toEqual({
    role: 'user',
    email: GUEST_CREDENTIALS.email,
  })
  const invitationLink = await dialog.getByLabel(t('dashboardpeople:link'), { exact: true }).inputValue()
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'))
  })
  await dialog.getByRole('button', { name: t('dashboardpeople:copyLink') }).click()
  await expect(dialog.getByRole('button', { name: t('dashboardpeople:copied') })).toBeVisible()
  await expect(dialog.getByRole('img', { name: t('dashboardpeople:qr') })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: t('common:done') }).click()
  await expect(getTableRow(page, GUEST_CREDENTIALS.email)).toContainText(t('dashboardpeople:state_open'))

  const guestPage = await (await browser.newContext()).newPage()
  await guestPage.goto(new URL(invitationLink).pathname + new URL(invitationLink).search)
  await expect(guestPage.getByLabel(t('auth:email'))).toHaveValue(GUEST_CREDENTIALS.email)
  await guestPage.getByLabel(t('auth:password'), { exact: true }).fill(GUEST_CREDENTIALS.password)
  await guestPage.locator('form button[type=submit]').click()
  await expect(guestPage).toHaveURL(/onboarding/)
  /* The new user scans the code of a television. The page of the code opens after the onboarding. */
  await guestPage.goto('/link/?code=WDJBMJHT')
  await expect(guestPage).toHaveURL(/onboarding/)
  await guestPage.getByRole('button', { name: 'English' }).click()
  await guestPage.getByLabel(t('profiles:name')).fill('Guest')
  await guestPage.getByRole('button', { name: t('common:next') }).click()
  await expect(guestPage.getByText(t('onboarding:genresHint'))).toBeVisible()
  for (const genreGroup of await guestPage.getByRole('group').all()) {
    await genreGroup.getByRole('button').nth(0).click()
    await genreGroup.getByRole('button').nth(1).click()
  }
  await guestPage.getByRole('button', { name: t('onboarding:finish') }).click()
  await expect(guestPage).toHaveURL('/link/?code=WDJBMJHT')
  await expect(guestPage.getByLabel(t('link:code'))).toHaveValue('WDJBMJHT')
  await guestPage.goto('/')
  await expect(guestPage.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
  await expect(guestPage).toHaveURL('/')

  /* A user who is not an administrator can neither open the dashboard nor see a link to it. */
  await guestPage.goto('/dashboard/?section=users')
  await expect(guestPage).toHaveURL(/127\.0\.0\.1:\d+\/$/)
  await guestPage.locator('header button[aria-expanded]').last().click()
  await expect(guestPage.getByRole('link', { name: t('header:account') })).toBeVisible()
  await expect(guestPage.getByRole('link', { name: t('header:dashboard') })).toHaveCount(0)

  await openDashboard(page, '?section=users&search=guest')
  await expect(page.getByRole('rowheader', { name: GUEST_CREDENTIALS.email })).toBeVisible()
  await expect(getTableRow(page, GUEST_CREDENTIALS.email)).toContainText(t('dashboardpeople:role_user'))
  await chooseRowAction(page, GUEST_CREDENTIALS.email, t('dashboardpeople:makeAdmin'))
  await expect(getTableRow(page, GUEST_CREDENTIALS.email)).toContainText(t('dashboardpeople:role_admin'))
  await clickUndo(page)
  await expect(getTableRow(page, GUEST_CREDENTIALS.email)).toContainText(t('dashboardpeople:role_user'))
  await chooseRowAction(page, GUEST_CREDENTIALS.email, t('dashboardpeople:makeAdmin'))
  await expect(getTableRow(page, GUEST_CREDENTIALS.email)).toContainText(t('dashboardpeople:role_admin'))
  await guestPage.goto('/dashboard/')
  await expect(
    guestPage.getByRole('heading', { level: 1, name: t('dashboard:section_overview') }),
  ).toBeVisible()

  /* The administrator views the devices of the user. */
  await chooseRowAction(page, GUEST_CREDENTIALS.email, t('dashboardpeople:showDevices'))
  await expectAccessible(page)
  const signOutButtons = dialog.getByRole('button', { name: t('dashboardpeople:signOut') })
  await signOutButtons.first().click()
  await expectAccessible(page)
  await page.getByRole('button', { name: t('common:cancel') }).click()
  await expect(signOutButtons.first()).toBeFocused()
  await expect(dialog.getByText(t('dashboardpeople:thisDevice'))).toHaveCount(0)
  await page.keyboard.press('Escape')

  /* The user forgot the password and gets a link from the administrator. */
  await chooseRowAction(page, GUEST_CREDENTIALS.email, t('dashboardpeople:resetPassword'))
  await confirmDialog(page, t('dashboardpeople:resetMake'))
  const resetLink = await dialog.getByLabel(t('dashboardpeople:link'), { exact: true }).inputValue()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: t('common:done') }).click()
  await guestPage.goto(new URL(resetLink).pathname + new URL(resetLink).search)
  await expect(guestPage.getByLabel(t('auth:email'))).toHaveValue(GUEST_CREDENTIALS.email)
  await guestPage.getByLabel(t('auth:password'), { exact: true }).fill('Melies1902')
  await guestPage.getByRole('button', { name: t('reset:save') }).click()
  await expect(guestPage.getByText(t('reset:saved'))).toBeVisible()
  await expectAccessible(guestPage)
  await guestPage.getByRole('link', { name: t('auth:signIn') }).click()
  await guestPage.locator('form[data-ready]').waitFor()
  await guestPage.getByLabel(t('auth:email')).fill(GUEST_CREDENTIALS.email)
  await guestPage.getByLabel(t('auth:password'), { exact: true }).fill('Melies1902')
  await guestPage.getByRole('button', { name: t('auth:signIn'), exact: true }).click()
  await expect(guestPage.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()

  await chooseRowAction(page, GUEST_CREDENTIALS.email, t('dashboardpeople:block'))
  await confirmDialog(page, t('dashboardpeople:block'))
  await expect(getTableRow(page, GUEST_CREDENTIALS.email)).toContainText(t('dashboardpeople:account_blocked'))
  await guestPage.goto('/dashboard/')
  await expect(guestPage).toHaveURL(/\/login\//)
  await chooseRowAction(page, GUEST_CREDENTIALS.email, t('dashboardpeople:delete'))
  await expect(page.getByRole('dialog')).toContainText(t('dashboard:cannotUndo'))
  await confirmDialog(page, t('dashboardpeople:delete'))
  await expect(page.getByText(t('dashboard:nothingFound')).last()).toBeVisible()
  await guestPage.context().close()

  /* The device that the administrator is using has no button to sign out. */
  await openDashboard(page, '?section=users&role=admin')
  await chooseRowAction(page, ADMIN_EMAIL, t('dashboardpeople:showDevices'))
  const ownDevice = dialog.getByRole('listitem').filter({ hasText: t('dashboardpeople:thisDevice') })
  await expect(ownDevice).toHaveCount(1)
  await expect(ownDevice.getByRole('button')).toHaveCount(0)

  /* The administrator creates a user without an invitation and chooses the password. */
  await openDashboard(page, '?section=users&search=second')
  await page.getByRole('button', { name: t('dashboardpeople:create') }).click()
  const createButton = dialog.getByRole('button', { name: t('dashboardpeople:create') })
  await dialog.getByLabel(t('auth:email')).fill('second@example.com')
  await dialog.getByLabel(t('auth:password'), { exact: true }).fill('short')
  await createButton.click()
  await expect(dialog.getByLabel(t('auth:password'), { exact: true })).toBeFocused()
  await dialog.getByLabel(t('auth:password'), { exact: true }).fill(GUEST_CREDENTIALS.password)
  await expectAccessible(page)
  await createButton.click()
  await expect(getTableRow(page, 'second@example.com')).toContainText(t('dashboardpeople:role_user'))
  await page.getByRole('button', { name: t('dashboardpeople:create') }).click()
  await dialog.getByLabel(t('auth:email')).fill('second@example.com')
  await dialog.getByLabel(t('auth:password'), { exact: true }).fill(GUEST_CREDENTIALS.password)
  await createButton.click()
  await expect(dialog.getByRole('alert')).toHaveText(t('dashboardpeople:emailTaken'))
  await page.keyboard.press('Escape')
  await chooseRowAction(page, 'second@example.com', t('dashboardpeople:delete'))
  await confirmDialog(page, t('dashboardpeople:delete'))
  await closeAdminPage(page)
})

test('an administrator whose selected profile is not the main profile is redirected from the dashboard to the home page', async ({
  browser,
}) => {
  const page = await openAdminPage(browser)
  await page.goto('/profiles/')
  await page.getByRole('button', { name: 'ليلى' }).click()
  await expect(page.getByRole('heading', { name: getTranslation('ar', 'home:popularMovies') })).toBeVisible()
  await page.goto('/ar/dashboard/?section=users')
  await expect(page).toHaveURL(/\/ar\/$/)
  await page.goto('/ar/profiles/')
  await page.getByRole('button', { name: 'Alex' }).click()
  await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
  await closeAdminPage(page)
})

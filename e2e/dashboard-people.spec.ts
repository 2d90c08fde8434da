/** An administrator and other people: who is invited, made one of them, blocked; and who is sent home. */
import { expect, test } from '@playwright/test'
import { administrator, choose, confirm, leave, open, row, undo } from './dashboard.ts'
import { expectAccessible, words } from './household.ts'

const w = (key: string) => words('en', key)
const GUEST = { email: 'guest@example.com', password: 'Lumiere1895' }

test('an invitation becomes an account, which is no administrator until it is made one', async ({
  browser,
}) => {
  const page = await administrator(browser)
  await open(page, '?section=invitations')
  await page.getByRole('button', { name: w('dashboardpeople:invite') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(w('dashboardpeople:emailOptional')).fill(GUEST.email)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: w('dashboardpeople:makeLink') }).click()
  const link = await dialog.getByLabel(w('dashboardpeople:link'), { exact: true }).inputValue()
  await expect(dialog.getByRole('img', { name: w('dashboardpeople:qr') })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: w('common:done') }).click()
  await expect(row(page, GUEST.email)).toContainText(w('dashboardpeople:state_open'))

  const guest = await (await browser.newContext()).newPage()
  await guest.goto(new URL(link).pathname + new URL(link).search)
  await expect(guest.getByLabel(w('auth:email'))).toHaveValue(GUEST.email)
  await guest.getByLabel(w('auth:password'), { exact: true }).fill(GUEST.password)
  await guest.locator('form button[type=submit]').click()
  await expect(guest).toHaveURL(/onboarding/)
  await guest.getByRole('button', { name: 'English' }).click()
  await guest.getByLabel(w('profiles:name')).fill('Guest')
  await guest.getByRole('button', { name: w('common:next') }).click()
  await expect(guest.getByText(w('onboarding:genresHint'))).toBeVisible()
  for (const group of await guest.getByRole('group').all()) {
    await group.getByRole('button').nth(0).click()
    await group.getByRole('button').nth(1).click()
  }
  await guest.getByRole('button', { name: w('onboarding:finish') }).click()
  await expect(guest).toHaveURL(/\/(profiles\/.*)?$/)
  await guest.goto('/')
  await expect(guest.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()

  /* Nobody but administrators comes in, nor is shown the way. */
  await guest.goto('/dashboard/?section=users')
  await expect(guest).toHaveURL(/127\.0\.0\.1:\d+\/$/)
  await guest.locator('header button[aria-expanded]').last().click()
  await expect(guest.getByRole('link', { name: w('header:account') })).toBeVisible()
  await expect(guest.getByRole('link', { name: w('header:dashboard') })).toHaveCount(0)

  await open(page, '?section=users&search=guest')
  await expect(row(page, GUEST.email)).toContainText(w('dashboardpeople:role_user'))
  await choose(page, GUEST.email, w('dashboardpeople:makeAdmin'))
  await expect(row(page, GUEST.email)).toContainText(w('dashboardpeople:role_admin'))
  await undo(page)
  await expect(row(page, GUEST.email)).toContainText(w('dashboardpeople:role_user'))
  await choose(page, GUEST.email, w('dashboardpeople:makeAdmin'))
  await expect(row(page, GUEST.email)).toContainText(w('dashboardpeople:role_admin'))
  await guest.goto('/dashboard/')
  await expect(guest.getByRole('heading', { level: 1, name: w('dashboard:section_overview') })).toBeVisible()

  /* Signed out from afar, blocked, and gone. */
  await choose(page, GUEST.email, w('dashboardpeople:showDevices'))
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await choose(page, GUEST.email, w('dashboardpeople:block'))
  await confirm(page, w('dashboardpeople:block'))
  await expect(row(page, GUEST.email)).toContainText(w('dashboardpeople:account_blocked'))
  await guest.goto('/dashboard/')
  await expect(guest).toHaveURL(/\/login\//)
  await choose(page, GUEST.email, w('dashboardpeople:delete'))
  await expect(page.getByRole('dialog')).toContainText(w('dashboard:cannotUndo'))
  await confirm(page, w('dashboardpeople:delete'))
  await expect(page.getByText(w('dashboard:nothingFound'))).toBeVisible()
  await guest.context().close()
  await leave(page)
})

test('an administrator on another profile is sent home', async ({ browser }) => {
  const page = await administrator(browser)
  await page.goto('/profiles/')
  await page.getByRole('button', { name: 'ليلى' }).click()
  await expect(page.getByRole('heading', { name: words('ar', 'home:popularMovies') })).toBeVisible()
  await page.goto('/ar/dashboard/?section=users')
  await expect(page).toHaveURL(/\/ar\/$/)
  await page.goto('/ar/profiles/')
  await page.getByRole('button', { name: 'Alex' }).click()
  await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
  await leave(page)
})

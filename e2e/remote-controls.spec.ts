/** A television remote with six keys reaches every control: sign-in, actor, dialogs and onboarding. Other pages: every-page.spec.ts. */
import { expect, type Page, test } from '@playwright/test'
import { expectReachableByArrowKeys } from './arrow-key-walk.ts'
import { getTranslation, signInAsProfile } from './journey-helpers.ts'
import { openPage, waitUntilSettled } from './page-navigation.ts'
import { pressKeys, pressRemoteBack, turnOnRemoteControl } from './remote-control.ts'

const t = (key: string) => getTranslation('en', key)
test.setTimeout(150_000)
let page: Page

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage({ viewport: { width: 1920, height: 1080 }, reducedMotion: 'reduce' })
  await page.goto('/login/')
  await page.locator('form[data-ready]').waitFor()
  await expectReachableByArrowKeys(page, 'login')
  await signInAsProfile(page, 'Alex')
})
test.afterAll(() => page.close())

test('arrow keys reach every control of the page of an actor', async () => {
  await openPage(page, 'en', '/movies/pulp-fiction')
  await page.locator('a[href^="/actor/"]').first().press('Enter')
  await expect(page).toHaveURL(/\/actor\//)
  await waitUntilSettled(page)
  await expectReachableByArrowKeys(page, 'actor')
})

test('arrow keys reach every control of a dialog, and closing it restores the focus', async () => {
  await openPage(page, 'en', '/profiles/')
  await turnOnRemoteControl(page)
  await page.getByRole('button', { name: t('profiles:manage') }).press('Enter')
  const opener = page.getByRole('button', { name: /Sunny/ })
  await opener.focus()
  await pressKeys(page, 'Enter')
  await page.getByRole('dialog').waitFor()
  await expectReachableByArrowKeys(page, 'profile edit, avatars')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('common:delete'), exact: true })
    .press('Enter')
  await expect(page.getByRole('heading', { name: t('profiles:deleteHeading') })).toBeVisible()
  await expect(page.getByRole('dialog').locator(':focus')).toBeVisible()
  await expectReachableByArrowKeys(page, 'profile delete')
  await pressKeys(page, 'Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(opener).toBeFocused()
  /* The first Back ends manage mode and stays on the page. */
  await pressRemoteBack(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('profiles:heading'))
  const lockedProfile = page.getByRole('button', { name: /Robin/ })
  await lockedProfile.focus()
  await pressKeys(page, 'Enter')
  await page.getByRole('dialog').waitFor()
  await expectReachableByArrowKeys(page, 'PIN pad')
  await pressRemoteBack(page)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(lockedProfile).toBeFocused()
})

test('arrow keys reach every control from the invitation to the end of onboarding', async ({ browser }) => {
  await openPage(page, 'en', '/dashboard/?section=invitations')
  await page.getByRole('button', { name: t('dashboardpeople:invite') }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expectReachableByArrowKeys(page, 'invite')
  await dialog.getByRole('button', { name: t('dashboardpeople:makeLink') }).press('Enter')
  const link = await dialog.getByLabel(t('dashboardpeople:link'), { exact: true }).inputValue()
  const context = await browser.newContext()
  const guest = await context.newPage()
  await guest.goto(new URL(link).pathname + new URL(link).search)
  await guest.getByLabel(t('auth:email')).waitFor()
  await expectReachableByArrowKeys(guest, 'signup')
  await guest.getByLabel(t('auth:email')).fill('remote@example.com')
  await guest.getByLabel(t('auth:password'), { exact: true }).fill('Lumiere1895')
  await guest.locator('form button[type=submit]').press('Enter')
  await expect(guest).toHaveURL(/onboarding/)
  await waitUntilSettled(guest)
  await expectReachableByArrowKeys(guest, 'language')
  await guest.getByRole('button', { name: 'English' }).press('Enter')
  await expectReachableByArrowKeys(guest, 'profile')
  await guest.getByLabel(t('profiles:name')).fill('Remote')
  await guest.getByRole('button', { name: t('common:next') }).press('Enter')
  await expect(guest.getByText(t('onboarding:genresHint'))).toBeVisible()
  await expectReachableByArrowKeys(guest, 'genres')
  await context.close()
})

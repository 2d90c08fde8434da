/** What a child at the device can reach: profiles with a PIN stay closed, and the account belongs to the adults. */
import { expect, type Page, test } from '@playwright/test'
import { collectPageProblems, getTranslation, readDemoCredentials, signIn } from './journey-helpers.ts'
import { goBack, waitUntilSettled } from './page-navigation.ts'

const t = (key: string, values: Record<string, string> = {}) =>
  Object.entries(values).reduce(
    (text, [name, value]) => text.replace(`{{${name}}}`, value),
    getTranslation('en', key),
  )
const KID_NAME = 'Sunny'
const LOCKED_PROFILE_NAME = 'Robin'

const getPinDialog = (page: Page) =>
  page.getByRole('dialog', { name: t('profiles:enterPin', { name: LOCKED_PROFILE_NAME }) })
const expectHomePage = (page: Page) =>
  expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()

async function openAccountMenu(page: Page): Promise<void> {
  await waitUntilSettled(page)
  await page.locator('header button[aria-expanded]').last().click()
}

async function enterLockedProfile(page: Page): Promise<void> {
  await page.getByRole('button', { name: new RegExp(LOCKED_PROFILE_NAME) }).click()
  await getPinDialog(page).waitFor()
  await page.keyboard.type(readDemoCredentials().pin)
  await expectHomePage(page)
}

test('pressing Back in the profile picker does not return to the page of a locked profile, and entering this profile requires its PIN', async ({
  page,
}) => {
  await signIn(page, 'en')
  await enterLockedProfile(page)
  await openAccountMenu(page)
  await page.getByRole('link', { name: t('header:whoIsWatching') }).click()
  await expect(page.getByRole('heading', { level: 1, name: t('profiles:heading') })).toBeVisible()
  await goBack(page)
  await expect(page.getByRole('heading', { level: 1, name: t('profiles:heading') })).toBeVisible()
  await page.getByRole('button', { name: new RegExp(LOCKED_PROFILE_NAME) }).click()
  await expect(getPinDialog(page)).toBeVisible()
})

test('after a switch to a kids profile, switching back to a locked profile in the header menu requires the PIN, and a tab without a selected profile uses the kids profile', async ({
  page,
  context,
}) => {
  await signIn(page, 'en')
  await enterLockedProfile(page)
  const secondTab = await context.newPage()
  await secondTab.goto('/')
  await expectHomePage(secondTab)
  await openAccountMenu(page)
  await page.getByRole('button', { name: t('header:switchTo', { name: KID_NAME }) }).click()
  await expectHomePage(page)
  await openAccountMenu(page)
  await page.getByRole('button', { name: t('header:switchTo', { name: LOCKED_PROFILE_NAME }) }).click()
  await expect(getPinDialog(page)).toBeVisible()
  /* A tab without a selected profile uses the profile that was selected last on the device. */
  await secondTab.goto('/mylist/')
  await expect(
    secondTab.getByRole('button', { name: t('header:menu', { name: KID_NAME }), exact: true }),
  ).toBeVisible()
})

test('the account page of a kids profile has display preferences, but no tabs, email address or autoplay switch', async ({
  page,
}) => {
  const { problems } = collectPageProblems(page)
  await signIn(page, 'en')
  await page.getByRole('button', { name: new RegExp(KID_NAME) }).click()
  await expectHomePage(page)
  await page.goto('/account/?tab=security')
  await expect(page.getByRole('heading', { level: 1, name: t('account:kidsTitle') })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(0)
  await expect(page.getByText(readDemoCredentials().email)).toHaveCount(0)
  await expect(page.getByRole('switch', { name: t('account:autoplayNext') })).toHaveCount(0)
  const contrastSwitch = page.getByRole('switch', { name: t('account:highContrast') })
  await contrastSwitch.click()
  await expect(page.locator('html')).toHaveAttribute('data-contrast', 'high')
  await contrastSwitch.click()
  await expect(page.locator('html')).not.toHaveAttribute('data-contrast')
  expect(problems).toEqual([])
})

test('the search page and the movies page offer no filter by the parental guide to a kids profile', async ({
  page,
}) => {
  await signIn(page, 'en')
  await page.getByRole('button', { name: new RegExp(KID_NAME) }).click()
  await expectHomePage(page)
  await page.goto('/search/?q=love')
  await expect(page.getByRole('tab', { name: new RegExp(t('common:movies')) })).toBeVisible()
  await waitUntilSettled(page)
  await expect(page.getByRole('button', { name: t('guide:heading') })).toHaveCount(0)
  await page.goto('/movies/')
  await page.getByRole('button', { name: t('browse:filters') }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('switch', { name: t('browse:hideSeen') })).toBeVisible()
  await expect(dialog.getByText(t('guide:heading'))).toHaveCount(0)
})

test('after a kids profile is created, a dialog offers to set a PIN for each adult profile that has none', async ({
  page,
}) => {
  await signIn(page, 'en')
  const unlockedTile = page.getByRole('button', { name: /Alex/ })
  await expect(unlockedTile).toContainText(t('profiles:open'))
  await expect(page.getByRole('button', { name: new RegExp(LOCKED_PROFILE_NAME) })).not.toContainText(
    t('profiles:open'),
  )
  await page.getByRole('button', { name: t('profiles:add') }).click()
  await page.getByLabel(t('profiles:name')).fill('Nour')
  await page.getByRole('switch', { name: t('profiles:kidsProfile') }).click()
  await page.getByRole('button', { name: t('common:save') }).click()
  const offerDialog = page.getByRole('dialog', { name: t('profiles:protectHeading') })
  await expect(offerDialog.getByText('Alex')).toBeVisible()
  await expect(offerDialog.getByText(LOCKED_PROFILE_NAME)).toHaveCount(0)
  await offerDialog.getByRole('button', { name: t('profiles:protectLater') }).click()
  await expect(offerDialog).toHaveCount(0)
  await page.getByRole('button', { name: t('profiles:manage') }).click()
  await page.getByRole('button', { name: /Nour/ }).click()
  const enterPin = () => page.getByLabel(t('profiles:pinDigit', { number: '1' })).pressSequentially('4826')
  await page.getByRole('button', { name: t('profiles:setPin') }).click()
  await enterPin()
  await expect(page.getByRole('button', { name: t('profiles:changePin') })).toBeVisible()
  await page.getByRole('button', { name: t('profiles:removePin') }).click()
  await enterPin()
  await expect(page.getByRole('button', { name: t('profiles:setPin') })).toBeVisible()
  await page.getByRole('button', { name: t('common:delete'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('common:delete'), exact: true })
    .click()
  await expect(page.getByRole('button', { name: /Nour/ })).toHaveCount(0)
})

test('a user who has finished onboarding is redirected from the onboarding page to the profile picker, and choosing a profile there opens the home page', async ({
  page,
}) => {
  await signIn(page, 'en')
  await page.goto('/onboarding/')
  await expect(page).toHaveURL(/\/profiles\/\?redirect=%2F$/)
  await page.getByRole('button', { name: /Alex/ }).click()
  await expectHomePage(page)
})

test('a redirect to the locale of the visitor never leaves the site', async ({ page, baseURL }) => {
  for (const path of ['/fr//example.org/?lng=en', '/ar///example.org?lng=fr', '/fr/%5Cexample.org?lng=en']) {
    await page.goto(path)
    await expect(page.locator('h1').first()).toBeAttached()
    expect(new URL(page.url()).origin).toBe(baseURL)
  }
})

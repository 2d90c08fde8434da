/** Access to pages: locked profiles, kids profiles and visitors. */
import { expect, test } from '@playwright/test'
import { getTranslation, readDemoCredentials, signIn, signInAsProfile } from './journey-helpers.ts'

test('a locked profile opens only with its PIN', async ({ page }) => {
  await signIn(page, 'en')
  const { pin } = readDemoCredentials()
  await page.getByRole('button', { name: /Robin/ }).click()
  const firstDigitField = page.getByLabel('PIN digit 1 of 4')
  await firstDigitField.waitFor()
  await page.keyboard.type(pin === '0000' ? '1111' : '0000')
  await expect(page.getByText('Invalid PIN')).toBeVisible()
  await firstDigitField.focus()
  await page.keyboard.type(pin)
  await expect(page.getByRole('heading', { name: getTranslation('en', 'home:popularMovies') })).toBeVisible()
})

test('an incomplete PIN is rejected with a message, both when a locked profile is opened and when a PIN is set', async ({
  page,
}) => {
  await signIn(page, 'en')
  const messageText = getTranslation('en', 'profiles:pinDigits')
  await page.getByRole('button', { name: /Robin/ }).click()
  await page.getByLabel('PIN digit 1 of 4').pressSequentially('20')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText(messageText)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: getTranslation('en', 'profiles:manage') }).click()
  await page.getByRole('button', { name: /Alex/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: getTranslation('en', 'profiles:setPin') }).click()
  await dialog.getByLabel('PIN digit 1 of 4').pressSequentially('482')
  await dialog.getByRole('button', { name: getTranslation('en', 'common:save') }).click()
  await expect(dialog.getByRole('alert')).toHaveText(messageText)
  await dialog.getByRole('button', { name: getTranslation('en', 'common:cancel') }).click()
  await dialog.getByRole('button', { name: getTranslation('en', 'common:save') }).click()
  await expect(dialog).toHaveCount(0)
})

test('while a profile is being created, changing its name and submitting the form again sends no second request', async ({
  page,
}) => {
  await signIn(page, 'en')
  let requestCount = 0
  const { promise: releasePromise, resolve: release } = Promise.withResolvers<void>()
  await page.context().route('**/api/profile', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    requestCount += 1
    await releasePromise
    return route.fulfill({ status: 503, json: { type: 'overloaded', message: 'Try again' } })
  })
  await page.getByRole('button', { name: getTranslation('en', 'profiles:add') }).click()
  const dialog = page.getByRole('dialog')
  const nameField = dialog.getByLabel(getTranslation('en', 'profiles:name'))
  const saveButton = dialog.getByRole('button', { name: getTranslation('en', 'common:save') })
  await nameField.fill('Ann')
  await saveButton.click()
  await expect(saveButton).toBeDisabled()
  await nameField.fill('Anna')
  await nameField.press('Enter')
  release()
  await expect(page.getByText(getTranslation('en', 'profiles:createFailed'))).toBeVisible()
  await expect(saveButton).toBeEnabled()
  expect(requestCount).toBe(1)
})

test('a kids profile is redirected from an unsafe title and from the dashboard to the home page', async ({
  page,
}) => {
  await signIn(page, 'en')
  await page.getByRole('button', { name: /Sunny/ }).click()
  await expect(page.getByRole('heading', { name: getTranslation('en', 'home:popularMovies') })).toBeVisible()
  for (const path of ['/movies/pulp-fiction', '/dashboard/']) {
    await page.goto(path)
    await expect(page).toHaveURL('/')
  }
})

test('after a redirect to the login page, the scripts of the requested page do not change the title or the URL of the login page', async ({
  page,
}) => {
  for (const path of ['/dashboard/?section=users', '/remote/?code=ABCDEFGH']) {
    await page.goto(path)
    await page.locator('form[data-ready]').waitFor()
    await expect(page).toHaveURL(`/login/?redirect=${encodeURIComponent(path)}`)
    await expect(page).toHaveTitle(/^Login/)
  }
})

test('a visitor who is not signed in is redirected to the login page, and a redirect parameter that names another site is ignored after sign-in', async ({
  page,
}) => {
  await page.goto('/tvshows/?sort=title.asc')
  await expect(page).toHaveURL(/\/login\/\?redirect=/)
  await page.goto('/login/?redirect=https%3A%2F%2Fevil.example%2F')
  await page.locator('form[data-ready]').waitFor()
  const { email, password } = readDemoCredentials()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('Wrong12345')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('Email or password incorrect')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: /Alex/ }).click()
  await expect(page.getByRole('heading', { name: getTranslation('en', 'home:popularMovies') })).toBeVisible()
  await expect(page).toHaveURL('/')
})

test.describe('the menu entry of the remote control', () => {
  const PHONE_USER_AGENT =
    'Mozilla/5.0 (Linux; Android 16; Fold) AppleWebKit/537.36 Chrome/150 Mobile Safari/537.36'
  for (const { device, options, isPhone } of [
    {
      device: 'a touch screen of 768 x 1024',
      options: { viewport: { width: 768, height: 1024 } },
      isPhone: true,
    },
    {
      device: 'a touch screen of 820 x 1180',
      options: { viewport: { width: 820, height: 1180 } },
      isPhone: false,
    },
    {
      device: 'a phone with a large screen',
      options: { viewport: { width: 904, height: 900 }, userAgent: PHONE_USER_AGENT },
      isPhone: true,
    },
    {
      device: 'a television whose user agent contains "Mobile"',
      options: {
        viewport: { width: 1920, height: 1080 },
        userAgent: PHONE_USER_AGENT.replace('Fold', 'AFTMM'),
      },
      isPhone: false,
    },
  ])
    test(`on ${device}, the entry is ${isPhone ? 'a link to the remote control' : 'a button that opens a code for a phone'}`, async ({
      browser,
    }) => {
      const page = await browser.newPage({ ...options, hasTouch: true, isMobile: true })
      await signInAsProfile(page, 'Alex')
      await page.goto('/mylist/')
      await page.locator('header button[aria-expanded]').last().click()
      const entryName = getTranslation('en', 'header:usePhone')
      await expect(page.getByRole(isPhone ? 'link' : 'button', { name: entryName })).toBeVisible()
      await page.close()
    })
})

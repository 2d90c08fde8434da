/** Two-step verification and passkeys, with the virtual authenticator of the browser, on a server with a host name. */
import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import {
  collectPageProblems,
  expectAccessible,
  findProfile,
  getTranslation,
  readDemoCredentials,
  signInByRequest,
  storeActingProfile,
} from './journey-helpers.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'

const t = (key: string) => getTranslation('en', key)
/** Browsers allow no passkeys for an IP address, so this origin has a host name. */
const origin = `http://localhost:${Number(process.env['E2E_PORT']) + 6}`
const TOTP_STEP_MS = 30_000

let server: OwnServer
let credentials: { email: string; password: string }
let profileId: string

test.describe.configure({ mode: 'serial' })
test.beforeAll(async ({ playwright }) => {
  test.setTimeout(120_000)
  server = await startOwnServer(origin)
  const { email, password } = readDemoCredentials()
  credentials = { email, password }
  const device = await playwright.request.newContext({ baseURL: origin })
  profileId = (await findProfile(device, await signInByRequest(device, credentials), 'Alex')).profile_id
  await device.dispose()
})
test.afterAll(() => server.stop())

const openContext = (browser: Browser) =>
  browser.newContext({ baseURL: origin, serviceWorkers: 'block', viewport: { width: 1280, height: 720 } })

async function openSecurityTab(page: Page, localePrefix = ''): Promise<void> {
  await storeActingProfile(page, profileId)
  await page.goto(`${localePrefix}/account/?tab=security`)
}

async function signInWithPassword(page: Page): Promise<void> {
  await page.goto('/login/')
  await page.locator('form[data-ready]').waitFor()
  await page.getByLabel(t('auth:email')).fill(credentials.email)
  await page.getByLabel(t('auth:password'), { exact: true }).fill(credentials.password)
  await page.getByRole('button', { name: t('auth:signIn'), exact: true }).click()
}

const fillPassword = async (page: Page) => {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('profiles:password'), { exact: true }).fill(credentials.password)
  await dialog.locator('[type=submit]').click()
}
const expectSignedIn = (page: Page) => expect(page).not.toHaveURL(/\/login\//)
const getSection = (page: Page, key: string, locale: 'en' | 'ar' = 'en') =>
  page.getByRole('region', { name: getTranslation(locale, key) })

/** Adds a virtual authenticator to the page. The authenticator verifies its user without input. */
async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const authenticatorOptions = {
    protocol: 'ctap2',
    ctap2Version: 'ctap2_1',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: authenticatorOptions,
  })
  return { cdp, authenticatorId }
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await getSection(page, 'security:passkeys')
    .getByRole('button', { name: t('security:passkeyAdd') })
    .click()
  await page.getByRole('dialog').getByLabel(t('security:passkeyName')).fill(name)
  await fillPassword(page)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(getSection(page, 'security:passkeys').getByText(name)).toBeVisible()
}

async function signOut(context: BrowserContext, page: Page): Promise<void> {
  // Leaves the page first: after the sign-out, requests of a page that is still loading would fail.
  await page.goto('/favicon.svg')
  await page.request.post('/api/auth/logout', { data: {} })
  await context.clearCookies()
}

/**
 * Makes conditional passkey requests of the page resolve with the first passkey, as if the user had chosen a suggestion
 * of the browser. The test browser displays no suggestions.
 */
async function acceptPasskeySuggestions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const getCredential = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = (options) =>
      getCredential(options?.mediation === 'conditional' ? { ...options, mediation: 'optional' } : options)
    Object.assign(PublicKeyCredential, { isConditionalMediationAvailable: async () => true })
  })
}

test('a user signs in with a passkey from the email field and from the button, and the passkey is rejected after its removal', async ({
  browser,
}) => {
  const context = await openContext(browser)
  const page = await context.newPage()
  const { problems } = collectPageProblems(page)
  const { cdp, authenticatorId } = await addAuthenticator(page)
  await signInByRequest(page.request, credentials)
  await openSecurityTab(page)
  await addPasskey(page, 'Laptop')
  await expectAccessible(page)
  await signOut(context, page)
  await acceptPasskeySuggestions(page)
  await page.goto('/login/')
  await expectSignedIn(page)
  await signOut(context, page)
  await page.addInitScript(() => {
    Object.assign(PublicKeyCredential, { isConditionalMediationAvailable: async () => false })
  })
  await page.goto('/login/')
  await expect(page.getByRole('button', { name: t('secondfactor:passkeySignIn') })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: t('secondfactor:passkeySignIn') }).click()
  await expectSignedIn(page)
  await openSecurityTab(page)
  await getSection(page, 'security:passkeys')
    .getByRole('button', { name: /Delete Laptop/ })
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('common:delete') })
    .click()
  await expect(getSection(page, 'security:passkeys').getByText('Laptop')).toHaveCount(0)
  await signOut(context, page)
  expect((await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toHaveLength(1)
  await page.goto('/login/')
  await page.getByRole('button', { name: t('secondfactor:passkeySignIn') }).click()
  await expect(page.getByRole('alert').last()).toHaveText(t('secondfactor:passkeyRejected'))
  expect(problems.filter((problem) => !problem.includes('/api/auth/passkey/sign-in'))).toEqual([])
  await context.close()
})

test('an authenticator app is set up, its code or a recovery code is required at sign-in and for the removal of the app, and the app is removed', async ({
  browser,
}) => {
  const context = await openContext(browser)
  const page = await context.newPage()
  await signInByRequest(page.request, credentials)
  await openSecurityTab(page)
  const secondFactorSection = getSection(page, 'secondfactor:title')
  await secondFactorSection.getByRole('button', { name: t('security:totpSetUp') }).click()
  await fillPassword(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: t('security:totpQr') })).toBeVisible()
  await expectAccessible(page)
  const authenticatorApp = new TOTP({
    secret: Secret.fromBase32(await dialog.getByLabel(t('security:totpKey')).inputValue()),
  })
  await dialog.getByLabel(t('security:totpConfirm')).fill(authenticatorApp.generate())
  // Escape must not close the dialog before the reply arrives. Otherwise, the user would not see the recovery codes.
  const { promise: releasePromise, resolve: releaseRequest } = Promise.withResolvers<void>()
  await page.route('**/api/auth/totp/confirm', async (route) => {
    await releasePromise
    await route.continue()
  })
  const nextButton = dialog.getByRole('button', { name: t('common:next') })
  await nextButton.press('Enter')
  await expect(nextButton).toHaveAttribute('aria-disabled', 'true')
  await expect(nextButton).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  releaseRequest()
  const recoveryCodes = (await dialog.getByLabel(t('security:recoveryTitle')).inputValue()).split('\n')
  expect(recoveryCodes).toHaveLength(10)
  await expect(dialog.getByRole('link', { name: t('security:download') })).toHaveAttribute('href', /^blob:/)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: t('security:recoverySaved') }).click()
  await expect(secondFactorSection.getByText(/10 recovery codes left/)).toBeVisible()
  await signOut(context, page)

  await signInWithPassword(page)
  await expect(page.getByLabel(t('secondfactor:code'))).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText(t('secondfactor:wrong'))
  await page.keyboard.type(recoveryCodes[0] ?? '')
  await page.keyboard.press('Enter')
  await expectSignedIn(page)
  await openSecurityTab(page)
  await expect(secondFactorSection.getByText(/9 recovery codes left/)).toBeVisible()
  await context.close()

  // A device that signed in with the approval of a phone has not passed a second factor, so removing the authenticator
  // app needs a code.
  const televisionContext = await openContext(browser)
  const televisionPage = await televisionContext.newPage()
  const deviceCodeResponse = await (
    await televisionPage.request.post('/api/auth/device-code', { data: {} })
  ).json()
  const phoneContext = await openContext(browser)
  const signInStep = await (await phoneContext.request.post('/api/auth/login', { data: credentials })).json()
  const appCode = authenticatorApp.generate({ timestamp: Date.now() + TOTP_STEP_MS })
  const secondFactorBody = { sign_in_token: signInStep.sign_in_token, code: appCode }
  const tokens = await (
    await phoneContext.request.post('/api/auth/login/second-factor', { data: secondFactorBody })
  ).json()
  const decisionBody = {
    user_code: deviceCodeResponse.user_code,
    approve: true,
    password: credentials.password,
  }
  const headers = { Authorization: `Bearer ${tokens.access_token}` }
  await phoneContext.request.post('/api/auth/device-code/decision', { data: decisionBody, headers })
  await televisionPage.request.post('/api/auth/device-code/token', {
    data: { device_code: deviceCodeResponse.device_code },
  })
  await openSecurityTab(televisionPage)
  await getSection(televisionPage, 'secondfactor:title')
    .getByRole('button', { name: t('security:totpRemove') })
    .click()
  await fillPassword(televisionPage)
  await expect(televisionPage.getByText(t('secondfactor:confirmHint'))).toBeVisible()
  await expectAccessible(televisionPage)
  await televisionPage.keyboard.type(recoveryCodes[1] ?? '')
  await televisionPage.keyboard.press('Enter')
  await expect(televisionPage.getByText(t('security:totpOff'), { exact: true })).toBeVisible()
  await phoneContext.close()
  await televisionContext.close()
})

test('the security sections of the account page are accessible in Arabic', async ({ browser }) => {
  const context = await openContext(browser)
  const page = await context.newPage()
  await signInByRequest(page.request, credentials)
  await openSecurityTab(page, '/ar')
  await expect(getSection(page, 'security:passkeys', 'ar')).toBeVisible()
  await expect(getSection(page, 'secondfactor:title', 'ar')).toBeVisible()
  await expectAccessible(page)
  await context.close()
})

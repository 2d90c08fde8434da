/**
 * An administrator sets up an identity provider, links the account, and signs in with the provider. An API key is shown
 * once.
 */
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { type OpenIdStub, startOpenIdStub } from '../tests/support/open-id-stub.ts'
import {
  collectPageProblems,
  expectAccessible,
  getTranslation,
  readDemoCredentials,
  signInByRequest,
} from './journey-helpers.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'

const t = (key: string, values: Record<string, string> = {}) =>
  getTranslation('en', key).replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
const origin = `http://localhost:${Number(process.env['E2E_PORT']) + 7}`
const PROVIDER_NAME = 'Home login'
/** The page puts invisible characters around names of unknown text direction. The pattern accepts these characters. */
const buildNamePattern = (key: string) => new RegExp(t(key, { name: `.?${PROVIDER_NAME}.?` }))

let server: OwnServer
let provider: OpenIdStub
let context: BrowserContext
let page: Page
let problems: string[]

test.describe.configure({ mode: 'serial' })
test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000)
  provider = await startOpenIdStub()
  provider.person = { sub: 'alex', email: 'alex@provider.example', email_verified: true }
  server = await startOwnServer(origin)
  context = await browser.newContext({
    baseURL: origin,
    serviceWorkers: 'block',
    viewport: { width: 1280, height: 720 },
  })
  page = await context.newPage()
  problems = collectPageProblems(page).problems
  await signInByRequest(page.request)
  await page.goto('/profiles/')
  await page.getByRole('button', { name: 'Alex' }).click()
  await page.locator('[data-card]').first().waitFor()
})
test.afterAll(async () => {
  await context.close()
  await server.stop()
  await provider.close()
})

test('an administrator adds an identity provider and tests its configuration', async () => {
  await page.goto('/dashboard/?section=settings')
  await page.getByRole('button', { name: t('dashboardsystem:addProvider') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('dashboardsystem:providerName')).fill(PROVIDER_NAME)
  await dialog.getByLabel(t('dashboardsystem:providerId')).fill('home')
  await expect(dialog.getByLabel(t('dashboardsystem:redirectUri'))).toHaveValue(
    `${origin}/api/auth/providers/home/callback`,
  )
  await dialog.getByLabel(t('dashboardsystem:issuer'), { exact: true }).fill(provider.issuer)
  await dialog.getByLabel(t('dashboardsystem:clientId')).fill('marquee')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: t('common:save') }).click()
  await expect(dialog).toHaveCount(0)
  await page
    .getByRole('button', { name: new RegExp(`${t('dashboardsystem:testResolver')}: .?${PROVIDER_NAME}`) })
    .click()
  await expect(page.getByText(t('dashboardsystem:connection_ok'))).toBeVisible()

  /* The domains of automatic registration stay saved while the provider accepts only invitations. */
  const editProvider = async (registration: 'automatic' | 'invitation') => {
    const changeButtonPattern = new RegExp(`${t('dashboardsystem:changeText')}: .?${PROVIDER_NAME}`)
    await page.getByRole('button', { name: changeButtonPattern }).click()
    await dialog.getByLabel(t('dashboardsystem:registration')).selectOption(registration)
  }
  const saveProvider = async () => {
    await dialog.getByRole('button', { name: t('common:save') }).click()
    await expect(dialog).toHaveCount(0)
  }
  const domainsField = dialog.getByLabel(t('dashboardsystem:emailDomains'))
  await editProvider('automatic')
  await domainsField.fill('example.org')
  await saveProvider()
  await editProvider('invitation')
  await saveProvider()
  await editProvider('automatic')
  await expect(domainsField).toHaveValue('example.org')
  await dialog.getByRole('button', { name: t('common:cancel') }).click()
})

test('a user links an account to a provider, and signing in with the provider opens the requested page', async () => {
  await page.goto('/account/?tab=security')
  await page.getByRole('button', { name: buildNamePattern('security:identityLink') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('profiles:password'), { exact: true }).fill(readDemoCredentials().password)
  await dialog.getByRole('button', { name: t('common:next') }).click()
  const identitiesRegion = page.getByRole('region', { name: t('security:identities') })
  await expect(identitiesRegion.getByText('alex@provider.example')).toBeVisible()
  expect(page.url()).toBe(`${origin}/account/?tab=security`)
  await page.goto('/favicon.svg')
  await page.request.post('/api/auth/logout', { data: {} })
  await context.clearCookies()
  await page.goto('/calendar/')
  await page.getByRole('button', { name: buildNamePattern('auth:signInWith') }).click()
  await page.getByRole('button', { name: 'Alex' }).click()
  await expect(page).toHaveURL(/\/calendar\/$/)
  expect(problems).toEqual([])
})

test('a person without an account who signs in with a provider sees a message that explains how to get an account', async ({
  browser,
}) => {
  provider.person = { sub: 'stranger', email: 'stranger@provider.example', email_verified: true }
  const strangerPage = await (
    await browser.newContext({ baseURL: origin, serviceWorkers: 'block' })
  ).newPage()
  await strangerPage.goto('/fr/login/')
  const buttonName = new RegExp(
    getTranslation('fr', 'auth:signInWith').replace('{{name}}', `.?${PROVIDER_NAME}`),
  )
  await strangerPage.getByRole('button', { name: buttonName }).click()
  await expect(strangerPage.getByRole('alert')).toHaveText(getTranslation('fr', 'auth:provider_not_linked'))
  expect(strangerPage.url()).toBe(`${origin}/fr/login/`)
  await expectAccessible(strangerPage)
  await strangerPage.context().close()
})

test('a created API key is accepted until the user revokes the key', async () => {
  await page.goto('/account/?tab=security')
  const apiKeysRegion = page.getByRole('region', { name: t('security:apiKeys') })
  await apiKeysRegion.getByRole('button', { name: t('security:apiKeyCreate') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('security:apiKeyName')).fill('Light switch')
  await dialog.getByLabel(t('profiles:password'), { exact: true }).fill(readDemoCredentials().password)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: t('security:apiKeyCreate') }).click()
  const apiKey = await dialog.getByLabel(t('security:apiKeyReady')).inputValue()
  const headers = { Authorization: `Bearer ${apiKey}` }
  expect((await page.request.get('/api/movies?limit=1', { headers })).status()).toBe(200)
  await dialog.getByRole('button', { name: t('common:done') }).click()
  await apiKeysRegion.getByRole('button', { name: /Light switch/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('security:apiKeyRevoke') })
    .click()
  await expect(apiKeysRegion.getByText('Light switch')).toHaveCount(0)
  expect((await page.request.get('/api/movies?limit=1', { headers })).status()).toBe(401)
})

/** Sign-in on a television, which has only a remote control, with a code that a phone confirms. */
import { expect, test } from '@playwright/test'
import { collectPageProblems, expectAccessible, getTranslation, signInByRequest } from './journey-helpers.ts'
import { pressKeys } from './remote-control.ts'

const TELEVISION = {
  userAgent:
    'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/108.0 Safari/537.36',
  viewport: { width: 1920, height: 1080 },
}
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }
const t = (key: string) => getTranslation('en', key)

test('a phone signs a television in, which needs no press of a key', async ({ browser, baseURL }) => {
  const options = { baseURL: baseURL ?? '', serviceWorkers: 'block' as const }
  const phone = await (await browser.newContext({ ...options, ...PHONE })).newPage()
  await signInByRequest(phone.request)
  const startMs = Date.now()
  const television = await (await browser.newContext({ ...options, ...TELEVISION })).newPage()
  const { problems } = collectPageProblems(television)
  await television.goto('/login/')
  await expect(television.getByRole('img', { name: t('auth:qrLabel') })).toBeVisible()
  const code = (await television.getByRole('status', { name: t('auth:deviceCode') }).textContent()) ?? ''
  await phone.goto(`/link/?code=${code.replace('-', '')}`)
  await phone.getByRole('button', { name: 'Alex' }).click()
  await expect(phone.getByText(code)).toBeVisible()
  await expect(phone.getByText('Chrome · LG TV')).toBeVisible()
  await expect(phone.getByText(t('link:warning'))).toBeVisible()
  await phone.getByLabel('Alex').check()
  await phone.getByRole('button', { name: t('link:approve') }).click()
  const approvedMs = Date.now()
  await expect(phone.getByText(t('link:approved'))).toBeVisible()
  await television.waitForResponse((response) => response.url().endsWith('/api/profile'))
  expect(Date.now() - approvedMs).toBeLessThan(2_000)
  await expect(television.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
  expect(Date.now() - startMs).toBeLessThan(15_000)
  expect(problems).toEqual([])
  await phone.goto(`/link/?code=${code}`)
  await expect(phone.getByRole('alert')).toHaveText(t('link:unusable'))
  await expectAccessible(phone)
  await phone.context().close()
  await television.context().close()
})

test('a television explains a refusal, and gets a new code with one press', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL ?? '', serviceWorkers: 'block', ...TELEVISION })
  const page = await context.newPage()
  await page.route('**/api/auth/device-code/token', (route) => route.fulfill({ json: { state: 'denied' } }))
  await page.route('**/api/auth/device-code/events', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'data: {"kind":"decided"}\n\n' }),
  )
  await page.goto('/login/')
  await expect(page.getByRole('alert')).toHaveText(t('auth:codeDenied'))
  await expectAccessible(page)
  await page.unroute('**/api/auth/device-code/token')
  await page.unroute('**/api/auth/device-code/events')
  await pressKeys(page, 'Enter')
  await expect(page.getByRole('img', { name: t('auth:qrLabel') })).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByRole('button', { name: t('auth:usePassword') })).toBeFocused()
  await pressKeys(page, 'Enter')
  await expect(page.getByLabel(t('auth:email'))).toBeFocused()
  await context.close()
})

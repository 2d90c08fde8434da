/** Users who do not wait for slow replies: their last choice stays, and a late reply opens no other page. */
import { expect, type Page } from '@playwright/test'
import { getTranslation } from './journey-helpers.ts'
import { test } from './new-profile.ts'
import { openPage } from './page-navigation.ts'
import { getCurrentTimeSeconds, waitUntilPlaying } from './player.ts'

const t = (key: string) => getTranslation('en', key)

/** Holds the requests to matching URLs with this method until the returned function is called. */
async function holdRequests(page: Page, method: string, urlPattern: RegExp): Promise<() => void> {
  const { promise: releasePromise, resolve: release } = Promise.withResolvers<void>()
  await page.route(urlPattern, async (route) => {
    if (route.request().method() === method) await releasePromise
    await route.continue()
  })
  return release
}

test('preferences and notice settings show and store the last choice while replies are slow', async ({
  page,
  signInAsNewProfile,
}) => {
  const { problems, profilePath, callApi } = await signInAsNewProfile(page, 'Hasty')
  await openPage(page, 'en', '/account/?tab=preferences')
  const releasePreferenceRequests = await holdRequests(page, 'PUT', /\/api\/profile\/[^/]+$/)
  const textSizeSelect = page.getByLabel(t('account:textSize'))
  const spoilerSwitch = page.getByRole('switch', { name: t('account:hideSpoilers') })
  await textSizeSelect.selectOption('150')
  await expect(textSizeSelect).toHaveValue('150')
  await textSizeSelect.selectOption('130')
  await spoilerSwitch.click()
  await expect(textSizeSelect).toHaveValue('130')
  await expect(spoilerSwitch).toHaveAttribute('aria-checked', 'true')
  releasePreferenceRequests()
  await expect
    .poll(async () => {
      const { results } = await callApi('GET', '/api/profile')
      const profile = results.find(({ name }: { name: string }) => name === 'Hasty')
      return [profile.preferences.text_size, profile.preferences.hide_spoilers]
    })
    .toEqual([130, true])
  await expect(textSizeSelect).toHaveValue('130')
  await openPage(page, 'en', '/account/?tab=notices')
  await page.getByRole('switch', { name: t('notices:quietOn') }).click()
  const quietStartSelect = page.getByLabel(t('notices:from'), { exact: true })
  await expect(quietStartSelect).toBeVisible()
  const releaseSettingsRequests = await holdRequests(page, 'PUT', /\/notifications\/settings$/)
  await quietStartSelect.selectOption('20:00')
  await page.getByLabel(t('notices:until'), { exact: true }).selectOption('05:00')
  await expect(quietStartSelect).toHaveValue('20:00')
  releaseSettingsRequests()
  await expect
    .poll(async () => (await callApi('GET', `${profilePath}/notifications/settings`)).quiet)
    .toEqual({ from: '20:00', until: '05:00' })
  expect(problems).toEqual([])
})

test('a random title does not open if the reply with the title arrives after the user has left the page', async ({
  page,
  signInAsNewProfile,
}) => {
  await signInAsNewProfile(page, 'Hasty')
  await openPage(page, 'en', '/movies/')
  const releaseTitleRequest = await holdRequests(page, 'GET', /\/api\/movies\?.*limit=1(&|$)/)
  const surpriseButton = page.getByRole('button', { name: t('lists:surprise') })
  const titleRequestPromise = page.waitForRequest(/\/api\/movies\?.*limit=1(&|$)/)
  await surpriseButton.click()
  await titleRequestPromise
  await page
    .getByRole('link', { name: t('mylist:title') })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: t('mylist:title') })).toBeVisible()
  const openedUrls: string[] = []
  page.on('framenavigated', (frame) => openedUrls.push(frame.url()))
  const titleResponsePromise = page.waitForResponse(/\/api\/movies\?.*limit=1(&|$)/)
  releaseTitleRequest()
  await titleResponsePromise
  await page
    .getByRole('link', { name: t('header:calendar') })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: t('calendar:title') })).toBeVisible()
  expect(openedUrls.filter((url) => !/\/(mylist|calendar)\/$/.test(url))).toEqual([])
})

test('a movie resumes at the position at which the viewer left the player, although the report of this position is still being sent', async ({
  page,
  signInAsNewProfile,
}) => {
  const { problems } = await signInAsNewProfile(page, 'Hasty')
  const playMovie = async () => {
    await page.locator('main a[href*="/watch/"]').first().click()
    await waitUntilPlaying(page)
  }
  await openPage(page, 'en', '/movies/arrival/')
  await playMovie()
  const releaseReportRequests = await holdRequests(page, 'POST', /\/history$/)
  await page.locator('#picture').evaluate((video: HTMLVideoElement) => {
    video.currentTime = 30
  })
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(30)
  await page.goBack()
  await playMovie()
  expect(await getCurrentTimeSeconds(page)).toBeGreaterThan(25)
  releaseReportRequests()
  expect(problems).toEqual([])
})

test('after a mistyped user code is corrected, a late reply to the mistyped code does not replace the device of the corrected code', async ({
  page,
  signInAsNewProfile,
}) => {
  await signInAsNewProfile(page, 'Hasty')
  const codeResponse = await page.request.post('/api/auth/device-code', {
    data: { device_name: 'Living room' },
  })
  const { user_code: userCode } = await codeResponse.json()
  await openPage(page, 'en', '/link/')
  const { promise: releasePromise, resolve: releaseReply } = Promise.withResolvers<void>()
  const lookupPattern = '**/auth/device-code/lookup'
  await page.route(
    lookupPattern,
    async (route) => {
      await releasePromise
      await route.continue()
    },
    { times: 1 },
  )
  const codeField = page.getByLabel(t('link:code'))
  await codeField.fill('BBBB-BBBB')
  await codeField.press('Enter')
  await codeField.fill(userCode)
  await codeField.press('Enter')
  await expect(page.getByText('Living room')).toBeVisible()
  const lateResponsePromise = page.waitForResponse(lookupPattern)
  releaseReply()
  expect((await lateResponsePromise).status()).toBe(404)
  await page.getByRole('button', { name: t('link:deny') }).click()
  await expect(page.getByText(t('link:denied'))).toBeVisible()
})

test('a watch state that is chosen on the title page is shown before the server replies', async ({
  page,
  signInAsNewProfile,
}) => {
  await signInAsNewProfile(page, 'Hasty')
  await openPage(page, 'en', '/movies/arrival/')
  await page
    .getByRole('main')
    .getByRole('button', { name: t('common:addToList') })
    .click()
  const stateSelect = page.getByLabel(getTranslation('en', 'mylist:changeState', { title: 'Arrival' }))
  await expect(stateSelect).toHaveValue('planned')
  const releaseMarkRequest = await holdRequests(page, 'POST', /\/viewings$/)
  const markRequestPromise = page.waitForRequest(/\/viewings$/)
  await stateSelect.selectOption('completed')
  await markRequestPromise
  // The state is checked before the write becomes pending, which happens after four seconds without a reply. The page
  // shows every pending write, so a later check would prove nothing.
  expect(await stateSelect.inputValue()).toBe('completed')
  const markResponsePromise = page.waitForResponse(/\/viewings$/)
  releaseMarkRequest()
  expect((await markResponsePromise).ok()).toBe(true)
  await expect(stateSelect).toHaveValue('completed')
})

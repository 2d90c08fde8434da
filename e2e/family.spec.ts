/**
 * A parent sets up a child's profile, hides a title from the child, watches with the child, and answers the child's
 * requests.
 */
import { expect, type Page } from '@playwright/test'
import {
  collectPageProblems,
  expectAccessible,
  getPlayLink,
  getTranslation,
  readDemoCredentials,
  signIn,
  signInAsProfile,
} from './journey-helpers.ts'
import { test } from './new-profile.ts'
import { waitUntilSettled } from './page-navigation.ts'
import { signInAsParent } from './parent-requests.ts'
import { getCurrentTimeSeconds, isPaused } from './player.ts'

const CHILD_NAME = 'Mia'
const t = (key: string, values: Record<string, string> = {}) => getTranslation('en', key, values)
const activateButton = async (page: Page, buttonName: string) => {
  await page.getByRole('button', { name: buttonName, exact: true }).focus()
  await page.keyboard.press('Enter')
}

test('a parent sets up a child profile by keyboard, hides a title from the child, and watches together with the child', async ({
  page,
}) => {
  const { problems } = collectPageProblems(page)
  await signIn(page, 'en')
  await page.getByRole('button', { name: /Alex/ }).click()
  await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
  await page.goto('/account/?tab=family')
  await expect(page.getByRole('tab', { name: t('family:title') })).toHaveAttribute('aria-selected', 'true')
  await activateButton(page, t('family:setUp'))
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('family:setUpName')).focus()
  await page.keyboard.type(CHILD_NAME)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('switch', { name: t('family:setUpKids') })).toBeChecked()
  await expect(dialog.getByRole('switch', { name: t('family:setUpKids') })).toBeFocused()
  await expect(dialog.getByLabel(t('family:ageLimit'))).toHaveValue('7')
  await expectAccessible(page)
  await activateButton(page, t('family:setUpFinish'))
  await activateButton(page, t('viewingtime:withoutLimits'))
  await activateButton(page, t('profiles:protectLater'))
  const childButton = page.getByRole('button', { name: new RegExp(CHILD_NAME) })
  await expect(childButton).toHaveAttribute('aria-expanded', 'true')

  await page.goto('/movies/')
  await page.locator('.card-grid a').first().click()
  await page.getByRole('button', { name: t('titlerules:forTitle') }).click()
  await dialog.getByLabel(t('titlerules:ruleFor', { name: CHILD_NAME })).selectOption('deny')
  await expect(dialog.getByText(t('titlerules:hiddenNow', { name: CHILD_NAME }))).toBeVisible()

  await page.goto('/profiles/')
  await page.getByRole('button', { name: t('profiles:together') }).click()
  const startButton = page.getByRole('button', { name: t('profiles:togetherStart') })
  await page.getByRole('button', { name: /Alex/ }).click()
  await expect(startButton).toBeDisabled()
  await page.getByRole('button', { name: new RegExp(CHILD_NAME) }).click()
  await expectAccessible(page)
  await startButton.click()
  await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
  const menuButton = page.getByRole('button', { name: t('header:group', { names: `Alex, ${CHILD_NAME}` }) })
  await waitUntilSettled(page)
  await menuButton.click()
  await page.getByRole('button', { name: t('header:endGroup') }).click()
  await expect(page.getByRole('button', { name: t('header:menu', { name: 'Alex' }) })).toBeVisible()
  expect(problems).toEqual([])
})

test('a user who has forgotten the PINs of all chosen profiles enters the account password to start watching together', async ({
  page,
  signInAsNewProfile,
}) => {
  const { problems, callApi, profilePath } = await signInAsNewProfile(page, 'Noa')
  const { password } = readDemoCredentials()
  await callApi('POST', `${profilePath}/lock`, { pin: '2468', password })
  await page.goto('/profiles/')
  await page.getByRole('button', { name: t('profiles:together') }).click()
  await page.getByRole('button', { name: /Noa/ }).click()
  await page.getByRole('button', { name: /Robin/ }).click()
  await page.getByRole('button', { name: t('profiles:togetherStart') }).click()
  for (const name of ['Noa', 'Robin']) {
    const dialog = page.getByRole('dialog', { name: t('profiles:enterPin', { name }) })
    await dialog.getByRole('button', { name: t('profiles:forgotPin') }).click()
    await dialog.getByLabel(t('profiles:password'), { exact: true }).fill(password)
    await page.keyboard.press('Enter')
  }
  await expect(page.getByRole('button', { name: t('header:group', { names: 'Noa, Robin' }) })).toBeVisible()
  /*
   * The password replaced the PINs only for the start of the group. The profile Robin, which only joined the group,
   * keeps its PIN and stays locked.
   */
  await page.goto('/profiles/')
  await expect(page.getByRole('button', { name: /Robin/ })).toContainText(t('profiles:locked'))
  expect(problems).toEqual([])
})

test('a child asks for a title and watches it after a parent has allowed it, and playback stops when the viewing time is used up', async ({
  page: parentPage,
  browser,
}) => {
  const childPage = await (await browser.newContext()).newPage()
  const { putAsParent, childId, setViewingMinutes } = await signInAsParent(parentPage.request, CHILD_NAME)
  await putAsParent(`profile/${childId}/child-options`, { may_ask: true, spoken_labels: false })
  await setViewingMinutes(60)
  const titleName = 'The Wild Robot'

  await signInAsProfile(childPage, CHILD_NAME)
  const { promise: releasePromise, resolve: releaseRequests } = Promise.withResolvers<void>()
  await childPage.route(/\/requests\?name=/, async (route) => {
    await releasePromise
    await route.continue()
  })
  const searchResponsePromise = childPage.waitForResponse(/\/api\/search\?/)
  await childPage.goto(`/search/?q=${encodeURIComponent(titleName)}`)
  await searchResponsePromise
  await expect(childPage.getByRole('tab', { name: new RegExp(t('common:all')) })).toBeVisible()
  /* The message "no results" must not appear while the server looks for a title that the child may ask for. */
  await expect(childPage.getByText(t('searchpage:noResults'))).toHaveCount(0)
  releaseRequests()
  const askButton = childPage.getByRole('button', { name: t('requests:ask') })
  await expect(askButton).toBeVisible()
  await expect(childPage.getByText(t('searchpage:noResults'))).toHaveCount(0)
  await expectAccessible(childPage)

  await signInAsProfile(parentPage, 'Alex')
  await parentPage.goto('/account/?tab=family')
  await expect(parentPage.getByRole('button', { name: t('family:setUp') })).toBeVisible()
  await childPage.getByLabel(t('requests:reason')).press('Enter')
  await expect(childPage.getByText(t('requests:waiting'))).toBeFocused()
  const allowButton = parentPage.getByRole('button', { name: t('requests:answer_week') })
  await expect(allowButton).toBeVisible()
  await allowButton.click()
  await expect(childPage.getByText(t('requests:answered'))).toBeVisible()
  await childPage.getByRole('link', { name: new RegExp(titleName) }).click()
  await getPlayLink(childPage, 'en').click()
  await expect.poll(() => getCurrentTimeSeconds(childPage)).toBeGreaterThan(2)

  await setViewingMinutes(0)
  const timeUpDialog = childPage.getByRole('alertdialog', { name: t('viewingtime:overTitle') })
  await expect(timeUpDialog).toBeVisible()
  expect(await isPaused(childPage)).toBe(true)
  const stoppedAtSeconds = await getCurrentTimeSeconds(childPage)
  await expect(childPage.getByRole('button', { name: t('viewingtime:finishMovie') })).toBeFocused()
  await childPage.keyboard.press('Enter')
  await expect(timeUpDialog).toHaveCount(0)
  await expect.poll(() => isPaused(childPage)).toBe(false)
  expect(await getCurrentTimeSeconds(childPage)).toBeGreaterThanOrEqual(stoppedAtSeconds)
  await childPage.keyboard.press('k')
  const pausedSeconds = await getCurrentTimeSeconds(childPage)
  await childPage.reload()
  await expect.poll(() => getCurrentTimeSeconds(childPage)).toBeGreaterThanOrEqual(pausedSeconds - 1)
  await childPage.context().close()
})

test('a parent adds viewing time on the device of the child with the exit PIN of the account', async ({
  page: childPage,
  request,
}) => {
  const EXIT_PIN = '9753'
  const { putAsParent, setViewingMinutes } = await signInAsParent(request, CHILD_NAME)
  const setExitPin = (pin: string | null) => putAsParent('user/family/exit-pin', { pin })
  await setViewingMinutes(0)
  await setExitPin(EXIT_PIN)
  try {
    await signInAsProfile(childPage, CHILD_NAME)
    await childPage.goto('/movies/')
    await expect(childPage.locator('.card-grid a').first()).toBeVisible()
    /* Loads the page again: when it was loaded first, the server did not know yet which profile acts on this device. */
    await childPage.reload()
    /*
     * The previous test has used the grace of this day. The viewing time therefore ends with the first progress report
     * of this movie.
     */
    await childPage.locator('.card-grid a').nth(1).click()
    await getPlayLink(childPage, 'en').click()
    const timeUpDialog = childPage.getByRole('alertdialog', { name: t('viewingtime:overTitle') })
    await timeUpDialog.getByRole('button', { name: t('viewingtime:addHere') }).click()
    const viewingTimeDialog = childPage.getByRole('dialog', { name: t('viewingtime:addHere') })
    await viewingTimeDialog.getByRole('button', { name: '30 minutes' }).click()
    await expectAccessible(childPage)
    await viewingTimeDialog.locator('input').first().click()
    await childPage.keyboard.type('0000')
    await expect(viewingTimeDialog.getByText(t('profiles:invalidPin'))).toBeVisible()
    await childPage.keyboard.type(EXIT_PIN)
    await expect(timeUpDialog).toHaveCount(0)
    await expect.poll(() => getCurrentTimeSeconds(childPage)).toBeGreaterThan(1)
  } finally {
    await setExitPin(null)
  }
})

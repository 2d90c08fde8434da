/** Playback of series: start position, next episode card, "still watching" question and episode list. */
import { expect, type Page, test } from '@playwright/test'
import { collectPageProblems, expectAccessible, getTranslation, signInAsProfile } from './journey-helpers.ts'
import { ARRIVAL_WATCH_PATH, getCurrentTimeSeconds, isPaused, openAndPlay, seekTo } from './player.ts'

const SERIES_SLUG = 'the-last-of-us'
const buildEpisodeUrl = (season: number, episode: number) =>
  `/watch/?type=tv&slug=${SERIES_SLUG}&season=${season}&episode=${episode}&redirect=%2Ftvshows%2F${SERIES_SLUG}`
const t = (key: string) => getTranslation('en', key)

let page: Page
/** A page whose clock the tests move forward, so that tests do not wait for countdowns. */
let clockPage: Page
let problemCollectors: { problems: string[] }[]

test.beforeAll(async ({ browser }) => {
  /* A mocked clock applies to the whole browser context, so each page has a context of its own. */
  page = await (await browser.newContext()).newPage()
  clockPage = await (await browser.newContext()).newPage()
  await clockPage.clock.install()
  problemCollectors = [collectPageProblems(page), collectPageProblems(clockPage)]
  await signInAsProfile(page, 'Alex')
  await signInAsProfile(clockPage, 'Alex')
})
test.afterAll(() => Promise.all([page.context().close(), clockPage.context().close()]))

const getNextEpisodeCard = (page: Page) => page.getByRole('region', { name: t('watch:next') })
/** Waits for the countdown of the next episode card and moves the clock second by second to its end. */
async function skipCountdown(page: Page): Promise<void> {
  const countdown = getNextEpisodeCard(page).getByRole('timer')
  await expect(countdown).toBeVisible()
  const advanceClockOneSecond = async () => {
    await page.clock.fastForward(1_000)
    return countdown.count()
  }
  await expect.poll(advanceClockOneSecond, { intervals: [20] }).toBe(0)
}

/** Waits until an episode such as `S2 E1` plays. Until its sources are known, the page shows the previous episode. */
async function waitUntilEpisodePlays(page: Page, episodeName: string): Promise<void> {
  await expect(page.locator('h1')).toContainText(episodeName)
  const isPlayingFromStart = async () => {
    const positionSeconds = await getCurrentTimeSeconds(page)
    return positionSeconds > 0.2 && positionSeconds < 15
  }
  await expect.poll(isPlayingFromStart).toBe(true)
}

test('if the position was saved in a longer file of the episode, playback starts at the same fraction of the duration', async () => {
  /*
   * In the demo household, the saved position of this episode is half of 55 minutes. The clip is one minute long, so
   * playback must start near 30 s.
   */
  await openAndPlay(page, buildEpisodeUrl(1, 3))
  const positionSeconds = await getCurrentTimeSeconds(page)
  expect(positionSeconds).toBeGreaterThan(5)
  expect(positionSeconds).toBeLessThan(50)
})

test('an episode without a saved position starts at its beginning, although the previous episode was resumed', async () => {
  await openAndPlay(page, buildEpisodeUrl(1, 3))
  expect(await getCurrentTimeSeconds(page)).toBeGreaterThan(20)
  await page.keyboard.press('Shift+N')
  await waitUntilEpisodePlays(page, 'S1 E4')
})

test('during the credits of the last episode of a season, the next episode card names the next season, and the first episode of that season plays when the countdown ends', async () => {
  const page = clockPage
  await openAndPlay(page, buildEpisodeUrl(1, 9))
  await seekTo(page, 55)
  const card = getNextEpisodeCard(page)
  await expect(card).toContainText('S2 E1')
  await expect(card).toContainText(t('watch:newSeason').replace('{{season}}', 'Season 2'))
  await skipCountdown(page)
  await expect(page).toHaveURL(/season=2&episode=1/)
  await expect(page).toHaveURL(/redirect=/)
  await waitUntilEpisodePlays(page, 'S2 E1')
})

test('a key press stops the countdown of the next episode card, and the card stays visible', async () => {
  await openAndPlay(page, buildEpisodeUrl(1, 2))
  await seekTo(page, 55)
  const card = getNextEpisodeCard(page)
  await expect(card.getByRole('timer')).toBeVisible()
  await page.keyboard.press('m')
  await expect(card.getByRole('timer')).toBeHidden()
  await expect(card).toBeVisible()
  await page.keyboard.press('m')
  const announcement = t('watch:nextIs').replace('{{episode}}', 'S1 E3')
  await expect(page.getByRole('status').filter({ hasText: announcement })).toHaveCount(1)
  await card.getByRole('button', { name: t('watch:playNow') }).focus()
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowRight']) {
    await page.keyboard.press(key)
    await expect(card.locator(':focus')).toBeVisible()
  }
  await card.getByRole('button', { name: t('watch:playNow') }).click()
  await expect(page).toHaveURL(/episode=3/)
})

test('after three episodes and 90 minutes without input, the player pauses and asks whether the viewer is still watching, and plays the next episode after the viewer confirms', async () => {
  const page = clockPage
  await openAndPlay(page, buildEpisodeUrl(1, 4))
  for (const episodeNumber of [5, 6, 7]) {
    await seekTo(page, 55)
    await skipCountdown(page)
    await expect(page).toHaveURL(new RegExp(`episode=${episodeNumber}`))
    await waitUntilEpisodePlays(page, `S1 E${episodeNumber}`)
  }
  await page.evaluate(() => {
    const { now } = Date
    Date.now = () => now() + 91 * 60_000
  })
  await seekTo(page, 55)
  await skipCountdown(page)
  const questionDialog = page.getByRole('dialog', { name: t('watch:stillWatching') })
  await expect(questionDialog).toBeVisible()
  expect(await isPaused(page)).toBe(true)
  await expect(page).toHaveURL(/episode=7/)
  await expectAccessible(page)
  await questionDialog.getByRole('button', { name: t('watch:stillHere') }).press('Enter')
  await expect(questionDialog).toBeHidden()
  await expect(page).toHaveURL(/episode=8/)
  await waitUntilEpisodePlays(page, 'S1 E8')
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
})

test('selecting an episode in the episode list plays the episode, and Shift+P plays the previous episode', async () => {
  await openAndPlay(page, buildEpisodeUrl(1, 2))
  await page.keyboard.press('e')
  const episodesDrawer = page.getByRole('dialog', { name: t('watch:episodes') })
  await expect(episodesDrawer.getByRole('button', { name: '2. Infected' })).toBeFocused()
  await expectAccessible(page)
  await episodesDrawer.getByRole('combobox').selectOption({ label: 'Season 2' })
  await episodesDrawer.getByRole('button', { name: /S2 E2/ }).click()
  await expect(page).toHaveURL(/season=2&episode=2/)
  await waitUntilEpisodePlays(page, 'S2 E2')
  await page.keyboard.press('Shift+P')
  await expect(page).toHaveURL(/season=2&episode=1/)
})

test('in the episode list, a season that cannot be loaded shows a retry button, and an error that arrives after another season was selected is ignored', async ({
  browser,
}) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signInAsProfile(page, 'Alex')
  let areRequestsFailing = false
  let failureReleasePromise: Promise<void> | undefined
  await context.route('**/api/seasons/*/episodes*', async (route) => {
    if (!areRequestsFailing) return route.continue()
    await failureReleasePromise
    return route.fulfill({ status: 404, json: { type: 'not_found', message: 'Not found' } })
  })
  const episodesResponsePromise = page.waitForResponse(/\/api\/seasons\/[^/]+\/episodes/)
  void episodesResponsePromise.then(() => {
    areRequestsFailing = true
  })
  await openAndPlay(page, buildEpisodeUrl(1, 2))
  await page.keyboard.press('e')
  const drawer = page.getByRole('dialog', { name: t('watch:episodes') })
  const { promise, resolve: releaseFailure } = Promise.withResolvers<void>()
  failureReleasePromise = promise
  const failureResponsePromise = page.waitForResponse((response) => response.status() === 404)
  await drawer.getByRole('combobox').selectOption({ label: 'Season 2' })
  await drawer.getByRole('combobox').selectOption({ label: 'Season 1' })
  releaseFailure()
  await failureResponsePromise
  await expect(drawer.getByRole('button', { name: '2. Infected' })).toBeVisible()
  await expect(drawer.getByText(t('errors:network'))).toHaveCount(0)

  await drawer.getByRole('combobox').selectOption({ label: 'Season 2' })
  await expect(drawer.getByText(t('errors:network'))).toBeVisible()
  const retryButton = drawer.getByRole('button', { name: t('common:tryAgain') })
  const secondFailurePromise = page.waitForResponse(/\/api\/seasons\/[^/]+\/episodes/)
  await retryButton.click()
  await (await secondFailurePromise).finished()
  await expect(retryButton).toBeFocused()
  areRequestsFailing = false
  /*
   * A retry that starts during the previous attempt fails together with that attempt. The key is therefore pressed
   * until a retry succeeds.
   */
  await expect(async () => {
    if (await retryButton.isVisible()) await retryButton.press('Enter')
    await expect(drawer.getByRole('button', { name: /S2 E2/ })).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(retryButton).toHaveCount(0)
  await context.close()
})

test('the embedded player stops after three episodes and 90 minutes without input, and the Play button then starts the next episode', async () => {
  await page.goto(buildEpisodeUrl(1, 4).replace('/watch/', '/watch/embed'))
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(0.2)
  for (const episodeNumber of [5, 6, 7]) {
    await seekTo(page, 59)
    await expect(page).toHaveURL(new RegExp(`episode=${episodeNumber}`))
    await expect.poll(() => getCurrentTimeSeconds(page)).toBeLessThan(15)
  }
  await page.evaluate(() => {
    const { now } = Date
    Date.now = () => now() + 91 * 60_000
  })
  await seekTo(page, 59)
  await page.getByRole('button', { name: t('common:play') }).click()
  await expect(page).toHaveURL(/episode=8/)
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeLessThan(15)
  await seekTo(page, 59)
  await expect(page).toHaveURL(/episode=9/)
})

test('no page of the earlier tests in this file has reported an error', () =>
  expect(problemCollectors.flatMap(({ problems }) => problems)).toEqual([]))

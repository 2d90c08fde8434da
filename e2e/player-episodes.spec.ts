/** Playback of series: start position, next episode card, "still watching" question and episode list. */
import { expect, type Page, test } from '@playwright/test'
import { collectPageProblems, expectAccessible, getTranslation, signInAsProfile } from './journey-helpers.ts'
import { ARRIVAL_WATCH_PATH, getCurrentTimeSeconds, isPaused, openAndPlay } from './player.ts'

const SERIES_SLUG = 'the-last-of-us'
const buildEpisodeUrl = (season: number, number: number) =>
  `/watch/?type=tv&slug=${SERIES_SLUG}&season=${season}&episode=${number}&redirect=%2Ftvshows%2F${SERIES_SLUG}`
const t = (key: string) => getTranslation('en', key)

let page: Page
let problems: string[]

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext()).newPage()
  problems = collectPageProblems(page).problems
  await signInAsProfile(page, 'Alex')
})
test.afterAll(() => page.context().close())

test('if the saved position belongs to a longer file, playback starts at the proportional position', async () => {
  /* In the demo household the saved position of this episode is half of 55 minutes; the clip is one minute long. */
  await openAndPlay(page, buildEpisodeUrl(1, 3))
  const positionSeconds = await getCurrentTimeSeconds(page)
  expect(positionSeconds).toBeGreaterThan(5)
  expect(positionSeconds).toBeLessThan(50)
})

test('after the last episode of a season, the next episode card counts down and names the new season', async () => {
  await openAndPlay(page, buildEpisodeUrl(1, 9))
  await page.locator('#picture').evaluate((video: HTMLVideoElement) => {
    video.currentTime = 55
  })
  const card = page.getByRole('region', { name: t('watch:next') })
  await expect(card).toContainText('S2 E1')
  await expect(card).toContainText(t('watch:newSeason').replace('{{season}}', 'Season 2'))
  await expect(card.getByRole('timer')).toBeVisible()
  await expect(page).toHaveURL(/season=2&episode=1/)
  await expect(page).toHaveURL(/redirect=/)
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(0.5)
  await expect(page.getByText('S2 E1')).toBeVisible()
  expect(await getCurrentTimeSeconds(page)).toBeLessThan(15)
})

test('any key stops the countdown, and the next episode card stays visible', async () => {
  await openAndPlay(page, buildEpisodeUrl(1, 2))
  await page.locator('#picture').evaluate((video: HTMLVideoElement) => {
    video.currentTime = 55
  })
  const card = page.getByRole('region', { name: t('watch:next') })
  await expect(card.getByRole('timer')).toBeVisible()
  await page.keyboard.press('m')
  await expect(card.getByRole('timer')).toBeHidden()
  await expect(card).toBeVisible()
  await page.keyboard.press('m')
  await card.getByRole('button', { name: t('watch:playNow') }).click()
  await expect(page).toHaveURL(/episode=3/)
})

test('after three episodes and 90 minutes without input, the player pauses and asks whether the viewer is still watching', async () => {
  test.setTimeout(240_000)
  await openAndPlay(page, buildEpisodeUrl(1, 4))
  const seekToCredits = () =>
    page.locator('#picture').evaluate((video: HTMLVideoElement) => {
      video.currentTime = 58
    })
  for (const number of [5, 6, 7]) {
    await seekToCredits()
    await expect(page).toHaveURL(new RegExp(`episode=${number}`), { timeout: 40_000 })
    await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(0.2)
  }
  await page.evaluate(() => {
    const { now } = Date
    Date.now = () => now() + 91 * 60_000
  })
  await seekToCredits()
  const questionDialog = page.getByRole('dialog', { name: t('watch:stillWatching') })
  await expect(questionDialog).toBeVisible({ timeout: 40_000 })
  expect(await isPaused(page)).toBe(true)
  await expect(page).toHaveURL(/episode=7/)
  await expectAccessible(page)
  await questionDialog.getByRole('button', { name: t('watch:stillHere') }).click()
  await expect(questionDialog).toBeHidden()
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
})

test('selecting an episode in the episode list plays it, and Shift+P plays the previous episode', async () => {
  await openAndPlay(page, buildEpisodeUrl(1, 2))
  await page.keyboard.press('e')
  const episodesDrawer = page.getByRole('dialog', { name: t('watch:episodes') })
  await expect(episodesDrawer.getByRole('button', { name: '2. Infected' })).toBeFocused()
  await expectAccessible(page)
  await episodesDrawer.getByRole('combobox').selectOption({ label: 'Season 2' })
  await episodesDrawer.getByRole('button', { name: /S2 E2/ }).click()
  await expect(page).toHaveURL(/season=2&episode=2/)
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(0.3)
  await page.keyboard.press('Shift+P')
  await expect(page).toHaveURL(/season=2&episode=1/)
})

test('the journeys above cause no page errors', () => expect(problems).toEqual([]))

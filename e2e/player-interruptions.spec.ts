/**
 * Pauses while a source loads, fullscreen and picture-in-picture, media keys, the end of the viewing time, the next
 * episode card, held keys, the OK key and forced colours.
 */
import { type BrowserContext, expect, type Page, type Route, test } from '@playwright/test'
import { getPlayLink, getTranslation, signInAsProfile } from './journey-helpers.ts'
import { signInAsParent } from './parent-requests.ts'
import {
  ARRIVAL_WATCH_PATH,
  clickPlayerControl,
  getCurrentSource,
  getCurrentTimeSeconds,
  getVideoHeight,
  isPaused,
  openAndPlay,
  seekTo,
  waitUntilPlaying,
} from './player.ts'
import { pressRemoteBack, TELEVISION_CONTEXT_OPTIONS } from './remote-control.ts'

/** `HTMLMediaElement.HAVE_ENOUGH_DATA`. */
const HAVE_ENOUGH_DATA = 4
const t = (key: string) => getTranslation('en', key)
const buildEpisodeUrl = (episode: number) =>
  `/watch/?type=tv&slug=the-last-of-us&season=1&episode=${episode}&redirect=%2Ftvshows%2Fthe-last-of-us`
const getNextEpisodeCard = (page: Page) => page.getByRole('region', { name: t('watch:next') })
/** Window with the media session handlers that the player has registered, by action. */
interface MediaSessionWindow extends Window {
  mediaSessionHandlers?: Partial<Record<MediaSessionAction, MediaSessionActionHandler>>
}
/** Calls the media session handler of an action, as a media key would. */
const callMediaSessionHandler = (page: Page, action: MediaSessionAction) =>
  page.evaluate(
    (calledAction) =>
      (window as MediaSessionWindow).mediaSessionHandlers?.[calledAction]?.({ action: calledAction }),
    action,
  )

let context: BrowserContext
let page: Page

/** Opens a signed-in page whose media session handlers the tests can call. */
async function createSignedInPage(pageContext: BrowserContext): Promise<Page> {
  const newPage = await pageContext.newPage()
  await newPage.addInitScript(() => {
    const handlers: MediaSessionWindow['mediaSessionHandlers'] = {}
    Object.assign(window, { mediaSessionHandlers: handlers })
    navigator.mediaSession.setActionHandler = (action, handler) => {
      if (handler) handlers[action] = handler
      else delete handlers[action]
    }
  })
  await signInAsProfile(newPage, 'Alex')
  return newPage
}

test.beforeAll(async ({ browser }) => {
  context = await browser.newContext()
  page = await createSignedInPage(context)
})
test.afterAll(() => context.close())

test('when the viewer pauses while a source loads and the source fails, its replacement does not start to play', async () => {
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  const { promise: failurePromise, resolve: failRequest } = Promise.withResolvers<void>()
  const failedUrls: string[] = []
  const failLater = async (route: Route) => {
    await failurePromise
    await route.fulfill({ status: 410, body: '' })
    failedUrls.push(route.request().url())
  }
  const playingSource = await getCurrentSource(page)
  await page.route((url) => url.pathname.includes('/proxy/m/') && url.href !== playingSource, failLater, {
    times: 1,
  })
  await clickPlayerControl(page, 'button', t('watch:settings'))
  await clickPlayerControl(page, 'radio', '360p')
  await page.keyboard.press('k')
  await expect.poll(() => isPaused(page)).toBe(true)
  failRequest()
  await expect.poll(() => getVideoHeight(page)).toBe(360)
  expect(failedUrls).toHaveLength(1)
  await expect(page.getByRole('button', { name: t('common:play'), exact: true })).toBeVisible()
  const positionSeconds = await getCurrentTimeSeconds(page)
  // With this much data, a video that is not paused would play.
  await expect
    .poll(() => page.locator('#picture').evaluate((video: HTMLVideoElement) => video.readyState))
    .toBe(HAVE_ENOUGH_DATA)
  expect([await isPaused(page), await getCurrentTimeSeconds(page)]).toEqual([true, positionSeconds])
  await clickPlayerControl(page, 'radio', '720p')
})

test('leaving the player ends fullscreen and picture-in-picture, and the player that opens after fullscreen offers both', async () => {
  await page.goto('/movies/arrival')
  await getPlayLink(page, 'en').click()
  await waitUntilPlaying(page)
  await page.keyboard.press('f')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.id)).toBe('theatre')
  await clickPlayerControl(page, 'link', t('common:back'))
  await getPlayLink(page, 'en').waitFor()
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
  await getPlayLink(page, 'en').click()
  await waitUntilPlaying(page)
  await page.keyboard.press('k')
  await expect(page.getByRole('button', { name: t('watch:fullscreen'), exact: true })).toBeVisible()
  await page.keyboard.press('k')
  await clickPlayerControl(page, 'button', t('watch:pip'))
  await expect.poll(() => page.evaluate(() => document.pictureInPictureElement?.id)).toBe('picture')
  await expect(
    page.getByRole('button', { name: t('watch:pip'), pressed: true, includeHidden: true }),
  ).toBeAttached()
  await clickPlayerControl(page, 'link', t('common:back'))
  await getPlayLink(page, 'en').waitFor()
  await expect.poll(() => page.evaluate(() => document.pictureInPictureElement)).toBeNull()
})

test('an episode between two others has media keys for the next and previous episode, a movie has neither, and leaving the player removes all media keys', async () => {
  const listHandledActions = () =>
    page.evaluate(() => Object.keys((window as MediaSessionWindow).mediaSessionHandlers ?? {}).sort())
  const movieActions = ['pause', 'play', 'seekbackward', 'seekforward', 'seekto']
  await openAndPlay(page, buildEpisodeUrl(2))
  await expect.poll(listHandledActions).toEqual(['nexttrack', ...movieActions, 'previoustrack'].sort())
  await callMediaSessionHandler(page, 'nexttrack')
  await expect(page).toHaveURL(/episode=3/)
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await expect.poll(listHandledActions).toEqual(movieActions)
  await clickPlayerControl(page, 'link', t('common:back'))
  await expect.poll(listHandledActions).toEqual([])
})

test('while a panel is open, the countdown of the next episode card stands still', async ({ browser }) => {
  const clockContext = await browser.newContext()
  const clockPage = await createSignedInPage(clockContext)
  await clockPage.clock.install()
  await openAndPlay(clockPage, buildEpisodeUrl(2))
  await clickPlayerControl(clockPage, 'button', t('watch:settings'))
  await seekTo(clockPage, 58)
  const countdown = getNextEpisodeCard(clockPage).getByRole('timer', { includeHidden: true })
  await expect(countdown).toBeAttached()
  const countdownLabel = (await countdown.getAttribute('aria-label')) ?? ''
  for (let second = 0; second < 12; second++) await clockPage.clock.runFor(1_000)
  await expect(countdown).toHaveAttribute('aria-label', countdownLabel)
  await expect(clockPage).toHaveURL(/episode=2/)
  await clockContext.close()
})

test('with a remote control, Left focuses the next episode card instead of seeking, Back closes the card, and Back leaves the player after the video has ended', async ({
  browser,
}) => {
  const televisionContext = await browser.newContext(TELEVISION_CONTEXT_OPTIONS)
  const televisionPage = await createSignedInPage(televisionContext)
  const card = getNextEpisodeCard(televisionPage)
  const playButton = card.getByRole('button', { name: t('watch:playNow') })
  await openAndPlay(televisionPage, buildEpisodeUrl(2))
  // The first arrow key turns on remote control mode.
  await televisionPage.keyboard.press('ArrowLeft')
  await seekTo(televisionPage, 55)
  await expect(playButton).toBeFocused()
  await televisionPage.locator('#picture').evaluate((video: HTMLVideoElement) => video.pause())
  await playButton.evaluate((button: HTMLElement) => button.blur())
  const positionSeconds = await getCurrentTimeSeconds(televisionPage)
  await televisionPage.keyboard.press('ArrowLeft')
  await expect(playButton).toBeFocused()
  expect(await getCurrentTimeSeconds(televisionPage)).toBe(positionSeconds)
  await pressRemoteBack(televisionPage)
  await expect(card).toHaveCount(0)
  await expect(televisionPage).toHaveURL(/\/watch\//)
  await televisionPage.keyboard.press('ArrowLeft')
  await expect.poll(() => getCurrentTimeSeconds(televisionPage)).toBeLessThan(positionSeconds - 9)
  await seekTo(televisionPage, 59)
  await televisionPage.keyboard.press('k')
  await expect(playButton).toBeFocused()
  const hasEnded = () => televisionPage.locator('#picture').evaluate((video: HTMLVideoElement) => video.ended)
  await expect.poll(hasEnded).toBe(true)
  await pressRemoteBack(televisionPage)
  await expect(televisionPage).toHaveURL(/\/tvshows\/the-last-of-us$/)
  await televisionContext.close()
})

test('when the OK key pauses and then continues the video, the controls hide again and the focus returns to the video', async () => {
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await page.keyboard.press('0')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: t('common:play') })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => isPaused(page)).toBe(false)
  await expect(page.getByRole('button', { name: t('watch:pause') })).toBeHidden()
  const positionSeconds = await getCurrentTimeSeconds(page)
  await page.keyboard.press('ArrowRight')
  // Without the seek, playback would need nine seconds to reach this position, longer than the timeout.
  await expect
    .poll(() => getCurrentTimeSeconds(page), { timeout: 5_000 })
    .toBeGreaterThan(positionSeconds + 9)
})

test('a held key toggles playback once, and neither the End key in a panel nor the right mouse button seeks', async () => {
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await page.keyboard.press('0')
  for (const key of ['k', 'Enter', ' ']) {
    const wasPaused = await isPaused(page)
    for (let press = 0; press < 4; press++) await page.keyboard.down(key)
    await page.keyboard.up(key)
    await expect.poll(() => isPaused(page), { message: key }).toBe(!wasPaused)
  }
  await clickPlayerControl(page, 'button', t('watch:settings'))
  await page.keyboard.press('End')
  const timelineBox = await page.getByRole('slider', { name: t('watch:seek') }).boundingBox()
  if (!timelineBox) throw new Error('The seek bar is not visible.')
  const { x, y, width, height } = timelineBox
  await page.mouse.click(x + width * 0.9, y + height / 2, { button: 'right' })
  await page.keyboard.press('Escape')
  expect(await getCurrentTimeSeconds(page)).toBeLessThan(40)
})

test('if the viewer has paused before the viewing time ends, added time does not start the video, and media keys do nothing while the time is over', async ({
  browser,
}) => {
  const childContext = await browser.newContext()
  const childPage = await createSignedInPage(childContext)
  const { setViewingMinutes } = await signInAsParent(childPage.request, 'Sunny')
  await setViewingMinutes(60)
  try {
    await signInAsProfile(childPage, 'Sunny')
    await childPage.goto('/movies/')
    await childPage.locator('[data-card]').first().click()
    await getPlayLink(childPage, 'en').click()
    await waitUntilPlaying(childPage)
    await childPage.keyboard.press('k')
    await expect.poll(() => isPaused(childPage)).toBe(true)
    const positionSeconds = await getCurrentTimeSeconds(childPage)
    await setViewingMinutes(0)
    const timeUpDialog = childPage.getByRole('alertdialog', { name: t('viewingtime:overTitle') })
    await expect(timeUpDialog).toBeVisible()
    for (const action of ['play', 'seekforward'] as const) await callMediaSessionHandler(childPage, action)
    await setViewingMinutes(60)
    await expect(timeUpDialog).toHaveCount(0)
    const playButton = childPage.getByRole('button', { name: t('common:play') })
    await expect(playButton).toBeVisible()
    expect(await isPaused(childPage)).toBe(true)
    expect(await getCurrentTimeSeconds(childPage)).toBe(positionSeconds)
    await childPage.keyboard.press('k')
    await expect.poll(() => isPaused(childPage)).toBe(false)
  } finally {
    await setViewingMinutes(null)
  }
  await childContext.close()
})

test('with forced colours, the icon buttons of the player have an opaque background', async ({ browser }) => {
  const forcedColorsContext = await browser.newContext({ forcedColors: 'active' })
  const forcedColorsPage = await createSignedInPage(forcedColorsContext)
  await openAndPlay(forcedColorsPage, ARRIVAL_WATCH_PATH)
  await forcedColorsPage.keyboard.press('k')
  for (const control of [
    forcedColorsPage.getByRole('link', { name: t('common:back') }),
    forcedColorsPage.getByRole('button', { name: t('watch:captions') }),
  ])
    await expect(control).toHaveCSS('background-color', /^rgb\(/)
  await forcedColorsContext.close()
})

/**
 * Playback that the viewer or the system interrupts: a pause while a source loads, fullscreen and picture-in-picture
 * that end with the page, hardware keys, the end of the viewing time, and the next episode card that is closed or
 * covered.
 */
import { type BrowserContext, expect, type Page, type Route, test } from '@playwright/test'
import { getPlayLink, getTranslation, signInAsProfile } from './journey-helpers.ts'
import { signInAsParent } from './parent-requests.ts'
import {
  ARRIVAL_WATCH_PATH,
  clickPlayerControl,
  getCurrentTimeSeconds,
  isPaused,
  openAndPlay,
  waitUntilPlaying,
} from './player.ts'
import { pressRemoteBack, TELEVISION_CONTEXT_OPTIONS } from './remote-control.ts'

const t = (key: string) => getTranslation('en', key)
const buildEpisodeUrl = (episode: number) =>
  `/watch/?type=tv&slug=the-last-of-us&season=1&episode=${episode}&redirect=%2Ftvshows%2Fthe-last-of-us`
const getNextEpisodeCard = (page: Page) => page.getByRole('region', { name: t('watch:next') })
const seekTo = (page: Page, seekSeconds: number) =>
  page.locator('#picture').evaluate((video: HTMLVideoElement, positionSeconds) => {
    video.currentTime = positionSeconds
  }, seekSeconds)
/** A page whose media session handlers the tests can call. */
interface MediaSessionWindow extends Window {
  mediaSessionHandlers?: Partial<Record<MediaSessionAction, MediaSessionActionHandler>>
}
/** Calls the handler that the player has registered for a hardware key. */
const pressHardwareKey = (page: Page, action: MediaSessionAction) =>
  page.evaluate(
    (pressedAction) =>
      (window as MediaSessionWindow).mediaSessionHandlers?.[pressedAction]?.({ action: pressedAction }),
    action,
  )

let context: BrowserContext
let page: Page

/** Opens a signed-in page whose media session handlers the tests can call. */
async function openPage(newContext: BrowserContext): Promise<Page> {
  const newPage = await newContext.newPage()
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
  page = await openPage(context)
})
test.afterAll(() => context.close())

test('after the viewer pauses before a source has loaded, the source that replaces it when it fails stays paused', async () => {
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  const { promise: failurePromise, resolve: failRequest } = Promise.withResolvers<void>()
  const failLater = async (route: Route) => {
    await failurePromise
    await route.fulfill({ status: 410, body: '' })
  }
  await page.route('**/proxy/m/**', failLater, { times: 1 })
  await clickPlayerControl(page, 'button', t('watch:settings'))
  await clickPlayerControl(page, 'radio', '360p')
  await page.keyboard.press('k')
  await expect.poll(() => isPaused(page)).toBe(true)
  failRequest()
  const readHeight = () => page.locator('#picture').evaluate((video: HTMLVideoElement) => video.videoHeight)
  await expect.poll(readHeight).toBe(360)
  expect(await isPaused(page)).toBe(true)
  await clickPlayerControl(page, 'radio', '720p')
})

test('after the player was left in fullscreen and in picture-in-picture, neither is active, and the next player offers both', async () => {
  await page.goto('/movies/arrival')
  await getPlayLink(page, 'en').click()
  await waitUntilPlaying(page)
  await page.keyboard.press('f')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.id)).toBe('theatre')
  await clickPlayerControl(page, 'link', t('common:back'))
  await getPlayLink(page, 'en').click()
  await waitUntilPlaying(page)
  await page.keyboard.press('k')
  await expect(page.getByRole('button', { name: t('watch:fullscreen'), exact: true })).toBeVisible()
  await page.keyboard.press('k')
  await clickPlayerControl(page, 'button', t('watch:pip'))
  await expect.poll(() => page.evaluate(() => document.pictureInPictureElement?.id)).toBe('picture')
  await clickPlayerControl(page, 'link', t('common:back'))
  await getPlayLink(page, 'en').waitFor()
  await expect.poll(() => page.evaluate(() => document.pictureInPictureElement)).toBeNull()
})

test('hardware keys for the next and previous title exist only if there is such an episode, and none remain after the player is left', async () => {
  const listActions = () =>
    page.evaluate(() => Object.keys((window as MediaSessionWindow).mediaSessionHandlers ?? {}).sort())
  const movieActions = ['pause', 'play', 'seekbackward', 'seekforward', 'seekto']
  await openAndPlay(page, buildEpisodeUrl(2))
  await expect.poll(listActions).toEqual(['nexttrack', ...movieActions, 'previoustrack'].sort())
  await pressHardwareKey(page, 'nexttrack')
  await expect(page).toHaveURL(/episode=3/)
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await expect.poll(listActions).toEqual(movieActions)
  await clickPlayerControl(page, 'link', t('common:back'))
  await expect.poll(listActions).toEqual([])
})

test('while a panel is open, the countdown of the next episode card stands still', async ({ browser }) => {
  const clockContext = await browser.newContext()
  const clockPage = await openPage(clockContext)
  await clockPage.clock.install()
  await openAndPlay(clockPage, buildEpisodeUrl(2))
  await clickPlayerControl(clockPage, 'button', t('watch:settings'))
  await seekTo(clockPage, 58)
  const countdown = getNextEpisodeCard(clockPage).getByRole('timer', { includeHidden: true })
  await expect(countdown).toBeAttached()
  for (let second = 0; second < 12; second++) await clockPage.clock.runFor(1_000)
  await expect(clockPage).toHaveURL(/episode=2/)
  await expect(countdown).toBeAttached()
  await clockContext.close()
})

test('with a remote control, Back closes the next episode card, Left and Right never seek behind the card, and Back leaves the player once the video has ended', async ({
  browser,
}) => {
  const televisionContext = await browser.newContext(TELEVISION_CONTEXT_OPTIONS)
  const televisionPage = await openPage(televisionContext)
  const card = getNextEpisodeCard(televisionPage)
  const playButton = card.getByRole('button', { name: t('watch:playNow') })
  await openAndPlay(televisionPage, buildEpisodeUrl(2))
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
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(positionSeconds + 9)
})

test('a held key acts once unless it seeks, the End key does not seek in a panel, and the right mouse button does not seek', async () => {
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
  await page.mouse.click(
    (timelineBox?.x ?? 0) + (timelineBox?.width ?? 0) * 0.9,
    (timelineBox?.y ?? 0) + (timelineBox?.height ?? 0) / 2,
    { button: 'right' },
  )
  await page.keyboard.press('Escape')
  expect(await getCurrentTimeSeconds(page)).toBeLessThan(40)
})

test('if the viewer has paused before the viewing time ends, added time does not start the video, and hardware keys do nothing while the time is over', async ({
  browser,
}) => {
  const childContext = await browser.newContext()
  const childPage = await openPage(childContext)
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
    for (const action of ['play', 'seekforward'] as const) await pressHardwareKey(childPage, action)
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
  const forcedColorsPage = await openPage(forcedColorsContext)
  await openAndPlay(forcedColorsPage, ARRIVAL_WATCH_PATH)
  await forcedColorsPage.keyboard.press('k')
  for (const control of [
    forcedColorsPage.getByRole('link', { name: t('common:back') }),
    forcedColorsPage.getByRole('button', { name: t('watch:captions') }),
  ])
    await expect(control).toHaveCSS('background-color', /^rgb\(/)
  await forcedColorsContext.close()
})

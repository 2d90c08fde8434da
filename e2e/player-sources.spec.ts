/**
 * Playback of different sources: HLS with several audio tracks, videos with intro marks, unsupported formats, and
 * streams that have expired or are missing.
 */
import { readFileSync } from 'node:fs'
import { type BrowserContext, expect, type Page, type Route, test } from '@playwright/test'
import { collectPageProblems, getTranslation, signInAsProfile } from './journey-helpers.ts'
import {
  ARRIVAL_WATCH_PATH,
  clickPlayerControl,
  getCurrentSource,
  getCurrentTimeSeconds,
  getVideoHeight,
  isPaused,
  omitWatchFromSession,
  openAndPlay,
  replaceStream,
  waitForStream,
  waitUntilPlaying,
} from './player.ts'

const HLS_SOURCE = {
  url: '/hls/master.m3u8',
  mime_type: 'application/vnd.apple.mpegurl',
  quality: 'auto',
  size: null,
}
const t = (key: string) => getTranslation('en', key)
let context: BrowserContext
let page: Page
let problems: string[]

test.beforeEach(async ({ browser }) => {
  context = await browser.newContext()
  page = await context.newPage()
  problems = collectPageProblems(page).problems
  await signInAsProfile(page, 'Alex')
})
test.afterEach(() => context.close())

/** Serves the files of the HLS fixture, and answers range requests as a real server does. */
function serveHlsFixture(route: Route): Promise<void> {
  const fileName = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
  const fileBytes = readFileSync(`e2e/fixtures/hls/${fileName}`)
  const contentType = fileName.endsWith('.m3u8') ? HLS_SOURCE.mime_type : 'video/mp4'
  const [, firstByte, lastByte] = /bytes=(\d+)-(\d*)/.exec(route.request().headers()['range'] ?? '') ?? []
  if (firstByte === undefined) return route.fulfill({ body: fileBytes, contentType })
  const endByte = lastByte ? Number(lastByte) + 1 : fileBytes.length
  return route.fulfill({
    status: 206,
    contentType,
    headers: { 'Content-Range': `bytes ${firstByte}-${endByte - 1}/${fileBytes.length}` },
    body: fileBytes.subarray(Number(firstByte), endByte),
  })
}

/** Replaces the stream by HLS, and makes the browser report that it cannot play HLS without hls.js. */
async function replaceStreamByHls(): Promise<void> {
  await page.addInitScript(() => {
    const nativeCanPlayType = HTMLMediaElement.prototype.canPlayType
    HTMLMediaElement.prototype.canPlayType = function (type) {
      return /mpegurl/i.test(type) ? '' : nativeCanPlayType.call(this, type)
    }
  })
  await replaceStream(page, { sources: [HLS_SOURCE] })
  await page.route('**/hls/*', serveHlsFixture)
}

test('when the code of hls.js cannot be loaded, the player reports the lost connection and plays after a retry', async () => {
  await replaceStreamByHls()
  // Only the click makes the code available. Otherwise the player could retry on its own before the click, and the
  // button would disappear.
  await page.route('**/hls-playback.*.js', async (route) => {
    const isRetryClicked = await page.evaluate(() => document.documentElement.dataset['clicked'] === 'true')
    await (isRetryClicked ? route.continue() : route.abort())
  })
  await page.goto(ARRIVAL_WATCH_PATH)
  await expect(page.getByRole('alert')).toContainText(t('watch:lost'))
  await page.evaluate(() =>
    addEventListener('click', () => (document.documentElement.dataset['clicked'] = 'true'), {
      capture: true,
    }),
  )
  await page.getByRole('button', { name: t('common:tryAgain') }).click()
  await waitUntilPlaying(page)
})

test('a browser without native HLS plays HLS with hls.js and switches quality and audio track', async () => {
  await replaceStreamByHls()
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  expect(await getCurrentSource(page)).toMatch(/^blob:/)
  await page.keyboard.press('k')
  await clickPlayerControl(page, 'button', t('watch:settings'))
  await expect(page.getByRole('radio', { name: '144p' })).toBeVisible()
  await page.getByRole('radio', { name: '72p' }).click()
  await clickPlayerControl(page, 'button', t('watch:captions'))
  await page.getByRole('radio', { name: 'Français' }).click()
  await expect(page.getByRole('radio', { name: 'Français' })).toHaveAttribute('aria-checked', 'true')
  await page.keyboard.press('Escape')
  await page.keyboard.press('0')
  await page.keyboard.press('k')
  await expect.poll(() => getVideoHeight(page)).toBe(72)
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(1)
  expect(problems).toEqual([])
})

test('the player skips a source in an unsupported format', async () => {
  const streamPromise = waitForStream(page)
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  const stream = (await streamPromise) as { sources: object[] }
  await replaceStream(page, {
    sources: [
      { url: '/hls/none.mkv', mime_type: 'video/x-matroska', quality: '2160p', size: null },
      ...stream.sources,
    ],
  })
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  expect(await getCurrentSource(page)).not.toContain('none.mkv')
})

test('an expired stream URL is renewed, and playback stays at the same position', async () => {
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await page.keyboard.press('5')
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(40)
  const firstSource = await getCurrentSource(page)
  await page.keyboard.press('k')
  // A change of `src` discards events that have not been sent yet, so the `pause` event must arrive first.
  await expect(page.getByRole('button', { name: t('common:play'), exact: true })).toBeAttached()
  const positionSeconds = await getCurrentTimeSeconds(page)
  /* An expired URL returns 404 to the video element. */
  await page.locator('#picture').evaluate((video: HTMLVideoElement) => {
    video.src = '/proxy/m/night-drive-720p.mp4?e=1&l=x&t=1&s=x'
  })
  await expect.poll(() => getCurrentSource(page)).not.toContain('e=1&')
  expect(await getCurrentSource(page)).not.toBe(firstSource)
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeCloseTo(positionSeconds, 0)
  expect(await isPaused(page)).toBe(true)
})

test('the skip intro button is visible for 8 s, then only with the controls, and the S key skips the intro', async () => {
  const streamPromise = waitForStream(page)
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  const stream = await streamPromise
  await page.keyboard.press('0')
  await replaceStream(page, { ...stream, intro: { start: 0, end: 30 } })
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  const skipButton = page.getByRole('button', { name: t('watch:skipIntro') })
  await page.keyboard.press('0')
  await expect(skipButton).toBeVisible()
  /* The button hides after 8 s of video time, so a higher playback rate shortens the test. */
  const setPlaybackRate = (rate: number) =>
    page.locator('#picture').evaluate((video: HTMLVideoElement, playbackRate) => {
      video.playbackRate = playbackRate
    }, rate)
  await setPlaybackRate(4)
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(9)
  await setPlaybackRate(1)
  await expect(skipButton).toBeHidden()
  await page.mouse.move(400, 400)
  await page.mouse.move(420, 420)
  await expect(skipButton).toBeVisible()
  await page.keyboard.press('s')
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(29.9)
  await expect(skipButton).toBeHidden()
})

test('the player of a title without a stream shows a message and a retry button', async () => {
  await omitWatchFromSession(page)
  await page.route('**/stream/movie/**', (route) =>
    route.fulfill({
      status: 404,
      json: { type: 'not_found', status_code: 404, message: 'Not found', errors: {} },
    }),
  )
  await page.goto(ARRIVAL_WATCH_PATH)
  await expect(page.getByRole('heading', { level: 1, name: /Arrival/ })).toBeVisible()
  await expect(page.getByText(t('watch:nothingHint'))).toBeVisible()
  await page.unroute('**/stream/movie/**')
  await expect(page.getByRole('button', { name: t('common:tryAgain') })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(0)
})

test('when the stream of a title disappears during playback and becomes available again, the retry button continues playback at the same position', async () => {
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await page.keyboard.press('7')
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(56)
  await page.route('**/stream/movie/**', (route) =>
    route.fulfill({
      status: 404,
      json: { type: 'not_found', status_code: 404, message: 'Not found', errors: {} },
    }),
  )
  await page.locator('#picture').evaluate((video: HTMLVideoElement) => {
    video.src = '/proxy/m/night-drive-720p.mp4?e=1&l=x&t=1&s=x'
  })
  await page.getByRole('button', { name: t('common:tryAgain') }).waitFor()
  await page.unroute('**/stream/movie/**')
  await page.getByRole('button', { name: t('common:tryAgain') }).click()
  await expect.poll(() => getCurrentSource(page)).not.toContain('e=1&')
  await expect.poll(() => isPaused(page)).toBe(false)
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(50)
})

test('on a touch screen, a tap shows or hides the controls, the controls stay visible while they are touched, and a double tap at the side skips 10 seconds', async ({
  browser,
}) => {
  const touchContext = await browser.newContext({
    viewport: { width: 844, height: 390 },
    hasTouch: true,
    isMobile: true,
  })
  const phone = await touchContext.newPage()
  await phone.clock.install()
  await signInAsProfile(phone, 'Alex')
  // Plays a movie that no other journey plays. The clock of the phone runs ahead, so the server would prefer the
  // positions of this test to positions that later journeys report.
  await openAndPlay(phone, ARRIVAL_WATCH_PATH.replaceAll('arrival', 'moonlight'))
  await phone.keyboard.press('3')
  await expect.poll(() => getCurrentTimeSeconds(phone)).toBeGreaterThan(24)
  const pauseButton = phone.getByRole('button', { name: t('watch:pause') })
  await expect(pauseButton).toBeHidden()
  await phone.touchscreen.tap(420, 120)
  await expect(pauseButton).toBeVisible()
  await phone.touchscreen.tap(420, 120)
  await expect(pauseButton).toBeHidden()
  // The controls stay visible while they are touched.
  await phone.touchscreen.tap(420, 120)
  const timelineBox = await phone.getByRole('slider', { name: t('watch:seek') }).boundingBox()
  const touchPoint = {
    x: (timelineBox?.x ?? 0) + (timelineBox?.width ?? 0) * 0.3,
    y: (timelineBox?.y ?? 0) + (timelineBox?.height ?? 0) / 2,
  }
  const cdp = await touchContext.newCDPSession(phone)
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [touchPoint] })
  await phone.clock.fastForward(7_000)
  await expect(pauseButton).toBeVisible()
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await phone.clock.fastForward(2_000)
  await phone.getByRole('button', { name: t('watch:forward10') }).tap()
  await phone.clock.fastForward(2_000)
  await expect(pauseButton).toBeVisible()
  await phone.clock.fastForward(2_000)
  await expect(pauseButton).toBeHidden()
  const positionSeconds = await getCurrentTimeSeconds(phone)
  await phone.touchscreen.tap(780, 120)
  await phone.touchscreen.tap(780, 120)
  await expect.poll(() => getCurrentTimeSeconds(phone)).toBeGreaterThan(positionSeconds + 9)
  expect(await isPaused(phone)).toBe(false)
  await touchContext.close()
})

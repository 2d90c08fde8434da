/** Playback with the demo clips: movies of 80 s, episodes of 60 s with credits from 55 s. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { PENDING_WRITES_KEY_PREFIX } from '../src/lib/storage-keys.ts'
import {
  collectPageProblems,
  expectAccessible,
  getPlayLink,
  getTranslation,
  signInAsProfile,
} from './journey-helpers.ts'
import { goBack } from './page-navigation.ts'
import {
  ARRIVAL_WATCH_PATH,
  clickPlayerControl,
  getCurrentTimeSeconds,
  getVideoHeight,
  isPaused,
  omitWatchFromSession,
  openAndPlay,
  waitUntilPlaying,
} from './player.ts'
import { pressKeys, turnOnRemoteControl } from './remote-control.ts'

const t = (key: string) => getTranslation('en', key)

let context: BrowserContext
let page: Page
let problems: string[]

test.beforeAll(async ({ browser }) => {
  context = await browser.newContext()
  page = await context.newPage()
  problems = collectPageProblems(page).problems
  await signInAsProfile(page, 'Alex')
})
test.afterAll(() => context.close())

async function pausePlayback(): Promise<void> {
  if (!(await isPaused(page))) await page.keyboard.press('k')
  await expect.poll(() => isPaused(page)).toBe(true)
}

/** Returns the number of stored changes, made in any tab, that the server has not confirmed yet. */
const countPendingWrites = (): Promise<number> =>
  page.evaluate(
    (prefix) => Object.keys(localStorage).filter((key) => key.startsWith(prefix)).length,
    PENDING_WRITES_KEY_PREFIX,
  )

/** Returns the position in seconds that the server has stored for Arrival. */
async function loadSavedPositionSeconds(): Promise<number> {
  return page.evaluate(async () => {
    const refreshResponse = await fetch('/api/auth/refresh', { method: 'POST' })
    const { access_token } = (await refreshResponse.json()) as { access_token: string }
    const profileId = localStorage.getItem('marquee-profile') ?? ''
    const headers = { Authorization: `Bearer ${access_token}`, 'X-Profile-Id': profileId }
    const movie = (await (await fetch('/api/movies/slug/arrival', { headers })).json()) as { id: string }
    const response = await fetch(`/api/profile/${profileId}/history/movie/${movie.id}`, { headers })
    const { latest } = (await response.json()) as { latest: { progress: number } | null }
    return latest?.progress ?? 0
  })
}

test('the player plays, seeks with keys and pointer, and resumes at the same position after a reload', async () => {
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await page.keyboard.press('5')
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(38)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeLessThan(36)
  await page.mouse.move(700, 300)
  const timelineBox = await page.getByRole('slider', { name: t('watch:seek') }).boundingBox()
  await page.mouse.click(
    (timelineBox?.x ?? 0) + (timelineBox?.width ?? 0) * 0.25,
    (timelineBox?.y ?? 0) + (timelineBox?.height ?? 0) / 2,
  )
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeLessThan(27)
  await pausePlayback()
  const pausedSeconds = await getCurrentTimeSeconds(page)
  expect(pausedSeconds).toBeGreaterThan(19)
  expect(pausedSeconds).toBeLessThan(27)
  const loadSavedState = async () => ({
    positionSeconds: await loadSavedPositionSeconds(),
    pendingWriteCount: await countPendingWrites(),
  })
  await expect
    .poll(loadSavedState)
    .toEqual({ positionSeconds: expect.closeTo(pausedSeconds, 0), pendingWriteCount: 0 })
  await page.reload()
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(pausedSeconds)
  expect(await getCurrentTimeSeconds(page)).toBeLessThan(pausedSeconds + 15)
})

test('a pause while the video is seeking saves the new position', async () => {
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  const isSeeking = await page.locator('#picture').evaluate((video: HTMLVideoElement) => {
    video.currentTime = 45
    video.pause()
    return video.seeking
  })
  expect(isSeeking).toBe(true)
  await expect.poll(() => loadSavedPositionSeconds()).toBe(45)
})

test('a seek while the video is paused saves the new position, although the page stays open', async () => {
  const clockPage = await context.newPage()
  await clockPage.clock.install()
  await openAndPlay(clockPage, ARRIVAL_WATCH_PATH)
  await clockPage.keyboard.press('k')
  await expect.poll(() => isPaused(clockPage)).toBe(true)
  await clockPage.keyboard.press('3')
  await expect.poll(() => getCurrentTimeSeconds(clockPage)).toBe(24)
  await clockPage.clock.runFor(10_000)
  await expect.poll(() => loadSavedPositionSeconds()).toBe(24)
  await clockPage.close()
})

/**
 * Opens the player and returns a function that counts the requests whose path contains a text. Expects that the page
 * has requested only one media file.
 */
async function openAndCountRequests(url: string): Promise<(text: string) => number> {
  const requestedPaths: string[] = []
  const recordPath = (request: { url: () => string }) => requestedPaths.push(new URL(request.url()).pathname)
  page.on('request', recordPath)
  await openAndPlay(page, url)
  page.off('request', recordPath)
  expect(new Set(requestedPaths.filter((path) => path.startsWith('/proxy/m/'))).size).toBe(1)
  return (pathPart) => requestedPaths.filter((path) => path.includes(pathPart)).length
}

test('the response to the session request contains all playback data, and the player uses the video element that was already playing before the player was rendered', async () => {
  const readPlayingMarker = () =>
    page.locator('#picture').evaluate((video: HTMLVideoElement) => video.dataset['seen'])
  await page.addInitScript(() =>
    addEventListener(
      'playing',
      ({ target }) => Object.assign((target as HTMLElement).dataset, { seen: 'yes' }),
      {
        capture: true,
        once: true,
      },
    ),
  )
  const countRequestsFor = await openAndCountRequests(ARRIVAL_WATCH_PATH)
  expect(await readPlayingMarker()).toBe('yes')
  expect(countRequestsFor('/api/auth/refresh')).toBe(1)
  for (const pathPart of ['/stream/movie/', '/api/movies/slug/', '/history/movie/'])
    expect(countRequestsFor(pathPart)).toBe(0)
})

test('without playback data in the session response, the player requests stream, title and progress once each', async () => {
  await omitWatchFromSession(page)
  const countRequestsFor = await openAndCountRequests(ARRIVAL_WATCH_PATH)
  await page.unroute('**/api/auth/refresh')
  for (const pathPart of ['/stream/movie/', '/api/movies/slug/', '/history/movie/'])
    expect(countRequestsFor(pathPart)).toBe(1)
})

test('changing the quality keeps the position and the paused state', async () => {
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await page.keyboard.press('3')
  await clickPlayerControl(page, 'button', t('watch:settings'))
  await clickPlayerControl(page, 'radio', '360p')
  await expect.poll(() => getVideoHeight(page)).toBe(360)
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(24)
  expect(await isPaused(page)).toBe(false)
  await page.keyboard.press('k')
  const positionSeconds = await getCurrentTimeSeconds(page)
  await clickPlayerControl(page, 'radio', '720p')
  await expect.poll(() => getVideoHeight(page)).toBe(720)
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeCloseTo(positionSeconds, 0)
  expect(await isPaused(page)).toBe(true)
  await page.getByRole('radio', { name: '1.5×' }).click()
  expect(await page.locator('#picture').evaluate((video: HTMLVideoElement) => video.playbackRate)).toBe(1.5)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('radio', { name: '720p' })).toBeHidden()
})

test('captions can be selected and styled, the C key turns them off and on, and the selected language is stored', async () => {
  const captions = page.locator('[data-captions]')
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await clickPlayerControl(page, 'button', t('watch:captions'))
  await page.getByRole('radio', { name: 'Français' }).click()
  await page.getByRole('radio', { name: t('watch:size_huge') }).click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('5')
  await expect(captions).toHaveAttribute('lang', 'fr')
  const captionBox = await captions.boundingBox()
  const timelineBox = await page.getByRole('slider', { name: t('watch:seek') }).boundingBox()
  expect((captionBox?.y ?? 0) + (captionBox?.height ?? 0)).toBeLessThan(timelineBox?.y ?? 0)
  await page.keyboard.press('c')
  await expect(captions).toBeHidden()
  await page.keyboard.press('c')
  await expect(captions).toBeVisible()
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await page.keyboard.press('5')
  await expect(captions).toHaveAttribute('lang', 'fr')
})

test('the playback position is saved when the tab closes', async () => {
  /* Leaves the player first, because another open player of the same title would save a newer position. */
  await page.goto('/')
  const tab = await context.newPage()
  await openAndPlay(tab, ARRIVAL_WATCH_PATH)
  await tab.keyboard.press('7')
  await expect.poll(() => getCurrentTimeSeconds(tab)).toBeGreaterThan(56.5)
  await tab.close({ runBeforeUnload: true })
  await expect.poll(() => loadSavedPositionSeconds()).toBeGreaterThan(56)
})

test('a failed playback start saves no progress', async () => {
  // The tab of the previous test may have been closed before the reply to its last change arrived. This page then sends
  // the change again.
  await page.goto('/')
  await expect.poll(() => countPendingWrites()).toBe(0)
  const savedSeconds = await loadSavedPositionSeconds()
  const postedPaths: string[] = []
  page.on(
    'request',
    (request) => request.method() === 'POST' && postedPaths.push(new URL(request.url()).pathname),
  )
  await page.route('**/proxy/m/**', (route) => route.fulfill({ status: 200, body: 'not a video' }))
  await page.goto(ARRIVAL_WATCH_PATH)
  await expect(page.getByRole('heading', { name: t('watch:broken') })).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/proxy/m/**')
  await page.getByRole('link', { name: t('common:back') }).click()
  await expect(page).toHaveURL(/\/movies\/arrival$/)
  expect(postedPaths.filter((path) => path.endsWith('/history'))).toEqual([])
  expect(await loadSavedPositionSeconds()).toBe(savedSeconds)
  /* Discards the browser's console errors about the invalid video. */
  problems.splice(0)
})

test('when the quality is changed offline, the player shows that the connection is lost, and continues at the same position when the network returns', async () => {
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await page.keyboard.press('4')
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(32)
  const positionSeconds = await getCurrentTimeSeconds(page)
  await context.setOffline(true)
  await clickPlayerControl(page, 'button', t('watch:settings'))
  await clickPlayerControl(page, 'radio', '360p')
  await expect(page.getByRole('heading', { name: t('watch:lost') })).toBeVisible()
  await expectAccessible(page)
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: t('watch:lost') })).toBeHidden()
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(positionSeconds + 1)
  expect(await getCurrentTimeSeconds(page)).toBeLessThan(positionSeconds + 30)
  expect(await isPaused(page)).toBe(false)
  problems.splice(0)
})

test('the end screen of a movie shows feedback buttons, similar titles, and a back link that arrow keys reach and that removes the player from the browser history', async () => {
  await page.goto('/movies/')
  await page.goto('/movies/arrival')
  await getPlayLink(page, 'en').waitFor()
  await turnOnRemoteControl(page)
  await getPlayLink(page, 'en').press('Enter')
  await waitUntilPlaying(page)
  await page.keyboard.press('End')
  const endScreen = page.getByRole('region', { name: t('watch:theEnd') })
  /* An earlier journey may have liked this title. */
  const feedbackLabel = new RegExp(`^(${t('common:like')}|${t('common:liked')})$`)
  await expect(endScreen.getByRole('button', { name: feedbackLabel })).toBeVisible()
  await expect(endScreen.getByRole('listitem').first()).toBeVisible()
  await expectAccessible(page)
  const backLink = endScreen.getByRole('link', { name: t('common:back') })
  await expect(backLink).toBeFocused()
  await backLink.evaluate((link) => link.blur())
  await pressKeys(page, 'ArrowDown')
  await expect(backLink).toBeFocused()
  await pressKeys(page, 'Enter')
  await expect(page).toHaveURL(/\/movies\/arrival$/)
  await goBack(page)
  await expect(page).toHaveURL(/\/movies\/$/)
})

test('the embedded player has no timeline but responds to keys', async () => {
  await page.goto(ARRIVAL_WATCH_PATH.replace('/watch/', '/watch/embed'))
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeGreaterThan(0)
  /* The video can play before the code that handles keys is loaded. The page title is set when the player is ready. */
  await expect(page).toHaveTitle(/^Arrival/)
  await expect(page.getByRole('slider', { name: t('watch:seek') })).toHaveCount(0)
  await page.keyboard.press('k')
  await expect(page.getByRole('button', { name: t('common:play') })).toBeVisible()
  await expectAccessible(page)
})

test('playback, seeking and quality changes cause no page errors', () => expect(problems).toEqual([]))

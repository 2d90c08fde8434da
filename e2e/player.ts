/** Helpers of the player journeys. */
import { expect, type Page, type Response } from '@playwright/test'
import type { Locale } from '../src/lib/i18n/locales.ts'
import { getTranslation } from './journey-helpers.ts'

export const ARRIVAL_WATCH_PATH = '/watch/?type=movie&slug=arrival&redirect=%2Fmovies%2Farrival'

/** Returns the playback position in seconds. */
export const getCurrentTimeSeconds = (page: Page) =>
  page.locator('#picture').evaluate((video: HTMLVideoElement) => video.currentTime)
export const isPaused = (page: Page) =>
  page.locator('#picture').evaluate((video: HTMLVideoElement) => video.paused)
export const getCurrentSource = (page: Page) =>
  page.locator('#picture').evaluate((video: HTMLVideoElement) => video.currentSrc)

/** Sets the playback position, without the controls of the player. */
export const seekTo = (page: Page, positionSeconds: number) =>
  page.locator('#picture').evaluate((video: HTMLVideoElement, seconds) => {
    video.currentTime = seconds
  }, positionSeconds)

/** Opens a player URL and waits until the controls exist and the video plays. */
export async function openAndPlay(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await waitUntilPlaying(page)
}

/** Waits until the controls exist and the video plays. */
export async function waitUntilPlaying(page: Page): Promise<void> {
  const locale = (await page.locator('html').getAttribute('lang')) as Locale
  await expect(
    page.getByRole('slider', { name: getTranslation(locale, 'watch:seek'), includeHidden: true }),
  ).toBeAttached()
  /* The player may first lower the position, if the position was saved in a longer file. */
  let previousSeconds = Number.POSITIVE_INFINITY
  const hasAdvanced = async () => {
    const currentSeconds = await getCurrentTimeSeconds(page)
    const isLater = currentSeconds > previousSeconds
    previousSeconds = currentSeconds
    return isLater
  }
  await expect.poll(hasAdvanced).toBe(true)
}

/** Clicks a control of the player. The controls hide after three seconds, so the pointer moves first. */
export async function clickPlayerControl(
  page: Page,
  role: 'button' | 'radio' | 'link',
  name: string,
): Promise<void> {
  await page.mouse.move(700, 300)
  await page.mouse.move(720, 320)
  await page.getByRole(role, { name, exact: true }).click()
}

/** Returns the height of the playing video in pixels. */
export const getVideoHeight = (page: Page) =>
  page.locator('#picture').evaluate((video: HTMLVideoElement) => video.videoHeight)

interface SessionResponse {
  watch?: { stream: object }
}

/** Replaces the stream of every movie from now on, both in the stream lookup and in the session response. */
export async function replaceStream(page: Page, stream: object): Promise<void> {
  const streamWithSubtitles = { subtitles: [], ...stream }
  await page.route('**/stream/movie/**', (route) => route.fulfill({ json: streamWithSubtitles }))
  await page.route('**/api/auth/refresh', async (route) => {
    const response = await route.fetch()
    const { watch, ...session } = (await response.json()) as SessionResponse
    await route.fulfill({
      response,
      json: { ...session, ...(watch && { watch: { ...watch, stream: streamWithSubtitles } }) },
    })
  })
}

/** Waits for the next stream and returns it. The stream arrives in the session response or in a separate response. */
export async function waitForStream(page: Page): Promise<object> {
  const readStream = async (response: Response) => {
    if (response.url().includes('/stream/movie/')) return (await response.json()) as object
    if (!response.url().endsWith('/api/auth/refresh')) return undefined
    return ((await response.json()) as SessionResponse).watch?.stream
  }
  const response = await page.waitForResponse(
    async (candidate) => candidate.ok() && (await readStream(candidate)) !== undefined,
  )
  return (await readStream(response)) ?? {}
}

/** Makes the session response contain no playback data, so that the player requests each part separately. */
export async function omitWatchFromSession(page: Page): Promise<void> {
  await page.route('**/api/auth/refresh', (route) => route.continue({ postData: '{}' }))
}

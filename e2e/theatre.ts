/** What the journeys of the player share. */
import { expect, type Page } from '@playwright/test'
import { type Locale, signIn, words } from './household.ts'

export const MOVIE = '/watch/?type=movie&slug=arrival&redirect=%2Fmovies%2Farrival'

export const time = (page: Page) =>
  page.locator('#picture').evaluate((video: HTMLVideoElement) => video.currentTime)
export const paused = (page: Page) =>
  page.locator('#picture').evaluate((video: HTMLVideoElement) => video.paused)
export const source = (page: Page) =>
  page.locator('#picture').evaluate((video: HTMLVideoElement) => video.currentSrc)

export async function enterAs(page: Page, name: string, locale: Locale = 'en'): Promise<void> {
  await signIn(page, locale)
  await page.getByRole('button', { name }).click()
  await expect(page.getByRole('heading', { name: words(locale, 'home:popularMovies') })).toBeVisible()
}

/** Until it plays, with the interface there. */
export async function playing(page: Page, address: string): Promise<void> {
  await page.goto(address)
  const locale = (await page.locator('html').getAttribute('lang')) as Locale
  await expect(
    page.getByRole('slider', { name: words(locale, 'watch:seek'), includeHidden: true }),
  ).toBeAttached()
  const start = await time(page)
  await expect.poll(() => time(page)).toBeGreaterThan(start)
}

/** Controls hide after three seconds: whoever wants one moves the pointer first. */
export async function press(page: Page, role: 'button' | 'radio' | 'link', name: string): Promise<void> {
  await page.mouse.move(700, 300)
  await page.mouse.move(720, 320)
  await page.getByRole(role, { name, exact: true }).click()
}

/** Lines of the picture that plays. */
export const lines = (page: Page) =>
  page.locator('#picture').evaluate((video: HTMLVideoElement) => video.videoHeight)

interface Session {
  watch?: { stream: object }
}

/** What the lookup answers for movies, from now on: alone, and together with the session. */
export async function answerStream(page: Page, stream: object): Promise<void> {
  const whole = { subtitles: [], ...stream }
  await page.route('**/stream/movie/**', (route) => route.fulfill({ json: whole }))
  await page.route('**/api/auth/refresh', async (route) => {
    const response = await route.fetch()
    const { watch, ...session } = (await response.json()) as Session
    await route.fulfill({
      response,
      json: { ...session, ...(watch && { watch: { ...watch, stream: whole } }) },
    })
  })
}

/** What the lookup answers with the session of the next visit. */
export async function nextStream(page: Page): Promise<object> {
  const answer = await page.waitForResponse('**/api/auth/refresh')
  return ((await answer.json()) as Session).watch?.stream ?? {}
}

/** The session comes alone, and the player asks for each thing by itself. */
export async function askSeparately(page: Page): Promise<void> {
  await page.route('**/api/auth/refresh', (route) => route.continue({ postData: '{}' }))
}

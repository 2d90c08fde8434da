/**
 * In the player: subtitle files of the device, delay and style of subtitles, chapters and thumbnails of the seek bar,
 * and playback on another screen.
 */
import { type BrowserContext, expect, type Page, type Route, test } from '@playwright/test'
import type { Locale } from '../src/lib/i18n/locales.ts'
import {
  collectPageProblems,
  expectAccessible,
  getLocalePrefix,
  getTranslation,
  signInAsProfile,
} from './journey-helpers.ts'
import {
  ARRIVAL_WATCH_PATH,
  clickPlayerControl,
  getCurrentTimeSeconds,
  isPaused,
  openAndPlay,
} from './player.ts'

const t = (key: string, locale: Locale = 'en') => getTranslation(locale, key)
/** A transparent picture of one pixel, which replaces a sheet of thumbnails. */
const PIXEL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
  'base64',
)
const PLAYBACK_MARKS = {
  chapters: [
    { start: 0, title: 'Arrival of the ships' },
    { start: 20, title: '' },
    { start: 60, title: 'Credits' },
  ],
  thumbnails: {
    url: '/proxy/hls/sheets/',
    interval_seconds: 10,
    count: 8,
    columns: 6,
    rows: 6,
    width: 192,
    height: 108,
  },
}

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

/**
 * Presses the digit key `tenthCount`, which seeks to so many tenths of the video, and pauses there. The video is 80 s
 * long.
 */
async function pauseAtTenth(playerPage: Page, tenthCount: number): Promise<void> {
  await playerPage.keyboard.press(String(tenthCount))
  if (!(await isPaused(playerPage))) await playerPage.keyboard.press('k')
  await expect.poll(() => isPaused(playerPage)).toBe(true)
  await playerPage.keyboard.press(String(tenthCount))
  await expect.poll(() => getCurrentTimeSeconds(playerPage)).toBeCloseTo(tenthCount * 8, 0)
}

const openFile = (playerPage: Page, name: string, buffer: Buffer) =>
  playerPage.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
const createSubRip = (subtitleText: string) => `1\n00:00:30,000 --> 00:00:41,000\n${subtitleText}\n`

/** Adds chapters and thumbnails to the streams in the server's replies, and serves the sheets of thumbnails. */
async function addMarks(playerPage: Page): Promise<void> {
  const fulfilWithChangedBody = async (
    route: Route,
    changeBody: (body: Record<string, object>) => object,
  ) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: changeBody(await response.json()) })
  }
  await playerPage.route('**/stream/movie/**', (route) =>
    fulfilWithChangedBody(route, (stream) => ({ ...stream, ...PLAYBACK_MARKS })),
  )
  await playerPage.route('**/api/auth/refresh', (route) =>
    fulfilWithChangedBody(route, ({ watch, ...session }) => ({
      ...session,
      ...(watch && {
        watch: { ...watch, stream: { ...(watch as { stream: object }).stream, ...PLAYBACK_MARKS } },
      }),
    })),
  )
  await playerPage.route('**/proxy/hls/sheets/*.jpg', (route) =>
    route.fulfill({ body: PIXEL_PNG, contentType: 'image/png' }),
  )
}

test('a subtitle file from the device is shown, delayed and styled, and the settings panel does not cover the subtitles', async () => {
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await pauseAtTenth(page, 5)
  await page.getByRole('button', { name: t('watch:captions'), exact: true }).focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('region', { name: t('watch:captions') })
  await expect(panel).toBeVisible()
  await openFile(page, 'holiday.png', PIXEL_PNG)
  const problemText = t('watch:captionFile_not_a_subtitle').replace('{{name}}', 'holiday.png')
  await expect(page.getByRole('alert')).toHaveText(problemText)
  await openFile(page, 'film.fr.srt', Buffer.from(createSubRip('Déjà vu'), 'latin1'))
  const captions = page.locator('[data-captions]')
  await expect(captions).toHaveText('Déjà vu')
  await expect(captions).toHaveAttribute('lang', 'fr')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(panel.getByRole('radio', { name: 'film.fr.srt' })).toHaveAttribute('aria-checked', 'true')
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 844, height: 390 },
    { width: 1920, height: 1080 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(viewport)
    await expect
      .poll(async () => {
        const [captionBox, panelBox] = await Promise.all([captions.boundingBox(), panel.boundingBox()])
        return (panelBox?.y ?? 0) - (captionBox?.y ?? 0) - (captionBox?.height ?? 0)
      }, JSON.stringify(viewport))
      .toBeGreaterThanOrEqual(0)
  }
  await panel
    .getByRole('radiogroup', { name: t('watch:captionEdge') })
    .getByRole('radio', { name: t('watch:edge_outline') })
    .click()
  await expect(captions.locator('.caption-outline')).toBeVisible()
  const stepButtonName = `-0.5 s ${t('watch:captionsEarlier')}`
  for (let pressIndex = 0; pressIndex < 3; pressIndex++)
    await panel.getByRole('button', { name: stepButtonName }).click()
  await expect(panel.getByRole('group', { name: t('watch:captionDelay') })).toContainText('-1.5')
  await expect(captions).toHaveCount(0)
  await expectAccessible(page)
  await panel.getByRole('button', { name: t('watch:captionDelayReset') }).click()
  await expect(captions).toHaveText('Déjà vu')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('h')
  await page.keyboard.press('Shift+H')
  await expect(page.getByRole('status').filter({ hasText: '+0.6' })).toBeVisible()
  await page.keyboard.press('c')
  await expect(captions).toHaveCount(0)
  await page.keyboard.press('c')
  await expect(captions).toHaveText('Déjà vu')
  await page.reload()
  await clickPlayerControl(page, 'button', t('watch:captions'))
  await page.getByRole('radio', { name: 'English' }).first().click()
  await expect(
    page.getByRole('radiogroup', { name: t('watch:captionEdge') }).getByRole('radio', { checked: true }),
  ).toHaveText(t('watch:edge_outline'))
})

test('chapters are marked on the timeline, listed and reached with keys, and a thumbnail shows the frame at the pointer or at the target of a seek by key', async () => {
  await addMarks(page)
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await pauseAtTenth(page, 5)
  const preview = page.locator('[data-preview]')
  await expect(preview.locator('img')).toHaveAttribute('src', '/proxy/hls/sheets/1.jpg')
  await expect(preview).toContainText(t('watch:chapterNumber').replace('{{number}}', '2'))
  const slider = page.getByRole('slider', { name: t('watch:seek') })
  await expect(slider.locator('[data-chapter-mark]')).toHaveCount(2)
  const sliderBox = await slider.boundingBox()
  if (!sliderBox) throw new Error('no timeline')
  await expect(preview).toHaveCount(0)
  await page.mouse.move(sliderBox.x + sliderBox.width * 0.9, sliderBox.y + sliderBox.height / 2)
  await expect(preview).toContainText('Credits')
  await expect(preview.locator('img')).toBeVisible()
  await page.mouse.move(700, 300)
  await page.keyboard.press('PageUp')
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeCloseTo(60, 0)
  await expect(slider).toHaveAttribute('aria-valuetext', /, Credits$/)
  await page.keyboard.press('PageDown')
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeCloseTo(20, 0)
  await clickPlayerControl(page, 'button', t('watch:chapters'))
  const panel = page.getByRole('region', { name: t('watch:chapters') })
  await expect(panel.locator('[aria-current=true]')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeCloseTo(0, 0)
  await expect(panel).toHaveCount(0)
})

test('the cast button appears when a remote screen is available, and a message is shown while the remote screen is connected', async () => {
  await page.addInitScript(() => {
    const remotePlayback = Object.assign(new EventTarget(), {
      report: (_isAvailable: boolean) => {},
      prompt: () => {
        remotePlayback.dispatchEvent(new Event('connecting'))
        remotePlayback.dispatchEvent(new Event('connect'))
        return Promise.resolve()
      },
      watchAvailability: (report: (isAvailable: boolean) => void) => {
        remotePlayback.report = report
        return Promise.resolve(1)
      },
      cancelWatchAvailability: () => Promise.resolve(),
    })
    Object.defineProperty(HTMLMediaElement.prototype, 'remote', { get: () => remotePlayback })
  })
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await pauseAtTenth(page, 1)
  const castButton = page.getByRole('button', { name: t('watch:cast') })
  await expect(page.getByRole('button', { name: t('watch:settings') })).toBeVisible()
  await expect(castButton).toHaveCount(0)
  const dispatchRemoteEvent = (eventName: string) =>
    page.locator('#picture').evaluate((video: HTMLVideoElement, remoteEvent) => {
      const remotePlayback = video.remote as RemotePlayback & { report: (isAvailable: boolean) => void }
      if (remoteEvent === 'available') remotePlayback.report(true)
      else remotePlayback.dispatchEvent(new Event(remoteEvent))
    }, eventName)
  await dispatchRemoteEvent('available')
  await castButton.click()
  await expect(page.getByRole('status').filter({ hasText: t('watch:castConnected') })).toBeVisible()
  await expect(page.getByRole('button', { name: t('watch:castChange') })).toBeVisible()
  await expectAccessible(page)
  await dispatchRemoteEvent('disconnect')
  await expect(page.getByText(t('watch:castConnected'))).toHaveCount(0)
})

test('in Arabic, an Arabic subtitle file in a legacy encoding is shown, and chapters are listed', async ({
  browser,
}) => {
  const arabicContext = await browser.newContext()
  const arabicPage = await arabicContext.newPage()
  await arabicPage.addInitScript(() => localStorage.setItem('i18nextLng', 'ar'))
  await signInAsProfile(arabicPage, 'ليلى')
  await addMarks(arabicPage)
  await openAndPlay(arabicPage, `${getLocalePrefix('ar')}/watch/?type=movie&slug=paddington-2`)
  await pauseAtTenth(arabicPage, 5)
  await clickPlayerControl(arabicPage, 'button', t('watch:captions', 'ar'))
  const subtitleFile = Buffer.concat([
    Buffer.from('1\n00:00:30,000 --> 00:00:41,000\n'),
    Buffer.from([0xe3, 0xd1, 0xcd, 0xc8, 0xc7]),
  ])
  await openFile(arabicPage, 'film.srt', subtitleFile)
  await expect(arabicPage.locator('[data-captions]')).toHaveText('مرحبا')
  await expectAccessible(arabicPage)
  const panel = arabicPage.getByRole('region', { name: t('watch:captions', 'ar') })
  const panelBox = await panel.boundingBox()
  expect(panelBox?.x ?? 1_000).toBeLessThan(200)
  // An Arabic reader reads from right to left and therefore expects the unit to the left of the number.
  const isUnitLeftOfNumber = await panel
    .getByRole('button', { name: t('watch:captionsLater', 'ar') })
    .first()
    .evaluate(({ firstChild }) => {
      const text = firstChild?.textContent ?? ''
      const measureLeftEdge = (character: string) => {
        const range = document.createRange()
        range.setStart(firstChild as Text, text.indexOf(character))
        range.setEnd(firstChild as Text, text.indexOf(character) + 1)
        return range.getBoundingClientRect().left
      }
      return measureLeftEdge('ث') < measureLeftEdge('0')
    })
  expect(isUnitLeftOfNumber).toBe(true)
  await arabicPage.keyboard.press('Escape')
  await clickPlayerControl(arabicPage, 'button', t('watch:chapters', 'ar'))
  const chapterName = t('watch:chapterNumber', 'ar').replace('{{number}}', '2')
  await expect(arabicPage.getByRole('button', { name: chapterName })).toHaveAttribute('aria-current', 'true')
  await arabicContext.close()
})

test('subtitles, chapters and casting cause no page errors in the player', () => expect(problems).toEqual([]))

/** What an operator's own library may answer: HLS with several sounds, marks, formats that not every browser plays. */
import { readFileSync } from 'node:fs'
import { type BrowserContext, expect, type Page, type Route, test } from '@playwright/test'
import { watch, words } from './household.ts'
import {
  answerStream,
  askSeparately,
  enterAs,
  lines,
  MOVIE,
  nextStream,
  paused,
  playing,
  press,
  source,
  time,
} from './theatre.ts'

const HLS = {
  url: '/hls/master.m3u8',
  mime_type: 'application/vnd.apple.mpegurl',
  quality: 'auto',
  size: null,
}
const w = (key: string) => words('en', key)
let context: BrowserContext
let page: Page
let problems: string[]

test.beforeEach(async ({ browser }) => {
  context = await browser.newContext()
  page = await context.newPage()
  problems = watch(page).problems
  await enterAs(page, 'Alex')
})
test.afterEach(() => context.close())

/** The fixture's files by ranges, as a server would give them. */
function serveFixture(route: Route): Promise<void> {
  const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
  const body = readFileSync(`e2e/fixtures/hls/${name}`)
  const contentType = name.endsWith('.m3u8') ? HLS.mime_type : 'video/mp4'
  const [, first, last] = /bytes=(\d+)-(\d*)/.exec(route.request().headers()['range'] ?? '') ?? []
  if (first === undefined) return route.fulfill({ body, contentType })
  const end = last ? Number(last) + 1 : body.length
  return route.fulfill({
    status: 206,
    contentType,
    headers: { 'Content-Range': `bytes ${first}-${end - 1}/${body.length}` },
    body: body.subarray(Number(first), end),
  })
}

test('HLS in a browser that does not play it: hls.js, its pictures and its sounds', async () => {
  await page.addInitScript(() => {
    const original = HTMLMediaElement.prototype.canPlayType
    HTMLMediaElement.prototype.canPlayType = function (type) {
      return /mpegurl/i.test(type) ? '' : original.call(this, type)
    }
  })
  await answerStream(page, { sources: [HLS] })
  await page.route('**/hls/*', serveFixture)
  await playing(page, MOVIE)
  expect(await source(page)).toMatch(/^blob:/)
  await page.keyboard.press('k')
  await press(page, 'button', w('watch:settings'))
  await expect(page.getByRole('radio', { name: '144p' })).toBeVisible()
  await page.getByRole('radio', { name: '72p' }).click()
  await press(page, 'button', w('watch:captions'))
  await page.getByRole('radio', { name: 'Français' }).click()
  await expect(page.getByRole('radio', { name: 'Français' })).toHaveAttribute('aria-checked', 'true')
  await page.keyboard.press('Escape')
  await page.keyboard.press('0')
  await page.keyboard.press('k')
  await expect.poll(() => lines(page)).toBe(72)
  await expect.poll(() => time(page)).toBeGreaterThan(1)
  expect(problems).toEqual([])
})

test('a format that this browser does not know is passed over', async () => {
  const original = nextStream(page)
  await playing(page, MOVIE)
  const found = (await original) as { sources: object[] }
  await answerStream(page, {
    sources: [
      { url: '/hls/none.mkv', mime_type: 'video/x-matroska', quality: '2160p', size: null },
      ...found.sources,
    ],
  })
  await playing(page, MOVIE)
  expect(await source(page)).not.toContain('none.mkv')
})

test('an address that has run out is asked for again, at the same place', async () => {
  await playing(page, MOVIE)
  await page.keyboard.press('5')
  await expect.poll(() => time(page)).toBeGreaterThan(40)
  const first = await source(page)
  await page.keyboard.press('k')
  const place = await time(page)
  /* What an element says whose address answers 404 after hours. */
  await page.locator('#picture').evaluate((video: HTMLVideoElement) => {
    video.src = '/proxy/m/night-drive-720p.mp4?e=1&l=x&t=1&s=x'
  })
  await expect.poll(() => source(page)).not.toContain('e=1&')
  expect(await source(page)).not.toBe(first)
  await expect.poll(() => time(page)).toBeCloseTo(place, 0)
  expect(await paused(page)).toBe(true)
})

test('skip intro is seen for eight seconds, then with the controls; S skips', async () => {
  const original = nextStream(page)
  await playing(page, MOVIE)
  const found = await original
  await page.keyboard.press('0')
  await answerStream(page, { ...found, intro: { start: 0, end: 30 } })
  await playing(page, MOVIE)
  const skip = page.getByRole('button', { name: w('watch:skipIntro') })
  await page.keyboard.press('0')
  await expect(skip).toBeVisible()
  await expect.poll(() => time(page), { timeout: 30_000 }).toBeGreaterThan(9)
  await expect(skip).toBeHidden()
  await page.mouse.move(400, 400)
  await page.mouse.move(420, 420)
  await expect(skip).toBeVisible()
  await page.keyboard.press('s')
  await expect.poll(() => time(page)).toBeGreaterThan(29.9)
  await expect(skip).toBeHidden()
})

test('a title without a stream says so, and helps', async () => {
  await askSeparately(page)
  await page.route('**/stream/movie/**', (route) =>
    route.fulfill({
      status: 404,
      json: { type: 'not_found', status_code: 404, message: 'Not found', errors: {} },
    }),
  )
  await page.goto(MOVIE)
  await expect(page.getByRole('heading', { level: 1, name: /Arrival/ })).toBeVisible()
  await expect(page.getByText(w('watch:nothingHint'))).toBeVisible()
  await page.unroute('**/stream/movie/**')
  await page.getByRole('button', { name: w('common:tryAgain') }).click()
  await expect.poll(() => time(page)).toBeGreaterThan(0)
})

test('touch: a tap shows and hides the controls, two at a side go ten seconds', async ({ browser }) => {
  const touch = await browser.newContext({
    viewport: { width: 844, height: 390 },
    hasTouch: true,
    isMobile: true,
  })
  const phone = await touch.newPage()
  await enterAs(phone, 'Alex')
  await playing(phone, MOVIE)
  await phone.keyboard.press('3')
  await expect.poll(() => time(phone)).toBeGreaterThan(24)
  const pause = phone.getByRole('button', { name: w('watch:pause') })
  await expect(pause).toBeHidden()
  await phone.touchscreen.tap(420, 120)
  await expect(pause).toBeVisible()
  await phone.touchscreen.tap(420, 120)
  await expect(pause).toBeHidden()
  const place = await time(phone)
  await phone.touchscreen.tap(780, 120)
  await phone.touchscreen.tap(780, 120)
  await expect.poll(() => time(phone)).toBeGreaterThan(place + 9)
  expect(await paused(phone)).toBe(false)
  await touch.close()
})

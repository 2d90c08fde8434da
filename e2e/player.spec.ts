/** Playback as people use it, with real media: the demo clips (movies 80 s, episodes 60 s with credits from 55 s). */
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { expectAccessible, type Locale, prefix, watch, words } from './household.ts'
import * as theatre from './theatre.ts'
import { enterAs, MOVIE } from './theatre.ts'

const SHOW = 'the-last-of-us'
const episode = (season: number, number: number) =>
  `/watch/?type=tv&slug=${SHOW}&season=${season}&episode=${number}&redirect=%2Ftvshows%2F${SHOW}`
const w = (key: string, locale: Locale = 'en') => words(locale, key)

let context: BrowserContext
let page: Page
let problems: string[]

test.beforeAll(async ({ browser }) => {
  context = await browser.newContext()
  page = await context.newPage()
  problems = watch(page).problems
  await enterAs(page, 'Alex')
})
test.afterAll(() => context.close())

const time = (of: Page = page) => theatre.time(of)
const paused = (of: Page = page) => theatre.paused(of)
const playing = (address: string, of: Page = page) => theatre.playing(of, address)
const press = (role: 'button' | 'radio' | 'link', name: string) => theatre.press(page, role, name)

async function pause(): Promise<void> {
  if (!(await paused())) await page.keyboard.press('k')
  await expect.poll(() => paused()).toBe(true)
}

/** What the server keeps of the profile's place. */
async function storedPlace(): Promise<number> {
  return page.evaluate(async () => {
    const refreshed = await fetch('/api/auth/refresh', { method: 'POST' })
    const { access_token } = (await refreshed.json()) as { access_token: string }
    const id = localStorage.getItem('marquee-profile') ?? ''
    const headers = { Authorization: `Bearer ${access_token}`, 'X-Profile-Id': id }
    const media = (await (await fetch('/api/movies/slug/arrival', { headers })).json()) as { id: string }
    const answer = await fetch(`/api/profile/${id}/history/movie/${media.id}`, { headers })
    const { latest } = (await answer.json()) as { latest: { progress: number } | null }
    return latest?.progress ?? 0
  })
}

test('plays, seeks with keys and pointer, and begins again where it was after a reload', async () => {
  await playing(MOVIE)
  await page.keyboard.press('5')
  await expect.poll(() => time()).toBeGreaterThan(38)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => time()).toBeLessThan(36)
  await page.mouse.move(700, 300)
  const line = await page.getByRole('slider', { name: w('watch:seek') }).boundingBox()
  await page.mouse.click((line?.x ?? 0) + (line?.width ?? 0) * 0.25, (line?.y ?? 0) + (line?.height ?? 0) / 2)
  await expect.poll(() => time()).toBeGreaterThan(19)
  expect(await time()).toBeLessThan(24)
  await pause()
  const left = await time()
  await expect.poll(() => storedPlace()).toBeCloseTo(left, 0)
  await page.reload()
  await expect.poll(() => time()).toBeGreaterThan(left)
  expect(await time()).toBeLessThan(left + 15)
})

test('asks for each thing once, though two scripts begin it', async () => {
  const asked: string[] = []
  const note = (request: { url: () => string }) => asked.push(new URL(request.url()).pathname)
  page.on('request', note)
  await playing(MOVIE)
  page.off('request', note)
  const count = (part: string) => asked.filter((path) => path.includes(part)).length
  expect(count('/stream/movie/')).toBe(1)
  expect(count('/api/movies/slug/')).toBe(1)
  expect(count('/history/movie/')).toBe(1)
  expect(new Set(asked.filter((path) => path.startsWith('/proxy/m/'))).size).toBe(1)
})

test('a place of a longer version is the same share of this one', async () => {
  /* The demo household left this episode in the middle of its 55 minutes; the clip has one. */
  await playing(episode(1, 3))
  const at = await time()
  expect(at).toBeGreaterThan(5)
  expect(at).toBeLessThan(50)
})

test('another quality keeps the place, playing or paused', async () => {
  await playing(MOVIE)
  await page.keyboard.press('3')
  const lines = () => theatre.lines(page)
  await press('button', w('watch:settings'))
  await press('radio', '360p')
  await expect.poll(lines).toBe(360)
  await expect.poll(() => time()).toBeGreaterThan(24)
  expect(await paused()).toBe(false)
  await page.keyboard.press('k')
  const place = await time()
  await press('radio', '720p')
  await expect.poll(lines).toBe(720)
  await expect.poll(() => time()).toBeCloseTo(place, 0)
  expect(await paused()).toBe(true)
  await page.getByRole('radio', { name: '1.5×' }).click()
  expect(await page.locator('#picture').evaluate((video: HTMLVideoElement) => video.playbackRate)).toBe(1.5)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('radio', { name: '720p' })).toBeHidden()
})

test('subtitles are chosen, styled, turned off with C, and remembered', async () => {
  const said = page.locator('[data-captions]')
  await playing(MOVIE)
  await press('button', w('watch:captions'))
  await page.getByRole('radio', { name: 'Français' }).click()
  await page.getByRole('radio', { name: w('watch:size_huge') }).click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('5')
  await expect(said).toHaveAttribute('lang', 'fr')
  const box = await said.boundingBox()
  const bar = await page.getByRole('slider', { name: w('watch:seek') }).boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(bar?.y ?? 0)
  await page.keyboard.press('c')
  await expect(said).toBeHidden()
  await page.keyboard.press('c')
  await expect(said).toBeVisible()
  await playing(MOVIE)
  await page.keyboard.press('5')
  await expect(said).toHaveAttribute('lang', 'fr')
})

test('over a season’s end: the card counts down and names the new season', async () => {
  await playing(episode(1, 9))
  await page.locator('#picture').evaluate((video: HTMLVideoElement) => {
    video.currentTime = 55
  })
  const card = page.getByRole('region', { name: w('watch:next') })
  await expect(card).toContainText('S2 E1')
  await expect(card).toContainText(w('watch:newSeason').replace('{{season}}', 'Season 2'))
  await expect(card.getByRole('timer')).toBeVisible()
  await expect(page).toHaveURL(/season=2&episode=1/)
  await expect(page).toHaveURL(/redirect=/)
  await expect.poll(() => time()).toBeGreaterThan(0.5)
  await expect(page.getByText('S2 E1')).toBeVisible()
  expect(await time()).toBeLessThan(15)
})

test('any key stops the countdown and keeps the card', async () => {
  await playing(episode(1, 2))
  await page.locator('#picture').evaluate((video: HTMLVideoElement) => {
    video.currentTime = 55
  })
  const card = page.getByRole('region', { name: w('watch:next') })
  await expect(card.getByRole('timer')).toBeVisible()
  await page.keyboard.press('m')
  await expect(card.getByRole('timer')).toBeHidden()
  await expect(card).toBeVisible()
  await page.keyboard.press('m')
  await card.getByRole('button', { name: w('watch:playNow') }).click()
  await expect(page).toHaveURL(/episode=3/)
})

test('asks who is there after three episodes and an hour and a half alone, and keeps the place', async () => {
  test.setTimeout(240_000)
  await playing(episode(1, 4))
  const atCredits = () =>
    page.locator('#picture').evaluate((video: HTMLVideoElement) => {
      video.currentTime = 55
    })
  for (const number of [5, 6, 7]) {
    await atCredits()
    await expect(page).toHaveURL(new RegExp(`episode=${number}`), { timeout: 40_000 })
    await expect.poll(() => time()).toBeGreaterThan(0.2)
  }
  await page.evaluate(() => {
    const { now } = Date
    Date.now = () => now() + 91 * 60_000
  })
  await atCredits()
  const question = page.getByRole('dialog', { name: w('watch:stillWatching') })
  await expect(question).toBeVisible({ timeout: 40_000 })
  expect(await paused()).toBe(true)
  await expect(page).toHaveURL(/episode=7/)
  await expectAccessible(page)
  await question.getByRole('button', { name: w('watch:stillHere') }).click()
  await expect(question).toBeHidden()
  await playing(MOVIE)
})

test('the drawer leads to another episode, Shift+P back', async () => {
  await playing(episode(1, 2))
  await page.keyboard.press('e')
  const drawer = page.getByRole('dialog', { name: w('watch:episodes') })
  await expect(drawer.getByRole('button', { name: /S1 E2/ })).toBeFocused()
  await expectAccessible(page)
  await drawer.getByRole('combobox').selectOption({ label: 'Season 2' })
  await drawer.getByRole('button', { name: /S2 E2/ }).click()
  await expect(page).toHaveURL(/season=2&episode=2/)
  await expect.poll(() => time()).toBeGreaterThan(0.3)
  await page.keyboard.press('Shift+P')
  await expect(page).toHaveURL(/season=2&episode=1/)
})

test('the place is saved when the tab closes', async () => {
  const tab = await context.newPage()
  await playing(MOVIE, tab)
  await tab.keyboard.press('7')
  await expect.poll(() => time(tab)).toBeGreaterThan(56.5)
  await tab.close({ runBeforeUnload: true })
  await page.goto('/')
  await expect.poll(() => storedPlace()).toBeGreaterThan(56)
})

test('a start that fails saves nothing', async () => {
  const before = await storedPlace()
  const saved: string[] = []
  page.on('request', (request) => request.method() === 'POST' && saved.push(new URL(request.url()).pathname))
  await page.route('**/proxy/m/**', (route) => route.fulfill({ status: 200, body: 'not a video' }))
  await page.goto(MOVIE)
  await expect(page.getByRole('heading', { name: w('watch:broken') })).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/proxy/m/**')
  await page.getByRole('link', { name: w('common:back') }).click()
  await expect(page).toHaveURL(/\/movies\/arrival$/)
  expect(saved.filter((path) => path.endsWith('/history'))).toEqual([])
  expect(await storedPlace()).toBe(before)
  /* The browser's own words for a body that is no video. */
  problems.splice(0)
})

test('a lost line is waited out, and playing goes on at the same place', async () => {
  await playing(MOVIE)
  await page.keyboard.press('4')
  await expect.poll(() => time()).toBeGreaterThan(32)
  const place = await time()
  await context.setOffline(true)
  await press('button', w('watch:settings'))
  await press('radio', '360p')
  await expect(page.getByRole('heading', { name: w('watch:lost') })).toBeVisible()
  await expectAccessible(page)
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: w('watch:lost') })).toBeHidden()
  await expect.poll(() => time()).toBeGreaterThan(place + 1)
  expect(await time()).toBeLessThan(place + 30)
  expect(await paused()).toBe(false)
  problems.splice(0)
})

test('keyboard and remote alone: OK leads among the buttons, arrows go on, Escape lets go', async () => {
  await playing(MOVIE)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: w('common:play') })).toBeFocused()
  expect(await paused()).toBe(true)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: w('watch:forward10') })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('slider', { name: w('watch:seek') })).toBeFocused()
  const place = await time()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => time()).toBeCloseTo(place + 10, 0)
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('link', { name: w('common:back') })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: w('watch:keys') })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  expect(await paused()).toBe(false)
  await expect(page.getByRole('button', { name: w('watch:pause') })).toBeHidden()
  await page.keyboard.press('f')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.id)).toBe('theatre')
  await page.keyboard.press('f')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
})

test('the end of a movie asks how it was, shows what is like it, and leads back', async () => {
  await playing(MOVIE)
  await page.keyboard.press('End')
  const end = page.getByRole('region', { name: w('watch:theEnd') })
  /* Another journey may have liked it. */
  const opinion = new RegExp(`^(${w('common:like')}|${w('common:liked')})$`)
  await expect(end.getByRole('button', { name: opinion })).toBeVisible()
  await expect(end.getByRole('listitem').first()).toBeVisible()
  await expectAccessible(page)
  await end.getByRole('link', { name: w('common:back') }).click()
  await expect(page).toHaveURL(/\/movies\/arrival$/)
})

test('embed is the picture alone', async () => {
  await page.goto(MOVIE.replace('/watch/', '/watch/embed'))
  await expect.poll(() => time()).toBeGreaterThan(0)
  /* The picture may play before the code is there that listens to keys. */
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
  await expect(page.getByRole('slider', { name: w('watch:seek') })).toHaveCount(0)
  await page.keyboard.press('k')
  await expect(page.getByRole('button', { name: w('common:play') })).toBeVisible()
  await expectAccessible(page)
})

test('in Arabic the interface is from right to left, the timeline from left to right', async ({
  browser,
}) => {
  const other = await browser.newContext()
  const arabic = await other.newPage()
  await arabic.addInitScript(() => localStorage.setItem('i18nextLng', 'ar'))
  await enterAs(arabic, 'ليلى', 'ar')
  await playing(`${prefix('ar')}/watch/?type=movie&slug=paddington-2`, arabic)
  await expect(arabic.locator('[data-captions]')).toHaveAttribute('lang', 'ar')
  await arabic.keyboard.press('2')
  await expect.poll(() => time(arabic)).toBeGreaterThan(15)
  const place = await time(arabic)
  await arabic.keyboard.press('ArrowRight')
  await expect.poll(() => time(arabic)).toBeGreaterThan(place + 9)
  await arabic.keyboard.press('k')
  const [back, info] = await Promise.all([
    arabic.getByRole('link', { name: w('common:back', 'ar') }).boundingBox(),
    arabic.getByRole('button', { name: w('watch:info', 'ar') }).boundingBox(),
  ])
  expect(back?.x ?? 0).toBeGreaterThan(info?.x ?? 0)
  await expectAccessible(arabic)
  await other.close()
})

test('nothing went wrong on the way', () => expect(problems).toEqual([]))

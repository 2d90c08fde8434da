/** Playback as people use it, with real media: the demo clips (movies 80 s, episodes 60 s with credits from 55 s). */
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { expectAccessible, watch, words } from './household.ts'
import { askSeparately, enterAs, lines, MOVIE, paused, playing, press, time } from './theatre.ts'

const w = (key: string) => words('en', key)

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

async function pause(): Promise<void> {
  if (!(await paused(page))) await page.keyboard.press('k')
  await expect.poll(() => paused(page)).toBe(true)
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
  await playing(page, MOVIE)
  await page.keyboard.press('5')
  await expect.poll(() => time(page)).toBeGreaterThan(38)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => time(page)).toBeLessThan(36)
  await page.mouse.move(700, 300)
  const line = await page.getByRole('slider', { name: w('watch:seek') }).boundingBox()
  await page.mouse.click((line?.x ?? 0) + (line?.width ?? 0) * 0.25, (line?.y ?? 0) + (line?.height ?? 0) / 2)
  await expect.poll(() => time(page)).toBeGreaterThan(19)
  expect(await time(page)).toBeLessThan(24)
  await pause()
  const left = await time(page)
  await expect.poll(() => storedPlace()).toBeCloseTo(left, 0)
  await page.reload()
  await expect.poll(() => time(page)).toBeGreaterThan(left)
  expect(await time(page)).toBeLessThan(left + 15)
})

/** What a visit asks for, until it plays with the interface there. */
async function askedBy(address: string): Promise<(part: string) => number> {
  const asked: string[] = []
  const note = (request: { url: () => string }) => asked.push(new URL(request.url()).pathname)
  page.on('request', note)
  await playing(page, address)
  page.off('request', note)
  expect(new Set(asked.filter((path) => path.startsWith('/proxy/m/'))).size).toBe(1)
  return (part) => asked.filter((path) => path.includes(part)).length
}

test('asks once for the session and all that the picture needs, and the interface takes both over', async () => {
  const element = () => page.locator('#picture').evaluate((video: HTMLVideoElement) => video.dataset['seen'])
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
  const count = await askedBy(MOVIE)
  expect(await element()).toBe('yes')
  expect(count('/api/auth/refresh')).toBe(1)
  for (const part of ['/stream/movie/', '/api/movies/slug/', '/history/movie/']) expect(count(part)).toBe(0)
})

test('where the session comes alone, the player asks for each thing once', async () => {
  await askSeparately(page)
  const count = await askedBy(MOVIE)
  await page.unroute('**/api/auth/refresh')
  for (const part of ['/stream/movie/', '/api/movies/slug/', '/history/movie/']) expect(count(part)).toBe(1)
})

test('another quality keeps the place, playing or paused', async () => {
  await playing(page, MOVIE)
  await page.keyboard.press('3')
  await press(page, 'button', w('watch:settings'))
  await press(page, 'radio', '360p')
  await expect.poll(() => lines(page)).toBe(360)
  await expect.poll(() => time(page)).toBeGreaterThan(24)
  expect(await paused(page)).toBe(false)
  await page.keyboard.press('k')
  const place = await time(page)
  await press(page, 'radio', '720p')
  await expect.poll(() => lines(page)).toBe(720)
  await expect.poll(() => time(page)).toBeCloseTo(place, 0)
  expect(await paused(page)).toBe(true)
  await page.getByRole('radio', { name: '1.5×' }).click()
  expect(await page.locator('#picture').evaluate((video: HTMLVideoElement) => video.playbackRate)).toBe(1.5)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('radio', { name: '720p' })).toBeHidden()
})

test('subtitles are chosen, styled, turned off with C, and remembered', async () => {
  const said = page.locator('[data-captions]')
  await playing(page, MOVIE)
  await press(page, 'button', w('watch:captions'))
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
  await playing(page, MOVIE)
  await page.keyboard.press('5')
  await expect(said).toHaveAttribute('lang', 'fr')
})

test('the place is saved when the tab closes', async () => {
  /* Nothing else plays the same: the newest place counts. */
  await page.goto('/')
  const tab = await context.newPage()
  await playing(tab, MOVIE)
  await tab.keyboard.press('7')
  await expect.poll(() => time(tab)).toBeGreaterThan(56.5)
  await tab.close({ runBeforeUnload: true })
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
  await playing(page, MOVIE)
  await page.keyboard.press('4')
  await expect.poll(() => time(page)).toBeGreaterThan(32)
  const place = await time(page)
  await context.setOffline(true)
  await press(page, 'button', w('watch:settings'))
  await press(page, 'radio', '360p')
  await expect(page.getByRole('heading', { name: w('watch:lost') })).toBeVisible()
  await expectAccessible(page)
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: w('watch:lost') })).toBeHidden()
  await expect.poll(() => time(page)).toBeGreaterThan(place + 1)
  expect(await time(page)).toBeLessThan(place + 30)
  expect(await paused(page)).toBe(false)
  problems.splice(0)
})

test('the end of a movie asks how it was, shows what is like it, and leads back', async () => {
  await playing(page, MOVIE)
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
  await expect.poll(() => time(page)).toBeGreaterThan(0)
  /* The picture may play before the code is there that listens to keys. */
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
  await expect(page.getByRole('slider', { name: w('watch:seek') })).toHaveCount(0)
  await page.keyboard.press('k')
  await expect(page.getByRole('button', { name: w('common:play') })).toBeVisible()
  await expectAccessible(page)
})

test('nothing went wrong on the way', () => expect(problems).toEqual([]))

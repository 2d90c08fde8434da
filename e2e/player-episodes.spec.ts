/** From one episode to the next: where it begins, the card at the credits, who is still there, and the drawer. */
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, watch, words } from './household.ts'
import { enterAs, MOVIE, paused, playing, time } from './theatre.ts'

const SHOW = 'the-last-of-us'
const episode = (season: number, number: number) =>
  `/watch/?type=tv&slug=${SHOW}&season=${season}&episode=${number}&redirect=%2Ftvshows%2F${SHOW}`
const w = (key: string) => words('en', key)

let page: Page
let problems: string[]

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext()).newPage()
  problems = watch(page).problems
  await enterAs(page, 'Alex')
})
test.afterAll(() => page.context().close())

test('a place of a longer version is the same share of this one', async () => {
  /* The demo household left this episode in the middle of its 55 minutes; the clip has one. */
  await playing(page, episode(1, 3))
  const at = await time(page)
  expect(at).toBeGreaterThan(5)
  expect(at).toBeLessThan(50)
})

test('over a season’s end: the card counts down and names the new season', async () => {
  await playing(page, episode(1, 9))
  await page.locator('#picture').evaluate((video: HTMLVideoElement) => {
    video.currentTime = 55
  })
  const card = page.getByRole('region', { name: w('watch:next') })
  await expect(card).toContainText('S2 E1')
  await expect(card).toContainText(w('watch:newSeason').replace('{{season}}', 'Season 2'))
  await expect(card.getByRole('timer')).toBeVisible()
  await expect(page).toHaveURL(/season=2&episode=1/)
  await expect(page).toHaveURL(/redirect=/)
  await expect.poll(() => time(page)).toBeGreaterThan(0.5)
  await expect(page.getByText('S2 E1')).toBeVisible()
  expect(await time(page)).toBeLessThan(15)
})

test('any key stops the countdown and keeps the card', async () => {
  await playing(page, episode(1, 2))
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
  await playing(page, episode(1, 4))
  const atCredits = () =>
    page.locator('#picture').evaluate((video: HTMLVideoElement) => {
      video.currentTime = 55
    })
  for (const number of [5, 6, 7]) {
    await atCredits()
    await expect(page).toHaveURL(new RegExp(`episode=${number}`), { timeout: 40_000 })
    await expect.poll(() => time(page)).toBeGreaterThan(0.2)
  }
  await page.evaluate(() => {
    const { now } = Date
    Date.now = () => now() + 91 * 60_000
  })
  await atCredits()
  const question = page.getByRole('dialog', { name: w('watch:stillWatching') })
  await expect(question).toBeVisible({ timeout: 40_000 })
  expect(await paused(page)).toBe(true)
  await expect(page).toHaveURL(/episode=7/)
  await expectAccessible(page)
  await question.getByRole('button', { name: w('watch:stillHere') }).click()
  await expect(question).toBeHidden()
  await playing(page, MOVIE)
})

test('the drawer leads to another episode, Shift+P back', async () => {
  await playing(page, episode(1, 2))
  await page.keyboard.press('e')
  const drawer = page.getByRole('dialog', { name: w('watch:episodes') })
  await expect(drawer.getByRole('button', { name: /S1 E2/ })).toBeFocused()
  await expectAccessible(page)
  await drawer.getByRole('combobox').selectOption({ label: 'Season 2' })
  await drawer.getByRole('button', { name: /S2 E2/ }).click()
  await expect(page).toHaveURL(/season=2&episode=2/)
  await expect.poll(() => time(page)).toBeGreaterThan(0.3)
  await page.keyboard.press('Shift+P')
  await expect(page).toHaveURL(/season=2&episode=1/)
})

test('nothing went wrong on the way', () => expect(problems).toEqual([]))

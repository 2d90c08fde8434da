/** A pointer that rests on a card opens more of its title, at its place; one that passes or leaves does not. */
import { expect, type Page, test } from '@playwright/test'
import { words } from './household.ts'
import { boxOf, cards, desk, leave, preview, rest, row } from './preview.ts'
import { open, speak } from './settle.ts'

const w = (key: string) => words('en', key)
test.setTimeout(120_000)
let page: Page

test.beforeAll(async ({ browser }) => {
  page = await desk(browser)
})
test.afterAll(() => page.context().close())
test.beforeEach(() => page.mouse.move(2, 890))

test('a pointer that rests opens it, one that leaves closes it', async () => {
  await open(page, 'en', '/')
  const card = cards(row(page, 'home:popularMovies')).nth(2)
  await rest(card)
  const since = Date.now()
  await expect(preview(page)).toBeVisible()
  expect(Date.now() - since).toBeGreaterThan(250)
  const name = (await card.getAttribute('aria-label'))?.replace(/ \(\d+\).*/, '') ?? ''
  await expect(preview(page)).toHaveAttribute('aria-label', name)
  await expect(
    preview(page).getByRole('link', { name: new RegExp(`^(${w('common:play')}|${w('common:resume')})`) }),
  ).toBeVisible()
  await expect(preview(page).getByRole('link', { name: new RegExp(w('common:moreInfo')) })).toBeVisible()
  for (const [no, yes] of [
    ['common:addToList', 'common:removeFromList'],
    ['common:like', 'common:liked'],
    ['common:dislike', 'common:disliked'],
  ] as const)
    await expect(
      preview(page).getByRole('button', { name: new RegExp(`^(${w(no)}|${w(yes)})$`) }),
    ).toBeVisible()
  /* From the card onto the preview, which is larger: it stays. */
  const { x, y, width, height } = await boxOf(preview(page))
  await page.mouse.move(x + width - 6, y + height - 6, { steps: 4 })
  await expect.poll(() => preview(page).count()).toBe(1)
  await leave(page)
  await expect(preview(page)).toHaveCount(0)
})

test('its place and size are final from its first frame', async () => {
  await open(page, 'en', '/tvshows/')
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    const look = () => {
      const box = document.querySelector<HTMLElement>('.preview')
      if (box) seen.push([box.offsetLeft, box.offsetTop, box.offsetWidth, box.offsetHeight].join())
      requestAnimationFrame(look)
    }
    look()
  })
  await rest(cards(page.locator('.card-grid')).nth(3))
  await expect(preview(page)).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => (globalThis as never as { seen: string[] }).seen.length))
    .toBeGreaterThan(40)
  expect(await page.evaluate(() => new Set((globalThis as never as { seen: string[] }).seen).size)).toBe(1)
  await leave(page)
  await expect(preview(page)).toHaveCount(0)
})

test('a pointer that passes opens nothing, however long it moves on one card', async () => {
  await open(page, 'en', '/movies/')
  /* Openings without a tenth of a second of stillness before: a busy machine may hold up the test's own hand. */
  await page.evaluate(() => {
    const rash: string[] = []
    const moves: number[] = []
    Object.assign(globalThis, { rash })
    document.addEventListener('pointermove', () => moves.push(performance.now()), { capture: true })
    new MutationObserver(() => {
      if (!document.querySelector('.preview')) return
      const times = [...moves.slice(-60), performance.now()]
      const still = Math.max(...times.map((time, at) => time - (times[at - 1] ?? time)))
      if (still < 95) rash.push(times.join())
    }).observe(document.body, { childList: true })
  })
  const all = cards(page.locator('.card-grid'))
  const from = await boxOf(all.nth(0))
  const to = await boxOf(all.nth(5))
  for (let pass = 0; pass < 3; pass++) {
    await page.mouse.move(from.x + 20, from.y + 100)
    await page.mouse.move(to.x + 60, to.y + 100, { steps: 30 })
  }
  /* To and fro on one card, for longer than a rest takes. */
  const until = Date.now() + 1_200
  for (let at = 0; Date.now() < until; at++)
    await page.mouse.move(from.x + 20 + (at % 2) * 120, from.y + 100 + (at % 5) * 8)
  await leave(page)
  await expect(preview(page)).toHaveCount(0)
  expect(await page.evaluate(() => (globalThis as never as { rash: string[] }).rash)).toEqual([])
})

for (const locale of ['en', 'ar'] as const) {
  test(`at the edges of the window all of it can be seen (${locale})`, async () => {
    await speak(page, locale)
    for (const path of ['/', '/movies/']) {
      await open(page, locale, path)
      const all =
        path === '/' ? cards(row(page, 'home:popularMovies', locale)) : cards(page.locator('.card-grid'))
      for (const at of [0, 5, 6]) {
        const card = all.nth(at)
        const onScreen = await card.evaluate((one) => {
          const { left, right } = one.getBoundingClientRect()
          return right > 60 && left < innerWidth - 60
        })
        if (!onScreen) continue
        await rest(card)
        await expect(preview(page)).toBeVisible()
        const box = await preview(page).evaluate((one: HTMLElement) => ({
          start: one.offsetLeft,
          end: one.offsetLeft + one.offsetWidth,
          top: one.offsetTop,
          bottom: one.offsetTop + one.offsetHeight,
          view: document.documentElement.clientWidth,
        }))
        expect(box.start).toBeGreaterThanOrEqual(0)
        expect(box.end).toBeLessThanOrEqual(box.view)
        expect(box.top).toBeGreaterThanOrEqual(0)
        expect(box.bottom).toBeLessThanOrEqual(900)
        if (at === 0) {
          const { left, right } = await card.evaluate((one) => {
            const { left, right } = one.getBoundingClientRect()
            return { left, right }
          })
          if (locale === 'en') expect(Math.abs(box.start - left)).toBeLessThan(2)
          else expect(Math.abs(box.end - right)).toBeLessThan(2)
        }
        await leave(page)
        await expect(preview(page)).toHaveCount(0)
      }
    }
    await speak(page, 'en')
  })
}

test('Escape, scrolling and a press beside it close it, and it comes back only when asked again', async () => {
  await open(page, 'en', '/movies/')
  const card = cards(page.locator('.card-grid')).nth(2)
  await rest(card)
  await expect(preview(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(preview(page)).toHaveCount(0)
  /* The pointer has not moved: nobody asked for another. */
  await page.waitForFunction(
    (from) => performance.now() > from + 900,
    await page.evaluate(() => performance.now()),
  )
  await expect(preview(page)).toHaveCount(0)
  await leave(page)
  await rest(card)
  await expect(preview(page)).toBeVisible()
  await page.mouse.wheel(0, 120)
  await expect(preview(page)).toHaveCount(0)
  await leave(page)
  await rest(card)
  await expect(preview(page)).toBeVisible()
  await page.mouse.move(600, 80)
  await page.mouse.down()
  await expect(preview(page)).toHaveCount(0)
  await page.mouse.up()
})

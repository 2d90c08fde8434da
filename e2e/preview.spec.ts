/** More of a title than its card says: for a pointer that rests, for keys, for a remote and for a finger. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { words } from './household.ts'
import { enter, open, settled, speak } from './settle.ts'

const w = (key: string) => words('en', key)
test.setTimeout(120_000)
let page: Page

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  /* This machine is slower than a viewer's: nobody chooses lite mode here but the test of it. */
  await page.addInitScript(() => localStorage.setItem('marquee-lite', localStorage.getItem('lite') ?? '0'))
  await enter(page)
})
test.afterAll(() => page.context().close())
test.beforeEach(() => page.mouse.move(2, 890))

const preview = () => page.locator('.preview[role=dialog], dialog.preview')
const row = (key: string, locale: 'en' | 'ar' = 'en') =>
  page.getByRole('region', { name: words(locale, key), exact: true })
const cards = (of: Locator) => of.locator('a[data-card]')
/** A key was pressed a moment before: the focus can be seen. */
async function byKey(card: Locator): Promise<void> {
  await page.keyboard.press('Tab')
  await card.focus()
}

async function boxOf(of: Locator) {
  const box = await of.boundingBox()
  if (!box) throw new Error('not to be seen')
  return box
}
async function rest(card: Locator): Promise<void> {
  await card.scrollIntoViewIfNeeded()
  const { x, y, width, height } = await boxOf(card)
  const middle = { x: Math.min(Math.max(x + width / 2, 70), 1370), y: y + height / 3 }
  await page.mouse.move(middle.x - 8, middle.y)
  await page.mouse.move(middle.x, middle.y)
}
const leave = () => page.mouse.move(2, 70)

test('a pointer that rests opens it, one that leaves closes it', async () => {
  await open(page, 'en', '/')
  const card = cards(row('home:popularMovies')).nth(2)
  await rest(card)
  const since = Date.now()
  await expect(preview()).toBeVisible()
  expect(Date.now() - since).toBeGreaterThan(250)
  const name = (await card.getAttribute('aria-label'))?.replace(/ \(\d+\).*/, '') ?? ''
  await expect(preview()).toHaveAttribute('aria-label', name)
  await expect(
    preview().getByRole('link', { name: new RegExp(`^(${w('common:play')}|${w('common:resume')})`) }),
  ).toBeVisible()
  await expect(preview().getByRole('link', { name: new RegExp(w('common:moreInfo')) })).toBeVisible()
  for (const [no, yes] of [
    ['common:addToList', 'common:removeFromList'],
    ['common:like', 'common:liked'],
    ['common:dislike', 'common:disliked'],
  ] as const)
    await expect(preview().getByRole('button', { name: new RegExp(`^(${w(no)}|${w(yes)})$`) })).toBeVisible()
  /* From the card onto the preview, which is larger: it stays. */
  const { x, y, width, height } = await boxOf(preview())
  await page.mouse.move(x + width - 6, y + height - 6, { steps: 4 })
  await expect.poll(() => preview().count()).toBe(1)
  await leave()
  await expect(preview()).toHaveCount(0)
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
  await expect(preview()).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => (globalThis as never as { seen: string[] }).seen.length))
    .toBeGreaterThan(40)
  expect(await page.evaluate(() => new Set((globalThis as never as { seen: string[] }).seen).size)).toBe(1)
  await leave()
  await expect(preview()).toHaveCount(0)
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
  await leave()
  await expect(preview()).toHaveCount(0)
  expect(await page.evaluate(() => (globalThis as never as { rash: string[] }).rash)).toEqual([])
})

for (const locale of ['en', 'ar'] as const) {
  test(`at the edges of the window all of it can be seen (${locale})`, async () => {
    await speak(page, locale)
    for (const path of ['/', '/movies/']) {
      await open(page, locale, path)
      const all = path === '/' ? cards(row('home:popularMovies', locale)) : cards(page.locator('.card-grid'))
      for (const at of [0, 5, 6]) {
        const card = all.nth(at)
        const onScreen = await card.evaluate((one) => {
          const { left, right } = one.getBoundingClientRect()
          return right > 60 && left < innerWidth - 60
        })
        if (!onScreen) continue
        await rest(card)
        await expect(preview()).toBeVisible()
        const box = await preview().evaluate((one: HTMLElement) => ({
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
        await leave()
        await expect(preview()).toHaveCount(0)
      }
    }
    await speak(page, 'en')
  })
}

test('Escape, scrolling and a press beside it close it, and it comes back only when asked again', async () => {
  await open(page, 'en', '/movies/')
  const card = cards(page.locator('.card-grid')).nth(2)
  await rest(card)
  await expect(preview()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(preview()).toHaveCount(0)
  /* The pointer has not moved: nobody asked for another. */
  await page.waitForFunction(
    (from) => performance.now() > from + 900,
    await page.evaluate(() => performance.now()),
  )
  await expect(preview()).toHaveCount(0)
  await leave()
  await rest(card)
  await expect(preview()).toBeVisible()
  await page.mouse.wheel(0, 120)
  await expect(preview()).toHaveCount(0)
  await leave()
  await rest(card)
  await expect(preview()).toBeVisible()
  await page.mouse.move(600, 80)
  await page.mouse.down()
  await expect(preview()).toHaveCount(0)
  await page.mouse.up()
})

test('what it does is done everywhere the title stands', async () => {
  await open(page, 'en', '/search/?q=inception')
  const card = cards(page.locator('.card-grid')).first()
  const path = (await card.getAttribute('href')) ?? ''
  await rest(card)
  await preview()
    .getByRole('button', { name: w('common:addToList'), exact: true })
    .click()
  await preview()
    .getByRole('button', { name: w('common:like'), exact: true })
    .click()
  await expect(
    preview().getByRole('button', { name: w('common:removeFromList'), exact: true }),
  ).toHaveAttribute('aria-pressed', 'true')
  await expect(preview().getByRole('button', { name: w('common:liked'), exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await leave()
  await expect(preview()).toHaveCount(0)
  await open(page, 'en', '/movies/')
  const again = page.locator(`.card-grid a[data-card][href="${path}"]`)
  await expect
    .poll(async () => {
      await page.keyboard.press('End')
      return again.count()
    })
    .toBe(1)
  await rest(again)
  await preview()
    .getByRole('button', { name: w('common:removeFromList'), exact: true })
    .waitFor()
  await expect(preview().getByRole('button', { name: w('common:liked'), exact: true })).toBeVisible()
  await leave()
  await open(page, 'en', path)
  const main = page.getByRole('main')
  await main.getByRole('button', { name: w('common:liked'), exact: true }).click()
  await main.getByRole('button', { name: w('common:removeFromList'), exact: true }).click()
  await expect(main.getByRole('button', { name: w('common:addToList'), exact: true })).toBeVisible()
})

test('the title is there faster for it', async () => {
  await open(page, 'en', '/movies/')
  const card = cards(page.locator('.card-grid')).nth(4)
  const asked: string[] = []
  const note = (request: { url: () => string }) => {
    if (/\/api\/movies\/slug\//.test(request.url())) asked.push(request.url())
  }
  page.on('request', note)
  await rest(card)
  await expect(preview()).toBeVisible()
  await preview()
    .getByRole('link', { name: new RegExp(w('common:moreInfo')) })
    .click()
  await expect(page).toHaveURL(/\/movies\/.+/)
  await settled(page)
  await expect(preview()).toHaveCount(0)
  page.off('request', note)
  expect(asked).toHaveLength(1)
})

test('by keyboard: a named button after the card, the menu key and Shift+F10', async () => {
  await open(page, 'en', '/')
  const card = cards(row('home:popularMovies')).first()
  await byKey(card)
  await expect(card).toHaveAttribute('aria-keyshortcuts', 'Shift+F10')
  const more = page.getByRole('button', { name: new RegExp(`^${w('common:moreActions')}: `) })
  await expect(more).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(more).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(
    dialog.getByRole('link', { name: new RegExp(`^(${w('common:play')}|${w('common:resume')})`) }),
  ).toBeFocused()
  /* Arrows and Tab stay inside. */
  await page.keyboard.press('ArrowRight')
  await expect(dialog.getByRole('button', { name: w('common:addToList') })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(card).toBeFocused()
  for (const key of ['Shift+F10', 'ContextMenu']) {
    await page.keyboard.press(key)
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(card).toBeFocused()
  }
  /* One stop of the row, and its button: the next one is elsewhere. */
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(row('home:popularMovies').locator('.more-actions')).toHaveCount(0)
  expect(await row('home:popularMovies').locator(':focus').count()).toBe(0)
})

test('a remote holds OK for it, and presses OK for the title', async () => {
  await open(page, 'en', '/')
  const card = cards(row('home:popularMovies')).nth(1)
  await expect
    .poll(async () => {
      await page.keyboard.press('ArrowDown')
      return page.evaluate(() => sessionStorage.getItem('marquee-remote'))
    })
    .toBe('1')
  await card.focus()
  /* The first card that is met brings the code that listens. */
  const isThere = () =>
    page.evaluate(() =>
      performance.getEntriesByType('resource').some(({ name }) => /\/previews\./.test(name)),
    )
  await expect.poll(isThere).toBe(true)
  await settled(page)
  await page.keyboard.down('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  /* Held on, the key repeats: that plays nothing. */
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await expect(dialog).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(card).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/(movies|tvshows)\/.+/)
})

test('open, it has no findings in either theme, from left and from right', async () => {
  for (const locale of ['en', 'ar'] as const) {
    await speak(page, locale)
    await open(page, locale, '/')
    for (const way of ['rest', 'menu'] as const) {
      const card = cards(row('home:popularMovies', locale)).nth(2)
      if (way === 'rest') await rest(card)
      else {
        await leave()
        await byKey(card)
        await page.keyboard.press('Shift+F10')
      }
      await expect(preview()).toBeVisible()
      for (const theme of ['dark', 'light']) {
        await page.evaluate(async (name) => {
          document.documentElement.dataset['theme'] = name
          const still = document.getAnimations().map((one) => one.finished.catch(() => {}))
          await Promise.race([Promise.all(still), new Promise((done) => setTimeout(done, 1_000))])
        }, theme)
        const { violations } = await new AxeBuilder({ page }).analyze()
        expect
          .soft(violations.map((one) => `${locale} ${way} ${theme} ${one.id}: ${one.nodes[0]?.target}`))
          .toEqual([])
      }
      await page.keyboard.press('Escape')
      await expect(preview()).toHaveCount(0)
    }
  }
  await speak(page, 'en')
})

test('in lite mode nothing opens by itself, and keys still open it', async () => {
  await page.evaluate(() => localStorage.setItem('lite', '1'))
  await open(page, 'en', '/movies/')
  await expect(page.locator('html')).toHaveAttribute('data-lite', '')
  const card = cards(page.locator('.card-grid')).nth(2)
  await rest(card)
  await page.waitForFunction(
    (from) => performance.now() > from + 1_200,
    await page.evaluate(() => performance.now()),
  )
  await expect(preview()).toHaveCount(0)
  await byKey(card)
  await page.keyboard.press('Shift+F10')
  await expect(preview()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.evaluate(() => localStorage.removeItem('lite'))
})

test('a finger that holds a card gets a sheet, and the page stays', async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const phone = await context.newPage()
  await enter(phone)
  await open(phone, 'en', '/movies/')
  const card = phone.locator('.card-grid a[data-card]').first()
  const box = await boxOf(card)
  const touch = await context.newCDPSession(phone)
  const at = { x: box.x + 60, y: box.y + 60 }
  const put = (points: object[], type: 'touchStart' | 'touchEnd') =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: points as never })
  const sheet = phone.locator('dialog.preview-sheet')
  await put([at], 'touchStart')
  await expect(sheet).toBeVisible()
  await put([], 'touchEnd')
  await expect(sheet).toBeVisible()
  await expect(phone).toHaveURL(/\/movies\/$/)
  const { violations } = await new AxeBuilder({ page: phone }).analyze()
  expect(violations.map((one) => `${one.id}: ${one.nodes[0]?.target}`)).toEqual([])
  const { y, height, width } = await boxOf(sheet)
  expect(Math.round(y + height)).toBe(844)
  expect(width).toBe(390)
  await sheet.getByRole('button', { name: w('common:like'), exact: true }).tap()
  await expect(sheet.getByRole('button', { name: w('common:liked'), exact: true })).toBeVisible()
  await sheet.getByRole('button', { name: w('common:liked'), exact: true }).tap()
  await sheet.getByRole('button', { name: w('common:close') }).tap()
  await expect(sheet).toHaveCount(0)
  /* A short touch is a click as ever. */
  await card.tap()
  await expect(phone).toHaveURL(/\/movies\/.+/)
  await context.close()
})

test("a kids profile's previews are of titles that are safe", async () => {
  await open(page, 'en', '/profiles/')
  await page.getByRole('button', { name: /Sunny/ }).click()
  await cards(page.locator('main')).first().waitFor()
  await open(page, 'en', '/movies/')
  const answers: { safe_for_kids?: boolean }[] = []
  page.on('response', async (answer) => {
    if (answer.ok() && /\/api\/(movies|series)\/slug\//.test(answer.url())) answers.push(await answer.json())
  })
  for (const at of [0, 3]) {
    await rest(cards(page.locator('.card-grid')).nth(at))
    await expect(preview()).toBeVisible()
    await expect.poll(() => answers.length).toBeGreaterThan(at === 0 ? 0 : 1)
    await leave()
    await expect(preview()).toHaveCount(0)
  }
  expect(answers.filter((one) => one.safe_for_kids !== true)).toEqual([])
})

test('a silent piece of the film plays for a profile that wants it, and for no other', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript(() => {
    localStorage.setItem('marquee-lite', '0')
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 8 })
    Object.defineProperty(navigator, 'deviceMemory', { get: () => 8 })
  })
  const strong = await context.newPage()
  const here = page
  page = strong
  try {
    await enter(strong)
    await open(strong, 'en', '/movies/')
    const card = cards(strong.locator('.card-grid')).nth(2)
    await rest(card)
    const film = preview().locator('video')
    const playing = () => film.evaluate(({ muted, paused }: HTMLVideoElement) => muted && !paused)
    await expect.poll(() => playing().catch(() => false)).toBe(true)
    const { violations } = await new AxeBuilder({ page: strong }).include('.preview').analyze()
    expect(violations.map((one) => one.id)).toEqual([])
    await leave()
    await expect(strong.locator('video')).toHaveCount(0)
    await open(strong, 'en', '/account/?tab=preferences')
    const wish = strong.getByRole('switch', { name: w('account:autoplayPreviews') })
    await wish.click()
    await expect(wish).not.toBeChecked()
    await expect(strong.getByText(w('account:preferencesUpdated'))).toBeVisible()
    const lookUps: string[] = []
    strong.on('request', (request) => {
      if (request.url().includes('/proxy/')) lookUps.push(request.url())
    })
    await open(strong, 'en', '/movies/')
    await rest(card)
    await expect(preview()).toBeVisible()
    await strong.waitForFunction(
      (from) => performance.now() > from + 2_000,
      await strong.evaluate(() => performance.now()),
    )
    expect(lookUps).toEqual([])
    await leave()
    await open(strong, 'en', '/account/?tab=preferences')
    await wish.click()
    await expect(wish).toBeChecked()
  } finally {
    page = here
    await context.close()
  }
})

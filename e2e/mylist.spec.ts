/** My List of a thousand titles: all of it is reached, counted, ordered and chosen from, and Back finds it as it was left. */
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, signIn, watch, words } from './household.ts'

const w = (key: string) => words('en', key)
const MANY = 1_000
const SOURCE = 'e2e-mylist'

const database = () => {
  const db = new DatabaseSync(join(process.env['E2E_DATA'] ?? '', 'marquee.db'), { timeout: 20_000 })
  db.exec('pragma foreign_keys = on')
  return db
}

type Row = Record<string, SQLInputValue>
/** What Alex had listed before, for the journeys that come after. */
let owned: Row[] = []

function forgetAll(): void {
  const db = database()
  db.prepare('delete from title where source = ?').run(SOURCE)
  for (const row of owned) {
    const columns = Object.keys(row)
    const places = columns.map(() => '?').join(', ')
    db.prepare(`insert or ignore into watchlist_entry (${columns.join(', ')}) values (${places})`).run(
      ...Object.values(row),
    )
  }
  db.close()
}

/** As if Alex had listed them one a minute; every third is planned, watching, completed. */
function listMany(): void {
  const db = database()
  const alex = db.prepare("select profile_id from profile where name = 'Alex'").get() as {
    profile_id: string
  }
  const mine = 'from watchlist_entry where profile_id = ?'
  owned = db.prepare(`select * ${mine}`).all(alex.profile_id) as Row[]
  db.prepare(`delete ${mine}`).run(alex.profile_id)
  const title = db.prepare(
    `insert into title (type, slug, original_title, sort_title, year, source, source_hash, created_at, updated_at, episode_count)
     values (?, ?, ?, ?, ?, '${SOURCE}', '', 0, 0, 1) returning title_id`,
  )
  const name = db.prepare(
    "insert into title_name (title_id, lang, text, role, folded) values (?, 'en', ?, 'main', ?)",
  )
  const entry = db.prepare(
    'insert into watchlist_entry (profile_id, title_id, in_watchlist, state, added_at, updated_at) values (?, ?, 1, ?, ?, 0)',
  )
  db.exec('begin immediate')
  for (let n = 1; n <= MANY; n++) {
    const text = `Reel ${String(n).padStart(4, '0')}`
    const type = n % 4 === 0 ? 'tv' : 'movie'
    const slug = `reel-${n}`
    const row = title.get(type, slug, text, text.toLowerCase(), 1900 + (n % 100)) as { title_id: number }
    name.run(row.title_id, text, text.toLowerCase())
    entry.run(alex.profile_id, row.title_id, ['planned', 'watching', 'completed'][n % 3] ?? null, n * 60_000)
  }
  db.exec('commit')
  db.close()
}

/* A thousand posters take their time on a small machine. */
test.describe.configure({ timeout: 240_000 })
test.beforeAll(() => {
  forgetAll()
  listMany()
})
test.afterAll(forgetAll)

const cards = (page: Page) => page.locator('.card-grid > li')
const names = (page: Page) =>
  page.locator('.card-grid > li a[data-card]').evaluateAll((all) => all.map((one) => one.textContent))
const count = (page: Page, many: number) =>
  expect(
    page.getByText(w('common:titles_other').replace('{{count}}', many.toLocaleString('en'))),
  ).toBeVisible()

async function open(page: Page, query = ''): Promise<void> {
  await signIn(page, 'en')
  await page.getByRole('button', { name: 'Alex' }).click()
  await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
  await page.goto(`/mylist/${query}`)
  await expect(cards(page).first()).toBeVisible()
}

async function toTheEnd(page: Page, many: number): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
        return cards(page).count()
      },
      { timeout: 60_000 },
    )
    .toBe(many)
}

test('all of it is there, in the order that was wished', async ({ page }) => {
  const { problems } = watch(page)
  await open(page)
  await count(page, MANY)
  await toTheEnd(page, MANY)
  await expect(page.getByText(w('mylist:allLoaded'))).toBeVisible()
  await expect(page.getByRole('link', { name: 'Reel 0001' }).first()).toBeVisible()
  expect(new Set(await names(page)).size).toBe(MANY)

  await page.getByRole('tab', { name: w('common:tvShows') }).click()
  await count(page, MANY / 4)
  await toTheEnd(page, MANY / 4)
  await page.getByLabel(w('mylist:status'), { exact: true }).selectOption('watching')
  const watching = Array.from({ length: MANY }, (_, n) => n + 1).filter((n) => n % 4 === 0 && n % 3 === 1)
  await count(page, watching.length)
  await page.getByLabel(w('mylist:sort'), { exact: true }).selectOption('title.asc')
  await expect(cards(page).first()).toContainText('Reel 0004')
  await expect(cards(page)).toHaveCount(watching.length)
  await page.reload()
  await count(page, watching.length)
  await expect(cards(page).first()).toContainText('Reel 0004')
  expect(problems).toEqual([])
})

test('by keyboard alone the list goes on, and Back finds length, place and focus', async ({ page }) => {
  await open(page)
  await expect(cards(page)).toHaveCount(100)
  /* The last thing of the hundredth card; tabbing on from there. */
  await cards(page).last().getByRole('button').last().focus()
  await expect.poll(() => cards(page).count()).toBeGreaterThan(100)
  await page.keyboard.press('Tab')
  await expect(page.locator(':focus')).toHaveAttribute('data-card', /.*/)
  await toTheEnd(page, MANY)

  const link = cards(page).nth(640).locator('a[data-card]')
  await link.scrollIntoViewIfNeeded()
  await link.focus()
  const address = (await link.getAttribute('href')) ?? ''
  const before = await page.evaluate(() => scrollY)
  expect(before).toBeGreaterThan(5_000)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`${address}$`))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() =>
    document.addEventListener('astro:after-swap', () =>
      requestAnimationFrame(() => Object.assign(window, { firstFrameAt: scrollY })),
    ),
  )
  await page.goBack()
  await expect(page.locator(`.card-grid a[href="${address}"]`)).toBeFocused()
  expect(await page.evaluate(() => (window as unknown as { firstFrameAt: number }).firstFrameAt)).toBe(before)
  expect(await page.evaluate(() => scrollY)).toBe(before)
  await expect(cards(page)).toHaveCount(MANY)
})

test('what is shown is chosen from, more than a request takes, and Undo puts all of it back', async ({
  page,
}) => {
  await open(page, '?sort=title.asc')
  await page.getByRole('button', { name: w('mylist:select'), exact: true }).click()
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expect.poll(() => cards(page).count()).toBeGreaterThanOrEqual(200)
  await page.evaluate(() => scrollTo(0, 0))
  const shown = await cards(page).count()
  await page.getByRole('button', { name: w('mylist:selectAll') }).click()
  await expectAccessible(page)
  const bar = page.getByRole('region', { name: w('mylist:select') })
  await expect(bar).toContainText(w('mylist:chosen_other').replace('{{count}}', shown.toLocaleString('en')))
  await bar.getByRole('button', { name: w('common:removeFromList') }).click()
  await count(page, MANY - shown)
  await expect(cards(page).first()).toContainText(`Reel ${String(shown + 1).padStart(4, '0')}`)
  await page.getByRole('button', { name: w('common:undo') }).click()
  await count(page, MANY)
  await expect(cards(page).first()).toContainText('Reel 0001')
})

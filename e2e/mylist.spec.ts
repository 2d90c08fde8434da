/** My List with 600 titles: infinite scrolling, counts, sorting, bulk changes, and restoring the list with Back. */
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { expect, type Page, test } from '@playwright/test'
import { collectPageProblems, getTranslation, signInAsProfile } from './journey-helpers.ts'

const t = (key: string) => getTranslation('en', key)
const TITLE_COUNT = 600
const TEST_TITLE_SOURCE = 'e2e-mylist'

const openDatabase = () => {
  const db = new DatabaseSync(join(process.env['E2E_DATA'] ?? '', 'marquee.db'), { timeout: 20_000 })
  db.exec('pragma foreign_keys = on')
  return db
}

type WatchlistRow = Record<string, SQLInputValue>
/** The original watchlist of Alex, restored for later journeys. */
let originalEntries: WatchlistRow[] = []

function restoreWatchlist(): void {
  const db = openDatabase()
  db.prepare('delete from title where source = ?').run(TEST_TITLE_SOURCE)
  for (const row of originalEntries) {
    const columns = Object.keys(row)
    const placeholders = columns.map(() => '?').join(', ')
    db.prepare(`insert or ignore into watchlist_entry (${columns.join(', ')}) values (${placeholders})`).run(
      ...Object.values(row),
    )
  }
  db.close()
}

/**
 * Replaces the watchlist of Alex by 600 titles that were added at intervals of one minute. Their watch states alternate
 * between planned, watching and completed.
 */
function fillWatchlist(): void {
  const db = openDatabase()
  const alexProfile = db.prepare("select profile_id from profile where name = 'Alex'").get() as {
    profile_id: string
  }
  const alexEntriesSql = 'from watchlist_entry where profile_id = ?'
  originalEntries = db.prepare(`select * ${alexEntriesSql}`).all(alexProfile.profile_id) as WatchlistRow[]
  db.prepare(`delete ${alexEntriesSql}`).run(alexProfile.profile_id)
  const insertTitle = db.prepare(
    `insert into title (type, slug, original_title, sort_title, year, source, source_hash, created_at, updated_at, episode_count)
     values (?, ?, ?, ?, ?, '${TEST_TITLE_SOURCE}', '', 0, 0, 1) returning title_id`,
  )
  const insertName = db.prepare(
    "insert into title_name (title_id, lang, text, role, folded) values (?, 'en', ?, 'main', ?)",
  )
  const insertEntry = db.prepare(
    'insert into watchlist_entry (profile_id, title_id, in_watchlist, state, added_at, updated_at) values (?, ?, 1, ?, ?, 0)',
  )
  db.exec('begin immediate')
  for (let titleNumber = 1; titleNumber <= TITLE_COUNT; titleNumber++) {
    const titleName = `Reel ${String(titleNumber).padStart(4, '0')}`
    const type = titleNumber % 4 === 0 ? 'tv' : 'movie'
    const slug = `reel-${titleNumber}`
    const insertedTitle = insertTitle.get(
      type,
      slug,
      titleName,
      titleName.toLowerCase(),
      1900 + (titleNumber % 100),
    ) as {
      title_id: number
    }
    insertName.run(insertedTitle.title_id, titleName, titleName.toLowerCase())
    insertEntry.run(
      alexProfile.profile_id,
      insertedTitle.title_id,
      ['planned', 'watching', 'completed'][titleNumber % 3] ?? null,
      titleNumber * 60_000,
    )
  }
  db.exec('commit')
  db.close()
}

test.describe.configure({ timeout: 240_000 })
test.beforeAll(() => {
  restoreWatchlist()
  fillWatchlist()
})
test.afterAll(restoreWatchlist)

const getCards = (page: Page) => page.locator('.card-grid > li')
const listTitleNames = (page: Page) =>
  page.locator('.card-grid > li a[data-card]').evaluateAll((cards) => cards.map((card) => card.textContent))
const expectTitleCount = (page: Page, expectedCount: number) =>
  expect(
    page.getByText(t('common:titles_other').replace('{{count}}', expectedCount.toLocaleString('en'))),
  ).toBeVisible()

async function openWatchlist(page: Page, query = ''): Promise<void> {
  await signInAsProfile(page, 'Alex')
  await page.goto(`/mylist/${query}`)
  await expect(getCards(page).first()).toBeVisible()
}

async function scrollToEnd(page: Page, expectedCount: number): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
        return getCards(page).count()
      },
      { timeout: 120_000, intervals: [100] },
    )
    .toBe(expectedCount)
}

test('scrolling down or moving the focus down loads each of the 600 titles once, and going back restores list length, scroll position and focus', async ({
  page,
}) => {
  const { problems } = collectPageProblems(page)
  await openWatchlist(page)
  await expectTitleCount(page, TITLE_COUNT)
  await expect(getCards(page)).toHaveCount(100)
  /* Focuses the last control of the 100th card, which is the last loaded card. */
  await getCards(page).last().getByRole('button').last().focus()
  await expect.poll(() => getCards(page).count()).toBeGreaterThan(100)
  await page.keyboard.press('Tab')
  await expect(page.locator(':focus')).toHaveAttribute('data-card', /.*/)
  await scrollToEnd(page, TITLE_COUNT)
  await expect(page.getByText(t('mylist:allLoaded'))).toBeVisible()
  await expect(page.getByRole('link', { name: 'Reel 0001' }).first()).toBeVisible()
  expect(new Set(await listTitleNames(page)).size).toBe(TITLE_COUNT)

  const titleLink = getCards(page).nth(400).locator('a[data-card]')
  await titleLink.scrollIntoViewIfNeeded()
  await titleLink.focus()
  const titleUrl = (await titleLink.getAttribute('href')) ?? ''
  const initialScrollY = await page.evaluate(() => scrollY)
  expect(initialScrollY).toBeGreaterThan(5_000)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`${titleUrl}$`))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() =>
    document.addEventListener('astro:after-swap', () =>
      requestAnimationFrame(() => Object.assign(window, { firstFrameScrollY: scrollY })),
    ),
  )
  await page.goBack()
  await expect(page.locator(`.card-grid a[href="${titleUrl}"]`)).toBeFocused()
  expect(
    await page.evaluate(() => (window as unknown as { firstFrameScrollY: number }).firstFrameScrollY),
  ).toBe(initialScrollY)
  expect(await page.evaluate(() => scrollY)).toBe(initialScrollY)
  await expect(getCards(page)).toHaveCount(TITLE_COUNT)
  expect(problems).toEqual([])
})

test('filters and the sort order apply to My List, still apply after a reload, and can be cleared when no title matches', async ({
  page,
}) => {
  const { problems } = collectPageProblems(page)
  await openWatchlist(page)
  await page.getByRole('tab', { name: t('common:tvShows') }).click()
  await expectTitleCount(page, TITLE_COUNT / 4)
  await scrollToEnd(page, TITLE_COUNT / 4)
  await page.getByLabel(t('mylist:status'), { exact: true }).selectOption('watching')
  const watchingTitleNumbers = Array.from({ length: TITLE_COUNT }, (_, index) => index + 1).filter(
    (number) => number % 4 === 0 && number % 3 === 1,
  )
  await expectTitleCount(page, watchingTitleNumbers.length)
  await page.getByLabel(t('mylist:sort'), { exact: true }).selectOption('title.asc')
  await expect(getCards(page).first()).toContainText('Reel 0004')
  await expect(getCards(page)).toHaveCount(watchingTitleNumbers.length)
  await page.reload()
  await expectTitleCount(page, watchingTitleNumbers.length)
  await expect(getCards(page).first()).toContainText('Reel 0004')
  await page.getByRole('button', { name: t('mylist:favorites') }).click()
  await page.getByRole('button', { name: t('mylist:clearFilters') }).press('Enter')
  await expectTitleCount(page, TITLE_COUNT)
  await expect(page.locator('main :focus')).toBeVisible()
  expect(problems).toEqual([])
})

test('all selected titles are removed even if one request cannot contain that many titles, and Undo restores all of them', async ({
  page,
}) => {
  await openWatchlist(page, '?sort=title.asc')
  await page.getByRole('button', { name: t('mylist:select'), exact: true }).click()
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expect.poll(() => getCards(page).count()).toBeGreaterThanOrEqual(200)
  await page.evaluate(() => scrollTo(0, 0))
  const shownCount = await getCards(page).count()
  await page.getByRole('button', { name: t('mylist:selectAll') }).click()
  const selectionBar = page.getByRole('region', { name: t('mylist:select') })
  await expect(selectionBar).toContainText(
    t('mylist:chosen_other').replace('{{count}}', shownCount.toLocaleString('en')),
  )
  await selectionBar.getByRole('button', { name: t('common:removeFromList') }).click()
  const undoButton = page.getByRole('button', { name: t('common:undo') })
  // The focus keeps the message displayed, even if the list takes longer to load than a message is displayed.
  await undoButton.focus()
  await expectTitleCount(page, TITLE_COUNT - shownCount)
  await expect(getCards(page).first()).toContainText(`Reel ${String(shownCount + 1).padStart(4, '0')}`)
  await undoButton.click()
  await expectTitleCount(page, TITLE_COUNT)
  await expect(getCards(page).first()).toContainText('Reel 0001')
})

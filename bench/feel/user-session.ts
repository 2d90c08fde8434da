/** A scripted user session; each step is one tap or one key press. */
import type { Page } from 'playwright'
import {
  type InteractionTiming,
  type LayoutShiftRecord,
  takePerformanceRecords,
} from './performance-entries.ts'

/**
 * A step and its longest interaction. The interaction is null if the paint came within 16 ms, because the Event Timing
 * API does not report shorter interactions.
 */
export interface SessionStep {
  name: string
  interaction: InteractionTiming | null
}
export interface UserSession {
  steps: SessionStep[]
  shifts: LayoutShiftRecord[]
}

/** Durations of the pauses after a key press and after a tap. The page reacts to the input in these pauses. */
const PAUSE_AFTER_KEY_MS = 180
const PAUSE_AFTER_TAP_MS = 1_200
const MOVIE_ROW = 'section[aria-label="Popular Movies Right Now"] .row-track'

export async function runUserSession(page: Page, baseUrl: string): Promise<UserSession> {
  const session: UserSession = { steps: [], shifts: [] }
  const user = new ScriptedUser(page, session)
  await page.goto(`${baseUrl}/`)
  await page.locator('.row-track a').first().waitFor({ timeout: 60_000 })
  await page.waitForTimeout(5_000)
  await navigateHomeRows(user)
  await openAndRateTitle(user)
  await filterTitleLists(user)
  await performSearch(user)
  await editWatchlist(user)
  await operateHeaderMenus(user)
  return session
}

/** Sends input to the page and records the longest interaction of each step. */
class ScriptedUser {
  readonly page: Page
  readonly session: UserSession
  constructor(page: Page, session: UserSession) {
    this.page = page
    this.session = session
  }

  private async recordStep(stepName: string): Promise<void> {
    const { interactions, shifts } = await takePerformanceRecords(this.page)
    const longestInteraction = interactions.sort((a, b) => b.durationMs - a.durationMs)[0] ?? null
    this.session.steps.push({ name: stepName, interaction: longestInteraction })
    this.session.shifts.push(...shifts)
  }

  async press(stepName: string, key: string, pressCount = 1, waitMs = PAUSE_AFTER_KEY_MS): Promise<void> {
    for (let repetition = 0; repetition < pressCount; repetition++) {
      await this.page.keyboard.press(key, { delay: 60 })
      await this.page.waitForTimeout(waitMs)
      await this.recordStep(stepName)
    }
  }

  async tap(stepName: string, selector: string, waitMs = PAUSE_AFTER_TAP_MS): Promise<void> {
    const targetElement = this.page.locator(selector).first()
    await targetElement.waitFor({ timeout: 30_000 })
    await targetElement.scrollIntoViewIfNeeded()
    /* The hover itself is not measured, but its effects must be finished before the tap. */
    await targetElement.hover()
    await this.page.waitForTimeout(250)
    await this.page.mouse.down()
    await this.page.waitForTimeout(60)
    await this.page.mouse.up()
    await this.page.waitForTimeout(waitMs)
    await this.recordStep(stepName)
  }

  async type(stepName: string, typedText: string): Promise<void> {
    for (const character of typedText) await this.press(stepName, character)
  }

  async waitFor(selector: string): Promise<void> {
    await this.page.locator(selector).first().waitFor({ timeout: 30_000 })
    await this.page.waitForTimeout(PAUSE_AFTER_TAP_MS)
  }
}

async function navigateHomeRows(user: ScriptedUser): Promise<void> {
  await user.press('home: first arrow', 'ArrowDown', 3)
  await user.press('row: arrow right', 'ArrowRight', 8)
  await user.press('row: arrow left', 'ArrowLeft', 3)
  await user.press('rows: arrow down', 'ArrowDown', 4)
  await user.press('row: arrow right', 'ArrowRight', 6)
  await user.press('row: end', 'End')
  await user.press('row: home', 'Home')
  await user.press('rows: arrow up', 'ArrowUp', 4)
  await user.page.locator(`${MOVIE_ROW} a`).nth(1).focus()
  await user.press('detail: open by key', 'Enter', 1, 2_500)
  await user.waitFor('article h1')
  await user.press('detail: back by key', 'Escape', 1, 2_500)
  await user.waitFor(`${MOVIE_ROW} a`)
  const rowSelector = '.row-track:has(a):not(.row-wide)'
  const nextButtonSelector = `${rowSelector} ~ button[aria-label="Next"]`
  await user.page.locator(rowSelector).first().hover()
  await user.tap('row: next button', nextButtonSelector)
  await user.tap('row: next button', nextButtonSelector)
  await user.tap('row: previous button', `${rowSelector} ~ button[aria-label="Previous"]`)
}

async function openAndRateTitle(user: ScriptedUser): Promise<void> {
  await user.tap('detail: open from home', `${MOVIE_ROW} a`, 2_500)
  await user.waitFor('article h1')
  for (const buttonLabel of ['Add to My List', 'Remove from My List', 'Like', 'Liked'])
    await user.tap(`detail: ${buttonLabel}`, `article button[aria-label="${buttonLabel}"]`)
  await user.page.goBack()
  await user.waitFor(`${MOVIE_ROW} a`)
  /* Toggles twice: the title may already be in My List, and its state must be the same afterwards. */
  for (let repetition = 0; repetition < 2; repetition++)
    await user.tap('home: My List', 'main section button[aria-label$="My List"]')
}

async function filterTitleLists(user: ScriptedUser): Promise<void> {
  await user.tap('movies: open', 'header a[href="/movies/"]', 2_500)
  await user.waitFor('.card-grid a')
  await user.tap('movies: tab', '[role=tab]:nth-child(2)', 2_000)
  await user.tap('movies: tab', '[role=tab]:nth-child(3)', 2_000)
  await user.tap('movies: tab seen before', '[role=tab]:nth-child(1)', 2_000)
  await user.tap('filters: open', 'main button:has-text("Filters")')
  for (const buttonNumber of [1, 2, 3])
    await user.tap('filters: genre', `dialog fieldset:first-of-type button:nth-of-type(${buttonNumber})`)
  await user.tap('filters: age', 'dialog fieldset:nth-of-type(2) button:nth-of-type(3)')
  await user.tap('filters: switch', 'dialog [role=switch]')
  await user.tap('filters: done', 'dialog button:has-text("Done")')
  await user.tap('chips: remove', 'main ul button[aria-label^="Remove"]', 2_000)
  await user.tap('chips: reset', 'main ul button:has-text("Reset")', 2_000)
  await user.tap('tv shows: open', 'header a[href="/tvshows/"]', 2_500)
  await user.waitFor('.card-grid a')
  await user.press('grid: first arrow', 'ArrowDown', 3)
  await user.press('grid: arrow right', 'ArrowRight', 4)
  await user.press('grid: arrow down', 'ArrowDown', 5)
  await user.tap('detail: open from list', '.card-grid a', 2_500)
  await user.waitFor('article h1')
  await user.page.goBack()
  await user.waitFor('.card-grid a')
}

async function performSearch(user: ScriptedUser): Promise<void> {
  await user.tap('search: open', 'header a[href="/search/"]', 2_500)
  await user.waitFor('search input')
  await user.type('search: type', 'the night')
  await user.page.waitForTimeout(PAUSE_AFTER_TAP_MS)
  for (const tabNumber of [2, 3, 1]) await user.tap('search: tab', `[role=tab]:nth-child(${tabNumber})`)
  await user.page.locator('search input').focus()
  await user.press('search: delete', 'Backspace', 6)
  await user.tap('search: clear', 'search button')
  await user.type('search: type', 'star')
  await user.page.waitForTimeout(PAUSE_AFTER_TAP_MS)
  await user.tap('detail: open from search', '.card-grid a', 2_500)
  await user.waitFor('article h1')
  /* Adds the title, or removes the title if an earlier session has added it. */
  await user.tap('detail: My List', 'article button[aria-label$="My List"]')
}

async function editWatchlist(user: ScriptedUser): Promise<void> {
  await user.tap('my list: open', 'header a[href="/mylist/"]', 2_500)
  await user.waitFor('.card-grid a')
  await user.tap('my list: tab', '[role=tab]:nth-child(2)', 2_000)
  await user.tap('my list: tab', '[role=tab]:nth-child(1)', 2_000)
  await user.tap('my list: select', 'main button:has-text("Select")')
  await user.tap('my list: end selection', 'main button:has-text("Select")')
}

async function operateHeaderMenus(user: ScriptedUser): Promise<void> {
  await user.tap('notifications: open', 'header button[aria-expanded] >> nth=-2')
  await user.tap('menu: open', 'header button[aria-expanded] >> nth=-1')
  await user.tap('theme: light', 'header fieldset button:nth-of-type(2)')
  await user.tap('theme: dark', 'header fieldset button:nth-of-type(3)')
  await user.tap('profile: switch', 'header [data-panel] button[aria-label*="Sunny"]', 3_000)
  await user.waitFor('.row-track a')
  await user.tap('menu: open', 'header button[aria-expanded] >> nth=-1')
  await user.tap('profile: switch', 'header [data-panel] button[aria-label*="Alex"]', 3_000)
  await user.waitFor('.row-track a')
}

/** An evening as somebody has it, step by step: each step is one tap or one key. */
import type { Page } from 'playwright'
import { drain, type Interaction, type Shift } from './observe.ts'

/** A step and its longest interaction; null where the paint came within 16 ms, below what the browser notes. */
export interface Step {
  name: string
  interaction: Interaction | null
}
export interface Evening {
  steps: Step[]
  shifts: Shift[]
}

/** A hand rests that long between two keys, and the eye between two taps. */
const KEY_MS = 180
const LOOK_MS = 1_200
const MOVIES = 'section[aria-label="Popular Movies Right Now"] .row-track'

export async function spendEvening(page: Page, base: string): Promise<Evening> {
  const evening: Evening = { steps: [], shifts: [] }
  const hand = new Hand(page, evening)
  await page.goto(`${base}/`)
  await page.locator('.row-track a').first().waitFor({ timeout: 60_000 })
  await page.waitForTimeout(5_000)
  await rows(hand)
  await titles(hand)
  await lists(hand)
  await search(hand)
  await myList(hand)
  await menus(hand)
  return evening
}

/** Presses and taps, and keeps what each was like. */
class Hand {
  readonly page: Page
  readonly evening: Evening
  constructor(page: Page, evening: Evening) {
    this.page = page
    this.evening = evening
  }

  private async keep(name: string): Promise<void> {
    const { interactions, shifts } = await drain(this.page)
    const longest = interactions.sort((a, b) => b.ms - a.ms)[0] ?? null
    this.evening.steps.push({ name, interaction: longest })
    this.evening.shifts.push(...shifts)
  }

  async press(name: string, key: string, times = 1, look = KEY_MS): Promise<void> {
    for (let time = 0; time < times; time++) {
      await this.page.keyboard.press(key, { delay: 60 })
      await this.page.waitForTimeout(look)
      await this.keep(name)
    }
  }

  async tap(name: string, selector: string, look = LOOK_MS): Promise<void> {
    const target = this.page.locator(selector).first()
    await target.waitFor({ timeout: 30_000 })
    await target.scrollIntoViewIfNeeded()
    /* Where the pointer went is no interaction, but what it began is done. */
    await target.hover()
    await this.page.waitForTimeout(250)
    await this.page.mouse.down()
    await this.page.waitForTimeout(60)
    await this.page.mouse.up()
    await this.page.waitForTimeout(look)
    await this.keep(name)
  }

  async type(name: string, text: string): Promise<void> {
    for (const key of text) await this.press(name, key)
  }

  async see(selector: string): Promise<void> {
    await this.page.locator(selector).first().waitFor({ timeout: 30_000 })
    await this.page.waitForTimeout(LOOK_MS)
  }
}

async function rows(hand: Hand): Promise<void> {
  await hand.press('home: first arrow', 'ArrowDown', 3)
  await hand.press('row: arrow right', 'ArrowRight', 8)
  await hand.press('row: arrow left', 'ArrowLeft', 3)
  await hand.press('rows: arrow down', 'ArrowDown', 4)
  await hand.press('row: arrow right', 'ArrowRight', 6)
  await hand.press('row: end', 'End')
  await hand.press('row: home', 'Home')
  await hand.press('rows: arrow up', 'ArrowUp', 4)
  await hand.page.locator(`${MOVIES} a`).nth(1).focus()
  await hand.press('detail: open by key', 'Enter', 1, 2_500)
  await hand.see('article h1')
  await hand.press('detail: back by key', 'Escape', 1, 2_500)
  await hand.see(`${MOVIES} a`)
  const row = '.row-track:has(a):not(.row-wide)'
  const strip = `${row} ~ button[aria-label="Next"]`
  await hand.page.locator(row).first().hover()
  await hand.tap('row: strip', strip)
  await hand.tap('row: strip', strip)
  await hand.tap('row: strip back', `${row} ~ button[aria-label="Previous"]`)
}

async function titles(hand: Hand): Promise<void> {
  await hand.tap('detail: open from home', `${MOVIES} a`, 2_500)
  await hand.see('article h1')
  for (const key of ['Add to My List', 'Remove from My List', 'Like', 'Liked'])
    await hand.tap(`detail: ${key}`, `article button[aria-label="${key}"]`)
  await hand.page.goBack()
  await hand.see(`${MOVIES} a`)
  /* On it, or off it where the title of the day is there already; and back. */
  for (let time = 0; time < 2; time++)
    await hand.tap('home: My List', 'main section button[aria-label$="My List"]')
}

async function lists(hand: Hand): Promise<void> {
  await hand.tap('movies: open', 'header a[href="/movies/"]', 2_500)
  await hand.see('.card-grid a')
  await hand.tap('movies: tab', '[role=tab]:nth-child(2)', 2_000)
  await hand.tap('movies: tab', '[role=tab]:nth-child(3)', 2_000)
  await hand.tap('movies: tab seen before', '[role=tab]:nth-child(1)', 2_000)
  await hand.tap('filters: open', 'main button:has-text("Filters")')
  for (const at of [1, 2, 3])
    await hand.tap('filters: genre', `dialog fieldset:first-of-type button:nth-of-type(${at})`)
  await hand.tap('filters: age', 'dialog fieldset:nth-of-type(2) button:nth-of-type(3)')
  await hand.tap('filters: switch', 'dialog [role=switch]')
  await hand.tap('filters: done', 'dialog button:has-text("Done")')
  await hand.tap('chips: remove', 'main ul button[aria-label^="Remove"]', 2_000)
  await hand.tap('chips: reset', 'main ul button:has-text("Reset")', 2_000)
  await hand.tap('tv shows: open', 'header a[href="/tvshows/"]', 2_500)
  await hand.see('.card-grid a')
  await hand.press('grid: first arrow', 'ArrowDown', 3)
  await hand.press('grid: arrow right', 'ArrowRight', 4)
  await hand.press('grid: arrow down', 'ArrowDown', 5)
  await hand.tap('detail: open from list', '.card-grid a', 2_500)
  await hand.see('article h1')
  await hand.page.goBack()
  await hand.see('.card-grid a')
}

async function search(hand: Hand): Promise<void> {
  await hand.tap('search: open', 'header a[href="/search/"]', 2_500)
  await hand.see('search input')
  await hand.type('search: type', 'the night')
  await hand.page.waitForTimeout(LOOK_MS)
  for (const at of [2, 3, 1]) await hand.tap('search: tab', `[role=tab]:nth-child(${at})`)
  await hand.page.locator('search input').focus()
  await hand.press('search: delete', 'Backspace', 6)
  await hand.tap('search: clear', 'search button')
  await hand.type('search: type', 'star')
  await hand.page.waitForTimeout(LOOK_MS)
  await hand.tap('detail: open from search', '.card-grid a', 2_500)
  await hand.see('article h1')
  /* On it, or off it where an evening before put it there. */
  await hand.tap('detail: My List', 'article button[aria-label$="My List"]')
}

async function myList(hand: Hand): Promise<void> {
  await hand.tap('my list: open', 'header a[href="/mylist/"]', 2_500)
  await hand.see('.card-grid a')
  await hand.tap('my list: tab', '[role=tab]:nth-child(2)', 2_000)
  await hand.tap('my list: tab', '[role=tab]:nth-child(1)', 2_000)
  await hand.tap('my list: select', 'main button:has-text("Select")')
  await hand.tap('my list: select no more', 'main button:has-text("Select")')
}

async function menus(hand: Hand): Promise<void> {
  await hand.tap('notices: open', 'header button[aria-expanded] >> nth=-2')
  await hand.tap('menu: open', 'header button[aria-expanded] >> nth=-1')
  await hand.tap('theme: light', 'header fieldset button:nth-of-type(2)')
  await hand.tap('theme: dark', 'header fieldset button:nth-of-type(3)')
  await hand.tap('profile: switch', 'header [data-panel] button[aria-label*="Sunny"]', 3_000)
  await hand.see('.row-track a')
  await hand.tap('menu: open', 'header button[aria-expanded] >> nth=-1')
  await hand.tap('profile: switch', 'header [data-panel] button[aria-label*="Alex"]', 3_000)
  await hand.see('.row-track a')
}

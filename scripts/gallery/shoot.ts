/** Takes the pictures of one window: each state once, in each theme. */
import { join } from 'node:path'
import type { Page } from 'playwright'
import { getLocalePrefix } from '../../src/lib/i18n/locale-prefix.ts'
import { SIZES, type Size, type Stage, type Theme } from './stage.ts'
import type { State } from './states.ts'

export interface Shot {
  name: string
  locale: string
  size: Size
  theme: Theme
  file: string
  /** Why there is none. */
  failed?: string
}

/** Until the pictures in the window are there and nothing moves; a page that never rests is taken as it is. */
async function settle(page: Page): Promise<void> {
  await page
    .waitForFunction(
      () => {
        const inWindow = (image: HTMLImageElement) => {
          const { top, bottom, width } = image.getBoundingClientRect()
          return width > 0 && bottom > 0 && top < innerHeight * 2
        }
        return [...document.images]
          .filter(inWindow)
          .every((image) => image.complete || image.loading === 'lazy')
      },
      undefined,
      { timeout: 5_000 },
    )
    .catch(() => undefined)
  await page.waitForTimeout(350)
}

async function open(stage: Stage, state: State): Promise<void> {
  const { page, locale } = stage
  const path = typeof state.path === 'string' ? state.path : state.path(stage)
  await state.before?.(stage)
  await page.goto(getLocalePrefix(locale) + path, { waitUntil: 'domcontentloaded' })
  await page.locator('h1, h2, [role=status]').first().waitFor({ state: 'attached', timeout: 15_000 })
  if (!/pending/.test(state.name)) {
    await page.locator('main :is(h1, h2), .theatre').first().waitFor({ state: 'attached', timeout: 15_000 })
    await page
      .waitForFunction(() => !document.querySelector('main :is(.skeleton, .pending-ring)'), undefined, {
        timeout: 3_000,
      })
      .catch(() => undefined)
  }
  await settle(page)
  if (state.act) {
    await state.act(stage)
    await settle(page)
  }
}

export async function shoot(stage: Stage, state: State, themes: Theme[], folder: string): Promise<Shot[]> {
  const { page, locale, size } = stage
  const shot = (theme: Theme, name = state.name): Shot => ({
    name,
    locale,
    size,
    theme,
    file: `${name}.${locale}.${size}.${theme}.jpg`,
  })
  try {
    await page.emulateMedia({ colorScheme: themes[0] ?? 'dark' })
    await open(stage, state)
    const shots: Shot[] = []
    const take = async (name: string) => {
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme })
        await page.waitForTimeout(150)
        const path = join(folder, shot(theme, name).file)
        await page.screenshot({ path, type: 'jpeg', quality: 78, animations: 'disabled', timeout: 20_000 })
        shots.push(shot(theme, name))
      }
    }
    await take(state.name)
    if (state.whole && (await scrollOn(page, size))) await take(`${state.name}-below`)
    return shots
  } catch (error) {
    return themes.map((theme) => ({ ...shot(theme), failed: String(error).slice(0, 300) }))
  } finally {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    /* Else the next visit of the same address would be a reload, which scrolls to where it was. */
    await page.goto('/favicon.svg')
  }
}

/** Most of a window down; a picture of the whole page would make the window larger, which moves things. */
async function scrollOn(page: Page, size: Size): Promise<boolean> {
  const { height } = SIZES[size]
  const moved = await page.evaluate((by) => {
    window.scrollTo({ top: by, behavior: 'instant' })
    return scrollY
  }, height * 0.8)
  if (moved > 0) await settle(page)
  return moved > 0
}

/** Takes the screenshots of a state in each theme. */
import { join } from 'node:path'
import type { Page } from 'playwright'
import { getLocalePrefix } from '../../src/lib/i18n/locale-prefix.ts'
import type { GalleryState } from './gallery-state.ts'
import { type GalleryTheme, type GalleryWindow, SCREEN_SIZES, type ScreenSize } from './window.ts'

export interface GalleryScreenshot {
  name: string
  locale: string
  size: ScreenSize
  theme: GalleryTheme
  file: string
  /** Error message if the screenshot could not be taken. */
  error?: string
}

/**
 * Waits at most five seconds until the images in the viewport and up to one screen below it are loaded, except for lazy
 * images.
 */
async function waitUntilSettled(page: Page): Promise<void> {
  await page
    .waitForFunction(
      () => {
        const isNearViewport = (image: HTMLImageElement) => {
          const { top, bottom, width } = image.getBoundingClientRect()
          return width > 0 && bottom > 0 && top < innerHeight * 2
        }
        return [...document.images]
          .filter(isNearViewport)
          .every((image) => image.complete || image.loading === 'lazy')
      },
      undefined,
      { timeout: 5_000 },
    )
    .catch(() => undefined)
  await page.waitForTimeout(350)
}

async function openState(galleryWindow: GalleryWindow, state: GalleryState): Promise<void> {
  const { page, locale } = galleryWindow
  const statePath = typeof state.path === 'string' ? state.path : state.path(galleryWindow)
  await state.prepare?.(galleryWindow)
  await page.goto(getLocalePrefix(locale) + statePath, { waitUntil: 'domcontentloaded' })
  await page.locator('h1, h2, [role=status]').first().waitFor({ state: 'attached', timeout: 15_000 })
  if (!/pending/.test(state.name)) {
    await page.locator('main :is(h1, h2), .theatre').first().waitFor({ state: 'attached', timeout: 15_000 })
    await page
      .waitForFunction(() => !document.querySelector('main :is(.skeleton, .pending-ring)'), undefined, {
        timeout: 3_000,
      })
      .catch(() => undefined)
  }
  await waitUntilSettled(page)
  if (state.interact) {
    await state.interact(galleryWindow)
    await waitUntilSettled(page)
  }
}

/**
 * Takes the screenshots of a state in each theme. Returns entries with `error` instead of throwing, so that one broken
 * state does not stop the others.
 */
export async function captureState(
  galleryWindow: GalleryWindow,
  state: GalleryState,
  themes: GalleryTheme[],
  folder: string,
): Promise<GalleryScreenshot[]> {
  const { page, locale, size } = galleryWindow
  const describeScreenshot = (theme: GalleryTheme, name = state.name): GalleryScreenshot => ({
    name,
    locale,
    size,
    theme,
    file: `${name}.${locale}.${size}.${theme}.jpg`,
  })
  try {
    await page.emulateMedia({ colorScheme: themes[0] ?? 'dark' })
    await openState(galleryWindow, state)
    const screenshots: GalleryScreenshot[] = []
    const captureThemes = async (name: string) => {
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme })
        await page.waitForTimeout(150)
        // The theme is set here, because televisions start with the dark theme even if the system prefers light.
        await page.evaluate((themeName) => {
          document.documentElement.dataset['theme'] = themeName
        }, theme)
        const screenshot = describeScreenshot(theme, name)
        const path = join(folder, screenshot.file)
        await page.screenshot({ path, type: 'jpeg', quality: 78, animations: 'disabled', timeout: 20_000 })
        screenshots.push(screenshot)
      }
    }
    await captureThemes(state.name)
    if (state.shouldCaptureBelow && (await scrollDown(page, size))) await captureThemes(`${state.name}-below`)
    return screenshots
  } catch (error) {
    return themes.map((theme) => ({ ...describeScreenshot(theme), error: String(error).slice(0, 300) }))
  } finally {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    /* Leaves the page. Opening the same URL twice in a row would be a reload, which restores the scroll position. */
    await page.goto('/favicon.svg')
  }
}

/**
 * Scrolls to 80 % of the height of the viewport; returns false if the page is too short to scroll. A full-page
 * screenshot is not used, because it would enlarge the viewport and so change the layout.
 */
async function scrollDown(page: Page, screenSize: ScreenSize): Promise<boolean> {
  const { height } = SCREEN_SIZES[screenSize]
  const scrolledPixels = await page.evaluate((top) => {
    window.scrollTo({ top, behavior: 'instant' })
    return scrollY
  }, height * 0.8)
  if (scrolledPixels > 0) await waitUntilSettled(page)
  return scrolledPixels > 0
}

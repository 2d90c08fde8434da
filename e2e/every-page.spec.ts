/**
 * Every page in English and Arabic, which is opened once per language for all checks: axe in both themes, large text, arrow keys
 * and right-to-left layout.
 */
import { expect, type Page, test } from '@playwright/test'
import type { Locale } from '../src/lib/i18n/locales.ts'
import { expectReachableByArrowKeys } from './arrow-key-walk.ts'
import { collectPageProblems, findViolations, getTranslation, signInAsProfile } from './journey-helpers.ts'
import { expectReadableAtLargeText } from './large-text.ts'
import { type Edge, expectMirrored, findEdges } from './mirrored-layout.ts'
import { LAYOUT_TEST_PAGES, openPage, setInterfaceLanguage, waitUntilSettled } from './page-navigation.ts'

/** Pages that axe checks, with the translation key of a text that must be visible. */
const ACCESSIBILITY_PAGES: Record<string, string | null> = {
  '/': 'home:popularMovies',
  '/movies/': 'common:movies',
  '/movies/pulp-fiction': null,
  '/tvshows/': 'common:tvShows',
  '/tvshows/stranger-things': null,
  '/search/?q=dark': null,
  '/mylist/': 'mylist:title',
  '/history/': 'history:title',
  '/lists/': 'lists:title',
  '/calendar/': 'calendar:title',
  '/calendar/?view=month': 'calendar:title',
  '/statistics/': 'statistics:title',
  '/account/': 'account:title',
  '/account/?tab=security': 'account:changePassword',
  '/account/?tab=devices': 'account:thisDevice',
  '/account/?tab=preferences': 'account:interfaceLanguage',
  '/dashboard/': 'dashboard:section_overview',
  '/link/': 'link:title',
  '/profiles/': 'profiles:heading',
  '/nowhere/': 'errors:notFoundTitle',
  '/not-authorized/': 'errors:notAuthorizedTitle',
}
const LARGE_TEXT_PAGES = [...LAYOUT_TEST_PAGES, '/account/?tab=security', '/dashboard/?section=settings']
const ARROW_KEY_PAGES = [
  ...LAYOUT_TEST_PAGES,
  '/account/?tab=security',
  '/dashboard/?section=users',
  '/dashboard/?section=catalogue',
  '/dashboard/?section=settings',
  '/not-authorized/',
]
/* Pages with rows, tabs and forms, which right-to-left layout affects. */
const ARABIC_ARROW_KEY_PAGES = [
  '/',
  '/movies/',
  '/tvshows/stranger-things',
  '/account/?tab=preferences',
  '/profiles/',
]
const PAGES = new Set([...Object.keys(ACCESSIBILITY_PAGES), ...LARGE_TEXT_PAGES, ...ARROW_KEY_PAGES])
const LAPTOP = { width: 1440, height: 900 }
const TELEVISION = { width: 1920, height: 1080 }

let page: Page
let problems: string[]

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage({ colorScheme: 'dark', reducedMotion: 'reduce', viewport: LAPTOP })
  problems = collectPageProblems(page).problems
  await signInAsProfile(page, 'Alex')
})
test.afterAll(() => page.close())

async function openInLocale(path: string, locale: Locale): Promise<void> {
  await setInterfaceLanguage(page, locale)
  await page.setViewportSize(LAPTOP)
  await openPage(page, locale, path)
  const key = ACCESSIBILITY_PAGES[path]
  if (key) await expect(page.getByText(getTranslation(locale, key)).first()).toBeVisible()
}

const applyTheme = (theme: string): Promise<void> =>
  page.evaluate(async (name) => {
    document.documentElement.dataset['theme'] = name
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }, theme)

async function walkOnTelevision(path: string): Promise<void> {
  await page.setViewportSize(TELEVISION)
  await waitUntilSettled(page)
  await expectReachableByArrowKeys(page, path)
}

/** Returns the edges of the page, which are compared with those of the Arabic page. */
async function checkEnglishPage(path: string): Promise<Edge[]> {
  await openInLocale(path, 'en')
  const edges = await findEdges(page)
  if (path in ACCESSIBILITY_PAGES) {
    await applyTheme('dark')
    expect.soft(await findViolations(page), `${path} dark`).toEqual([])
    await applyTheme('light')
    expect.soft(await findViolations(page, ['color-contrast']), `${path} light`).toEqual([])
    await applyTheme('dark')
  }
  if (LARGE_TEXT_PAGES.includes(path)) await expectReadableAtLargeText(page, path)
  // Last, because pressing keys opens other tabs of the page.
  if (ARROW_KEY_PAGES.includes(path)) await walkOnTelevision(path)
  return edges
}

async function checkArabicPage(path: string, englishEdges: Edge[]): Promise<void> {
  await openInLocale(path, 'ar')
  if (LAYOUT_TEST_PAGES.includes(path)) await expectMirrored(page, englishEdges, path)
  await applyTheme('dark')
  expect.soft(await findViolations(page), `${path} in Arabic`).toEqual([])
  if (ARABIC_ARROW_KEY_PAGES.includes(path)) await walkOnTelevision(path)
}

for (const path of PAGES)
  test(`${path} is accessible, readable at 200 % text size, usable with arrow keys and mirrored in Arabic`, async () => {
    problems.length = 0
    const englishEdges = await checkEnglishPage(path)
    if (path in ACCESSIBILITY_PAGES) await checkArabicPage(path, englishEdges)
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
  })

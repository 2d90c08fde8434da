/**
 * Opens every page once in English and once in Arabic for all checks: axe in both themes, large text and
 * right-to-left layout. remote-controls.spec.ts checks the arrow keys.
 */
import { expect, type Page, test } from '@playwright/test'
import type { Locale } from '../src/lib/i18n/locales.ts'
import { collectPageProblems, findViolations, getTranslation, signInAsProfile } from './journey-helpers.ts'
import { expectReadableAtLargeText, expectRoomForLongTexts } from './large-text.ts'
import { collectLongTexts, type LongTexts } from './long-data.ts'
import { expectMirrored, findStartEdges, type StartEdge } from './mirrored-layout.ts'
import { LAYOUT_TEST_PAGES, openPage, setInterfaceLanguage } from './page-navigation.ts'

/** Pages that axe checks, with the translation key of a text that must be visible; null to check no text. */
const VISIBLE_TEXT_KEYS_BY_PATH: Record<string, string | null> = {
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
  '/watch-next/': 'watchnext:title',
  '/statistics/': 'statistics:title',
  '/account/': 'account:title',
  '/account/?tab=security': 'account:changePassword',
  '/account/?tab=devices': 'account:thisDevice',
  '/account/?tab=preferences': 'account:interfaceLanguage',
  '/account/?tab=family': 'family:title',
  '/account/?tab=notices': 'notices:devices',
  '/account/?tab=bin': 'bin:hint',
  '/dashboard/': 'dashboard:section_overview',
  '/link/': 'link:title',
  '/email/': 'emailchange:unusable',
  '/remote/': 'remote:title',
  '/profiles/': 'profiles:heading',
  '/nowhere/': 'errors:notFoundTitle',
  '/not-authorized/': 'errors:notAuthorizedTitle',
}
const LARGE_TEXT_PATHS = [...LAYOUT_TEST_PAGES, '/account/?tab=security', '/dashboard/?section=settings']
const PAGE_PATHS = new Set([...Object.keys(VISIBLE_TEXT_KEYS_BY_PATH), ...LARGE_TEXT_PATHS])
/** Pages that show names, titles or email addresses in every household. */
const PATHS_WITH_NAMES = [
  '/',
  '/movies/',
  '/movies/pulp-fiction',
  '/tvshows/stranger-things',
  '/search/?q=dark',
  '/account/',
  '/profiles/',
]
const LAPTOP_VIEWPORT = { width: 1440, height: 900 }

let page: Page
let problems: string[]
let longTexts: LongTexts

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage({ colorScheme: 'dark', reducedMotion: 'reduce', viewport: LAPTOP_VIEWPORT })
  problems = collectPageProblems(page).problems
  longTexts = collectLongTexts(page)
  await signInAsProfile(page, 'Alex')
})
test.afterAll(() => page.close())

async function openInLocale(path: string, locale: Locale): Promise<void> {
  await setInterfaceLanguage(page, locale)
  await page.setViewportSize(LAPTOP_VIEWPORT)
  await openPage(page, locale, path)
  const textKey = VISIBLE_TEXT_KEYS_BY_PATH[path]
  if (textKey) await expect(page.getByText(getTranslation(locale, textKey)).first()).toBeVisible()
}

const applyTheme = (theme: string): Promise<void> =>
  page.evaluate(async (themeName) => {
    document.documentElement.dataset['theme'] = themeName
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    // Finishes the transitions of colours, because they do not progress in parts of the page that are not rendered yet
    // (`content-visibility`).
    for (const animation of document.getAnimations())
      if (animation instanceof CSSTransition) animation.finish()
  }, theme)

/** Checks the English page and returns its edges, which are compared with the edges of the Arabic page. */
async function checkEnglishPage(path: string): Promise<StartEdge[]> {
  await openInLocale(path, 'en')
  const edges = await findStartEdges(page)
  if (path in VISIBLE_TEXT_KEYS_BY_PATH) {
    await applyTheme('dark')
    expect.soft(await findViolations(page), `${path} dark`).toEqual([])
    await applyTheme('light')
    expect.soft(await findViolations(page, ['color-contrast']), `${path} light`).toEqual([])
    await applyTheme('dark')
  }
  if (LARGE_TEXT_PATHS.includes(path)) await expectReadableAtLargeText(page, path)
  const replacedTextCount = await expectRoomForLongTexts(page, path, longTexts)
  if (PATHS_WITH_NAMES.includes(path)) expect(replacedTextCount, `${path}: texts replaced`).toBeGreaterThan(0)
  return edges
}

async function checkArabicPage(path: string, englishEdges: StartEdge[]): Promise<void> {
  await openInLocale(path, 'ar')
  if (LAYOUT_TEST_PAGES.includes(path)) await expectMirrored(page, englishEdges, path)
  await applyTheme('dark')
  expect.soft(await findViolations(page), `${path} in Arabic`).toEqual([])
}

for (const path of PAGE_PATHS)
  test(`${path} passes the checks of accessibility, large text, long texts and Arabic that apply to this page`, async () => {
    problems.length = 0
    const englishEdges = await checkEnglishPage(path)
    if (path in VISIBLE_TEXT_KEYS_BY_PATH) await checkArabicPage(path, englishEdges)
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
  })

/** Browser windows of the gallery: one per locale, screen size and account of the demo household. */
import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright'
import type { Locale } from '../../src/lib/i18n/locales.ts'
import { LITE_MODE_KEY, LOCALE_KEY } from '../../src/lib/storage-keys.ts'

export type GalleryTheme = 'dark' | 'light'
/** A profile of the demo household, an invited account without profiles, or a visitor who is signed out. */
export type GalleryViewer = 'main' | 'kids' | 'invited' | 'signed-out'

export const SCREEN_SIZES = {
  phone: { width: 390, height: 844 },
  laptop: { width: 1440, height: 900 },
  tv: { width: 1920, height: 1080 },
} as const
/**
 * User agent of a television: the site uses larger text on televisions (src/page-scripts/inline/display-settings.ts).
 */
const TV_USER_AGENT =
  'Mozilla/5.0 (SMART-TV; Linux; Tizen 9.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 TV Safari/537.36'
export type ScreenSize = keyof typeof SCREEN_SIZES

export interface GalleryHousehold {
  origin: string
  admin: { email: string; password: string }
  invitedUser: { email: string; password: string }
  /** Ids of the profiles by their names. */
  profileIds: Record<string, string>
  /** Token of an invitation that is still open. */
  invitationToken: string
}

export interface GalleryWindow {
  page: Page
  locale: Locale
  size: ScreenSize
  household: GalleryHousehold
  /** Returns the translation of a key `namespace:key` in the locale of the window. Throws if there is none. */
  translate: (key: string) => string
}

const textsByKeyByFile = new Map<string, Record<string, string>>()

function readTranslation(locale: Locale, key: string): string {
  const [namespace = '', textKey = ''] = key.split(':')
  const file = `src/i18n/${locale}/${namespace}.json`
  const textsByKey =
    textsByKeyByFile.get(file) ?? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)
  textsByKeyByFile.set(file, textsByKey)
  const translatedText = textsByKey[textKey]
  if (translatedText === undefined) throw new Error(`${file} has no text for ${textKey}`)
  return translatedText
}

/**
 * Returns `getOrOpenWindow`, which opens the window of an account at its first use, and `closeWindows`, which closes
 * all windows.
 */
export function createWindows(
  browser: Browser,
  household: GalleryHousehold,
  locale: Locale,
  size: ScreenSize,
) {
  const windowsByAccount = new Map<string, { context: BrowserContext; page: Page }>()
  const translate = (key: string) => readTranslation(locale, key)
  async function getOrOpenWindow(viewer: GalleryViewer): Promise<GalleryWindow> {
    const account = viewer === 'kids' ? 'main' : viewer
    const accountWindow =
      windowsByAccount.get(account) ?? (await openWindow(browser, household, locale, size, account))
    windowsByAccount.set(account, accountWindow)
    const profileId = household.profileIds[viewer === 'kids' ? 'Sunny' : 'Alex'] ?? ''
    if (account === 'main')
      await accountWindow.page.evaluate(selectProfile, { id: profileId, isKids: viewer === 'kids' })
    return { page: accountWindow.page, locale, size, household, translate }
  }
  const closeWindows = async () => {
    for (const { context } of windowsByAccount.values()) await context.close()
  }
  return { getOrOpenWindow, closeWindows }
}

/**
 * Selects a profile in the storage of the browser. Runs in the page, so it cannot use the constants of
 * src/lib/storage-keys.ts.
 */
function selectProfile({ id, isKids }: { id: string; isKids: boolean }) {
  for (const storage of [sessionStorage, localStorage]) storage.setItem('marquee-profile', id)
  if (isKids) localStorage.setItem('marquee-kids', id)
  else localStorage.removeItem('marquee-kids')
}

async function openWindow(
  browser: Browser,
  { origin, admin, invitedUser }: GalleryHousehold,
  locale: Locale,
  size: ScreenSize,
  account: Exclude<GalleryViewer, 'kids'>,
) {
  const isPhone = size === 'phone'
  const context = await browser.newContext({
    baseURL: origin,
    viewport: SCREEN_SIZES[size],
    hasTouch: isPhone,
    isMobile: isPhone,
    ...(size === 'tv' && { userAgent: TV_USER_AGENT }),
    colorScheme: 'dark',
    locale,
    storageState: {
      cookies: [],
      origins: [
        {
          origin,
          localStorage: [
            { name: LOCALE_KEY, value: locale },
            { name: LITE_MODE_KEY, value: '0' },
          ],
        },
      ],
    },
  })
  if (account !== 'signed-out') {
    const credentials = account === 'invited' ? invitedUser : admin
    const response = await context.request.post('/api/auth/login', {
      data: credentials,
      headers: { Origin: origin },
    })
    if (!response.ok()) throw new Error(`Signing in failed with status ${response.status()}`)
  }
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  /* Removes the space that headless browsers reserve for scrollbars, because they do not show the scrollbars. */
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.scrollbarGutter = 'auto'
    }),
  )
  await page.goto('/favicon.svg')
  return { context, page }
}

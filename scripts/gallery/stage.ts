/** One browser window of the gallery: a language and a size, signed in to the demo household. */
import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright'
import type { Locale } from '../../src/lib/i18n/locales.ts'
import { LITE_MODE_KEY, LOCALE_KEY } from '../../src/lib/storage-keys.ts'

export type Theme = 'dark' | 'light'
/** Who looks: a profile of the demo household, an invited account without profiles, or nobody yet. */
export type Who = 'main' | 'kids' | 'guest' | 'nobody'

export const SIZES = {
  phone: { width: 390, height: 844 },
  laptop: { width: 1440, height: 900 },
  tv: { width: 1920, height: 1080 },
} as const
/** As one of many televisions calls itself: the site writes larger on those (src/page-scripts/inline/display-settings.ts). */
const TELEVISION =
  'Mozilla/5.0 (SMART-TV; Linux; Tizen 9.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 TV Safari/537.36'
export type Size = keyof typeof SIZES

/** What every window needs to know of the household; filled in by scripts/gallery.ts. */
export interface Household {
  origin: string
  admin: { email: string; password: string }
  guest: { email: string; password: string }
  /** By name of the profile. */
  profiles: Record<string, string>
  invitation: string
}

export interface Stage {
  page: Page
  locale: Locale
  size: Size
  household: Household
  /** The words of the page, as translators wrote them. */
  w: (key: string) => string
}

const tables = new Map<string, Record<string, string>>()

export function words(locale: Locale, key: string): string {
  const [namespace = '', name = ''] = key.split(':')
  const file = `src/i18n/${locale}/${namespace}.json`
  const table = tables.get(file) ?? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)
  tables.set(file, table)
  const text = table[name]
  if (text === undefined) throw new Error(`no words for ${key} in ${locale}`)
  return text
}

/** Windows by who looks, opened when first needed; `close` closes them all. */
export function windows(browser: Browser, household: Household, locale: Locale, size: Size) {
  const open = new Map<string, { context: BrowserContext; page: Page }>()
  const w = (key: string) => words(locale, key)
  async function enter(who: Who): Promise<Stage> {
    const account = who === 'kids' ? 'main' : who
    const window = open.get(account) ?? (await openWindow(browser, household, locale, size, account))
    open.set(account, window)
    const id = household.profiles[who === 'kids' ? 'Sunny' : 'Alex'] ?? ''
    if (account === 'main') await window.page.evaluate(actAs, { id, kids: who === 'kids' })
    return { page: window.page, locale, size, household, w }
  }
  const close = async () => {
    for (const { context } of open.values()) await context.close()
  }
  return { enter, close }
}

/** Runs in the page: the keys of src/lib/stores/profile.ts. */
function actAs({ id, kids }: { id: string; kids: boolean }) {
  for (const storage of [sessionStorage, localStorage]) storage.setItem('marquee-profile', id)
  if (kids) localStorage.setItem('marquee-kids', id)
  else localStorage.removeItem('marquee-kids')
}

async function openWindow(
  browser: Browser,
  { origin, admin, guest }: Household,
  locale: Locale,
  size: Size,
  who: Exclude<Who, 'kids'>,
) {
  const phone = size === 'phone'
  const context = await browser.newContext({
    baseURL: origin,
    viewport: SIZES[size],
    hasTouch: phone,
    isMobile: phone,
    ...(size === 'tv' && { userAgent: TELEVISION }),
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
  if (who !== 'nobody') {
    const data = who === 'guest' ? guest : admin
    const answer = await context.request.post('/api/auth/login', { data, headers: { Origin: origin } })
    if (!answer.ok()) throw new Error(`signing in answers ${answer.status()}`)
  }
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  /* A browser without a window shows no scrollbars, yet keeps their room. */
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.scrollbarGutter = 'auto'
    }),
  )
  await page.goto('/favicon.svg')
  return { context, page }
}

/**
 * Helpers that all journeys share: sign-in to the demo household, translations, page errors and the accessibility
 * check.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { getLocalePrefix } from '../src/lib/i18n/locale-prefix.ts'
import type { Locale } from '../src/lib/i18n/locales.ts'
import { ACTING_PROFILE_KEY } from '../src/lib/storage-keys.ts'
import { trackRequests } from './pending-requests.ts'

export { getLocalePrefix }

const readSignInNote = () => readFileSync(join(process.env['E2E_DATA'] ?? '', 'first-sign-in.txt'), 'utf8')
/** Returns the sign-in data that the server wrote when it created the demo household. */
export const readDemoCredentials = () => ({
  email: /Email: (.*)/.exec(readSignInNote())?.[1] ?? '',
  password: /Password: (.*)/.exec(readSignInNote())?.[1] ?? '',
  pin: /PIN of Robin: (\d{4})/.exec(readSignInNote())?.[1] ?? '',
})

/**
 * Returns the text of a translation key such as `common:play`. The value of the key `name` in
 * `valuesByPlaceholder` replaces the placeholder `{{name}}`. Throws if the key does not exist.
 */
export function getTranslation(
  locale: Locale,
  key: string,
  valuesByPlaceholder: Record<string, string | number> = {},
): string {
  const [namespace, textKey = ''] = key.split(':')
  const translations = JSON.parse(readFileSync(`src/i18n/${locale}/${namespace}.json`, 'utf8')) as Record<
    string,
    string
  >
  const textTemplate = translations[textKey]
  if (textTemplate === undefined) throw new Error(`no translation of ${key} in ${locale}`)
  return Object.entries(valuesByPlaceholder).reduce(
    (translatedText, [valueName, value]) => translatedText.replace(`{{${valueName}}}`, String(value)),
    textTemplate,
  )
}

/** Collects the problems of a page from now on: CSP violations, uncaught script errors and console errors. */
export function collectPageProblems(page: Page): { problems: string[] } {
  const problems: string[] = []
  page.on('pageerror', (error) => {
    // The browser reports this error when a new page transition interrupts the current transition.
    if (!/Transition was (skipped|aborted)/.test(error.message)) problems.push(`script: ${error.message}`)
  })
  page.on('console', (message) => {
    // For a visitor who is not signed in, the session request returns 401, which the browser logs as an error.
    if (message.type() === 'error' && !/api\/auth\/refresh/.test(message.location().url))
      problems.push(`console: ${message.text()} ${message.location().url}`)
  })
  return { problems }
}

interface Credentials {
  email: string
  password: string
}

/** Signs in with a request. Returns the headers for further requests; the context of `device` gets the cookie. */
export async function signInByRequest(
  device: APIRequestContext,
  { email, password }: Credentials = readDemoCredentials(),
): Promise<Record<string, string>> {
  const response = await device.post('/api/auth/login', { data: { email, password } })
  expect(response.status()).toBe(200)
  const { access_token } = (await response.json()) as { access_token: string }
  return { Authorization: `Bearer ${access_token}` }
}

interface AccountProfile {
  profile_id: string
  name: string
}

/** Returns the profile with the given name. Throws if the account has no such profile. */
export async function findProfile(
  device: APIRequestContext,
  headers: Record<string, string>,
  profileName: string,
): Promise<AccountProfile> {
  const { results } = await (await device.get('/api/profile', { headers })).json()
  const profile = (results as AccountProfile[]).find(({ name }) => name === profileName)
  if (!profile) throw new Error(`there is no profile ${profileName}`)
  return profile
}

/** Makes a profile the acting profile in the browser of the page, as if the user had selected it there. */
export async function storeActingProfile(page: Page, profileId: string): Promise<void> {
  trackRequests(page)
  /* Only a page of the origin can write the storage of the origin. The health check is the smallest page. */
  await page.goto('/api/health/live')
  await page.evaluate(
    ([storageKey, storedId]) => {
      localStorage.setItem(storageKey, storedId)
      sessionStorage.setItem(storageKey, storedId)
    },
    [ACTING_PROFILE_KEY, profileId] as const,
  )
}

/**
 * Signs in as a profile without a PIN. Opens no page of the site: most journeys do not begin on the home page, which
 * takes seconds to load.
 */
export async function signInAsProfile(
  page: Page,
  profileName: string,
  credentials?: Credentials,
): Promise<void> {
  const headers = await signInByRequest(page.request, credentials)
  const { profile_id } = await findProfile(page.request, headers, profileName)
  await storeActingProfile(page, profile_id)
}

/** Signs in without the form and waits for the profile picker. */
export async function signIn(page: Page, locale: Locale): Promise<void> {
  await signInByRequest(page.request)
  await page.goto(`${getLocalePrefix(locale)}/profiles/`)
  await expectProfilePicker(page, locale)
}

/** Signs in with the form and waits for the profile picker. */
export async function signInWithForm(page: Page, locale: Locale): Promise<void> {
  const { email, password } = readDemoCredentials()
  await page.goto(`${getLocalePrefix(locale)}/login/`)
  await page.locator('form[data-ready]').waitFor()
  await page.getByLabel(getTranslation(locale, 'auth:email')).fill(email)
  await page.getByLabel(getTranslation(locale, 'auth:password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: getTranslation(locale, 'auth:signIn'), exact: true }).click()
  await expectProfilePicker(page, locale)
}

const expectProfilePicker = (page: Page, locale: Locale) =>
  expect(
    page.getByRole('heading', { level: 1, name: getTranslation(locale, 'profiles:heading') }),
  ).toBeVisible()

/**
 * Creates an axe run for a page without frames of other origins. It collects violations only, which takes half the time
 * of a full report.
 */
export const createAxe = (page: Page) =>
  new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true)

/**
 * Finishes all transitions and animations, except endless and scroll-driven ones. Otherwise axe could measure the
 * contrast of half-transparent text during a fade.
 */
const finishAnimations = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      const isEndless = animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY
      if (!isEndless && animation.timeline instanceof DocumentTimeline) animation.finish()
    }
  })

/** Returns the violations of all rules of axe, or of `axeRules` only. */
export async function findViolations(page: Page, axeRules?: string[]): Promise<string[]> {
  await finishAnimations(page)
  const axe = createAxe(page)
  const { violations } = await (axeRules ? axe.withRules(axeRules) : axe).analyze()
  return violations.map(
    (violation) =>
      `${violation.id}: ${violation.nodes.slice(0, 2).map((node) => `${node.target} ${node.failureSummary}`)}`,
  )
}

/** Expects no accessibility violation that axe classifies as serious or critical. */
export async function expectAccessible(page: Page): Promise<void> {
  await finishAnimations(page)
  const { violations } = await createAxe(page)
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  const seriousViolations = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(
    seriousViolations.map(
      (violation) =>
        `${violation.id}: ${violation.nodes
          .slice(0, 3)
          .map((node) => `${node.target} ${node.failureSummary}`)
          .join(' | ')}`,
    ),
  ).toEqual([])
}

/**
 * Returns the play link of a title, not the links of its episodes (`Play: S1 E3`). The label depends on the progress
 * that earlier journeys left: Play, Resume, Next episode or Watch again.
 */
export const getPlayLink = (page: Page, locale: Locale) =>
  page.getByRole('main').getByRole('link', {
    name: new RegExp(
      `^(${['common:play', 'common:resume', 'detail:nextEpisode', 'detail:watchAgain']
        .map((key) => getTranslation(locale, key).replace(/\s*\{\{.*/, ''))
        .join('|')})(?!\\s*:)`,
    ),
  })

/** Opens a title page and waits for its watchlist button. Returns true if the title is in My List. */
export async function openTitlePage(page: Page, path: string, locale: Locale = 'en'): Promise<boolean> {
  /* Waits for the navigation first: earlier responses belong to the previous page. */
  await page.goto(`${getLocalePrefix(locale)}${path}`, { waitUntil: 'commit' })
  const response = await page.waitForResponse(
    (response) =>
      response.request().method() === 'GET' && /\/watchlist\/(movie|tv)\/\w+$/.test(response.url()),
  )
  const { in_watchlist } = (await response.json()) as { in_watchlist: boolean }
  const buttonName = getTranslation(locale, in_watchlist ? 'common:removeFromList' : 'common:addToList')
  await expect(page.getByRole('main').getByRole('button', { name: buttonName }).first()).toBeVisible()
  return in_watchlist
}

/** Counts the clicks of the user on a page and on the pages that follow. Call it before the page is opened. */
export async function countClicks(page: Page) {
  const storageKey = 'test-clicks'
  await page.addInitScript((counterKey) => {
    const countClick = (event: Event) => {
      if (event.isTrusted)
        sessionStorage.setItem(counterKey, String(Number(sessionStorage.getItem(counterKey)) + 1))
    }
    addEventListener('click', countClick, { capture: true })
  }, storageKey)
  return {
    reset: () => page.evaluate((counterKey) => sessionStorage.removeItem(counterKey), storageKey),
    read: () => page.evaluate((counterKey) => Number(sessionStorage.getItem(counterKey)), storageKey),
  }
}

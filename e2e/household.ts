/** The demo household as a stranger meets it, and what every page must keep to. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { getLocalePrefix } from '../src/lib/i18n/locale-prefix.ts'
import type { Locale } from '../src/lib/i18n/locales.ts'

export type { Locale }
export const prefix = getLocalePrefix

const note = () => readFileSync(join(process.env['E2E_DATA'] ?? '', 'first-sign-in.txt'), 'utf8')
export const credentials = () => ({
  email: /E-mail: (.*)/.exec(note())?.[1] ?? '',
  password: /Password: (.*)/.exec(note())?.[1] ?? '',
  pin: /PIN of Robin: (\d{4})/.exec(note())?.[1] ?? '',
})

/** The words of a page, as translators wrote them. */
export function words(locale: Locale, key: string): string {
  const [namespace, name = ''] = key.split(':')
  const table = JSON.parse(readFileSync(`src/i18n/${locale}/${namespace}.json`, 'utf8')) as Record<
    string,
    string
  >
  const text = table[name]
  if (text === undefined) throw new Error(`no words for ${key} in ${locale}`)
  return text
}

/** Watches a page; `problems` lists CSP violations, errors of scripts and of the console. */
export function watch(page: Page): { problems: string[] } {
  const problems: string[] = []
  page.on('pageerror', (error) => {
    // The browser's own word when one page transition overtakes another.
    if (!/Transition was (skipped|aborted)/.test(error.message)) problems.push(`script: ${error.message}`)
  })
  page.on('console', (message) => {
    // A refresh without a cookie is how a visitor is known to be one; the browser notes every 401 by itself.
    if (message.type() === 'error' && !/api\/auth\/refresh/.test(message.location().url))
      problems.push(`console: ${message.text()} ${message.location().url}`)
  })
  return { problems }
}

export async function signIn(page: Page, locale: Locale): Promise<void> {
  const { email, password } = credentials()
  await page.goto(`${prefix(locale)}/login/`)
  await page.locator('form[data-ready]').waitFor()
  await page.getByLabel(words(locale, 'auth:email')).fill(email)
  await page.getByLabel(words(locale, 'auth:password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: words(locale, 'auth:signIn') }).click()
  await expect(page.getByRole('heading', { level: 1, name: words(locale, 'profiles:heading') })).toBeVisible()
}

/** No finding that axe calls serious or critical. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  const serious = violations.filter((one) => one.impact === 'serious' || one.impact === 'critical')
  expect(
    serious.map(
      (one) =>
        `${one.id}: ${one.nodes
          .slice(0, 3)
          .map((node) => `${node.target} ${node.failureSummary}`)
          .join(' | ')}`,
    ),
  ).toEqual([])
}

/** A title's Play, which says Resume or Watch again where the journeys before left it half seen or, on a busy machine, whole. */
export const playLink = (page: Page, locale: Locale) =>
  page.getByRole('main').getByRole('link', {
    name: new RegExp(
      `^(${['common:play', 'common:resume', 'detail:watchAgain'].map((key) => words(locale, key)).join('|')})`,
    ),
  })

/** Opens a title and waits until the page knows whether it is in My List. Answers that. */
export async function openTitle(page: Page, path: string, locale: Locale = 'en'): Promise<boolean> {
  /* What is heard before the page is there was said to the one before it. */
  await page.goto(`${prefix(locale)}${path}`, { waitUntil: 'commit' })
  const told = await page.waitForResponse(
    (answer) => answer.request().method() === 'GET' && /\/watchlist\/(movie|tv)\/\w+$/.test(answer.url()),
  )
  const { in_watchlist } = (await told.json()) as { in_watchlist: boolean }
  const name = words(locale, in_watchlist ? 'common:removeFromList' : 'common:addToList')
  await expect(page.getByRole('main').getByRole('button', { name }).first()).toBeVisible()
  return in_watchlist
}

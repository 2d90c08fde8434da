/** Steps of an adult and of a child. The access model test combines these steps into random sequences. */
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { ADULT_NAMES, type Household, KID_NAME, PIN } from './access-model-household.ts'
import { getTranslation } from './journey-helpers.ts'
import { goBack, goForward, waitUntilSettled } from './page-navigation.ts'

const t = (key: string, name = '') => getTranslation('en', key).replace('{{name}}', name)
const WRONG_PIN = '0000'
export const UNSAFE_SLUG = 'pulp-fiction'
export const UNSAFE_TITLE = 'Pulp Fiction'

/** State that the steps share: the household, the browser, and whether an adult profile may be open. */
export interface StepState {
  household: Household
  context: BrowserContext
  page: Page
  /** True from just before the adult enters the PIN until the adult has left the profile. */
  isAdultProfileOpen: boolean
  /** Descriptions of replies that the page received, but that a child must not receive. */
  leaks: string[]
  drawInteger: (exclusiveMax: number) => number
}

const FORBIDDEN_PATH_PATTERN =
  /\/api\/(auth\/(devices|activities|user-account)|admin\/|profile\/[^/]+\/(import|export))/

export function recordLeaks(stepState: StepState, page: Page): void {
  // A short timeout ends a step that is not possible in the current state.
  page.setDefaultTimeout(3_000)
  page.setDefaultNavigationTimeout(5_000)
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url())
    if (stepState.isAdultProfileOpen || !pathname.startsWith('/api/') || !response.ok()) return
    if (FORBIDDEN_PATH_PATTERN.test(pathname)) stepState.leaks.push(pathname)
    const responseText = await response.text().catch(() => '')
    if (responseText.includes('"safe_for_kids":false'))
      stepState.leaks.push(`${pathname} has an unsafe title`)
    if (responseText.includes(stepState.household.email))
      stepState.leaks.push(`${pathname} has the email address`)
  })
}

const isOnPath = (page: Page, path: string) => new URL(page.url()).pathname.startsWith(path)
const waitBriefly = (page: Page) => waitUntilSettled(page, 3_000).catch(() => {})
export async function openPath(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'commit' }).catch(() => {})
  await waitBriefly(page)
}
const getProfileTile = (page: Page, name: string) =>
  page
    .locator('main, body')
    .first()
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .first()
async function clickProfileTileIfVisible(page: Page, name: string): Promise<boolean> {
  const button = getProfileTile(page, name)
  if (!(await button.isVisible())) return false
  await button.click({ timeout: 2_000 }).catch(() => {})
  await waitBriefly(page)
  return true
}
/** Clicks a control only if it is visible, because a click on a hidden control would wait for the timeout. */
async function clickNowIfVisible(control: Locator): Promise<void> {
  if (await control.isVisible()) await control.click({ timeout: 2_000 }).catch(() => {})
}
async function switchProfileIfVisible(page: Page, name: string): Promise<void> {
  const menuButton = page.locator('header button[aria-expanded]').last()
  if (!(await menuButton.isVisible())) return
  await menuButton.click({ timeout: 2_000 }).catch(() => {})
  await clickNowIfVisible(page.getByRole('button', { name: t('header:switchTo', name) }))
  await waitBriefly(page)
}
async function typePin(page: Page, pin: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  if (!(await dialog.isVisible())) return
  await page.keyboard.type(pin)
  await waitBriefly(page)
}

/** False if the history has no entry in the given direction. A navigation would then wait for the timeout. */
const hasHistoryEntry = (page: Page, direction: 'canGoBack' | 'canGoForward'): Promise<boolean> =>
  page.evaluate((name) => navigation[name], direction).catch(() => false)

type BrowserStep = (stepState: StepState) => Promise<void>
export const CHILD_STEPS: Record<string, BrowserStep> = {
  'opens a page': async ({ page, drawInteger }) => {
    const paths = [
      '/',
      '/movies/',
      `/movies/${UNSAFE_SLUG}`,
      `/search/?q=${encodeURIComponent(UNSAFE_TITLE)}`,
      `/watch/?type=movie&slug=${UNSAFE_SLUG}`,
      '/account/?tab=security',
      '/account/?tab=transfer',
      '/dashboard/',
      '/mylist/',
      '/history/',
      '/calendar/',
      '/watch-next/',
      '/statistics/',
      '/profiles/?manage=1',
      '/onboarding/',
    ]
    await openPath(page, paths[drawInteger(paths.length)] ?? '/')
  },
  'selects the kids profile': async ({ page }) => {
    if (!isOnPath(page, '/profiles')) await openPath(page, '/profiles/')
    await clickProfileTileIfVisible(page, KID_NAME)
  },
  'selects a locked profile and guesses': async ({ page, drawInteger }) => {
    if (!isOnPath(page, '/profiles')) await openPath(page, '/profiles/')
    await clickProfileTileIfVisible(page, ADULT_NAMES[drawInteger(2)] ?? 'Ana')
    if (drawInteger(4) === 0) await typePin(page, WRONG_PIN)
    await page.keyboard.press('Escape')
  },
  'selects a locked profile in the menu': async ({ page, drawInteger }) =>
    switchProfileIfVisible(page, ADULT_NAMES[drawInteger(2)] ?? 'Ana'),
  'adds a profile without a password': async ({ page }) => {
    await openPath(page, '/profiles/')
    await clickNowIfVisible(page.getByRole('button', { name: t('profiles:add') }))
    const nameField = page.getByLabel(t('profiles:name'))
    if (await nameField.isVisible()) await nameField.fill('Intruder', { timeout: 2_000 }).catch(() => {})
    await clickNowIfVisible(page.getByRole('button', { name: t('common:save') }))
    await waitBriefly(page)
    await page.keyboard.press('Escape')
  },
  'turns the kids profile into an adult one': async ({ page }) => {
    await openPath(page, '/profiles/?manage=1')
    await clickProfileTileIfVisible(page, `.*${KID_NAME}`)
    await clickNowIfVisible(page.getByRole('switch', { name: t('profiles:kidsProfile') }))
    await clickNowIfVisible(page.getByRole('button', { name: t('common:save') }))
    await waitBriefly(page)
    await page.keyboard.press('Escape')
  },
  'goes back': async ({ page }) => {
    if (await hasHistoryEntry(page, 'canGoBack')) await goBack(page).catch(() => {})
    await waitBriefly(page)
  },
  'goes forward': async ({ page }) => {
    if (await hasHistoryEntry(page, 'canGoForward')) await goForward(page).catch(() => {})
    await waitBriefly(page)
  },
  'opens another tab': async (stepState) => {
    const page = await stepState.context.newPage()
    recordLeaks(stepState, page)
    await stepState.page.close()
    stepState.page = page
    await openPath(page, '/')
  },
  'writes the id of an adult profile into the storage': async ({ household, page, drawInteger }) => {
    const adultId = household.profileIds[ADULT_NAMES[drawInteger(2)] ?? 'Ana'] ?? ''
    await page
      .evaluate((profileId) => {
        sessionStorage.setItem('marquee-profile', profileId)
        localStorage.setItem('marquee-profile', profileId)
        sessionStorage.setItem('marquee-unlocked', profileId)
      }, adultId)
      .catch(() => {})
    await openPath(page, '/')
  },
  'reloads without a network': async ({ context, page }) => {
    await context.setOffline(true)
    await page.reload({ waitUntil: 'commit' }).catch(() => {})
    await waitBriefly(page)
    await context.setOffline(false)
  },
}

async function enterAsAdult(stepState: StepState, name: string): Promise<void> {
  await openPath(stepState.page, '/profiles/')
  if (!(await clickProfileTileIfVisible(stepState.page, name))) return
  stepState.isAdultProfileOpen = true
  await typePin(stepState.page, PIN)
  await stepState.page
    .waitForURL((url) => !url.pathname.startsWith('/profiles'), { timeout: 5_000 })
    .catch(() => {})
  await waitBriefly(stepState.page)
}
/** Every adult step ends by leaving the profile, so that no adult profile is open when the child acts. */
export const ADULT_STEPS: Record<string, BrowserStep> = {
  'enters, watches and opens the profile picker': async (stepState) => {
    await enterAsAdult(stepState, 'Ana')
    await openPath(stepState.page, `/movies/${UNSAFE_SLUG}`)
    await openPath(stepState.page, '/profiles/')
  },
  'enters, opens the account and switches to the kids profile': async (stepState) => {
    await enterAsAdult(stepState, 'Ben')
    await openPath(stepState.page, '/account/?tab=devices')
    await openPath(stepState.page, '/')
    await switchProfileIfVisible(stepState.page, KID_NAME)
    if (!(await stepState.page.getByRole('button', { name: t('header:menu', KID_NAME) }).isVisible()))
      await openPath(stepState.page, '/profiles/')
  },
}

/** A television remote with six keys reaches every control of every page and state. */
import { expect, type Page, test } from '@playwright/test'
import { DASHBOARD_SECTIONS } from '../src/lib/rules/dashboard-sections.ts'
import { expectFocusGraph, expectKeysToFollowGraph } from './focus-graph.ts'
import { getTranslation, signInAsProfile } from './journey-helpers.ts'
import { LAYOUT_TEST_PAGES, openPage, setInterfaceLanguage, waitUntilSettled } from './page-navigation.ts'
import {
  pressKeys,
  pressRemoteBack,
  TELEVISION_CONTEXT_OPTIONS,
  turnOnRemoteControl,
} from './remote-control.ts'

const t = (key: string) => getTranslation('en', key)
const PAGE_PATHS = [
  ...LAYOUT_TEST_PAGES,
  '/search/',
  '/search/?q=zzzzqqqq',
  ...['profile', 'security', 'devices', 'family', 'notices', 'taste', 'transfer', 'bin'].map(
    (tab) => `/account/?tab=${tab}`,
  ),
  ...DASHBOARD_SECTIONS.slice(1).map((section) => `/dashboard/?section=${section}`),
  '/reset/',
  '/not-authorized/',
]
/* Pages with rows, tabs and forms, which right-to-left layout affects. */
const RIGHT_TO_LEFT_PATHS = [
  '/',
  '/movies/',
  '/tvshows/stranger-things',
  '/account/?tab=preferences',
  '/profiles/',
]

/** Returns visible texts with a font size of less than 24 px. Such texts are not legible from three metres. */
function findSmallTexts(): string[] {
  const smallTexts = new Set<string>()
  const textWalker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (textWalker.nextNode()) {
    const parent = textWalker.currentNode.parentElement
    const text = textWalker.currentNode.textContent?.trim()
    if (
      !text ||
      !parent?.checkVisibility() ||
      parent.closest('script,style,noscript,.sr-only,[class*=sr-only]')
    )
      continue
    if (Number.parseFloat(getComputedStyle(parent).fontSize) < 23.9) smallTexts.add(text.slice(0, 30))
  }
  return [...smallTexts].slice(0, 10)
}

test.setTimeout(150_000)
let page: Page

test.beforeAll(async ({ browser }) => {
  page = await (
    await browser.newContext({ ...TELEVISION_CONTEXT_OPTIONS, reducedMotion: 'reduce', colorScheme: 'light' })
  ).newPage()
  await page.goto('/login/')
  await page.getByRole('button', { name: t('auth:usePassword') }).waitFor()
  await expectFocusGraph(page, 'login with a code')
  /* Televisions report a light colour scheme that the user has not chosen, so the site stays dark. */
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await signInAsProfile(page, 'Alex')
})
test.afterAll(() => page.context().close())

test('on a television, arrow keys reach every control of every page, and no text is smaller than 24 px', async () => {
  for (const path of PAGE_PATHS) {
    await openPage(page, 'en', path)
    await expectFocusGraph(page, path)
    expect.soft(await page.evaluate(findSmallTexts), path).toEqual([])
  }
  await openPage(page, 'en', '/movies/pulp-fiction')
  await page.locator('a[href^="/actor/"]').first().press('Enter')
  await expect(page).toHaveURL(/\/actor\//)
  await waitUntilSettled(page)
  await expectFocusGraph(page, 'actor')
})

test('arrow keys reach every control of the home page of a child, which begins with a row of characters', async ({
  browser,
}) => {
  const context = await browser.newContext({ ...TELEVISION_CONTEXT_OPTIONS, reducedMotion: 'reduce' })
  const childPage = await context.newPage()
  await signInAsProfile(childPage, 'Sunny')
  await openPage(childPage, 'en', '/')
  await expectFocusGraph(childPage, 'home of a child')
  await expect(childPage.locator('.below-picture section').first()).toHaveAccessibleName(
    t('customise:characters'),
  )
  await childPage.getByRole('link', { name: 'Joy', exact: true }).press('Enter')
  await expect(childPage).toHaveURL(/\/search\/\?q=Joy/)
  await expect(childPage.getByRole('link', { name: /^Inside Out, movie/ })).toBeVisible()
  await context.close()
})

test('arrow keys reach every control in right-to-left layout', async () => {
  await setInterfaceLanguage(page, 'ar')
  for (const path of RIGHT_TO_LEFT_PATHS) {
    await openPage(page, 'ar', path)
    await expectFocusGraph(page, `ar ${path}`)
  }
  await setInterfaceLanguage(page, 'en')
})

test('arrow keys reach every control of menus and dialogs, and closing a menu or dialog restores the focus', async () => {
  await openPage(page, 'en', '/')
  // The row menus load after the rows.
  await page.locator('[data-row-menu] button').first().waitFor()
  await turnOnRemoteControl(page)
  await expectKeysToFollowGraph(page, [
    'ArrowDown',
    'ArrowRight',
    'ArrowRight',
    'ArrowDown',
    'ArrowLeft',
    'ArrowUp',
    'ArrowUp',
    // Passes several rows, and leaves a row at its heading.
    ...Array.from({ length: 6 }, () => 'ArrowDown'),
    'End',
    'ArrowRight',
    'ArrowUp',
    'ArrowDown',
    ...Array.from({ length: 10 }, () => 'ArrowUp'),
  ])
  const menuButtons = page.locator('header button[aria-expanded]')
  for (const menuButton of [menuButtons.first(), menuButtons.last()]) {
    await menuButton.focus()
    await pressKeys(page, 'Enter')
    await page.locator('[data-panel]').getByRole('button').last().waitFor()
    await expectFocusGraph(page, 'menu')
    await pressRemoteBack(page)
    await expect(menuButton).toBeFocused()
  }
  await page.getByRole('button', { name: t('customise:title') }).press('Enter')
  await page.getByRole('dialog').waitFor()
  await expectFocusGraph(page, 'customise home')
  await pressKeys(page, 'Escape')
  await openPage(page, 'en', '/movies/')
  await page.getByRole('button', { name: t('browse:filters') }).press('Enter')
  await page.getByRole('dialog').waitFor()
  await expectFocusGraph(page, 'filters')
  await pressKeys(page, 'Escape')
  await openPage(page, 'en', '/profiles/')
  await turnOnRemoteControl(page)
  await page.getByRole('button', { name: t('profiles:manage') }).press('Enter')
  const profileButton = page.getByRole('button', { name: /Sunny/ })
  await profileButton.focus()
  await pressKeys(page, 'Enter')
  await page.getByRole('dialog').waitFor()
  await expectFocusGraph(page, 'profile edit, avatars')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('common:delete'), exact: true })
    .press('Enter')
  await expect(page.getByRole('heading', { name: t('profiles:deleteHeading') })).toBeVisible()
  await expect(page.getByRole('dialog').locator(':focus')).toBeVisible()
  await expectFocusGraph(page, 'profile delete')
  await pressKeys(page, 'Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(profileButton).toBeFocused()
  /* The first Back ends manage mode and stays on the page. */
  await pressRemoteBack(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('profiles:heading'))
})

test('in the PIN dialog, arrow keys move between the boxes, and Backspace closes the dialog when all boxes are empty', async () => {
  await openPage(page, 'en', '/profiles/')
  await turnOnRemoteControl(page)
  const lockedProfile = page.getByRole('button', { name: /Robin/ })
  await lockedProfile.focus()
  await pressKeys(page, 'Enter')
  const digitFields = page.getByRole('dialog').getByRole('textbox')
  await expect(digitFields.first()).toBeFocused()
  await expectFocusGraph(page, 'PIN pad')
  await pressKeys(page, 'ArrowRight')
  await expect(digitFields.nth(1)).toBeFocused()
  await pressKeys(page, '7', 'ArrowRight')
  await expect(digitFields.nth(3)).toBeFocused()
  await pressKeys(page, 'Backspace')
  await expect(digitFields.nth(2)).toBeFocused()
  const initialScrollY = await page.evaluate(() => window.scrollY)
  for (let pressIndex = 0; pressIndex < 8; pressIndex++) await pressKeys(page, 'ArrowDown')
  expect(await page.evaluate(() => window.scrollY)).toBe(initialScrollY)
  await digitFields.nth(1).focus()
  await pressKeys(page, 'Backspace', 'Backspace')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(lockedProfile).toBeFocused()
})

test('with a remote control, arrow keys leave a date field, and OK opens the date picker instead of submitting the form', async () => {
  await openPage(page, 'en', '/movies/pulp-fiction')
  await page.evaluate(() =>
    Object.assign(HTMLInputElement.prototype, {
      showPicker(this: HTMLInputElement) {
        this.dataset['pickerShown'] = ''
      },
    }),
  )
  await turnOnRemoteControl(page)
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await page.getByRole('button', { name: t('seen:options').replace('{{title}}', title) }).press('Enter')
  await page.getByRole('button', { name: t('seen:onDay') }).press('Enter')
  const dayField = page.getByLabel(t('seen:day'))
  await expect(dayField).toBeFocused()
  const day = await dayField.inputValue()
  await pressKeys(page, 'Enter')
  await expect(dayField).toHaveAttribute('data-picker-shown')
  await expect(dayField).toBeFocused()
  await expectFocusGraph(page, 'date field')
  await pressKeys(page, 'ArrowDown')
  await expect(page.getByRole('dialog').getByRole('button', { name: t('common:markSeen') })).toBeFocused()
  await pressKeys(page, 'ArrowUp')
  await expect(dayField).toBeFocused()
  await expect(dayField).toHaveValue(day)
  await pressKeys(page, 'Escape')
})

test('arrow keys reach every control of the invitation dialog, the sign-up page and the onboarding steps', async ({
  browser,
}) => {
  await openPage(page, 'en', '/dashboard/?section=invitations')
  await page.getByRole('button', { name: t('dashboardpeople:invite') }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expectFocusGraph(page, 'invite')
  await dialog.getByRole('button', { name: t('dashboardpeople:makeLink') }).press('Enter')
  const invitationLink = await dialog.getByLabel(t('dashboardpeople:link'), { exact: true }).inputValue()
  const context = await browser.newContext()
  const guestPage = await context.newPage()
  await guestPage.goto(new URL(invitationLink).pathname + new URL(invitationLink).search)
  await guestPage.getByLabel(t('auth:email')).waitFor()
  await expectFocusGraph(guestPage, 'signup')
  await guestPage.getByLabel(t('auth:email')).fill('remote@example.com')
  await guestPage.getByLabel(t('auth:password'), { exact: true }).fill('Lumiere1895')
  await guestPage.locator('form button[type=submit]').press('Enter')
  await expect(guestPage).toHaveURL(/onboarding/)
  await waitUntilSettled(guestPage)
  await expectFocusGraph(guestPage, 'language')
  await guestPage.getByRole('button', { name: 'English' }).press('Enter')
  await expectFocusGraph(guestPage, 'profile')
  await guestPage.getByLabel(t('profiles:name')).fill('Remote')
  await guestPage.getByRole('button', { name: t('common:next') }).press('Enter')
  await expect(guestPage.getByText(t('onboarding:genresHint'))).toBeVisible()
  await expectFocusGraph(guestPage, 'genres')
  await guestPage.evaluate(() => scrollTo(0, 0))
  await expect(guestPage.getByRole('button', { name: t('onboarding:finish') })).toBeInViewport({ ratio: 1 })
  // On a laptop, all genres fit into the window without scrolling.
  await guestPage.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(() => guestPage.evaluate(() => document.documentElement.scrollHeight)).toBe(900)
  await context.close()
})

/**
 * Opens dialogs on a phone: the buttons that finish a dialog are in view, even if the dialog is longer than the screen.
 */
import { expect, type Locator, type Page, test } from '@playwright/test'
import { openAccountMenu } from './account-menu.ts'
import { expectMessageCoversNoButton } from './covered-buttons.ts'
import {
  findProfile,
  getTranslation,
  readDemoCredentials,
  signInAsProfile,
  signInByRequest,
} from './journey-helpers.ts'
import { openPage } from './page-navigation.ts'

const t = (key: string) => getTranslation('en', key)
/** Viewport of a phone whose browser shows its bars. */
const PHONE_VIEWPORT = { width: 390, height: 664 }
const CHILD_NAME = 'Lena'

/** Returns a function that clicks a button of a page: the first one whose name is exactly the translation of `key`. */
const clickButton = (key: string) => (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: t(key), exact: true })
    .first()
    .click()

const LIBRARY_FILE = {
  id: 'a',
  path: 'Series/Family recordings/Season 3/S03E04 The one where everybody finds out.mp4',
  size: 2_000_000_000,
  modified_at: '2026-09-28T05:29:54Z',
  added_at: '2026-09-28T05:29:54Z',
  type: 'tv',
  parsed_title: 'Family recordings',
  parsed_year: null,
  season: 3,
  episodes: [4],
  quality: null,
  state: 'unmatched',
  reason: 'no_title',
  matched_by: null,
  title: null,
  candidates: [],
}
const LIBRARY_REPLIES = {
  '**/admin/library': {
    configured: true,
    folders: [{ name: 'Series', matched: 0, unmatched: 1, ignored: 0, size: LIBRARY_FILE.size }],
    titles: 0,
    thumbnails: { state: 'off', files: 0, handled: 0, size: 0 },
  },
  '**/admin/library/files?*': {
    results: [LIBRARY_FILE],
    page: 1,
    limit: 20,
    total_pages: 1,
    total_results: 1,
  },
  '**/admin/library/files/*': {
    file: LIBRARY_FILE,
    video: { width: 3_840, height: 1_608, duration_seconds: 6_960, chapters: 24 },
    content_type: 'video/mp4',
    subtitles: [{ lang: 'fr', label: 'Français' }],
    folder_files: 12,
    needs_episode: false,
    can_search_tmdb: true,
  },
}

/** The dialogs, each with the path of its page and the function that opens the dialog there. */
const DIALOGS: { name: string; path: string; open: (page: Page) => Promise<unknown> }[] = [
  { name: 'new email address', path: '/account/', open: clickButton('security:emailChange') },
  {
    name: 'new API key',
    path: '/account/?tab=security',
    open: clickButton('security:apiKeyCreate'),
  },
  {
    name: 'authenticator app',
    path: '/account/?tab=security',
    open: clickButton('security:totpSetUp'),
  },
  {
    name: 'erased history',
    path: '/account/?tab=security',
    open: clickButton('account:clearHistory'),
  },
  { name: 'home rows', path: '/account/?tab=taste', open: clickButton('customise:open') },
  { name: 'calendar address', path: '/calendar/', open: clickButton('calendar:address') },
  { name: 'new list', path: '/lists/', open: clickButton('lists:create') },
  {
    name: 'lists of a title',
    path: '/movies/arrival',
    open: (page) =>
      page
        .getByRole('main')
        .getByRole('button', { name: new RegExp(`^${t('header:lists')}`) })
        .click(),
  },
  {
    name: 'family rules of a title',
    path: '/movies/arrival',
    open: clickButton('titlerules:forTitle'),
  },
  {
    name: 'profile',
    path: '/profiles/',
    open: async (page) => {
      await clickButton('profiles:manage')(page)
      await page.getByRole('main').getByRole('button', { name: /Sunny/ }).click()
    },
  },
  {
    name: 'new account',
    path: '/dashboard/?section=users',
    open: clickButton('dashboardpeople:create'),
  },
  {
    name: 'invitation',
    path: '/dashboard/?section=invitations',
    open: clickButton('dashboardpeople:invite'),
  },
  {
    name: 'block rule',
    path: '/dashboard/?section=blocklist',
    open: clickButton('dashboardlibrary:addBlock'),
  },
  {
    name: 'library file',
    path: '/dashboard/?section=library',
    open: (page) => page.locator('tbody').getByRole('button').first().click(),
  },
  {
    name: 'new title for a library file',
    path: '/dashboard/?section=library',
    open: async (page) => {
      await page.locator('tbody').getByRole('button').first().click()
      await page.getByRole('button', { name: t('dashboardlibrary:newTitle'), exact: true }).click()
    },
  },
  {
    name: 'second factor',
    path: '/dashboard/?section=caches',
    open: clickButton('dashboardsystem:rebuild'),
  },
]

/**
 * Returns three lists of labels: of all buttons that finish the open dialog, of those buttons that are out of view, and
 * of those buttons that are not in the button row.
 */
const findFinishButtons = (dialog: Locator) =>
  dialog.evaluate((element) => {
    const dialogBox = element.getBoundingClientRect()
    const buttons = [
      ...element.querySelectorAll<HTMLElement>('[type=submit], [data-last-row] :is(button, a)'),
    ]
    const isInView = (button: HTMLElement) => {
      const { top, bottom } = button.getBoundingClientRect()
      return top >= dialogBox.top && bottom <= Math.min(dialogBox.bottom, innerHeight)
    }
    const getLabel = (button: HTMLElement) => button.textContent ?? ''
    return {
      labels: buttons.map(getLabel),
      labelsOutOfView: buttons.filter((button) => !isInView(button)).map(getLabel),
      labelsOutsideRow: buttons.filter((button) => !button.closest('[data-last-row]')).map(getLabel),
    }
  })

/** Returns the labels of the controls that the button row covers after they have received the focus. */
const findCoveredControls = (dialog: Locator) =>
  dialog.evaluate((element) => {
    const buttonRow = element.querySelector('[data-last-row]')
    if (!buttonRow) return []
    const controls = [
      ...element.querySelectorAll<HTMLElement>('input, select, textarea, button, a[href], summary'),
    ]
    return controls
      .filter((control) => {
        if (buttonRow.contains(control) || !control.checkVisibility()) return false
        control.focus()
        return control.getBoundingClientRect().bottom > buttonRow.getBoundingClientRect().top + 1
      })
      .map((control) => control.getAttribute('aria-label') ?? control.textContent ?? control.tagName)
  })

async function expectFinishButtonsInView(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expect.poll(async () => (await findFinishButtons(dialog)).labels.length).toBeGreaterThan(0)
  await dialog.evaluate((element) => element.scrollTo(0, 0))
  const { labelsOutOfView, labelsOutsideRow } = await findFinishButtons(dialog)
  expect({ labelsOutOfView, labelsOutsideRow }).toEqual({ labelsOutOfView: [], labelsOutsideRow: [] })
  expect(await findCoveredControls(dialog), 'controls with the focus behind the button row').toEqual([])
}

let page: Page
test.beforeAll(async ({ browser }) => {
  page = await browser.newPage({
    reducedMotion: 'reduce',
    viewport: PHONE_VIEWPORT,
    isMobile: true,
    hasTouch: true,
  })
  await signInAsProfile(page, 'Alex')
  for (const [pattern, json] of Object.entries(LIBRARY_REPLIES))
    await page.route(pattern, (route) => route.fulfill({ json }))
  // The server asks for a second factor only if the account has one. This account has none, so the test mocks the
  // reply.
  await page.route('**/settings/sync-search-engine', (route) =>
    route.fulfill({
      status: 403,
      json: { type: 'access_denied', status: 403, message: '', errors: { second_factor: ['needed'] } },
    }),
  )
})
test.afterAll(async () => {
  // Deletes the profile, because other journeys use the same household, which can have only a few profiles.
  const headers = await signInByRequest(page.request)
  const { profile_id } = await findProfile(page.request, headers, CHILD_NAME)
  const { password } = readDemoCredentials()
  const deletionResponse = await page.request.delete(`/api/profile/${profile_id}`, {
    headers,
    data: { password },
  })
  expect(deletionResponse.ok()).toBe(true)
  await page.close()
})

for (const { name, path, open } of DIALOGS)
  test(`the dialog "${name}" shows its buttons on a phone without scrolling`, async () => {
    await openPage(page, 'en', path)
    await open(page)
    await expectFinishButtonsInView(page)
  })

test('every step of the setup of a child shows its buttons on a phone without scrolling', async () => {
  await openPage(page, 'en', '/account/?tab=family')
  await clickButton('family:setUp')(page)
  const dialog = page.getByRole('dialog')
  const clickStepButton = (key: string) => dialog.getByRole('button', { name: t(key), exact: true }).click()
  await expectFinishButtonsInView(page)
  await dialog.getByLabel(t('family:setUpName')).fill(CHILD_NAME)
  await clickStepButton('common:next')
  await expect(dialog.getByRole('switch', { name: t('family:setUpKids') })).toBeVisible()
  await expectFinishButtonsInView(page)
  await clickStepButton('family:setUpFinish')
  await expect(dialog.getByRole('heading', { name: t('viewingtime:title') })).toBeVisible()
  await expect(dialog.getByLabel(t('viewingtime:schoolDays'))).toBeFocused()
  await expect(dialog.getByRole('heading', { name: t('family:setUp') })).toBeInViewport({ ratio: 1 })
  await expectFinishButtonsInView(page)
  await clickStepButton('viewingtime:withoutLimits')
  await expect(dialog.getByRole('button', { name: t('profiles:protectLater') })).toBeVisible()
  await expectFinishButtonsInView(page)
})

test('a tab list that is wider than the phone fades out at each edge beyond which tabs are hidden', async () => {
  await openPage(page, 'en', '/account/')
  const tabList = page.getByRole('tablist')
  const getMaskImage = () => tabList.evaluate((element) => getComputedStyle(element).maskImage)
  await expect.poll(getMaskImage).toMatch(/^linear-gradient\(to right, .* 0px, .*100% - 32px/)
  await page.getByRole('tab', { name: t('bin:title'), exact: true }).click()
  await expect.poll(getMaskImage).toMatch(/^linear-gradient\(to right, .* 32px, .*100%( - 0px\))?,/)
})

test('in the light theme, the account menu fades out above its sticky bottom entries until the menu is scrolled to the end', async () => {
  await page.emulateMedia({ colorScheme: 'light' })
  await openPage(page, 'en', '/')
  await openAccountMenu(page)
  const panel = page.locator('[data-panel]')
  await expect(panel).toHaveCSS('background-color', 'rgb(243, 241, 234)')
  const fadeElement = panel.locator('[role=presentation]')
  await expect(fadeElement).toBeVisible()
  await panel.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(fadeElement).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.emulateMedia({ colorScheme: null })
})

test('on a phone, a message covers no button of the open dialog', () =>
  expectMessageCoversNoButton(page, 'en'))

test('on a phone in portrait and in landscape orientation, the rating dialog does not mention arrow keys', async () => {
  const portraitViewport = page.viewportSize() ?? { width: 390, height: 844 }
  const { width, height } = portraitViewport
  for (const viewport of [{ width: height, height: width }, portraitViewport]) {
    await page.setViewportSize(viewport)
    await openPage(page, 'en', '/movies/arrival')
    await page
      .getByRole('main')
      .getByRole('button', { name: new RegExp(`^${t('ratings:rateTitle').replace(/\s*\{\{.*/, '')}`) })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(t('ratings:hint'))).toBeVisible()
    await expect(dialog.getByText(t('ratings:keysHint'))).toHaveCount(0)
  }
})

test('at 200 % text size, all boxes of the PIN are inside the dialog', async () => {
  await openPage(page, 'en', '/profiles/')
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  await page.getByRole('button', { name: /Robin/ }).click()
  const dialog = page.getByRole('dialog')
  const digitFields = dialog.getByRole('textbox')
  await expect(digitFields).toHaveCount(4)
  await expect(digitFields.last()).toBeInViewport({ ratio: 1 })
  expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})

test('at 200 % text size, names in the list of notices get more than a third of the width of the phone, and the panel does not scroll sideways', async () => {
  await openPage(page, 'en', '/movies/')
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  await page.locator('header button[aria-expanded]').first().click()
  const panel = page.locator('[data-panel]')
  const descriptions = panel.locator('li a > span:has(> .truncate)')
  await expect(descriptions.first()).toBeVisible()
  const widths = await descriptions.evaluateAll((elements) => elements.map(({ clientWidth }) => clientWidth))
  // A third of the width of the phone has room for the first words of a name.
  expect(Math.min(...widths)).toBeGreaterThan(PHONE_VIEWPORT.width / 3)
  expect(await panel.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})

/** An administrator's work: every section in three languages, and what it changes for everybody else. */
import { type Browser, expect, type Page, test } from '@playwright/test'
import { SECTIONS } from '../src/lib/rules/dashboard-sections.ts'
import { expectAccessible, type Locale, prefix, signIn, watch, words } from './household.ts'

const w = (key: string) => words('en', key)

/** Signs in and acts as the main profile, whose language is English. */
async function enter(page: Page): Promise<void> {
  await signIn(page, 'en')
  await page.getByRole('button', { name: 'Alex' }).click()
  await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
}

/** A session's state, so that each test need not sign in anew (the server slows down who does that often). */
let state: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>> | undefined
async function administrator(browser: Browser): Promise<Page> {
  const context = await browser.newContext(state ? { storageState: state } : {})
  const page = await context.newPage()
  if (!state) await enter(page)
  return page
}
async function leave(page: Page): Promise<void> {
  state = await page.context().storageState()
  await page.context().close()
}

async function open(page: Page, query: string, locale: Locale = 'en'): Promise<void> {
  await page.goto(`${prefix(locale)}/dashboard/${query}`)
  await expect(page.locator('[data-dashboard] h1')).toBeVisible()
}
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
async function choose(page: Page, inRow: string, item: string): Promise<void> {
  await row(page, inRow)
    .getByRole('button', { name: w('dashboard:actionsFor').replace('{{name}}', inRow) })
    .click()
  await page.getByRole('button', { name: item, exact: true }).and(page.locator(':popover-open *')).click()
}
const confirm = (page: Page, does: string) =>
  page.getByRole('dialog').getByRole('button', { name: does, exact: true }).click()
const undo = (page: Page) => page.getByRole('button', { name: w('common:undo') }).click()

for (const locale of ['en', 'fr', 'ar'] as const) {
  test(`every section in ${locale}`, async ({ browser }) => {
    const page = await administrator(browser)
    const { problems } = watch(page)
    await page.addInitScript((language) => localStorage.setItem('i18nextLng', language), locale)
    await open(page, '', locale)
    const rail = page.getByRole('navigation', { name: words(locale, 'dashboard:title'), exact: true })
    for (const section of SECTIONS) {
      const name = words(locale, `dashboard:section_${section}`)
      await rail.getByRole('link', { name, exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
      await expect(page.locator('[data-dashboard] .skeleton')).toHaveCount(0)
      await expect(page).toHaveTitle(new RegExp(name))
      await expectAccessible(page)
    }
    await page.goBack()
    await expect(
      page.getByRole('heading', { level: 1, name: words(locale, 'dashboard:section_backups'), exact: true }),
    ).toBeVisible()
    expect(problems).toEqual([])
    await page.evaluate(() => localStorage.setItem('i18nextLng', 'en'))
    await leave(page)
  })
}

test('filters are in the address; Back takes them back; a link opens them', async ({ browser }) => {
  const page = await administrator(browser)
  await open(page, '?section=catalogue')
  await page.getByRole('button', { name: w('common:next') }).click()
  await expect(page).toHaveURL(/page=2/)
  await page.getByRole('searchbox').fill('arrival')
  await expect(page).toHaveURL(/search=arrival/)
  await expect(page).not.toHaveURL(/page=2/)
  await expect(row(page, 'Arrival')).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await open(page, '?section=catalogue&type=tv&search=zzzz')
  await expect(page.getByText(w('dashboard:nothingFound'))).toBeVisible()
  await page.getByRole('button', { name: w('dashboard:clearFilters') }).click()
  await expect(page.getByRole('row').nth(5)).toBeVisible()
  await leave(page)
})

test('rows are walked through with arrows', async ({ browser }) => {
  const page = await administrator(browser)
  await open(page, '?section=catalogue')
  const boxes = page.locator('tbody input[type=checkbox]')
  await expect(boxes).toHaveCount(20)
  await boxes.nth(0).focus()
  await page.keyboard.press('ArrowDown')
  await expect(boxes.nth(1)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(boxes.nth(1)).toBeChecked()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('tbody tr').nth(1).getByRole('button').first()).toBeFocused()
  await leave(page)
})

const GUEST = { email: 'guest@example.com', password: 'Lumiere1895' }

test('an invitation becomes an account, which is no administrator until it is made one', async ({
  browser,
}) => {
  const page = await administrator(browser)
  await open(page, '?section=invitations')
  await page.getByRole('button', { name: w('dashboardpeople:invite') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(w('dashboardpeople:emailOptional')).fill(GUEST.email)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: w('dashboardpeople:makeLink') }).click()
  const link = await dialog.getByLabel(w('dashboardpeople:link'), { exact: true }).inputValue()
  await expect(dialog.getByRole('img', { name: w('dashboardpeople:qr') })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: w('common:done') }).click()
  await expect(row(page, GUEST.email)).toContainText(w('dashboardpeople:state_open'))

  const guest = await (await browser.newContext()).newPage()
  await guest.goto(new URL(link).pathname + new URL(link).search)
  await expect(guest.getByLabel(w('auth:email'))).toHaveValue(GUEST.email)
  await guest.getByLabel(w('auth:password'), { exact: true }).fill(GUEST.password)
  await guest.locator('form button[type=submit]').click()
  await expect(guest).toHaveURL(/onboarding/)
  await guest.getByRole('button', { name: 'English' }).click()
  await guest.getByLabel(w('profiles:name')).fill('Guest')
  await guest.getByRole('button', { name: w('common:next') }).click()
  await expect(guest.getByText(w('onboarding:genresHint'))).toBeVisible()
  for (const group of await guest.getByRole('group').all()) {
    await group.getByRole('button').nth(0).click()
    await group.getByRole('button').nth(1).click()
  }
  await guest.getByRole('button', { name: w('onboarding:finish') }).click()
  await expect(guest).toHaveURL(/\/(profiles\/.*)?$/)
  await guest.goto('/')
  await expect(guest.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()

  /* Nobody but administrators comes in, nor is shown the way. */
  await guest.goto('/dashboard/?section=users')
  await expect(guest).toHaveURL(/127\.0\.0\.1:\d+\/$/)
  await guest.locator('header button[aria-expanded]').last().click()
  await expect(guest.getByRole('link', { name: w('header:account') })).toBeVisible()
  await expect(guest.getByRole('link', { name: w('header:dashboard') })).toHaveCount(0)

  await open(page, '?section=users&search=guest')
  await expect(row(page, GUEST.email)).toContainText(w('dashboardpeople:role_user'))
  await choose(page, GUEST.email, w('dashboardpeople:makeAdmin'))
  await expect(row(page, GUEST.email)).toContainText(w('dashboardpeople:role_admin'))
  await undo(page)
  await expect(row(page, GUEST.email)).toContainText(w('dashboardpeople:role_user'))
  await choose(page, GUEST.email, w('dashboardpeople:makeAdmin'))
  await expect(row(page, GUEST.email)).toContainText(w('dashboardpeople:role_admin'))
  await guest.goto('/dashboard/')
  await expect(guest.getByRole('heading', { level: 1, name: w('dashboard:section_overview') })).toBeVisible()

  /* Signed out from afar, blocked, and gone. */
  await choose(page, GUEST.email, w('dashboardpeople:showDevices'))
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await choose(page, GUEST.email, w('dashboardpeople:block'))
  await confirm(page, w('dashboardpeople:block'))
  await expect(row(page, GUEST.email)).toContainText(w('dashboardpeople:account_blocked'))
  await guest.goto('/dashboard/')
  await expect(guest).toHaveURL(/\/login\//)
  await choose(page, GUEST.email, w('dashboardpeople:delete'))
  await expect(page.getByRole('dialog')).toContainText(w('dashboard:cannotUndo'))
  await confirm(page, w('dashboardpeople:delete'))
  await expect(page.getByText(w('dashboard:nothingFound'))).toBeVisible()
  await guest.context().close()
  await leave(page)
})

test('an administrator on another profile is sent home', async ({ browser }) => {
  const page = await administrator(browser)
  await page.goto('/profiles/')
  await page.getByRole('button', { name: 'ليلى' }).click()
  await expect(page.getByRole('heading', { name: words('ar', 'home:popularMovies') })).toBeVisible()
  await page.goto('/ar/dashboard/?section=users')
  await expect(page).toHaveURL(/\/ar\/$/)
  await page.goto('/ar/profiles/')
  await page.getByRole('button', { name: 'Alex' }).click()
  await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
  await leave(page)
})

test('a blocked title is gone until it is unblocked', async ({ browser }) => {
  const page = await administrator(browser)
  await open(page, '?section=blocklist')
  await page.getByRole('button', { name: w('dashboardlibrary:addBlock') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(w('dashboardlibrary:findTitle')).fill('arrival')
  await dialog.getByRole('button', { name: /Arrival/ }).click()
  await dialog.getByLabel(w('dashboardlibrary:reasonOptional')).fill('Too sad')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: w('dashboardlibrary:block'), exact: true }).click()
  await expect(row(page, 'Arrival')).toContainText('Too sad')
  await page.goto('/movies/arrival')
  await expect(page.getByRole('heading', { name: w('errors:notFoundTitle') })).toBeVisible()
  await open(page, '?section=blocklist&type=movie')
  await row(page, 'Arrival').getByRole('button').click()
  await confirm(page, w('dashboardlibrary:removeBlock'))
  await expect(page.getByText(w('dashboard:nothingFound'))).toBeVisible()
  await page.goto('/movies/arrival')
  await expect(page.getByRole('heading', { level: 1, name: 'Arrival' })).toBeVisible()
  await leave(page)
})

test('a hidden title is gone for viewers, and a deleted one comes back with Undo', async ({ browser }) => {
  const page = await administrator(browser)
  const list = '?section=catalogue&search=arrival'
  await open(page, list)
  await row(page, 'Arrival').getByRole('checkbox').check()
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: w('dashboardlibrary:hide') })
    .click()
  await expectAccessible(page)
  await confirm(page, w('dashboardlibrary:hide'))
  await expect(row(page, 'Arrival')).toContainText(w('dashboardlibrary:hidden'))
  await page.goto('/movies/arrival')
  await expect(page.getByRole('heading', { name: w('errors:notFoundTitle') })).toBeVisible()
  await open(page, `${list}&published=false`)
  await choose(page, 'Arrival', w('dashboardlibrary:publish'))
  await expect(page.getByText(w('dashboard:nothingFound'))).toBeVisible()

  await open(page, list)
  await choose(page, 'Arrival', w('common:delete'))
  await confirm(page, w('common:delete'))
  await expect(page.getByText(w('dashboard:nothingFound'))).toBeVisible()
  await undo(page)
  await expect(row(page, 'Arrival')).toContainText(w('dashboardlibrary:published'))

  await choose(page, 'Arrival', w('common:edit'))
  const kids = page.getByRole('dialog').getByRole('switch', { name: w('dashboardlibrary:safeForKids') })
  await expect(kids).toBeVisible()
  const before = await kids.getAttribute('aria-checked')
  await kids.click()
  await page.getByRole('dialog').getByLabel(w('guide:Profanity')).selectOption('Severe')
  await expectAccessible(page)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: w('common:save') })
    .click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await undo(page)
  await choose(page, 'Arrival', w('common:edit'))
  await expect(kids).toHaveAttribute('aria-checked', before ?? '')
  await leave(page)
})

test('long work is started, followed and kept: the index, an import, a backup', async ({ browser }) => {
  const page = await administrator(browser)
  await open(page, '?section=caches')
  await page.getByRole('button', { name: w('dashboardsystem:rebuild') }).click()
  await expect(page.getByText(w('dashboardsystem:lastDone').split(':')[0] ?? '')).toBeVisible()
  await open(page, '?section=imports')
  await page
    .getByRole('button', { name: w('dashboardlibrary:startImport') })
    .first()
    .click()
  await expectAccessible(page)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: w('dashboardlibrary:startImport') })
    .click()
  await expect(row(page, w('dashboard:job_import_demo'))).toContainText(w('dashboard:job_state_done'))
  await page.getByRole('button', { name: w('dashboard:job_import_demo'), exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText(w('dashboard:report_read'))
  await page.keyboard.press('Escape')

  await open(page, '?section=backups')
  const kept = page.locator('tbody tr')
  const before = await kept.count()
  await page.getByRole('button', { name: w('dashboardsystem:makeBackup') }).click()
  await expect.poll(() => kept.count()).toBeGreaterThan(before)
  await expectAccessible(page)
  await kept.first().getByRole('button').click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: w('dashboardsystem:download') })
      .and(page.locator(':popover-open *'))
      .click(),
  ])
  expect(download.suggestedFilename()).toMatch(/marquee/)

  await open(page, '?section=jobs&kind=backup')
  await expect(row(page, w('dashboard:job_backup')).first()).toContainText(w('dashboard:job_state_done'))
  await leave(page)
})

test('settings are saved one by one and checked; the log knows who did it', async ({ browser }) => {
  const page = await administrator(browser)
  await open(page, '?section=settings')
  const days = page.getByRole('textbox', { name: w('dashboardsystem:setting_invitation_days') })
  await days.fill('99')
  await expect(page.getByRole('alert')).toContainText('30')
  await expect(page.getByRole('button', { name: w('common:save') })).toBeDisabled()
  await days.fill('14')
  await days.press('Enter')
  await expect(page.getByText(w('dashboardsystem:saved'), { exact: true })).toBeVisible()
  await page.reload()
  await expect(days).toHaveValue('14')
  await page.getByRole('button', { name: w('dashboardsystem:reset') }).click()
  await expect(days).toHaveValue('7')
  await open(page, '?section=audit&action=setting_change')
  await expect(row(page, w('dashboardsystem:action_setting_change')).first()).toBeVisible()
  await page.getByRole('button', { name: w('dashboardsystem:verify') }).click()
  await expect(page.getByText(w('dashboardsystem:verified_other').split(':')[0] ?? '')).toBeVisible()
  await page.getByRole('row').nth(1).getByRole('button').click()
  await expectAccessible(page)
  await leave(page)
})

/** Every section of the dashboard in right-to-left layout, and the features that all sections share. */
import { expect, type Page, test } from '@playwright/test'
import type { RunningStream } from '../src/lib/contract/admin-streams.ts'
import { DASHBOARD_SECTIONS } from '../src/lib/rules/dashboard-sections.ts'
import { closeAdminPage, getTableRow, openAdminPage, openDashboard } from './dashboard.ts'
import { collectPageProblems, expectAccessible, getTranslation } from './journey-helpers.ts'
import { expectRoomForLongTexts } from './large-text.ts'
import { collectLongTexts } from './long-data.ts'

const t = (key: string) => getTranslation('en', key)
const NOW = new Date().toISOString()
const RUNNING_STREAM: RunningStream = {
  id: 'stream',
  account: { id: '1', email: 'admin@marquee.local' },
  profile: 'Alexandra',
  title: { id: '1', type: 'movie', name: 'Arrival' },
  delivery: 'transcode',
  quality: '1080p',
  encoder: 'libx264',
  started_at: NOW,
  last_request_at: NOW,
}

/**
 * Replaces the running streams in the overview by one constant stream. The real streams change during the test,
 * because other journeys play videos at the same time.
 */
const showRunningStream = (page: Page) =>
  page.route('**/api/admin/streams', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), results: [RUNNING_STREAM] } })
  })

test('every dashboard section opens without errors and is accessible in Arabic, also with long texts at 400 % zoom', async ({
  browser,
}) => {
  const locale = 'ar'
  const page = await openAdminPage(browser)
  const { problems } = collectPageProblems(page)
  const longTexts = collectLongTexts(page)
  longTexts.set('Alexandra', 'Alexandra'.repeat(9).slice(0, 80))
  await showRunningStream(page)
  const viewport = page.viewportSize()
  let replacedTextCount = 0
  await page.addInitScript((language) => localStorage.setItem('i18nextLng', language), locale)
  await openDashboard(page, '', locale)
  const navigation = page.getByRole('navigation', {
    name: getTranslation(locale, 'dashboard:title'),
    exact: true,
  })
  for (const section of DASHBOARD_SECTIONS) {
    const sectionName = getTranslation(locale, `dashboard:section_${section}`)
    await navigation.getByRole('link', { name: sectionName, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: sectionName, exact: true })).toBeVisible()
    await expect(page.locator('[data-dashboard] .skeleton')).toHaveCount(0)
    await expect(page).toHaveTitle(new RegExp(sectionName))
    await expectAccessible(page)
    replacedTextCount += await expectRoomForLongTexts(page, section, longTexts)
    if (viewport) await page.setViewportSize(viewport)
  }
  expect(replacedTextCount).toBeGreaterThan(10)
  await page.goBack()
  await expect(
    page.getByRole('heading', {
      level: 1,
      name: getTranslation(locale, 'dashboard:section_backups'),
      exact: true,
    }),
  ).toBeVisible()
  expect(problems).toEqual([])
  await page.evaluate(() => localStorage.setItem('i18nextLng', 'en'))
  await closeAdminPage(page)
})

test('when the data of a section could not be loaded, the button "Try again" loads the data', async ({
  browser,
}) => {
  const page = await openAdminPage(browser)
  // The replies have the status 400, because the site would repeat a request for some seconds after the status 500.
  for (const [section, path] of [
    ['library', '/api/admin/library'],
    ['library', '/api/admin/media-servers'],
    ['caches', '/api/admin/overview'],
    ['backups', '/api/settings'],
  ] as const) {
    const isReplyUrl = ({ pathname }: URL) => pathname === path
    await page.route(isReplyUrl, (route) => route.fulfill({ status: 400, json: { message: '' } }))
    await openDashboard(page, `?section=${section}`)
    const retryButton = page.locator('[data-dashboard]').getByRole('button', { name: t('common:tryAgain') })
    await expect(retryButton).toHaveCount(1)
    await page.unroute(isReplyUrl)
    await retryButton.click()
    await expect(retryButton).toHaveCount(0)
  }
  const isBinReplyUrl = ({ pathname }: URL) => pathname === '/api/admin/titles/deleted'
  await page.route(isBinReplyUrl, (route) => route.fulfill({ status: 400, json: {} }))
  await openDashboard(page, '?section=catalogue')
  await page.getByRole('button', { name: t('dashboardlibrary:bin'), exact: true }).click()
  const retryButton = page.getByRole('dialog').getByRole('button', { name: t('common:tryAgain') })
  await expect(retryButton).toBeVisible()
  await page.unroute(isBinReplyUrl)
  await retryButton.click()
  await expect(page.getByText(t('dashboardlibrary:binEmpty')).first()).toBeVisible()
  await closeAdminPage(page)
})

test('in a small window, a section opens with its heading and navigation link in view, and arrow keys keep the focus in the section', async ({
  browser,
}) => {
  const page = await openAdminPage(browser)
  await page.setViewportSize({ width: 1280, height: 720 })
  for (const section of ['audit', 'settings'] as const) {
    await openDashboard(page, `?section=${section}`)
    const sectionName = t(`dashboard:section_${section}`)
    await expect(page.getByRole('heading', { level: 1, name: sectionName, exact: true })).toBeInViewport()
    await expect(page.locator(`[data-section-link=${section}]`)).toBeInViewport({ ratio: 0.9 })
    expect(await page.evaluate(() => scrollY)).toBe(0)
  }
  const sectionContent = page.locator('[data-dashboard] > :last-child')
  const focusedControls = sectionContent.locator(':focus')
  await sectionContent.getByRole('combobox').first().focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp']) {
    await page.keyboard.press(key)
    await expect(focusedControls).toHaveCount(1)
  }
  await closeAdminPage(page)
})

test('table filters are stored in the URL, going back restores the previous filters, and opening a link that contains filters applies these filters', async ({
  browser,
}) => {
  const page = await openAdminPage(browser)
  await openDashboard(page, '?section=catalogue')
  await page.getByRole('button', { name: t('common:next') }).click()
  await expect(page).toHaveURL(/page=2/)
  await page.getByRole('searchbox').fill('arrival')
  await expect(page).toHaveURL(/search=arrival/)
  await expect(page).not.toHaveURL(/page=2/)
  await expect(getTableRow(page, 'Arrival')).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await openDashboard(page, '?section=catalogue&type=tv&search=zzzz')
  await expect(page.getByText(t('dashboard:nothingFound')).last()).toBeVisible()
  await page.getByRole('button', { name: t('dashboard:clearFilters') }).click()
  await expect(page).toHaveURL(/section=catalogue&type=tv$/)
  await expect(page.getByRole('row').nth(5)).toBeVisible()
  await openDashboard(page, '?section=audit&action=login&outcome=ok')
  await page.getByRole('row').nth(1).getByRole('button').click()
  await page.getByRole('button', { name: t('dashboardsystem:sameAccount') }).click()
  await expect(page).toHaveURL(/user=/)
  await page
    .getByRole('search', { name: t('dashboard:filters') })
    .getByRole('button', { name: t('dashboardsystem:clearAccountFilter') })
    .click()
  await expect(page).toHaveURL(/section=audit$/)
  await closeAdminPage(page)
})

test('the arrow keys move the focus between the rows of a table and between the controls of a row', async ({
  browser,
}) => {
  const page = await openAdminPage(browser)
  await openDashboard(page, '?section=catalogue')
  const checkboxes = page.locator('tbody input[type=checkbox]')
  await expect(checkboxes).toHaveCount(20)
  await checkboxes.nth(0).focus()
  await page.keyboard.press('ArrowDown')
  await expect(checkboxes.nth(1)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(checkboxes.nth(1)).toBeChecked()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('tbody tr').nth(1).getByRole('button').first()).toBeFocused()
  await closeAdminPage(page)
})

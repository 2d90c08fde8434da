/**
 * The calendar with its month grid and the calendar address, and the statistics with their picture for
 * sharing.
 */
import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import type { Locale } from '../src/lib/i18n/locales.ts'
import { addDays } from '../src/lib/rules/calendar-days.ts'
import { countClicks, expectAccessible, getLocalePrefix, getTranslation } from './journey-helpers.ts'
import { type NewProfile, test } from './new-profile.ts'
import { setInterfaceLanguage, waitUntilSettled } from './page-navigation.ts'

const t = (key: string, values?: Record<string, string>, locale: Locale = 'en') =>
  getTranslation(locale, key, values)

/** Adds a series to My List, and returns the day on which all episodes of its first season were released. */
async function followSeries({ callApi, profilePath }: NewProfile): Promise<{ day: string }> {
  const series = await callApi('GET', '/api/series/slug/stranger-things')
  await callApi('PUT', `${profilePath}/watchlist/tv/${series.id}`, {})
  const { next: nextReleaseDay } = await callApi(
    'GET',
    `${profilePath}/calendar?from=2015-01-01&until=2015-01-02`,
  )
  return { day: nextReleaseDay }
}

const findDay = (page: Page, day: string) => page.locator(`[data-day="${day}"]`)

test('the arrow keys move between the days of the month, and a selected day links to its episodes', async ({
  page,
  signInAsNewProfile,
}) => {
  const profile = await signInAsNewProfile(page, 'Calendar keys')
  const { day } = await followSeries(profile)
  const seriesLink = page.getByRole('main').getByRole('link', { name: 'Stranger Things' })
  // Five days before the release, the calendar with the episodes is one click away from My List.
  const clickCounter = await countClicks(page)
  await page.clock.setFixedTime(`${addDays(day, -5)}T12:00:00Z`)
  await page.goto('/mylist/')
  await page
    .getByRole('main')
    .getByRole('link', { name: t('header:calendar') })
    .click()
  await expect(seriesLink).toBeVisible()
  expect(await clickCounter.read()).toBe(1)
  await page.clock.setFixedTime(new Date())
  await page.goto('/calendar/')
  await expect(page.getByRole('button', { name: t('calendar:earlier') })).toBeVisible()
  await page.goto(`/calendar/?view=month&month=${day.slice(0, 7)}`)
  await findDay(page, day).click()
  await expect(seriesLink).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('ArrowRight')
  await expect(findDay(page, addDays(day, 1))).toBeFocused()
  await expect(seriesLink).toBeHidden()
  await page.keyboard.press('ArrowUp')
  await expect(findDay(page, addDays(day, -6))).toBeFocused()
  await page.keyboard.press('PageDown')
  await expect(page).not.toHaveURL(new RegExp(`month=${day.slice(0, 7)}`))
  await expect(page.locator('[data-day]:focus')).toHaveAttribute('tabindex', '0')
  await page.keyboard.press('PageUp')
  await findDay(page, day).focus()
  await seriesLink.press('Enter')
  await expect(page).toHaveURL(/\/tvshows\/stranger-things\?season=1$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Stranger Things' })).toBeVisible()
  expect(profile.problems).toEqual([])
})

test('in Arabic, the days of a week run from right to left, and the left arrow key selects the next day', async ({
  page,
  signInAsNewProfile,
}) => {
  const { day } = await followSeries(await signInAsNewProfile(page, 'Calendar Arabic'))
  await setInterfaceLanguage(page, 'ar')
  await page.goto(`${getLocalePrefix('ar')}/calendar/?view=month&month=${day.slice(0, 7)}`)
  await findDay(page, day).click()
  const weekRow = page.getByRole('row').filter({ has: findDay(page, day) })
  const buttonBoxes = await Promise.all(
    (await weekRow.getByRole('button').all()).map((button) => button.boundingBox()),
  )
  const leftEdgesPx = buttonBoxes.map((box) => box?.x ?? 0)
  expect(leftEdgesPx).toEqual(leftEdgesPx.toSorted((a, b) => b - a))
  await page.keyboard.press('ArrowLeft')
  await expect(findDay(page, addDays(day, 1))).toBeFocused()
  await expectAccessible(page)
})

test('the calendar address returns the calendar without a sign-in until a user revokes the address', async ({
  page,
  request,
  signInAsNewProfile,
}) => {
  const profile = await signInAsNewProfile(page, 'Subscriber')
  await followSeries(profile)
  await page.goto('/calendar/')
  await page
    .getByRole('main')
    .getByRole('button', { name: t('calendar:address') })
    .press('Enter')
  await page.getByRole('button', { name: t('calendar:createAddress') }).press('Enter')
  const addressField = page.getByLabel(t('calendar:addressOnce'))
  await expect(addressField).toHaveValue(/\/releases\.ics$/)
  await expectAccessible(page)
  const { pathname } = new URL(await addressField.inputValue())
  const response = await request.get(pathname)
  expect(response.headers()['content-type']).toContain('text/calendar')
  expect(await response.text()).toMatch(/^BEGIN:VCALENDAR/)
  await page.getByRole('button', { name: t('calendar:revokeAddress') }).click()
  await expect(addressField).toBeHidden()
  expect((await request.get(pathname)).status()).toBe(404)
  expect(profile.problems).toEqual([])
})

test('statistics are shown as plots and tables, and the last slide of the year in review offers a picture to download', async ({
  page,
  signInAsNewProfile,
}) => {
  const profile = await signInAsNewProfile(page, 'Statistics')
  await followSeries(profile)
  await page.goto('/statistics/')
  await expect(page.getByText(t('statistics:empty'))).toBeVisible()
  await page.goto('/tvshows/stranger-things')
  await page.getByRole('button', { name: t('seen:markSeason') }).click()
  await expect(page.getByRole('button', { name: t('seen:seasonSeen') })).toBeVisible()
  await page.goto(`/statistics/?year=${new Date().getFullYear()}`)
  await expect(page.getByRole('img', { name: /./ }).first()).toBeVisible()
  const windowSize = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  const countTruncatedLabels = () =>
    page
      .locator('main li bdi')
      .evaluateAll(
        (labels) => labels.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
      )
  await expect.poll(countTruncatedLabels).toBe(0)
  if (windowSize) await page.setViewportSize(windowSize)
  await page.getByRole('button', { name: t('statistics:asTables') }).press('Enter')
  await expect(page.getByRole('table', { name: t('statistics:genres') })).toBeVisible()
  await expect(page.getByRole('table', { name: t('statistics:days') }).getByRole('row')).toHaveCount(2)
  await expectAccessible(page)
  const year = String(new Date().getFullYear())
  await page.getByRole('button', { name: t('statistics:reviewOfYear', { year }) }).press('Enter')
  const dialog = page.getByRole('dialog')
  const nextButton = dialog.getByRole('button', { name: t('common:next'), exact: true })
  await expect(dialog.getByText(t('statistics:hours'), { exact: true })).toBeVisible()
  while (await nextButton.isVisible()) await nextButton.click()
  await expect(dialog.getByRole('img')).toBeVisible()
  await waitUntilSettled(page)
  await expectAccessible(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: t('statistics:savePicture') }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`${year}.png`)
  const picture = readFileSync((await download.path()) ?? '')
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1080, 1350])
  expect(profile.problems).toEqual([])
})

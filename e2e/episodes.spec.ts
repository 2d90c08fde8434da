/** Episode rows with overviews, the protection against spoilers, and the recap of seen episodes. */
import { expect } from '@playwright/test'
import {
  collectPageProblems,
  expectAccessible,
  getTranslation,
  openTitlePage,
  signInAsProfile,
} from './journey-helpers.ts'
import { test } from './new-profile.ts'

const t = (key: string) => getTranslation('en', key)

test('with spoilers hidden, a title page hides the overviews of later episodes, and the recap contains only seen episodes', async ({
  page,
  signInAsNewProfile,
}) => {
  const { problems, callApi, profilePath } = await signInAsNewProfile(page, 'Careful')
  await callApi('PUT', profilePath, { preferences: { hide_spoilers: true } })
  await openTitlePage(page, '/tvshows/chernobyl')
  const rows = page.getByRole('region', { name: t('detail:episodesTab') }).getByRole('listitem')
  await expect(rows).toHaveCount(5)
  const hiddenOverviews = rows.locator('summary')
  await expect(rows.nth(0)).toContainText('Firefighters are called')
  await expect(hiddenOverviews).toHaveCount(4)
  await expect(rows.nth(1).getByText('A scientist and a minister')).toBeHidden()
  await expect(page.getByRole('button', { name: t('detail:recap') })).toBeHidden()

  await rows.nth(1).locator('summary').press('Enter')
  await expect(rows.nth(1).getByText('A scientist and a minister')).toBeVisible()
  await expectAccessible(page)

  await rows.nth(1).getByRole('button').first().click()
  await page.getByRole('button', { name: t('seen:upToHere') }).click()
  await expect(hiddenOverviews).toHaveCount(2)
  await page.getByRole('button', { name: t('detail:recap') }).click()
  const recap = page.getByRole('dialog', { name: t('detail:recap') })
  await expect(recap.getByRole('listitem')).toHaveCount(2)
  await expect(recap).toContainText('A scientist and a minister')
  await expect(recap).not.toContainText('Miners are ordered')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: t('detail:recap') })).toBeFocused()
  expect(problems).toEqual([])
})

test('in Arabic, overviews and the recap are shown from right to left', async ({ page }) => {
  const { problems } = collectPageProblems(page)
  await signInAsProfile(page, 'ليلى')
  await openTitlePage(page, '/tvshows/arcane', 'ar')
  const region = page.getByRole('region', { name: getTranslation('ar', 'detail:episodesTab') })
  await expect(region.getByRole('listitem').last()).toContainText('السلام بين المدينتين')
  await page.getByRole('button', { name: getTranslation('ar', 'detail:recap') }).click()
  const recap = page.getByRole('dialog', { name: getTranslation('ar', 'detail:recap') })
  await expect(recap.getByRole('listitem')).toHaveCount(2)
  await expect(recap.getByText('شقيقتان من المدينة السفلى')).toHaveCSS('direction', 'rtl')
  await expectAccessible(page)
  expect(problems).toEqual([])
})

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

test('with spoilers hidden, a title page hides titles, pictures and overviews of the unseen episodes after the next episode, and the recap contains only seen episodes', async ({
  page,
  signInAsNewProfile,
}) => {
  const { problems, callApi, profilePath } = await signInAsNewProfile(page, 'Careful')
  await callApi('PUT', profilePath, { preferences: { hide_spoilers: true } })
  await openTitlePage(page, '/tvshows/chernobyl')
  const episodeRows = page.getByRole('region', { name: t('detail:episodesTab') }).getByRole('listitem')
  await expect(episodeRows).toHaveCount(5)
  const hiddenOverviews = episodeRows.locator('summary')
  await expect(episodeRows.nth(0)).toContainText('Firefighters are called')
  await expect(hiddenOverviews).toHaveCount(4)
  const laterRow = episodeRows.nth(2)
  await expect(laterRow).toContainText('S1 E3')
  await expect(laterRow.getByText('Open Wide, O Earth')).toBeHidden()
  await expect(laterRow.locator('img')).not.toHaveAttribute('src')
  await expect(laterRow.getByRole('button', { name: /Open Wide/ })).toHaveCount(0)
  await expect(episodeRows.nth(1).getByText('A scientist and a minister')).toBeHidden()
  await expect(page.getByRole('button', { name: t('detail:recap') })).toBeHidden()

  await episodeRows.nth(1).locator('summary').press('Enter')
  await expect(episodeRows.nth(1).getByText('A scientist and a minister')).toBeVisible()
  await expect(episodeRows.nth(1).getByText('Please Remain Calm')).toBeVisible()
  await expectAccessible(page)

  await episodeRows.nth(1).getByRole('button').first().click()
  await page.getByRole('button', { name: t('seen:upToHere') }).click()
  await expect(hiddenOverviews).toHaveCount(2)
  await page.getByRole('button', { name: t('detail:recap') }).click()
  const recapDialog = page.getByRole('dialog', { name: t('detail:recap') })
  await expect(recapDialog.getByRole('listitem')).toHaveCount(2)
  await expect(recapDialog).toContainText('A scientist and a minister')
  await expect(recapDialog).not.toContainText('Miners are ordered')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: t('detail:recap') })).toBeFocused()
  expect(problems).toEqual([])
})

test('on an Arabic title page, the overviews are in Arabic, and the recap is shown from right to left', async ({
  page,
}) => {
  const { problems } = collectPageProblems(page)
  await signInAsProfile(page, 'ليلى')
  await openTitlePage(page, '/tvshows/arcane', 'ar')
  const episodesRegion = page.getByRole('region', { name: getTranslation('ar', 'detail:episodesTab') })
  await expect(episodesRegion.getByRole('listitem').last()).toContainText('السلام بين المدينتين')
  await page.getByRole('button', { name: getTranslation('ar', 'detail:recap') }).click()
  const recapDialog = page.getByRole('dialog', { name: getTranslation('ar', 'detail:recap') })
  await expect(recapDialog.getByRole('listitem')).toHaveCount(2)
  await expect(recapDialog.getByText('شقيقتان من المدينة السفلى')).toHaveCSS('direction', 'rtl')
  await expectAccessible(page)
  expect(problems).toEqual([])
})

test('"Try again" keeps the focus while the episodes are loading again', async ({ page }) => {
  await signInAsProfile(page, 'Alex')
  let areRequestsFailing = true
  const { promise: releasePromise, resolve: releaseRequest } = Promise.withResolvers<void>()
  await page.context().route('**/api/seasons/*/episodes*', async (route) => {
    if (areRequestsFailing)
      return route.fulfill({ status: 404, json: { type: 'not_found', message: 'Not found' } })
    await releasePromise
    return route.continue()
  })
  await openTitlePage(page, '/tvshows/chernobyl')
  const retryButton = page.getByRole('button', { name: t('common:tryAgain') })
  await retryButton.focus()
  areRequestsFailing = false
  await page.keyboard.press('Enter')
  await expect(retryButton).toHaveAttribute('aria-disabled', 'true')
  await expect(retryButton).toBeFocused()
  releaseRequest()
  await expect(retryButton).toHaveCount(0)
})

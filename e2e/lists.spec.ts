/** Ratings, named lists, smart lists and a random title. */
import { expect, type Page } from '@playwright/test'
import { expectAccessible, getTranslation, openTitlePage } from './journey-helpers.ts'
import { test } from './new-profile.ts'
import { setInterfaceLanguage } from './page-navigation.ts'

const t = (key: string, values?: Record<string, string | number>) => getTranslation('en', key, values)

const readTitleName = async (page: Page) =>
  (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''

test('a title is rated by keyboard and by pointer, and the rating is removed', async ({
  page,
  signInAsNewProfile,
}) => {
  const { problems } = await signInAsNewProfile(page, 'Rater')
  await openTitlePage(page, '/movies/arrival')
  const title = await readTitleName(page)
  const formatRatingLabel = (rating: number) =>
    t('ratings:rated', { title, value: t('ratings:value', { rating }) })
  await page.getByRole('button', { name: t('ratings:rateTitle', { title }) }).press('Enter')
  const slider = page.getByRole('slider', { name: t('ratings:label') })
  await expect(slider).toBeFocused()
  for (let pressIndex = 0; pressIndex < 8; pressIndex++) await slider.press('ArrowRight')
  await expect(slider).toHaveAttribute('aria-valuetext', t('ratings:value', { rating: 8 }))
  await expectAccessible(page)
  await slider.press('Enter')
  await expect(page.getByRole('button', { name: formatRatingLabel(8) })).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: formatRatingLabel(8) }).click()
  const sliderBox = await slider.boundingBox()
  if (!sliderBox) throw new Error('the slider has no box')
  await page.mouse.click(sliderBox.x + sliderBox.width * 0.25, sliderBox.y + sliderBox.height / 2)
  await expect(page.getByRole('button', { name: formatRatingLabel(3) })).toBeVisible()
  await page.getByRole('button', { name: formatRatingLabel(3) }).click()
  await slider.press('ArrowDown')
  await page.getByRole('button', { name: t('ratings:remove') }).press('Enter')
  await expect(page.getByRole('button', { name: t('ratings:rateTitle', { title }) })).toBeVisible()
  expect(problems).toEqual([])
})

test('Undo in the dialog for choosing lists removes the title from the list to which it was just added', async ({
  page,
  signInAsNewProfile,
}) => {
  const { problems, profilePath, callApi } = await signInAsNewProfile(page, 'Undoer')
  await callApi('POST', `${profilePath}/lists`, { name: 'Rainy days' })
  await openTitlePage(page, '/movies/arrival')
  await page.getByRole('button', { name: t('lists:addTitle', { title: await readTitleName(page) }) }).click()
  const dialog = page.getByRole('dialog')
  const listButton = dialog.getByRole('button', { name: /Rainy days/ })
  await listButton.click()
  await expect(listButton).toHaveAttribute('aria-pressed', 'true')
  await dialog.getByRole('button', { name: t('common:undo') }).click()
  await expect(listButton).toHaveAttribute('aria-pressed', 'false')
  await expect(dialog.getByText(t('lists:removed', { list: 'Rainy days' }))).toBeVisible()
  await expectAccessible(page)
  expect(problems).toEqual([])
})

test('a list is created on a title page, ordered by keyboard, deleted, and restored with Undo', async ({
  page,
  signInAsNewProfile,
}) => {
  const { problems } = await signInAsNewProfile(page, 'Collector')
  for (const path of ['/movies/arrival', '/movies/inception']) {
    await openTitlePage(page, path)
    await page
      .getByRole('button', { name: t('lists:addTitle', { title: await readTitleName(page) }) })
      .click()
    if (path.endsWith('arrival')) {
      await page.getByRole('button', { name: t('lists:create') }).click()
      await page.getByLabel(t('lists:name')).fill('Rainy days')
      await page.getByRole('button', { name: t('common:save'), exact: true }).click()
    } else await page.getByRole('button', { name: /Rainy days/ }).click()
    await expect(page.getByText(t('lists:added', { list: 'Rainy days' }))).toBeVisible()
  }
  await page.goto('/lists/')
  await expectAccessible(page)
  await page.getByRole('link', { name: /Rainy days/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Rainy days' })).toBeVisible()
  await page.getByRole('button', { name: t('lists:edit') }).press('Enter')
  const titleRows = page.getByRole('main').getByRole('listitem')
  const firstTitle = (await titleRows.nth(0).locator('bdi').textContent()) ?? ''
  const moveDownButton = page.getByRole('button', { name: t('lists:moveDown', { title: firstTitle }) })
  await moveDownButton.press('Enter')
  await expect(titleRows.nth(1).locator('bdi')).toHaveText(firstTitle)
  await expect(moveDownButton).toBeFocused()
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByRole('main').locator('[data-card] bdi').nth(1)).toHaveText(firstTitle)
  await page.getByRole('button', { name: t('common:delete') }).click()
  await expect(page.getByRole('heading', { level: 1, name: t('lists:title') })).toBeVisible()
  await page.getByRole('button', { name: t('common:undo') }).click()
  await expect(page.getByRole('link', { name: /Rainy days/ })).toBeVisible()
  expect(problems).toEqual([])
})

test('saving the filters of a page creates a smart list, and a row of the home page if this option is on, and a button opens a random title of the filtered page', async ({
  page,
  signInAsNewProfile,
}) => {
  const { problems } = await signInAsNewProfile(page, 'Curator')
  await page.goto('/movies/?includeGenres=18')
  await page.getByRole('button', { name: t('lists:saveFilters') }).click()
  await page.getByLabel(t('lists:name')).fill('Dramas')
  await page.getByRole('switch', { name: t('lists:showOnHome') }).click()
  await page.getByRole('button', { name: t('common:save'), exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dramas' })).toBeVisible()
  await expect(page.getByRole('link', { name: t('lists:openFilters') })).toHaveAttribute(
    'href',
    '/movies/?includeGenres=18',
  )
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Dramas' })).toBeAttached()
  await page.goto('/movies/?includeGenres=18')
  await page.getByRole('button', { name: t('lists:surprise') }).click()
  await page.waitForURL(/\/movies\/[^?]+/)
  expect(problems).toEqual([])
})

test('in Arabic, the values of the rating slider run from right to left for arrow keys and clicks', async ({
  page,
  signInAsNewProfile,
}) => {
  await signInAsNewProfile(page, 'Layla')
  await setInterfaceLanguage(page, 'ar')
  await openTitlePage(page, '/movies/inception', 'ar')
  const title = await readTitleName(page)
  await page.getByRole('button', { name: getTranslation('ar', 'ratings:rateTitle', { title }) }).click()
  const slider = page.getByRole('slider')
  for (let pressIndex = 0; pressIndex < 7; pressIndex++) await slider.press('ArrowLeft')
  await expect(slider).toHaveAttribute('aria-valuetext', getTranslation('ar', 'ratings:value', { rating: 7 }))
  const sliderBox = await slider.boundingBox()
  if (!sliderBox) throw new Error('the slider has no box')
  await page.mouse.click(sliderBox.x + sliderBox.width * 0.85, sliderBox.y + sliderBox.height / 2)
  await expect(page.getByText(getTranslation('ar', 'ratings:saved', { rating: 2 }))).toBeVisible()
})

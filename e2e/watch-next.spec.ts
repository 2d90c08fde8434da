/**
 * Watch next: found from My List and the menu, filtered by the time that the viewer has, and limited by viewing time.
 */
import { expect, type Page } from '@playwright/test'
import { countClicks, expectAccessible, getTranslation } from './journey-helpers.ts'
import { type NewProfile, test } from './new-profile.ts'
import { waitUntilSettled } from './page-navigation.ts'
import { signInAsParent } from './parent-requests.ts'

const t = (key: string, values?: Record<string, string>) => getTranslation('en', key, values)
const NOW = new Date()
NOW.setHours(20, 0, 0, 0)

const findTitleItem = (page: Page, name: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: name })
const findTimeChoice = (page: Page, name: string) =>
  page.getByRole('group', { name: t('watchnext:time') }).getByRole('button', { name, exact: true })

/** Adds a movie and a series to the watchlist, and begins another movie, of which 20 minutes are left. */
async function prepareWatchNextTitles({ callApi, profilePath }: NewProfile): Promise<void> {
  const movie = await callApi('GET', '/api/movies/slug/arrival')
  const series = await callApi('GET', '/api/series/slug/stranger-things')
  const startedMovie = await callApi('GET', '/api/movies/slug/pulp-fiction')
  await callApi('PUT', `${profilePath}/watchlist/movie/${movie.id}`, {})
  await callApi('PUT', `${profilePath}/watchlist/tv/${series.id}`, {})
  await callApi('POST', `${profilePath}/history`, {
    type: 'movie',
    media_id: startedMovie.id,
    progress: 6_000,
    data: { video_duration: 7_200 },
  })
}

test('Watch next shows titles that end within the chosen time, with end times, and plays a selected title', async ({
  page,
  signInAsNewProfile,
}) => {
  const profile = await signInAsNewProfile(page, 'Watch next')
  await prepareWatchNextTitles(profile)
  await page.clock.setFixedTime(NOW)
  const clickCounter = await countClicks(page)
  await page.goto('/mylist/')
  await page
    .getByRole('main')
    .getByRole('link', { name: t('header:watchNext') })
    .click()
  const startedItem = findTitleItem(page, 'Pulp Fiction')
  await expect(startedItem).toContainText(t('common:timeLeft', { time: '20 min' }))
  await expect(startedItem).toContainText(t('common:endsAt', { time: '20:20' }))
  expect(await clickCounter.read()).toBe(1)
  await expect(page.getByRole('heading', { name: t('watchnext:kind_continue') })).toBeVisible()
  await expect(page.getByRole('heading', { name: t('watchnext:kind_planned') })).toBeVisible()
  await expect(findTitleItem(page, 'Stranger Things')).toContainText(
    t('common:episodeCode', { season: '1', episode: '1' }),
  )
  await expectAccessible(page)

  await findTimeChoice(page, '1 h').press('Enter')
  await expect(findTitleItem(page, 'Arrival')).toHaveCount(0)
  await expect(findTitleItem(page, 'Stranger Things')).toBeVisible()
  await page.reload()
  await expect(findTitleItem(page, 'Stranger Things')).toBeVisible()
  await expect(findTimeChoice(page, '1 h')).toHaveAttribute('aria-pressed', 'true')
  await page.getByLabel(t('browse:endBy')).selectOption('20:30')
  await expect(findTitleItem(page, 'Stranger Things')).toHaveCount(0)
  await expect(startedItem).toBeVisible()
  await expect(findTimeChoice(page, '1 h')).toHaveAttribute('aria-pressed', 'false')
  await page.goto('/watch-next/?minutes=10')
  await expect(page.getByText(t('watchnext:nothingFitsHint', { time: '20 min' }))).toBeVisible()
  await page.getByRole('button', { name: t('watchnext:showAll') }).click()
  await page.getByLabel(t('browse:sort')).selectOption('longest')
  await expect(page.getByRole('main').getByRole('listitem').first()).toContainText('Arrival')

  await startedItem.getByRole('link', { name: new RegExp(`^${t('common:resume')}`) }).press('Enter')
  await expect(page).toHaveURL(/\/watch\/\?type=movie&slug=pulp-fiction/)
  expect(profile.problems).toEqual([])
})

test('Watch next offers no more time than the profile may still watch today, and shows a message when no time remains', async ({
  page,
  signInAsNewProfile,
}) => {
  const profile = await signInAsNewProfile(page, 'Watch next limit')
  await prepareWatchNextTitles(profile)
  const { setViewingMinutes } = await signInAsParent(page.request, 'Watch next limit')
  await setViewingMinutes(45)
  await page.goto('/watch-next/')
  await expect(findTitleItem(page, 'Arrival')).toContainText(t('watchnext:tooLong'))
  await expect(findTitleItem(page, 'Pulp Fiction')).not.toContainText(t('watchnext:tooLong'))
  await expect(findTimeChoice(page, '1 h')).toHaveCount(0)
  await findTimeChoice(page, t('watchnext:leftToday', { time: '45 min' })).click()
  await expect(findTitleItem(page, 'Arrival')).toHaveCount(0)
  await expect(findTitleItem(page, 'Pulp Fiction')).toBeVisible()
  await setViewingMinutes(0)
  await page.reload()
  await expect(page.getByRole('heading', { name: t('viewingtime:overTitle') })).toBeVisible()
  await waitUntilSettled(page)
  await expectAccessible(page)
  expect(profile.problems).toEqual([])
})

test('Watch next opens from the account menu, and shows a message to a profile without progress', async ({
  page,
  signInAsNewProfile,
}) => {
  const profile = await signInAsNewProfile(page, 'Watch next empty')
  await page.goto('/mylist/')
  await waitUntilSettled(page)
  await page
    .getByRole('button', { name: new RegExp(t('header:menu', { name: '' })) })
    .first()
    .click()
  await page
    .locator('[data-panel]')
    .getByRole('link', { name: t('header:watchNext') })
    .click()
  await expect(page.getByRole('heading', { name: t('watchnext:empty') })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(t('watchnext:title')))
  expect(profile.problems).toEqual([])
})

/**
 * Switching from an adult to a kids profile with several tabs and offline, and switching to a profile in another
 * language.
 */
import { expect, test } from '@playwright/test'
import { expectHomeOf, getProfileOption, openAccountMenu, switchProfileInMenu } from './account-menu.ts'
import {
  ADULT_NAME,
  KID_NAME,
  listVisibleAdultContent,
  readAdultContent,
  recordRequests,
  SEARCH_QUERY,
} from './adult-content.ts'
import { getTranslation } from './journey-helpers.ts'
import { getOfflineStatus, signInAndOpenHome, waitUntilSiteCached } from './offline.ts'
import { goBack, waitUntilSettled } from './page-navigation.ts'

test.use({ serviceWorkers: 'allow' })

test('a tab that is opened after a switch to a kids profile shows no content of the adult profile', async ({
  page,
  context,
  request,
}) => {
  const adultContent = await readAdultContent(request)
  await signInAndOpenHome(page, ADULT_NAME)
  await page.goto(`/search/?q=${SEARCH_QUERY}`)
  await expect(page.locator('.card-grid a').first()).toBeVisible()
  await switchProfileInMenu(page, KID_NAME)
  const secondTab = await context.newPage()
  const requestLog = recordRequests(secondTab, adultContent)
  await secondTab.goto('/')
  await expectHomeOf(secondTab, KID_NAME)
  expect(await listVisibleAdultContent(secondTab, adultContent)).toEqual([])
  await secondTab.goto('/search/')
  await expect(secondTab.getByRole('textbox')).toHaveValue('')
  expect(await listVisibleAdultContent(secondTab, adultContent)).toEqual([])
  expect(await requestLog.findAdultRequests()).toEqual([])
})

test('each tab keeps its own profile after another tab has switched profiles, and after a reload', async ({
  page,
  context,
  request,
}) => {
  const adultContent = await readAdultContent(request)
  await signInAndOpenHome(page, ADULT_NAME)
  const kidTab = await context.newPage()
  await kidTab.goto('/')
  await expectHomeOf(kidTab, ADULT_NAME)
  await switchProfileInMenu(kidTab, KID_NAME)
  await page.reload()
  await expectHomeOf(page, ADULT_NAME)
  const requestLog = recordRequests(kidTab, adultContent)
  await kidTab.reload()
  await expectHomeOf(kidTab, KID_NAME)
  expect(await listVisibleAdultContent(kidTab, adultContent)).toEqual([])
  expect(await requestLog.findAdultRequests()).toEqual([])
  /* The reload of the kids tab does not change the profile of the first tab. */
  await page.reload()
  await expectHomeOf(page, ADULT_NAME)
})

test('after a switch to a profile in another language, going back requests nothing for the previous profile', async ({
  page,
  request,
}) => {
  const adultContent = await readAdultContent(request)
  await signInAndOpenHome(page, ADULT_NAME)
  await page.goto(`/search/?q=${SEARCH_QUERY}`)
  await expect(page.locator('.card-grid a').first()).toBeVisible()
  await openAccountMenu(page)
  await getProfileOption(page, 'ليلى').click()
  await expect(page).toHaveURL(/\/ar\/$/)
  const requestLog = recordRequests(page, adultContent)
  await goBack(page)
  await expect(page).toHaveURL(/\/(ar\/)?$/)
  await waitUntilSettled(page)
  const requests = await requestLog.findAdultRequests()
  expect(
    requests.filter((request) => request.includes(adultContent.profileId) || request.includes(SEARCH_QUERY)),
  ).toEqual([])
})

test('offline, a switch to a kids profile shows and requests no content of the adult profile, also after going back and in a search', async ({
  page,
  context,
  request,
}) => {
  const adultContent = await readAdultContent(request)
  await signInAndOpenHome(page, ADULT_NAME)
  await switchProfileInMenu(page, KID_NAME)
  await waitUntilSiteCached(page)
  await switchProfileInMenu(page, ADULT_NAME)
  await page.goto(`/search/?q=${SEARCH_QUERY}`)
  await expect(page.locator('.card-grid a').first()).toBeVisible()
  await waitUntilSiteCached(page)
  await context.setOffline(true)
  await expect(getOfflineStatus(page)).toBeVisible()
  await openAccountMenu(page)
  const kidOption = getProfileOption(page, KID_NAME)
  await expect(kidOption).toBeVisible()
  const requestLog = recordRequests(page, adultContent)
  await kidOption.click()
  await expectHomeOf(page, KID_NAME)
  expect(await listVisibleAdultContent(page, adultContent)).toEqual([])
  await goBack(page)
  await waitUntilSettled(page)
  expect(await listVisibleAdultContent(page, adultContent)).toEqual([])
  expect(await requestLog.findAdultRequests()).toEqual([])
  await page.goto('/search/')
  await page.getByRole('textbox').fill(SEARCH_QUERY)
  await expect(page.getByText(getTranslation('en', 'searchpage:offlineResults'))).toBeVisible()
  /* Below the message, the page offers popular titles, here those that the kids profile has loaded. */
  const popularTitles = page.getByRole('region', { name: getTranslation('en', 'searchpage:popular') })
  await expect(page.locator('.card-grid')).toHaveCount(await popularTitles.count())
  const popularPaths = await popularTitles
    .locator('a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(popularPaths.filter((path) => adultContent.titles.some(({ slug }) => path?.endsWith(slug)))).toEqual(
    [],
  )
  await context.setOffline(false)
  await expect(getOfflineStatus(page)).toHaveCount(0)
})

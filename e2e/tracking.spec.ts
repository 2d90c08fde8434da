/** Personalisation: recommendation reasons, hidden and muted titles, home rows, and bulk changes of My List. */
import { expect, type Page, test } from '@playwright/test'
import type { Locale } from '../src/lib/i18n/locales.ts'
import {
  collectPageProblems,
  expectAccessible,
  getLocalePrefix,
  getTranslation,
  openTitlePage,
  signInAsProfile,
} from './journey-helpers.ts'
import { openPage } from './page-navigation.ts'

/** The journeys run in Arabic, so that they also test right-to-left layout. */
const locale: Locale = 'ar'

/** Signs in as an Arabic profile and opens no page. */
async function signInAsLayla(page: Page) {
  const { problems } = collectPageProblems(page)
  await page.addInitScript(
    (language) => localStorage.setItem('i18nextLng', localStorage.getItem('i18nextLng') ?? language),
    locale,
  )
  await signInAsProfile(page, 'ليلى')
  return { problems, t: (key: string) => getTranslation(locale, key) }
}

async function openHome(page: Page): Promise<void> {
  await page.goto(`${getLocalePrefix(locale)}/`)
  await expect(
    page.getByRole('heading', { name: getTranslation(locale, 'home:popularMovies') }),
  ).toBeVisible()
}

const listCardPaths = (page: Page, rowName: string) =>
  page
    .getByRole('region', { name: rowName })
    .locator('a[data-card]')
    .evaluateAll((cards) => cards.map((card) => card.getAttribute('href')))

test('switching off a recommendation reason changes the titles of the row Top Picks, and Undo restores the same titles in the same order', async ({
  page,
}) => {
  const { problems, t } = await signInAsLayla(page)
  await openHome(page)
  const topPicksRow = page.getByRole('region', { name: t('home:topPicks') })
  const notThisButtons = topPicksRow.getByRole('button', { name: t('reasons:notThis') })
  await expect(notThisButtons.first()).toBeVisible()
  const initialPaths = await listCardPaths(page, t('home:topPicks'))
  const reasonButtonName = (await notThisButtons.first().getAttribute('aria-label')) ?? ''
  await notThisButtons.first().click()
  await expect(page.getByText(t('reasons:switchedOff'))).toBeVisible()
  await expect(topPicksRow.getByRole('button', { name: reasonButtonName, exact: true })).toHaveCount(0)
  expect(await listCardPaths(page, t('home:topPicks'))).not.toEqual(initialPaths)
  await page.getByRole('button', { name: t('common:undo') }).click()
  await expect.poll(() => listCardPaths(page, t('home:topPicks'))).toEqual(initialPaths)
  expect(problems).toEqual([])
})

test('rows of the home page can be moved and hidden', async ({ page }) => {
  const { problems, t } = await signInAsLayla(page)
  await openHome(page)
  await page.getByRole('button', { name: t('customise:title') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await expectAccessible(page)
  const moveUpButton = dialog.getByRole('button', {
    name: t('customise:up').replace('{{row}}', t('customise:row_shows')),
  })
  for (let pressIndex = 0; pressIndex < 2; pressIndex++) {
    await moveUpButton.focus()
    await page.keyboard.press('Enter')
    await expect(moveUpButton).toBeFocused()
  }
  await expect(dialog.getByRole('listitem').nth(1)).toContainText(t('customise:row_shows'))
  await dialog.getByRole('switch', { name: t('customise:row_movies') }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { name: t('home:trendingShows') })).toBeVisible()
  await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toHaveCount(0)
  const headings = await page.getByRole('main').locator('h2').allTextContents()
  expect(headings.indexOf(t('home:trendingShows'))).toBeLessThan(headings.indexOf(t('home:topPicks')))

  await page.goto(`${getLocalePrefix(locale)}/account/?tab=taste`)
  await expect(page.getByRole('switch').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: t('customise:open') }).click()
  await page.getByRole('button', { name: t('customise:reset') }).click()
  await page.getByRole('button', { name: t('common:done') }).click()
  await page.goto(`${getLocalePrefix(locale)}/`)
  const moviesHeading = page.getByRole('heading', { name: t('home:popularMovies') })
  await expect(moviesHeading).toBeVisible()
  const rowMenu = page.getByRole('button', {
    name: t('customise:rowMenu').replace('{{row}}', t('customise:row_movies')),
  })
  /* A menu at the lower edge of the window must be completely in view. */
  await rowMenu.evaluate((button) => button.scrollIntoView({ block: 'end', behavior: 'instant' }))
  await rowMenu.click()
  await expect(page.locator('[data-row-menu] [data-panel]')).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: t('customise:moveUp') }).click()
  await expect(rowMenu).toBeFocused()
  await rowMenu.click()
  await page.getByRole('button', { name: t('customise:hide') }).click()
  await expect(moviesHeading).toHaveCount(0)
  await page.getByRole('button', { name: t('common:undo') }).click()
  await expect(moviesHeading).toBeVisible()
  expect(problems).toEqual([])
})

test('muted and disliked titles are listed on the account page, where the mute and the dislike can be removed', async ({
  page,
}) => {
  const { problems, t } = await signInAsLayla(page)
  await page.goto(`${getLocalePrefix(locale)}/tvshows/stranger-things`)
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await page.getByRole('button', { name: t('header:notify').replace('{{title}}', title) }).click()
  await page.getByRole('button', { name: t('header:rule_none') }).click()
  await expect(page.getByText(t('header:ruleSet_none'))).toBeVisible()
  await page.getByRole('button', { name: t('common:dislike') }).click()
  await expect(page.getByText(t('common:hidden'))).toBeVisible()
  await expectAccessible(page)
  await page.goto(`${getLocalePrefix(locale)}/account/?tab=taste`)
  const showAgainButton = page.getByRole('button', { name: `${t('taste:showAgain')}: ${title}` })
  await showAgainButton.click()
  await expect(showAgainButton).toHaveCount(0)
  await page.getByRole('button', { name: `${t('taste:unmute')}: ${title}` }).click()
  await expect(page.getByText(t('taste:mutedEmpty'))).toBeVisible()
  expect(problems).toEqual([])
})

test('several selected titles of My List are removed with one click, and Undo restores them', async ({
  page,
}) => {
  const { problems, t } = await signInAsLayla(page)
  for (const slug of ['arrival', 'inception']) {
    if (!(await openTitlePage(page, `/movies/${slug}`, locale)))
      await page.getByRole('button', { name: t('common:addToList') }).click()
    await expect(page.getByRole('button', { name: t('common:removeFromList') })).toBeVisible()
  }
  // Waits for the whole list: it can show the two titles that were just added before the other titles are loaded.
  await openPage(page, locale, '/mylist/')
  const cards = page.locator('.card-grid a')
  await expect(cards.first()).toBeVisible()
  const listPaths = () => cards.evaluateAll((cards) => cards.map((card) => card.getAttribute('href')))
  const initialPaths = await listPaths()
  await page.getByRole('button', { name: t('mylist:select'), exact: true }).click()
  await page.getByRole('checkbox').nth(0).focus()
  await page.keyboard.press('Space')
  await page.locator('.card-grid label').nth(1).click()
  await expectAccessible(page)
  await page.clock.install()
  await page
    .getByRole('region', { name: t('mylist:select') })
    .getByRole('button', { name: t('common:removeFromList') })
    .click()
  await expect.poll(listPaths).toEqual(initialPaths.slice(2))
  const undoButton = page.getByRole('button', { name: t('common:undo') })
  await undoButton.hover()
  // This time exceeds the display time of a message with Undo, but the message must stay while the pointer is on it.
  await page.clock.fastForward(11_000)
  await undoButton.click()
  await expect.poll(listPaths).toEqual(initialPaths)
  const favouriteButton = page.getByRole('button', { name: new RegExp(`^${t('mylist:favorite')}: `) }).first()
  if ((await favouriteButton.getAttribute('aria-pressed')) === 'false') await favouriteButton.click()
  await expect(favouriteButton).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: t('mylist:favorites'), exact: true }).click()
  await expect.poll(listPaths).toContain(initialPaths[0])
  expect(problems).toEqual([])
})

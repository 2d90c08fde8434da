/** What a profile's rows and notices are made by: reasons, hidden and muted titles, home's rows, My List in bulk. */
import { expect, type Page, test } from '@playwright/test'
import { LOCALES } from '../src/lib/i18n/locales.ts'
import { expectAccessible, type Locale, openTitle, prefix, signIn, watch, words } from './household.ts'

const profileFor = (locale: Locale) => (locale === 'ar' ? 'ليلى' : 'Alex')

async function enter(page: Page, locale: Locale) {
  const { problems } = watch(page)
  await page.addInitScript(
    (language) => localStorage.setItem('i18nextLng', localStorage.getItem('i18nextLng') ?? language),
    locale,
  )
  await signIn(page, locale)
  await page.getByRole('button', { name: profileFor(locale) }).click()
  await expect(page.locator('section[aria-label] li a').first()).toBeVisible()
  await page.evaluate((language) => localStorage.setItem('i18nextLng', language), locale)
  await page.goto(`${prefix(locale)}/`)
  await expect(page.getByRole('heading', { name: words(locale, 'home:popularMovies') })).toBeVisible()
  return { problems, w: (key: string) => words(locale, key) }
}

const cardsOf = (page: Page, row: string) =>
  page
    .getByRole('region', { name: row })
    .locator('a[data-card]')
    .evaluateAll((cards) => cards.map((card) => card.getAttribute('href')))

test('a reason is switched off beside a title; Undo brings the exact order back', async ({ page }) => {
  const { problems, w } = await enter(page, 'en')
  const picks = page.getByRole('region', { name: w('home:topPicks') })
  const not = picks.getByRole('button', { name: w('reasons:notThis') })
  await expect(not.first()).toBeVisible()
  const before = await cardsOf(page, w('home:topPicks'))
  const name = (await not.first().getAttribute('aria-label')) ?? ''
  await not.first().click()
  await expect(page.getByText(w('reasons:switchedOff'))).toBeVisible()
  await expect(picks.getByRole('button', { name, exact: true })).toHaveCount(0)
  expect(await cardsOf(page, w('home:topPicks'))).not.toEqual(before)
  await page.getByRole('button', { name: w('common:undo') }).click()
  await expect.poll(() => cardsOf(page, w('home:topPicks'))).toEqual(before)
  expect(problems).toEqual([])
})

for (const locale of LOCALES) {
  test(`home's rows are ordered and hidden in ${locale}`, async ({ page }) => {
    const { problems, w } = await enter(page, locale)
    await page.getByRole('button', { name: w('customise:title') }).click()
    const dialog = page.getByRole('dialog')
    await expectAccessible(page)
    const up = dialog.getByRole('button', {
      name: w('customise:up').replace('{{row}}', w('customise:row_shows')),
    })
    for (let times = 0; times < 2; times++) {
      await up.focus()
      await page.keyboard.press('Enter')
      await expect(up).toBeFocused()
    }
    await expect(dialog.getByRole('listitem').nth(1)).toContainText(w('customise:row_shows'))
    await dialog.getByRole('switch', { name: w('customise:row_movies') }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('heading', { name: w('home:trendingShows') })).toBeVisible()
    await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toHaveCount(0)
    const headings = await page.getByRole('main').locator('h2').allTextContents()
    expect(headings.indexOf(w('home:trendingShows'))).toBeLessThan(headings.indexOf(w('home:topPicks')))

    await page.goto(`${prefix(locale)}/account/?tab=taste`)
    await expect(page.getByRole('switch').first()).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: w('customise:open') }).click()
    await page.getByRole('button', { name: w('customise:reset') }).click()
    await page.getByRole('button', { name: w('common:done') }).click()
    await page.goto(`${prefix(locale)}/`)
    await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
    expect(problems).toEqual([])
  })

  test(`titles are hidden, muted and listed in ${locale}`, async ({ page }) => {
    const { problems, w } = await enter(page, locale)
    await page.goto(`${prefix(locale)}/tvshows/stranger-things`)
    const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
    await page.getByRole('button', { name: w('header:mute').replace('{{title}}', title) }).click()
    await expect(page.getByText(w('header:muted'))).toBeVisible()
    await page.getByRole('button', { name: w('common:dislike') }).click()
    await expect(page.getByText(w('common:hidden'))).toBeVisible()
    await expectAccessible(page)
    await page.goto(`${prefix(locale)}/account/?tab=taste`)
    const again = page.getByRole('button', { name: `${w('taste:showAgain')}: ${title}` })
    await again.click()
    await expect(again).toHaveCount(0)
    await page.getByRole('button', { name: `${w('taste:unmute')}: ${title}` }).click()
    await expect(page.getByText(w('taste:mutedEmpty'))).toBeVisible()
    expect(problems).toEqual([])
  })

  test(`My List changes in bulk in ${locale}`, async ({ page }) => {
    const { problems, w } = await enter(page, locale)
    for (const slug of ['arrival', 'inception']) {
      if (!(await openTitle(page, `/movies/${slug}`, locale)))
        await page.getByRole('button', { name: w('common:addToList') }).click()
      await expect(page.getByRole('button', { name: w('common:removeFromList') })).toBeVisible()
    }
    await page.goto(`${prefix(locale)}/mylist/`)
    const cards = page.locator('.card-grid a')
    await expect(cards.first()).toBeVisible()
    const hrefs = () => cards.evaluateAll((all) => all.map((card) => card.getAttribute('href')))
    const before = await hrefs()
    await page.getByRole('button', { name: w('mylist:select'), exact: true }).click()
    await expectAccessible(page)
    await page.getByRole('checkbox').nth(0).focus()
    await page.keyboard.press('Space')
    await page.locator('.card-grid label').nth(1).click()
    await page
      .getByRole('region', { name: w('mylist:select') })
      .getByRole('button', { name: w('common:removeFromList') })
      .click()
    await expect.poll(hrefs).toEqual(before.slice(2))
    await page.getByRole('button', { name: w('common:undo') }).click()
    await expect.poll(hrefs).toEqual(before)
    const star = page.getByRole('button', { name: new RegExp(`^${w('mylist:favorite')}: `) }).first()
    if ((await star.getAttribute('aria-pressed')) === 'false') await star.click()
    await expect(star).toHaveAttribute('aria-pressed', 'true')
    await page.getByRole('button', { name: w('mylist:favorites'), exact: true }).click()
    await expect.poll(hrefs).toContain(before[0])
    expect(problems).toEqual([])
  })
}

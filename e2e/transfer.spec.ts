/** A history from elsewhere comes in by the account page: looked at, decided on, applied, seen, taken back, taken along. */
import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { zip } from '../tests/support/zip.ts'
import { getTextDirection, LOCALES } from '../src/lib/i18n/locales.ts'
import { expectAccessible, type Locale, prefix, signIn, watch, words } from './household.ts'

const day = (back: number) => {
  const [year, month, date] = new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10).split('-')
  return `${date}/${month}/${year}`
}
const history = () => `Title,Date
"Better Call Saul: Season 1: Episode 2","${day(2)}"
"Better Call Saul: Season 1: Episode 1","${day(3)}"
"DuckTales: Season 1: Catfish Out of Water","${day(4)}"
"The Secret of Nowhere","${day(20)}"
"Arrival","${day(30)}"
`
const list = `Profile Name,Title Name,Country,Utc Title Add Date
A,Amélie,FR,2022-01-22
`

/** A profile of its own, so that nothing but the import is in it. */
async function profile(page: Page, locale: Locale, name = `Import ${locale}`): Promise<void> {
  const w = (key: string) => words(locale, key)
  await page.getByRole('button', { name: w('profiles:add') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(w('profiles:name')).fill(name)
  await dialog.getByRole('button', { name: w('common:save') }).click()
  await expect(page.getByText(w('profiles:created'))).toBeVisible()
  await page.getByRole('button', { name }).click()
  await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
}

/** An account has room for so many profiles, so each journey takes its own away. */
test.afterEach(async ({ page }) => {
  const status = await page.evaluate(async () => {
    const refreshed = await fetch('/api/auth/refresh', { method: 'POST' })
    const { access_token } = (await refreshed.json()) as { access_token: string }
    const own = localStorage.getItem('marquee-profile') ?? ''
    const answer = await fetch(`/api/profile/${own}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
      body: '{}',
    })
    return answer.status
  })
  expect(status).toBe(204)
})

const send = (page: Page, name: string, content: string) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

for (const locale of LOCALES) {
  test(`a history comes along in ${locale}`, async ({ page }) => {
    const { problems } = watch(page)
    const w = (key: string) => words(locale, key)
    const account = `${prefix(locale)}/account/?tab=transfer`
    await page.addInitScript(
      (language) => localStorage.setItem('i18nextLng', localStorage.getItem('i18nextLng') ?? language),
      locale,
    )
    await signIn(page, locale)
    await profile(page, locale)

    await page.goto(account)
    await expect(page.getByRole('heading', { name: w('transfer:importHeading') })).toBeVisible()
    await expectAccessible(page)
    await send(page, 'notes.csv', 'hello,world\n1,2\n')
    await expect(page.getByRole('alert')).toContainText(w('transfer:error_unknown_format'))

    await send(page, 'NetflixViewingHistory.csv', history())
    await expect(page.getByText(w('transfer:status_ready'))).toBeVisible()
    const run = page.getByRole('region', { name: 'NetflixViewingHistory.csv' })
    const tab = (key: string) => run.getByRole('tab', { name: new RegExp(`^${w(key)}`) })
    await expect(tab('transfer:found')).toContainText('3')
    await expectAccessible(page)

    await tab('transfer:found').focus()
    await page.keyboard.press(getTextDirection(locale) === 'rtl' ? 'ArrowLeft' : 'ArrowRight')
    await expect(tab('transfer:ambiguous')).toHaveAttribute('aria-selected', 'true')
    await expect(run.getByRole('group', { name: w('transfer:isThis') })).toBeVisible()
    await expectAccessible(page)
    await run.getByRole('button', { name: /2017/ }).focus()
    await page.keyboard.press('Enter')
    await expect(tab('transfer:found')).toContainText('4')
    await expect(page.getByText(w('transfer:remembered'))).toBeVisible()

    await tab('transfer:unmatched').click()
    await run.getByRole('button', { name: new RegExp(`^${w('transfer:pick')}`) }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(w('transfer:search')).fill('The Godfather')
    await expect(dialog.getByRole('button', { name: /1972/ })).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: /1972/ }).click()
    await expect(tab('transfer:found')).toContainText('5')

    await run.getByRole('button', { name: w('transfer:apply') }).click()
    await expect(page.getByText(w('transfer:applied'))).toBeVisible()
    await send(page, 'MyList.csv', list)
    const second = page.getByRole('region', { name: 'MyList.csv' })
    await second.getByRole('button', { name: w('transfer:apply') }).click()
    await expect(second.getByRole('button', { name: w('transfer:undo') })).toBeVisible()
    await expectAccessible(page)

    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: new RegExp(`^${w('transfer:json')}: Import`) }).click()
    const file = JSON.parse(readFileSync(await (await saved).path(), 'utf8'))
    expect(file.progress.map((one: { title: string }) => one.title).sort()).toEqual(
      ['Arrival', 'Better Call Saul', 'Better Call Saul', 'The Godfather'].sort(),
    )
    expect(file.list).toMatchObject([{ imdb_id: 'tt0211915', added_at: '2022-01-22T12:00:00.000Z' }])

    await page.goto(`${prefix(locale)}/mylist/`)
    await expect(page.locator('.card-grid a[href*="amelie"]')).toBeVisible()
    await page.goto(`${prefix(locale)}/`)
    const going = page.getByRole('region', { name: w('home:continueWatching') })
    await expect(going.locator('a[href*="better-call-saul"]').first()).toBeVisible()

    await page.goto(account)
    await page
      .getByRole('button', {
        name: w('transfer:undoImport').replace('{{name}}', 'NetflixViewingHistory.csv'),
      })
      .click()
    await expect(page.getByText(w('transfer:undone'))).toBeVisible()
    await page.goto(`${prefix(locale)}/`)
    await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
    await expect(page.locator('a[href*="better-call-saul"][href*="watch"]')).toHaveCount(0)
    expect(problems.filter((one) => !/422/.test(one))).toEqual([])
  })
}

test('archives come as they are, several at once', async ({ page }) => {
  const locale = 'ar'
  const { problems } = watch(page)
  const w = (key: string) => words(locale, key)
  await page.addInitScript(() => localStorage.setItem('i18nextLng', 'ar'))
  await signIn(page, locale)
  await profile(page, locale, 'Archives')
  await page.goto(`${prefix(locale)}/account/?tab=transfer`)
  await expect(page.getByText(w('transfer:drop'))).toBeVisible()
  const archive = (name: string, files: Parameters<typeof zip>[0]) => ({
    name,
    mimeType: 'application/zip',
    buffer: Buffer.from(zip(files)),
  })
  const films = (name: string, year: number) =>
    `Date,Name,Year,Letterboxd URI\n2024-01-02,${name},${year},https://boxd.it/1\n2024-01-03,,,\n`
  await page.locator('input[type=file]').setInputFiles([
    archive('broken.zip', [{ name: 'MyList.csv', content: list, says: { size: 9 } }]),
    archive('netflix-report.zip', [{ name: 'netflix-report/CONTENT_INTERACTION/MyList.csv', content: list }]),
    archive('letterboxd.zip', [
      { name: 'watched.csv', content: films('Arrival', 2016) },
      { name: 'likes/films.csv', content: films('The Godfather', 1972) },
      ...Array.from({ length: 9 }, (_, n) => ({
        name: `lists/list-${n}.csv`,
        content: `Letterboxd list export v7\nDate,Name,Tags,URL,Description\n2024-01-01,${n},,x,\n\nPosition,Name,Year,URL,Description\n1,Arrival,2016,x,\n`,
      })),
      { name: 'profile.csv', content: 'Date Joined,Username\n2015-01-01,me\n' },
    ]),
  ])
  const run = page.getByRole('region', { name: 'letterboxd.zip' })
  await expect(run.getByText(w('transfer:status_ready'))).toBeVisible()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('broken.zip')
  await expect(alert).toContainText(w('transfer:error_damaged'))
  await expect(page.getByRole('listitem').filter({ hasText: 'netflix-report.zip' })).toBeVisible()

  const files = run.getByRole('region', { name: w('transfer:files') })
  await expect(files.getByText('watched.csv')).toHaveCount(0)
  await files.getByRole('button', { name: w('common:showMore') }).click()
  await expect(files.getByText('watched.csv')).toBeVisible()
  await expect(files.getByText('likes/films.csv')).toBeVisible()
  await expect(files.getByText('profile.csv')).toBeHidden()
  await files.locator('summary').focus()
  await page.keyboard.press('Enter')
  await expect(files.getByText('profile.csv')).toBeVisible()
  await expect(files.getByText(w('transfer:why_unknown_format'))).toBeVisible()
  await expectAccessible(page)
  await run.getByRole('tab', { name: new RegExp(`^${w('transfer:skipped')}`) }).click()
  await expect(run.getByText('watched.csv').last()).toBeVisible()
  await expect(run.getByText(w('transfer:skip_no_title')).first()).toBeVisible()
  // The tab that was left fades into its colour.
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)))
  await expectAccessible(page)

  await run.getByRole('button', { name: w('transfer:apply') }).click()
  await expect(page.getByText(w('transfer:applied'))).toBeVisible()
  await run.getByRole('button', { name: w('transfer:undo') }).click()
  await expect(page.getByText(w('transfer:undone'))).toBeVisible()
  expect(problems.filter((one) => !/422/.test(one))).toEqual([])
})

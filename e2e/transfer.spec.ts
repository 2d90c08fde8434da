/** In the account, imports a viewing history from another service: review, apply, export and undo. */
import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { getTextDirection, type Locale } from '../src/lib/i18n/locales.ts'
import { createZip } from '../tests/support/zip.ts'
import {
  collectPageProblems,
  expectAccessible,
  getLocalePrefix,
  getTranslation,
  signIn,
} from './journey-helpers.ts'

/** The journeys run in Arabic, so that they also test right-to-left layout. */
const locale: Locale = 'ar'
const t = (key: string) => getTranslation(locale, key)

const formatDaysAgo = (daysAgo: number) => {
  const [year, month, date] = new Date(Date.now() - daysAgo * 86_400_000)
    .toISOString()
    .slice(0, 10)
    .split('-')
  return `${date}/${month}/${year}`
}
const createHistoryCsv = () => `Title,Date
"Better Call Saul: Season 1: Episode 2","${formatDaysAgo(2)}"
"Better Call Saul: Season 1: Episode 1","${formatDaysAgo(3)}"
"DuckTales: Season 1: Catfish Out of Water","${formatDaysAgo(4)}"
"The Secret of Nowhere","${formatDaysAgo(20)}"
"Arrival","${formatDaysAgo(30)}"
`
const LIST_CSV = `Profile Name,Title Name,Country,Utc Title Add Date
A,Pulp Fiction,FR,2022-01-22
`

/** Creates and selects a new profile, so that it contains only imported data. */
async function createProfile(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: t('profiles:add') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('profiles:name')).fill(name)
  await dialog.getByRole('button', { name: t('common:save') }).click()
  await expect(page.getByText(t('profiles:created'))).toBeVisible()
  await page.getByRole('button', { name }).click()
  await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
}

/** Each journey deletes its profile, because the number of profiles per account is limited. */
test.afterEach(async ({ page }) => {
  const status = await page.evaluate(async () => {
    const refreshResponse = await fetch('/api/auth/refresh', { method: 'POST' })
    const { access_token } = (await refreshResponse.json()) as { access_token: string }
    const profileId = localStorage.getItem('marquee-profile') ?? ''
    const response = await fetch(`/api/profile/${profileId}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
      body: '{}',
    })
    return response.status
  })
  expect(status).toBe(204)
})

const uploadCsv = (page: Page, name: string, content: string) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

test('a viewing history is imported and exported, and the import is undone', async ({ page }) => {
  const { problems } = collectPageProblems(page)
  const transferPath = `${getLocalePrefix(locale)}/account/?tab=transfer`
  await page.addInitScript(
    (language) => localStorage.setItem('i18nextLng', localStorage.getItem('i18nextLng') ?? language),
    locale,
  )
  await signIn(page, locale)
  await createProfile(page, 'Import')

  await page.goto(transferPath)
  await expect(page.getByRole('heading', { name: t('transfer:importHeading') })).toBeVisible()
  await expectAccessible(page)
  await uploadCsv(page, 'notes.csv', 'hello,world\n1,2\n')
  await expect(page.getByRole('alert')).toContainText(t('transfer:error_unknown_format'))

  await uploadCsv(page, 'NetflixViewingHistory.csv', createHistoryCsv())
  await expect(page.getByText(t('transfer:status_ready'))).toBeVisible()
  const importPanel = page.getByRole('region', { name: 'NetflixViewingHistory.csv' })
  const getTab = (key: string) => importPanel.getByRole('tab', { name: new RegExp(`^${t(key)}`) })
  await expect(getTab('transfer:found')).toContainText('3')
  await expectAccessible(page)

  await getTab('transfer:found').focus()
  await page.keyboard.press(getTextDirection(locale) === 'rtl' ? 'ArrowLeft' : 'ArrowRight')
  await expect(getTab('transfer:ambiguous')).toHaveAttribute('aria-selected', 'true')
  await expect(importPanel.getByRole('group', { name: t('transfer:isThis') })).toBeVisible()
  await expectAccessible(page)
  await importPanel.getByRole('button', { name: /2017/ }).focus()
  await page.keyboard.press('Enter')
  await expect(getTab('transfer:found')).toContainText('4')
  await expect(page.getByText(t('transfer:remembered'))).toBeVisible()

  await getTab('transfer:unmatched').click()
  await importPanel.getByRole('button', { name: new RegExp(`^${t('transfer:pick')}`) }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('transfer:search')).fill('The Godfather')
  await expect(dialog.getByRole('button', { name: /1972/ })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: /1972/ }).click()
  await expect(getTab('transfer:found')).toContainText('5')

  await importPanel.getByRole('button', { name: t('transfer:apply') }).click()
  await expect(page.getByText(t('transfer:applied'))).toBeVisible()
  await uploadCsv(page, 'MyList.csv', LIST_CSV)
  const secondImportPanel = page.getByRole('region', { name: 'MyList.csv' })
  await secondImportPanel.getByRole('button', { name: t('transfer:apply') }).click()
  await expect(secondImportPanel.getByRole('button', { name: t('transfer:undo') })).toBeVisible()
  await expectAccessible(page)

  const downloadPromise = page.waitForEvent('download')
  await page.getByRole('button', { name: new RegExp(`^${t('transfer:json')}: Import`) }).click()
  const exportedFile = JSON.parse(readFileSync(await (await downloadPromise).path(), 'utf8'))
  expect(exportedFile.progress.map((entry: { title: string }) => entry.title).sort()).toEqual(
    ['Arrival', 'Better Call Saul', 'Better Call Saul', 'The Godfather'].sort(),
  )
  expect(exportedFile.list).toMatchObject([{ imdb_id: 'tt0110912', added_at: '2022-01-22T12:00:00.000Z' }])

  await page.goto(`${getLocalePrefix(locale)}/mylist/`)
  await expect(page.locator('.card-grid a[href*="pulp-fiction"]')).toBeVisible()
  await page.goto(`${getLocalePrefix(locale)}/`)
  const continueWatchingRow = page.getByRole('region', { name: t('home:continueWatching') })
  await expect(continueWatchingRow.locator('a[href*="better-call-saul"]').first()).toBeVisible()

  await page.goto(transferPath)
  await page
    .getByRole('button', {
      name: t('transfer:undoImport').replace('{{name}}', 'NetflixViewingHistory.csv'),
    })
    .click()
  await expect(page.getByText(t('transfer:undone'))).toBeVisible()
  await page.goto(`${getLocalePrefix(locale)}/`)
  await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
  await expect(page.locator('a[href*="better-call-saul"][href*="watch"]')).toHaveCount(0)
  expect(problems.filter((problem) => !/422/.test(problem))).toEqual([])
})

test('several ZIP archives from one file selection are uploaded, and errors and skipped files are listed', async ({
  page,
}) => {
  const { problems } = collectPageProblems(page)
  await page.addInitScript(() => localStorage.setItem('i18nextLng', 'ar'))
  await signIn(page, locale)
  await createProfile(page, 'Archives')
  await page.goto(`${getLocalePrefix(locale)}/account/?tab=transfer`)
  await expect(page.getByText(t('transfer:drop'))).toBeVisible()
  const createArchive = (name: string, files: Parameters<typeof createZip>[0]) => ({
    name,
    mimeType: 'application/zip',
    buffer: Buffer.from(createZip(files)),
  })
  const createFilmsCsv = (name: string, year: number) =>
    `Date,Name,Year,Letterboxd URI\n2024-01-02,${name},${year},https://boxd.it/1\n2024-01-03,,,\n`
  await page.locator('input[type=file]').setInputFiles([
    createArchive('broken.zip', [{ name: 'MyList.csv', content: LIST_CSV, declaredFields: { size: 9 } }]),
    createArchive('netflix-report.zip', [
      { name: 'netflix-report/CONTENT_INTERACTION/MyList.csv', content: LIST_CSV },
    ]),
    createArchive('letterboxd.zip', [
      { name: 'watched.csv', content: createFilmsCsv('Arrival', 2016) },
      { name: 'likes/films.csv', content: createFilmsCsv('The Godfather', 1972) },
      ...Array.from({ length: 9 }, (_, index) => ({
        name: `lists/list-${index}.csv`,
        content: `Letterboxd list export v7\nDate,Name,Tags,URL,Description\n2024-01-01,${index},,x,\n\nPosition,Name,Year,URL,Description\n1,Arrival,2016,x,\n`,
      })),
      { name: 'profile.csv', content: 'Date Joined,Username\n2015-01-01,me\n' },
    ]),
  ])
  const importPanel = page.getByRole('region', { name: 'letterboxd.zip' })
  await expect(importPanel.getByText(t('transfer:status_ready'))).toBeVisible()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('broken.zip')
  await expect(alert).toContainText(t('transfer:error_damaged'))
  await expect(page.getByRole('listitem').filter({ hasText: 'netflix-report.zip' })).toBeVisible()

  const filesRegion = importPanel.getByRole('region', { name: t('transfer:files') })
  await expect(filesRegion.getByText('watched.csv')).toHaveCount(0)
  await filesRegion.getByRole('button', { name: t('common:showMore') }).click()
  await expect(filesRegion.getByText('watched.csv')).toBeVisible()
  await expect(filesRegion.getByText('likes/films.csv')).toBeVisible()
  await expect(filesRegion.getByText('profile.csv')).toBeHidden()
  await filesRegion.locator('summary').focus()
  await page.keyboard.press('Enter')
  await expect(filesRegion.getByText('profile.csv')).toBeVisible()
  await expect(filesRegion.getByText(t('transfer:why_unknown_format'))).toBeVisible()
  await expectAccessible(page)
  await importPanel.getByRole('tab', { name: new RegExp(`^${t('transfer:skipped')}`) }).click()
  await expect(importPanel.getByText('watched.csv').last()).toBeVisible()
  await expect(importPanel.getByText(t('transfer:skip_no_title')).first()).toBeVisible()
  // Waits until the colour transition of the deselected tab has ended, because axe would otherwise
  // measure the contrast of an intermediate colour.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)))
  await expectAccessible(page)

  await importPanel.getByRole('button', { name: t('transfer:apply') }).click()
  await expect(page.getByText(t('transfer:applied'))).toBeVisible()
  await importPanel.getByRole('button', { name: t('transfer:undo') }).click()
  await expect(page.getByText(t('transfer:undone'))).toBeVisible()
  expect(problems.filter((problem) => !/422/.test(problem))).toEqual([])
})

test('after an upload failed because the connection was lost, one button uploads the file again; for a file without entries, a message is shown', async ({
  page,
  context,
}) => {
  await page.addInitScript(() => localStorage.setItem('i18nextLng', 'ar'))
  await signIn(page, locale)
  await createProfile(page, 'Connection')
  await page.goto(`${getLocalePrefix(locale)}/account/?tab=transfer`)
  await expect(page.getByRole('heading', { name: t('transfer:importHeading') })).toBeVisible()
  await context.setOffline(true)
  await uploadCsv(page, 'NetflixViewingHistory.csv', createHistoryCsv())
  await expect(page.getByRole('alert')).toContainText(t('transfer:error_connection'))
  await expectAccessible(page)
  await context.setOffline(false)
  await page.getByRole('button', { name: t('common:tryAgain') }).focus()
  await page.keyboard.press('Enter')
  const importPanel = page.getByRole('region', { name: 'NetflixViewingHistory.csv' })
  await expect(importPanel.getByText(t('transfer:status_ready'))).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await uploadCsv(page, 'watched.csv', 'Title,Year,Watched on\n')
  const emptyPanel = page.getByRole('region', { name: 'watched.csv' })
  await expect(emptyPanel.getByText(t('transfer:skip_no_entries'))).toBeVisible()
})

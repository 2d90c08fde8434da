/** A household with a media folder: which titles can be played, and the dashboard's section of media files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { prepareServerProcess, type ServerProcess } from '../tests/support/server-processes.ts'
import { copyDemoHousehold } from './demo-household.ts'
import { expectAccessible, getTranslation, signInAsProfile } from './journey-helpers.ts'

const t = (key: string) => getTranslation('en', key)
const testFolder = mkdtempSync(join(tmpdir(), 'marquee-media-journey-'))
const mediaFolder = join(testFolder, 'media')
let server: ServerProcess
let page: Page

const addFile = (path: string) => {
  mkdirSync(dirname(join(mediaFolder, path)), { recursive: true })
  writeFileSync(join(mediaFolder, path), 'no video')
}

test.describe.configure({ mode: 'serial' })
test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000)
  addFile('Films/Arrival (2016)/Arrival (2016) - 1080p.mkv')
  addFile('Films/Mooonlight.mkv')
  const dataDir = join(testFolder, 'data')
  copyDemoHousehold(dataDir)
  // The server runs without DEMO, so the titles play no demo clips.
  server = await prepareServerProcess(dataDir, { MEDIA_DIR: mediaFolder, DEMO: '0' })
  await server.start()
  const context = await browser.newContext({ baseURL: server.url })
  page = await context.newPage()
  await signInAsProfile(page, 'Alex')
})
test.afterAll(async () => {
  await page?.context().close()
  await server?.terminate()
  rmSync(testFolder, { recursive: true, force: true })
})

test('the page of a title without a file shows that the title is not available, and offers a notification', async () => {
  await page.goto('/movies/moonlight/')
  await expect(page.getByText(t('detail:notInLibrary'), { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: t('detail:notifyMe') }).press('Enter')
  await expect(page.getByRole('button', { name: t('detail:willNotify') })).toBeVisible()
  await page.goto('/movies/arrival/')
  await expect(page.getByRole('link', { name: t('common:play') })).toBeVisible()
  await page.goto('/movies/?available=true')
  await expect(page.getByRole('link', { name: /^Arrival, / })).toBeVisible()
  await expect(page.locator('.card-grid > li')).toHaveCount(1)
})

test('the home page row of titles that are new in the library contains only the title that has a media file', async () => {
  await page.goto('/')
  const newestRow = page.getByRole('region', { name: t('customise:row_library') })
  await expect(newestRow.getByRole('link', { name: /^Arrival/ })).toBeVisible()
  await expect(newestRow.locator('.row-track a')).toHaveCount(1)
})

test('an administrator chooses the title of a file by keyboard, and the title can be played', async () => {
  await page.goto('/dashboard/?section=library&state=unmatched')
  const fileRow = page.getByRole('row').filter({ hasText: 'Mooonlight.mkv' })
  await expect(fileRow).toContainText(t('dashboardlibrary:fileReason_no_title'))
  await expectAccessible(page)
  await fileRow.getByRole('button').focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('dashboardlibrary:findTitle')).fill('moonlight')
  await dialog.getByRole('button', { name: /Moonlight/ }).press('Enter')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: t('dashboardlibrary:remember') }).press('Enter')
  await expect(dialog).toBeHidden()
  await page.goto('/dashboard/?section=library')
  await expect(fileRow).toContainText('Moonlight (2016)')
  await page.goto('/movies/moonlight/')
  await expect(page.getByRole('link', { name: t('common:play') })).toBeVisible()
  await page
    .getByRole('banner')
    .getByRole('button', { name: new RegExp(t('header:notifications')) })
    .click()
  await expect(page.getByText(t('header:nowAvailable'))).toBeVisible()
})

/** Makes the dashboard show the newest scan as running until the returned function is called. */
async function showScanAsRunning(): Promise<() => void> {
  let isShownAsRunning = true
  await page.route('**/api/jobs?*library_scan*', async (route) => {
    const response = await route.fetch()
    const jobList = (await response.json()) as { results: { status: string }[] }
    if (isShownAsRunning) for (const job of jobList.results) job.status = 'running'
    await route.fulfill({ response, json: jobList })
  })
  return () => {
    isShownAsRunning = false
  }
}

test('a new file appears without a scan, the progress of a scan is shown until its end, and an administrator creates a title for the file', async () => {
  await page.goto('/dashboard/?section=library')
  await expect(page.getByRole('row').filter({ hasText: 'Mooonlight.mkv' })).toBeVisible()
  // The name is so similar to another title that the server does not add a title for the file automatically.
  addFile('More/Moonlights (2016).mkv')
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('row').filter({ hasText: 'Moonlights' })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  const scanButton = page.getByRole('button', { name: t('dashboardlibrary:scanNow') })
  const scanProgress = page.getByRole('progressbar', { name: t('dashboardlibrary:scanNow') })
  const endScan = await showScanAsRunning()
  await scanButton.click()
  await expect(page.getByText(t('dashboardlibrary:scanStarted'))).toBeVisible()
  await expect(scanProgress).toBeVisible()
  await expect(scanButton).toBeHidden()
  endScan()
  await expect(scanButton).toBeVisible()
  await expect(scanProgress).toBeHidden()
  const fileRow = page.getByRole('row').filter({ hasText: 'Moonlights' })
  await fileRow.getByRole('button').press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('dashboardlibrary:newTitle') }).press('Enter')
  const titleField = dialog.getByLabel(t('dashboardlibrary:fieldTitle').replace('{{language}}', 'English'))
  await expect(titleField).toHaveValue('Moonlights')
  await expect(dialog.getByLabel(t('dashboardlibrary:year'))).toHaveValue('2016')
  await expectAccessible(page)
  await titleField.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(fileRow).toContainText('Moonlights (2016)')
  await page.getByRole('button', { name: t('common:undo') }).click()
  await expect(fileRow).toContainText(t('dashboardlibrary:fileReason_no_title'))
})

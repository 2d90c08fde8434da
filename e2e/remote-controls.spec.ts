/** The six keys of a television's remote reach every control of every page. */
import { expect, type Page, test } from '@playwright/test'
import { words } from './household.ts'
import { back, drive, press } from './remote.ts'
import { enter, open, settled, speak } from './settle.ts'
import { expectWalkable } from './walk.ts'

const w = (key: string) => words('en', key)
const PAGES = [
  '/',
  '/movies/',
  '/movies/pulp-fiction',
  '/tvshows/stranger-things',
  '/search/?q=dark',
  '/mylist/',
  '/account/?tab=security',
  '/account/?tab=preferences',
  '/dashboard/?section=overview',
  '/dashboard/?section=users',
  '/dashboard/?section=catalogue',
  '/dashboard/?section=settings',
  '/profiles/',
  '/nowhere/',
  '/not-authorized/',
]
/* Right to left turns rows, tabs, forms and tables; the rest is the same. */
const MIRRORED = ['/', '/movies/', '/tvshows/stranger-things', '/account/?tab=preferences', '/profiles/']

test.setTimeout(150_000)
let page: Page

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage({ viewport: { width: 1920, height: 1080 }, reducedMotion: 'reduce' })
  await page.goto('/login/')
  await page.locator('form[data-ready]').waitFor()
  await expectWalkable(page, 'login')
  await enter(page)
})
test.afterAll(() => page.close())

test('arrows reach everything', async () => {
  for (const path of PAGES) {
    await open(page, 'en', path)
    await expectWalkable(page, path)
  }
  await open(page, 'en', '/movies/pulp-fiction')
  await page.locator('a[href^="/actor/"]').first().press('Enter')
  await expect(page).toHaveURL(/\/actor\//)
  await settled(page)
  await expectWalkable(page, 'actor')
})

test('arrows reach everything from right to left', async () => {
  await speak(page, 'ar')
  for (const path of MIRRORED) {
    await open(page, 'ar', path)
    await expectWalkable(page, `ar ${path}`)
  }
  await speak(page, 'en')
})

test('a dialog is walked whole, and gives the focus back', async () => {
  await open(page, 'en', '/profiles/')
  await drive(page)
  await page.getByRole('button', { name: w('profiles:manage') }).press('Enter')
  const opener = page.getByRole('button', { name: /Sunny/ })
  await opener.focus()
  await press(page, 'Enter')
  await page.getByRole('dialog').waitFor()
  await expectWalkable(page, 'profile edit, avatars')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: w('common:delete'), exact: true })
    .press('Enter')
  await expect(page.getByRole('heading', { name: w('profiles:deleteHeading') })).toBeVisible()
  await expect(page.getByRole('dialog').locator(':focus')).toBeVisible()
  await expectWalkable(page, 'profile delete')
  await press(page, 'Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(opener).toBeFocused()
  /* Back ends the managing first. */
  await back(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(w('profiles:heading'))
  const locked = page.getByRole('button', { name: /Robin/ })
  await locked.focus()
  await press(page, 'Enter')
  await page.getByRole('dialog').waitFor()
  await expectWalkable(page, 'PIN pad')
  await back(page)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(locked).toBeFocused()
})

test('who is invited gets in by remote', async ({ browser }) => {
  await open(page, 'en', '/dashboard/?section=invitations')
  await page.getByRole('button', { name: w('dashboardpeople:invite') }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expectWalkable(page, 'invite')
  await dialog.getByRole('button', { name: w('dashboardpeople:makeLink') }).press('Enter')
  const link = await dialog.getByLabel(w('dashboardpeople:link'), { exact: true }).inputValue()
  const context = await browser.newContext()
  const guest = await context.newPage()
  await guest.goto(new URL(link).pathname + new URL(link).search)
  await guest.getByLabel(w('auth:email')).waitFor()
  await expectWalkable(guest, 'signup')
  await guest.getByLabel(w('auth:email')).fill('remote@example.com')
  await guest.getByLabel(w('auth:password'), { exact: true }).fill('Lumiere1895')
  await guest.locator('form button[type=submit]').press('Enter')
  await expect(guest).toHaveURL(/onboarding/)
  await settled(guest)
  await expectWalkable(guest, 'language')
  await guest.getByRole('button', { name: 'English' }).press('Enter')
  await expectWalkable(guest, 'profile')
  await guest.getByLabel(w('profiles:name')).fill('Remote')
  await guest.getByRole('button', { name: w('common:next') }).press('Enter')
  await expect(guest.getByText(w('onboarding:genresHint'))).toBeVisible()
  await expectWalkable(guest, 'genres')
  await context.close()
})

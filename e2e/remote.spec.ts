/** The six keys of a television's remote reach every control of every page, and the focus is never lost. */
import { expect, type Page, test } from '@playwright/test'
import { playLink, words } from './household.ts'
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

/** A press of the remote, once its script is there. */
async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}
/** The key of the remote that browsers have no press for; the call answers before the page it is sent from goes. */
const back = () =>
  page.evaluate(() => {
    setTimeout(() =>
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent('keydown', { key: 'BrowserBack', bubbles: true, cancelable: true }),
      ),
    )
  })
/** Arrows have driven: from now on the focus is kept. */
async function drive(): Promise<void> {
  await expect
    .poll(async () => {
      await press('ArrowDown')
      return page.evaluate(() => document.activeElement !== document.body)
    })
    .toBe(true)
}

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
  await drive()
  await page.getByRole('button', { name: w('profiles:manage') }).press('Enter')
  const opener = page.getByRole('button', { name: /Sunny/ })
  await opener.focus()
  await press('Enter')
  await page.getByRole('dialog').waitFor()
  await expectWalkable(page, 'profile edit, avatars')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: w('common:delete'), exact: true })
    .press('Enter')
  await expect(page.getByRole('heading', { name: w('profiles:deleteHeading') })).toBeVisible()
  await expect(page.getByRole('dialog').locator(':focus')).toBeVisible()
  await expectWalkable(page, 'profile delete')
  await press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(opener).toBeFocused()
  /* Back ends the managing first. */
  await back()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(w('profiles:heading'))
  const locked = page.getByRole('button', { name: /Robin/ })
  await locked.focus()
  await press('Enter')
  await page.getByRole('dialog').waitFor()
  await expectWalkable(page, 'PIN pad')
  await back()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(locked).toBeFocused()
})

test('a menu is walked whole, and Back closes it before it leaves', async () => {
  await open(page, 'en', '/movies/')
  await open(page, 'en', '/mylist/')
  await drive()
  const opener = page.getByRole('button', { name: new RegExp(w('header:menu').replace('{{name}}', '')) })
  await opener.focus()
  await press('Enter')
  await page.locator('[data-panel] a').first().waitFor()
  await press('ArrowDown')
  await expect(page.locator('[data-panel] :focus')).toBeVisible()
  await back()
  await expect(page.locator('[data-panel]')).toHaveCount(0)
  await expect(opener).toBeFocused()
  await back()
  await expect(page).toHaveURL(/\/movies\/$/)
  await settled(page)
  await drive()
  const filters = page.getByRole('button', { name: w('browse:filters') })
  await filters.focus()
  await press('Enter')
  await page.getByRole('dialog').waitFor()
  await expectWalkable(page, 'filters')
  await press('Escape')
  await expect(filters).toBeFocused()
})

test('Backspace and Escape are Back while arrows drive, never while writing', async () => {
  await open(page, 'en', '/movies/')
  await drive()
  await open(page, 'en', '/search/')
  const box = page.getByRole('textbox', { name: w('searchpage:placeholder') })
  await box.focus()
  await page.keyboard.type('da')
  await press('Backspace', 'Backspace', 'Backspace')
  await page.keyboard.type('dark')
  await press('Escape')
  await expect(box).toHaveValue('')
  await expect(page).toHaveURL(/\/search\//)
  await press('Escape')
  await expect(page).toHaveURL(/\/movies\/$/)
})

test('Back finds the card that was left, and a page begins with something focused', async () => {
  await open(page, 'en', '/movies/')
  await drive()
  const card = page.locator('.card-grid a').nth(9)
  await card.focus()
  const address = await card.getAttribute('href')
  await press('Enter')
  await expect(page).toHaveURL(new RegExp(`${address}$`))
  await expect(page.locator('main :focus')).toBeVisible()
  await press('Escape')
  await expect(page).toHaveURL(/\/movies\/$/)
  await expect(page.locator(`.card-grid a[href="${address}"]`)).toBeFocused()
})

test('what disappears leaves the focus to the nearest', async () => {
  await open(page, 'en', '/mylist/')
  const remove = page.locator('.card-grid').getByRole('button', { name: w('common:removeFromList') })
  await remove.nth(1).waitFor()
  const many = await remove.count()
  await remove.first().focus()
  await press('Enter')
  await expect(remove).toHaveCount(many - 1)
  await expect(remove.first()).toBeFocused()
  await page.getByRole('button', { name: w('common:undo') }).click()
  await expect(remove).toHaveCount(many)
  await open(page, 'en', '/')
  const row = page.getByRole('region', { name: w('home:continueWatching') })
  const cards = row.locator('[data-card]')
  await cards.first().waitFor()
  const before = await cards.count()
  await row
    .getByRole('button', { name: w('home:removeFromRow') })
    .first()
    .focus()
  await press('Enter')
  await expect(cards).toHaveCount(before - 1)
  await expect(page.locator('main :focus')).toBeVisible()
  await page.getByRole('button', { name: w('common:undo') }).click()
  await expect(cards).toHaveCount(before)
})

test('an error has the focus on the way out', async () => {
  await page.route('**/api/**/pulp-fiction*', (route) =>
    route.fulfill({ status: 500, json: { type: 'internal', message: 'broken' } }),
  )
  await open(page, 'en', '/movies/pulp-fiction')
  await expect(page.getByRole('button', { name: w('common:tryAgain') })).toBeFocused()
  await page.unrouteAll()
})

test("the player's buttons are walked, and Back leads where the viewer came from", async () => {
  await open(page, 'en', '/movies/arrival')
  await drive()
  await playLink(page, 'en').press('Enter')
  await expect(page).toHaveURL(/\/watch\//)
  await page.locator('#picture').waitFor()
  await press('k')
  const play = page.locator('[data-play]:visible').first()
  await play.focus()
  await expectWalkable(page, 'player')
  await page.getByRole('button', { name: w('watch:settings') }).focus()
  await press('Enter')
  await back()
  await back()
  await back()
  await expect(page).toHaveURL(/\/movies\/arrival$/)
  await settled(page)
  await back()
  await expect(page).not.toHaveURL(/\/watch\//)
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

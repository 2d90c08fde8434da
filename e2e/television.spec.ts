/** What a television shows: nothing that needs a keyboard or files, and no message that covers a control. */
import { expect, type Page, test } from '@playwright/test'
import { expectMessageCoversNoButton } from './covered-buttons.ts'
import { getTranslation, signInAsProfile } from './journey-helpers.ts'
import { openPage } from './page-navigation.ts'
import { ARRIVAL_WATCH_PATH, openAndPlay } from './player.ts'
import { TELEVISION_CONTEXT_OPTIONS } from './remote-control.ts'

const t = (key: string) => getTranslation('fr', key)

let page: Page
test.beforeAll(async ({ browser }) => {
  page = await browser.newPage({ ...TELEVISION_CONTEXT_OPTIONS, reducedMotion: 'reduce' })
  await signInAsProfile(page, 'Alex')
})
test.afterAll(() => page.close())

test('on a television, a control of a page has the focus before the first key press', async () => {
  await openPage(page, 'fr', '/')
  await expect(page.locator('main :focus')).toHaveAccessibleName(
    new RegExp(`^(${t('common:play')}|${t('common:resume')})`),
  )
  await openPage(page, 'fr', '/movies/')
  await expect(page.locator('main :focus')).toHaveRole('tab')
})

test('on a television, a message covers no button of the open dialog', () =>
  expectMessageCoversNoButton(page, 'fr'))

test('on a television, the player offers neither keyboard shortcuts nor subtitle files of the device', async () => {
  await openAndPlay(page, `/fr${ARRIVAL_WATCH_PATH}`)
  await page.keyboard.press('ArrowDown')
  await page.getByRole('button', { name: t('watch:captions'), exact: true }).press('Enter')
  await expect(page.getByRole('radio', { name: 'Français' })).toBeVisible()
  await expect(page.getByRole('button', { name: t('watch:captionFile') })).toHaveCount(0)
  await expect(page.getByRole('button', { name: t('watch:info'), exact: true })).toHaveCount(1)
  await expect(page.getByRole('button', { name: t('watch:keys'), exact: true })).toHaveCount(0)
})

test('on a television, the page for importing a history does not mention dragging files', async () => {
  await openPage(page, 'fr', '/account/?tab=transfer')
  await expect(page.getByText(t('transfer:choose'), { exact: true })).toBeVisible()
  await expect(page.getByText(t('transfer:drop'))).toHaveCount(0)
})

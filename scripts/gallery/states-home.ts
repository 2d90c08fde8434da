/** States that the gallery takes screenshots of: the home page and the page header. */
import { HOME_HERO_KEY } from '../../src/lib/storage-keys.ts'
import type { GalleryState } from './gallery-state.ts'
import { clickButton, failRequests, holdRequests } from './state-actions.ts'
import type { GalleryWindow } from './window.ts'

const FEATURED_PATH = '**/api/movies/featured*'

/**
 * Removes the hero that is stored on the device, and removes the data of the home page from the session
 * response. The page then waits for the lists that it requests.
 */
const removeHomeData = async ({ page }: GalleryWindow) => {
  await page.evaluate((storageKey) => localStorage.removeItem(storageKey), HOME_HERO_KEY)
  await page.route('**/api/auth/refresh', async (route) => {
    const response = await route.fetch()
    const { home: _home, ...session } = (await response.json()) as { home?: object }
    await route.fulfill({ response, json: session })
  })
}

export const homeStates: GalleryState[] = [
  { name: 'home', path: '/', shouldCaptureBelow: true },
  { name: 'home-kids', path: '/', viewer: 'kids' },
  {
    name: 'home-focus',
    path: '/',
    interact: async ({ page }) => {
      await page.locator('.row-track [data-card]').first().focus()
      await page.keyboard.press('ArrowRight')
    },
  },
  {
    name: 'home-menu',
    path: '/',
    interact: ({ page }) => page.locator('header button[aria-expanded]').last().click(),
  },
  {
    name: 'home-notices',
    path: '/',
    interact: ({ page }) => page.locator('header button[aria-expanded]').first().click(),
  },
  {
    name: 'home-row-menu',
    path: '/',
    interact: async ({ page, translate }) => {
      const menuName = translate('customise:rowMenu').replace('{{row}}', translate('customise:row_continue'))
      await page.getByRole('button', { name: menuName, exact: true }).click()
    },
  },
  {
    name: 'home-phone',
    path: '/',
    interact: async (galleryWindow) => {
      await galleryWindow.page.locator('header button[aria-expanded]').last().click()
      // On a phone, this menu entry is a link to the page `remote`. On other devices, it opens a dialog.
      if (galleryWindow.size === 'phone') return
      await clickButton('header:usePhone')(galleryWindow)
      await galleryWindow.page.locator('dialog output').waitFor()
    },
  },
  {
    name: 'home-pending',
    path: '/',
    prepare: async (galleryWindow) => {
      await removeHomeData(galleryWindow)
      await holdRequests(FEATURED_PATH)(galleryWindow)
    },
  },
  {
    name: 'home-error',
    path: '/',
    prepare: async (galleryWindow) => {
      await removeHomeData(galleryWindow)
      await failRequests(FEATURED_PATH)(galleryWindow)
    },
  },
  { name: 'page-pending', path: '/account/', prepare: holdRequests('**/api/auth/refresh') },
]

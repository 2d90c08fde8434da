/** States of the home page and of the page header. */
import type { GalleryState } from './gallery-state.ts'
import { clickButton, failRequests, holdRequests } from './state-actions.ts'

export const homeStates: GalleryState[] = [
  { name: 'home', path: '/', captureBelow: true },
  { name: 'home-kids', path: '/', viewer: 'kids' },
  {
    name: 'home-focus',
    path: '/',
    act: async ({ page }) => {
      await page.locator('.row-track [data-card]').first().focus()
      await page.keyboard.press('ArrowRight')
    },
  },
  {
    name: 'home-menu',
    path: '/',
    act: ({ page }) => page.locator('header button[aria-expanded]').last().click(),
  },
  {
    name: 'home-notices',
    path: '/',
    act: ({ page }) => page.locator('header button[aria-expanded]').first().click(),
  },
  {
    name: 'home-row-menu',
    path: '/',
    act: async ({ page, translate }) => {
      const name = translate('customise:rowMenu').replace('{{row}}', translate('customise:row_continue'))
      await page.getByRole('button', { name, exact: true }).click()
    },
  },
  {
    name: 'home-phone',
    path: '/',
    act: async (window) => {
      await window.page.locator('header button[aria-expanded]').last().click()
      // On a phone, the entry is a link to the page `remote`.
      if (window.size === 'phone') return
      await clickButton('header:usePhone')(window)
      await window.page.locator('dialog output').waitFor()
    },
  },
  { name: 'home-pending', path: '/', prepare: holdRequests('**/api/movies/featured*') },
  { name: 'home-error', path: '/', prepare: failRequests('**/api/movies/featured*') },
  { name: 'page-pending', path: '/account/', prepare: holdRequests('**/api/auth/refresh') },
]

/** Every route and state that the gallery shows, and how to reach it. */

import { answerRequests } from './state-actions.ts'
import { accountStates } from './states-account.ts'
import { dashboardStates } from './states-dashboard.ts'
import { familyStates } from './states-family.ts'
import { playerStates } from './states-player.ts'
import { profileStates } from './states-profiles.ts'
import type { GalleryViewer, GalleryWindow } from './window.ts'

export interface GalleryState {
  /** `route` or `route-state`; `--routes` accepts both. */
  name: string
  /** Path without the locale prefix. */
  path: string | ((window: GalleryWindow) => string)
  /** `main` by default. */
  viewer?: GalleryViewer
  /** Runs before the page is opened, for example to mock API responses. */
  prepare?: (window: GalleryWindow) => Promise<void>
  /** Interacts with the opened page. */
  act?: (window: GalleryWindow) => Promise<void>
  /** Takes a second screenshot, scrolled down. */
  captureBelow?: boolean
}

const findButton = ({ page, translate }: GalleryWindow, key: string) =>
  page.getByRole('button', { name: translate(key), exact: true }).first()
const failRequests =
  (pattern: string) =>
  async ({ page }: GalleryWindow) => {
    const json = { type: 'server_error', status: 500, message: '', errors: {} }
    await page.route(pattern, (route) => route.fulfill({ status: 500, json }))
  }
/** Leaves requests unanswered, so that the pending state stays visible. */
const holdRequests =
  (pattern: string) =>
  async ({ page }: GalleryWindow) => {
    await page.route(pattern, () => undefined)
  }

const HOME: GalleryState[] = [
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
      await findButton(window, 'header:usePhone').click()
      await window.page.locator('dialog output').waitFor()
    },
  },
  { name: 'home-pending', path: '/', prepare: holdRequests('**/api/movies/featured*') },
  { name: 'home-error', path: '/', prepare: failRequests('**/api/movies/featured*') },
  { name: 'page-pending', path: '/account/', prepare: holdRequests('**/api/auth/refresh') },
]

const LISTS: GalleryState[] = [
  { name: 'movies', path: '/movies/', captureBelow: true },
  { name: 'movies-filtered', path: '/movies/?includeGenres=18&excludeGenres=27&rating=7&hideSeen=true' },
  { name: 'movies-empty', path: '/movies/?releaseYear=1921&rating=9' },
  {
    name: 'movies-filters',
    path: '/movies/',
    act: async (window) => findButton(window, 'browse:filters').click(),
  },
  { name: 'movies-pending', path: '/movies/', prepare: holdRequests('**/api/movies?*') },
  { name: 'tvshows', path: '/tvshows/' },
  { name: 'movie', path: '/movies/arrival', captureBelow: true },
  { name: 'movie-pending', path: '/movies/arrival', prepare: holdRequests('**/api/movies/slug/*') },
  {
    name: 'movie-toast',
    path: '/movies/inception',
    act: async (window) => {
      const { page, translate } = window
      const names = [translate('common:addToList'), translate('common:removeFromList')]
      for (const name of names) {
        const watchlistButton = page.getByRole('main').getByRole('button', { name, exact: true }).first()
        if (await watchlistButton.isVisible()) return watchlistButton.click()
      }
    },
  },
  {
    name: 'movie-rating',
    path: '/movies/arrival',
    act: ({ page }) => page.locator('main button:has(.lucide-star)').first().click(),
  },
  { name: 'tvshow', path: '/tvshows/stranger-things', captureBelow: true },
  {
    name: 'tvshow-notices',
    path: '/tvshows/stranger-things',
    act: ({ page }) => page.locator('main button:has(.lucide-bell-ring)').first().click(),
  },
  {
    name: 'tvshow-episodes',
    path: '/tvshows/the-last-of-us',
    act: async ({ page }) =>
      page
        .locator('main section h2')
        .first()
        .evaluate((heading) => heading.scrollIntoView()),
  },
  {
    name: 'actor',
    path: '/movies/arrival',
    act: async ({ page, locale }) => {
      const link = page.locator('a[href*="/actor/"]').first()
      await page.goto((await link.getAttribute('href')) ?? `/${locale}`)
    },
    captureBelow: true,
  },
  { name: 'search', path: '/search/' },
  { name: 'search-results', path: '/search/?q=love' },
  { name: 'search-none', path: '/search/?q=zzzzqqqq' },
]

const WATCHLIST: GalleryState[] = [
  { name: 'calendar', path: '/calendar/' },
  { name: 'statistics', path: '/statistics/' },
  { name: 'statistics-year', path: `/statistics/?year=${new Date().getFullYear()}` },
  {
    name: 'statistics-tables',
    path: '/statistics/',
    act: (window) => findButton(window, 'statistics:asTables').click(),
  },
  {
    name: 'statistics-review',
    path: '/statistics/',
    act: (window) => findButton(window, 'statistics:review').click(),
  },
  { name: 'calendar-month', path: '/calendar/?view=month' },
  {
    name: 'calendar-empty',
    path: '/calendar/',
    prepare: async ({ page }) => {
      const json = { releases: [], titles: [], previous: null, next: null }
      await page.route(/\/calendar\?/, (route) => route.fulfill({ json }))
    },
  },
  {
    name: 'calendar-address',
    path: '/calendar/',
    act: async (window) => {
      await findButton(window, 'calendar:address').click()
      await findButton(window, 'calendar:createAddress').click()
    },
  },
  { name: 'watchnext', path: '/watch-next/' },
  { name: 'watchnext-minutes', path: '/watch-next/?minutes=60&order=shortest' },
  { name: 'watchnext-none', path: '/watch-next/?minutes=1' },
  {
    name: 'watchnext-empty',
    path: '/watch-next/',
    prepare: async ({ page }) => {
      const viewing_time = { status: 'unlimited', reason: null, remaining_seconds: null }
      const json = { results: [], has_more_planned: false, viewing_time }
      await page.route(/\/watch-next$/, (route) => route.fulfill({ json }))
    },
  },
  { name: 'history', path: '/history/' },
  {
    name: 'history-note',
    path: '/history/',
    act: async (window) => {
      await window.page.locator('[data-viewing] button:has(.lucide-pencil)').first().click()
      await window.page.locator('textarea').fill('Ada fell asleep. The end is better than I remembered.')
    },
  },
  {
    name: 'history-notes',
    path: '/history/',
    prepare: async ({ page }) => {
      await page.route(/\/viewings\?/, async (route) => {
        const response = await route.fetch()
        const json = await response.json()
        const notes = ['Ada fell asleep.', 'A second time, and again it is the music that stays. '.repeat(12)]
        for (const [index, note] of notes.entries()) if (json.results[index]) json.results[index].note = note
        await route.fulfill({ response, json })
      })
    },
  },
  { name: 'lists', path: '/lists/' },
  {
    name: 'lists-create',
    path: '/lists/',
    act: async (window) => findButton(window, 'lists:create').click(),
  },
  {
    name: 'lists-save-filters',
    path: '/movies/?includeGenres=18',
    act: async (window) => findButton(window, 'lists:saveFilters').click(),
  },
  {
    name: 'history-empty',
    path: '/history/',
    prepare: async ({ page }) => {
      const json = { results: [], next: null, oldest: null }
      await page.route(/\/viewings\?/, (route) => route.fulfill({ json }))
    },
  },
  { name: 'mylist', path: '/mylist/' },
  {
    name: 'mylist-empty',
    path: '/mylist/',
    prepare: async ({ page }) => {
      const json = { results: [], total_results: 0, page: 1, total_pages: 0 }
      await page.route(/\/watchlist\?/, (route) => route.fulfill({ json }))
      await page.route(/\/watchlist$/, (route) => route.fulfill({ json }))
    },
  },
  {
    name: 'mylist-selecting',
    path: '/mylist/',
    act: async (window) => {
      await findButton(window, 'mylist:select').click()
      await findButton(window, 'mylist:selectAll').click()
    },
  },
]

const SIGN_IN: GalleryState[] = [
  { name: 'login', path: '/login/', viewer: 'signed-out' },
  {
    name: 'login-error',
    path: '/login/',
    viewer: 'signed-out',
    prepare: async ({ page }) => {
      const json = { type: 'unauthorized', status: 401, message: '', errors: {} }
      await page.route('**/api/auth/login', (route) => route.fulfill({ status: 401, json }))
    },
    act: async (window) => {
      await window.page.locator('form[data-ready] input[type=email]').fill('nobody@example.org')
      await window.page.locator('input[type=password]').fill('Wrong12345')
      await findButton(window, 'auth:signIn').click()
      await window.page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'login-code',
    path: '/login/',
    viewer: 'signed-out',
    act: async (window) => findButton(window, 'auth:useCode').click(),
  },
  { name: 'reset', path: '/reset/', viewer: 'signed-out' },
  { name: 'email-bad', path: '/email/?token=none', viewer: 'signed-out' },
  { name: 'reset-bad', path: '/reset/?token=none', viewer: 'signed-out' },
  { name: 'link', path: '/link/' },
  { name: 'remote', path: '/remote/' },
  {
    name: 'remote-keys',
    path: '/remote/?code=123456',
    prepare: answerRequests({
      '**/remote/claim': { pairing_id: 'gallery', device_name: 'Samsung Tizen television' },
      '**/remote/pairings/*/renew': { device_name: 'Samsung Tizen television' },
    }),
  },
  {
    name: 'login-providers',
    path: '/login/',
    viewer: 'signed-out',
    prepare: answerRequests({
      '**/auth/sign-in-methods': {
        password: true,
        providers: [
          { id: 'family', name: 'Family Cloud' },
          { id: 'club', name: 'Film club' },
        ],
      },
    }),
  },
  { name: 'signup', path: ({ household }) => `/signup/?token=${household.invitation}`, viewer: 'signed-out' },
  { name: 'signup-bad', path: '/signup/?token=none', viewer: 'signed-out' },
]

const ERRORS: GalleryState[] = [
  { name: 'error-404', path: '/nowhere/' },
  { name: 'error-not-authorized', path: '/not-authorized/' },
]

export const STATES: readonly GalleryState[] = [
  ...HOME,
  ...LISTS,
  ...WATCHLIST,
  ...profileStates,
  ...accountStates,
  ...familyStates,
  ...dashboardStates,
  ...SIGN_IN,
  ...playerStates,
  ...ERRORS,
]

/** Every route and state that somebody can be in, and how one gets there. */

import type { Stage, Who } from './stage.ts'
import { dashboardStates } from './states-dashboard.ts'
import { playerStates } from './states-player.ts'
import { profileStates } from './states-profiles.ts'

export interface State {
  /** `route` or `route-state`; `--routes` takes either. */
  name: string
  /** Without locale. */
  path: string | ((stage: Stage) => string)
  who?: Who
  /** Before the page is opened, such as what the server shall answer. */
  before?: (stage: Stage) => Promise<void>
  /** What somebody does there. */
  act?: (stage: Stage) => Promise<void>
  /** Also what stands below the first window: a second picture. */
  whole?: boolean
}

const button = ({ page, w }: Stage, key: string) =>
  page.getByRole('button', { name: w(key), exact: true }).first()
const failing = (pattern: string) => async (stage: Stage) => {
  const json = { type: 'server_error', status: 500, message: '', errors: {} }
  await stage.page.route(pattern, (route) => route.fulfill({ status: 500, json }))
}
/** Never answers, so that what is shown meanwhile can be seen. */
const hanging = (pattern: string) => async (stage: Stage) => {
  await stage.page.route(pattern, () => undefined)
}

const HOME: State[] = [
  { name: 'home', path: '/', whole: true },
  { name: 'home-kids', path: '/', who: 'kids' },
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
  { name: 'home-pending', path: '/', before: hanging('**/api/movies/featured*') },
  { name: 'home-error', path: '/', before: failing('**/api/movies/featured*') },
  { name: 'page-pending', path: '/account/', before: hanging('**/api/auth/refresh') },
]

const LISTS: State[] = [
  { name: 'movies', path: '/movies/', whole: true },
  { name: 'movies-filtered', path: '/movies/?includeGenres=18&excludeGenres=27&rating=7&hideSeen=true' },
  { name: 'movies-empty', path: '/movies/?releaseYear=1921&rating=9' },
  { name: 'movies-filters', path: '/movies/', act: async (stage) => button(stage, 'browse:filters').click() },
  { name: 'movies-pending', path: '/movies/', before: hanging('**/api/movies?*') },
  { name: 'tvshows', path: '/tvshows/' },
  { name: 'movie', path: '/movies/arrival', whole: true },
  { name: 'movie-pending', path: '/movies/arrival', before: hanging('**/api/movies/slug/*') },
  {
    name: 'movie-toast',
    path: '/movies/inception',
    act: async (stage) => {
      const { page, w } = stage
      const names = [w('common:addToList'), w('common:removeFromList')]
      for (const name of names) {
        const knob = page.getByRole('main').getByRole('button', { name, exact: true }).first()
        if (await knob.isVisible()) return knob.click()
      }
    },
  },
  { name: 'tvshow', path: '/tvshows/stranger-things', whole: true },
  {
    name: 'tvshow-episodes',
    path: '/tvshows/the-last-of-us',
    act: async ({ page }) =>
      page
        .locator('main section h2')
        .first()
        .evaluate((head) => head.scrollIntoView()),
  },
  {
    name: 'actor',
    path: '/movies/arrival',
    act: async ({ page, locale }) => {
      const link = page.locator('a[href*="/actor/"]').first()
      await page.goto((await link.getAttribute('href')) ?? `/${locale}`)
    },
    whole: true,
  },
  { name: 'search', path: '/search/' },
  { name: 'search-results', path: '/search/?q=love' },
  { name: 'search-none', path: '/search/?q=zzzzqqqq' },
]

const MY_LIST: State[] = [
  { name: 'mylist', path: '/mylist/' },
  {
    name: 'mylist-empty',
    path: '/mylist/',
    before: async ({ page }) => {
      const json = { results: [], total_results: 0, page: 1, total_pages: 0 }
      await page.route(/\/watchlist\?/, (route) => route.fulfill({ json }))
      await page.route(/\/watchlist$/, (route) => route.fulfill({ json }))
    },
  },
  {
    name: 'mylist-selecting',
    path: '/mylist/',
    act: async (stage) => {
      await button(stage, 'mylist:select').click()
      await button(stage, 'mylist:selectAll').click()
    },
  },
]

const ACCOUNT: State[] = ['profile', 'security', 'devices', 'preferences', 'taste', 'transfer'].map(
  (tab) => ({
    name: `account-${tab}`,
    path: `/account/?tab=${tab}`,
    whole: true,
  }),
)

const CUSTOMISE: State = {
  name: 'account-customise',
  path: '/account/?tab=taste',
  act: async (stage) => button(stage, 'customise:open').click(),
}

const ENTRY: State[] = [
  { name: 'login', path: '/login/', who: 'nobody' },
  {
    name: 'login-error',
    path: '/login/',
    who: 'nobody',
    before: async ({ page }) => {
      const json = { type: 'unauthorized', status: 401, message: '', errors: {} }
      await page.route('**/api/auth/login', (route) => route.fulfill({ status: 401, json }))
    },
    act: async (stage) => {
      await stage.page.locator('form[data-ready] input[type=email]').fill('nobody@example.org')
      await stage.page.locator('input[type=password]').fill('Wrong12345')
      await button(stage, 'auth:signIn').click()
      await stage.page.getByRole('alert').waitFor()
    },
  },
  { name: 'signup', path: ({ household }) => `/signup/?token=${household.invitation}`, who: 'nobody' },
  { name: 'signup-bad', path: '/signup/?token=none', who: 'nobody' },
]

const ERRORS: State[] = [
  { name: 'error-404', path: '/nowhere/' },
  { name: 'error-not-authorized', path: '/not-authorized/' },
]

export const STATES: readonly State[] = [
  ...HOME,
  ...LISTS,
  ...MY_LIST,
  ...profileStates,
  ...ACCOUNT,
  CUSTOMISE,
  ...dashboardStates,
  ...ENTRY,
  ...playerStates,
  ...ERRORS,
]

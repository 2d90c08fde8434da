/**
 * States that the gallery takes screenshots of: the lists of titles, the pages of a title and a person, and the search.
 */
import type { GalleryState } from './gallery-state.ts'
import { clickButton, holdRequests } from './state-actions.ts'

export const titleStates: GalleryState[] = [
  { name: 'movies', path: '/movies/', shouldCaptureBelow: true },
  { name: 'movies-filtered', path: '/movies/?includeGenres=18&excludeGenres=27&rating=7&hideSeen=true' },
  { name: 'movies-empty', path: '/movies/?releaseYear=1921&rating=9' },
  {
    name: 'movies-filters',
    path: '/movies/',
    interact: clickButton('browse:filters'),
  },
  { name: 'movies-pending', path: '/movies/', prepare: holdRequests('**/api/movies?*') },
  { name: 'tvshows', path: '/tvshows/' },
  { name: 'movie', path: '/movies/arrival', shouldCaptureBelow: true },
  { name: 'movie-pending', path: '/movies/arrival', prepare: holdRequests('**/api/movies/slug/*') },
  {
    name: 'movie-toast',
    path: '/movies/inception',
    interact: async (galleryWindow) => {
      const { page, translate } = galleryWindow
      const buttonNames = [translate('common:addToList'), translate('common:removeFromList')]
      for (const buttonName of buttonNames) {
        const watchlistButton = page
          .getByRole('main')
          .getByRole('button', { name: buttonName, exact: true })
          .first()
        if (await watchlistButton.isVisible()) return watchlistButton.click()
      }
    },
  },
  {
    name: 'movie-rating',
    path: '/movies/arrival',
    interact: ({ page }) => page.locator('main button:has(.lucide-star)').first().click(),
  },
  { name: 'tvshow', path: '/tvshows/stranger-things', shouldCaptureBelow: true },
  {
    name: 'tvshow-notices',
    path: '/tvshows/stranger-things',
    interact: ({ page }) => page.locator('main button:has(.lucide-bell-ring)').first().click(),
  },
  {
    name: 'tvshow-episodes',
    path: '/tvshows/the-last-of-us',
    interact: async ({ page }) =>
      page
        .locator('main section h2')
        .first()
        .evaluate((heading) => heading.scrollIntoView()),
  },
  {
    name: 'actor',
    path: '/movies/arrival',
    interact: async ({ page, locale }) => {
      const actorLink = page.locator('a[href*="/actor/"]').first()
      await page.goto((await actorLink.getAttribute('href')) ?? `/${locale}`)
    },
    shouldCaptureBelow: true,
  },
  { name: 'movie-kids', path: '/movies/inside-out-2', viewer: 'kids' },
  { name: 'search', path: '/search/' },
  { name: 'search-results', path: '/search/?q=love' },
  { name: 'search-none', path: '/search/?q=zzzzqqqq' },
]

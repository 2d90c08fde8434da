/**
 * States that the gallery takes screenshots of: the calendar, Watch next, statistics, history, named lists and My List.
 */
import type { GalleryState } from './gallery-state.ts'
import { clickButton, fulfilRequests } from './state-actions.ts'
import type { GalleryWindow } from './window.ts'

/** Mocks releases around today for titles of My List, because the titles of the demo catalogue are older. */
const showReleases = async (galleryWindow: GalleryWindow) => {
  const { page } = galleryWindow
  await page.route(/\/calendar\?/, async (route) => {
    const headers = await route.request().allHeaders()
    const listUrl = route
      .request()
      .url()
      .replace(/calendar\?.*/, 'watchlist')
    const response = await page.request.get(listUrl, { headers })
    const { results } = (await response.json()) as { results: { media: { id: string; type: string } }[] }
    const watchlistTitles = results.map(({ media }) => media)
    const releases = watchlistTitles.flatMap(({ id, type }, index) =>
      [index - 2, index + 5].map((offsetDays) => ({
        date: new Date(Date.now() + offsetDays * 86_400_000).toISOString().slice(0, 10),
        media_id: id,
        season: type === 'tv' ? 2 : null,
        episode: type === 'tv' ? index : null,
        episode_title: type === 'tv' ? 'The One With the Very Long Name of an Episode' : null,
        seen: offsetDays < -1,
      })),
    )
    releases.sort((a, b) => a.date.localeCompare(b.date))
    await route.fulfill({ json: { releases, titles: watchlistTitles, previous: null, next: null } })
  })
}

export const viewingStates: GalleryState[] = [
  { name: 'calendar', path: '/calendar/' },
  { name: 'calendar-releases', path: '/calendar/', prepare: showReleases },
  { name: 'calendar-month-releases', path: '/calendar/?view=month', prepare: showReleases },
  { name: 'statistics', path: '/statistics/' },
  { name: 'statistics-year', path: `/statistics/?year=${new Date().getFullYear()}` },
  {
    name: 'statistics-tables',
    path: '/statistics/',
    interact: clickButton('statistics:asTables'),
  },
  {
    name: 'statistics-review',
    path: '/statistics/',
    interact: clickButton('statistics:review'),
  },
  { name: 'calendar-month', path: '/calendar/?view=month' },
  {
    name: 'calendar-empty',
    path: '/calendar/',
    prepare: async ({ page }) => {
      const calendarReply = { releases: [], titles: [], previous: null, next: null }
      await page.route(/\/calendar\?/, (route) => route.fulfill({ json: calendarReply }))
    },
  },
  {
    name: 'calendar-address',
    path: '/calendar/',
    // The calendar address is mocked, because the screenshots of all languages use the same profile. A real address
    // from the screenshot of the first language would still exist in the screenshots of the other languages.
    prepare: async ({ page, household }) => {
      let createdAt: string | null = null
      await page.route('**/calendar/feed', (route) => {
        if (route.request().method() === 'POST') createdAt = new Date().toISOString()
        const feedUrl = `${household.origin}/api/calendar/${'x'.repeat(43)}/releases.ics`
        return route.fulfill({ json: { created_at: createdAt, read_at: null, url: feedUrl } })
      })
    },
    interact: async (galleryWindow) => {
      await clickButton('calendar:address')(galleryWindow)
      await clickButton('calendar:createAddress')(galleryWindow)
    },
  },
  { name: 'watchnext', path: '/watch-next/' },
  { name: 'watchnext-minutes', path: '/watch-next/?minutes=60&order=shortest' },
  { name: 'watchnext-none', path: '/watch-next/?minutes=1' },
  {
    name: 'watchnext-empty',
    path: '/watch-next/',
    prepare: async ({ page }) => {
      const viewingTime = { status: 'unlimited', reason: null, remaining_seconds: null }
      const watchNextReply = { results: [], has_more_planned: false, viewing_time: viewingTime }
      await page.route(/\/watch-next$/, (route) => route.fulfill({ json: watchNextReply }))
    },
  },
  { name: 'history', path: '/history/' },
  {
    name: 'history-note',
    path: '/history/',
    interact: async (galleryWindow) => {
      await galleryWindow.page.locator('[data-viewing] button:has(.lucide-pencil)').first().click()
      await galleryWindow.page
        .locator('textarea')
        .fill('Ada fell asleep. The end is better than I remembered.')
    },
  },
  {
    name: 'history-notes',
    path: '/history/',
    prepare: async ({ page }) => {
      await page.route(/\/viewings\?/, async (route) => {
        const response = await route.fetch()
        const viewingsReply = await response.json()
        const noteTexts = [
          'Ada fell asleep.',
          'A second time, and again it is the music that stays. '.repeat(12),
        ]
        for (const [index, noteText] of noteTexts.entries())
          if (viewingsReply.results[index]) viewingsReply.results[index].note = noteText
        await route.fulfill({ response, json: viewingsReply })
      })
    },
  },
  { name: 'lists', path: '/lists/' },
  {
    name: 'lists-details',
    path: '/lists/',
    interact: async ({ page }) => {
      await page.locator('main a[href*="?id="]').last().click()
      await page.locator('main .card-grid').waitFor()
    },
  },
  {
    name: 'lists-order',
    path: '/lists/',
    interact: async (galleryWindow) => {
      await galleryWindow.page.locator('main a[href*="?id="]').last().click()
      await clickButton('lists:edit')(galleryWindow)
    },
  },
  {
    name: 'lists-empty',
    path: '/lists/',
    prepare: fulfilRequests({ '**/lists': { results: [] } }),
  },
  {
    name: 'lists-create',
    path: '/lists/',
    interact: clickButton('lists:create'),
  },
  {
    name: 'lists-save-filters',
    path: '/movies/?includeGenres=18',
    interact: clickButton('lists:saveFilters'),
  },
  {
    name: 'history-empty',
    path: '/history/',
    prepare: async ({ page }) => {
      const emptyViewingsReply = { results: [], next: null, oldest: null }
      await page.route(/\/viewings\?/, (route) => route.fulfill({ json: emptyViewingsReply }))
    },
  },
  { name: 'mylist', path: '/mylist/' },
  {
    name: 'mylist-empty',
    path: '/mylist/',
    prepare: async ({ page }) => {
      const emptyWatchlistReply = { results: [], total_results: 0, page: 1, total_pages: 0 }
      await page.route(/\/watchlist\?/, (route) => route.fulfill({ json: emptyWatchlistReply }))
      await page.route(/\/watchlist$/, (route) => route.fulfill({ json: emptyWatchlistReply }))
    },
  },
  {
    name: 'mylist-selecting',
    path: '/mylist/',
    interact: async (galleryWindow) => {
      await clickButton('mylist:select')(galleryWindow)
      await clickButton('mylist:selectAll')(galleryWindow)
    },
  },
]

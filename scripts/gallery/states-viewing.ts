/** States of the calendar, Watch next, statistics, history, named lists and My List. */
import type { GalleryState } from './gallery-state.ts'
import { answerRequests, clickButton } from './state-actions.ts'
import type { GalleryWindow } from './window.ts'

/** Mocks releases around today for titles of My List, because the titles of the demo catalogue are older. */
const showReleases = async (window: GalleryWindow) => {
  const { page } = window
  await page.route(/\/calendar\?/, async (route) => {
    const headers = await route.request().allHeaders()
    const listUrl = route
      .request()
      .url()
      .replace(/calendar\?.*/, 'watchlist')
    const response = await page.request.get(listUrl, { headers })
    const { results } = (await response.json()) as { results: { media: { id: string; type: string } }[] }
    const titles = results.map(({ media }) => media)
    const releases = titles.flatMap(({ id, type }, index) =>
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
    await route.fulfill({ json: { releases, titles, previous: null, next: null } })
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
    act: clickButton('statistics:asTables'),
  },
  {
    name: 'statistics-review',
    path: '/statistics/',
    act: clickButton('statistics:review'),
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
    // The calendar address is mocked, because all languages act as one profile. A real address would exist
    // since the picture of the first language.
    prepare: async ({ page, household }) => {
      let created_at: string | null = null
      await page.route('**/calendar/feed', (route) => {
        if (route.request().method() === 'POST') created_at = new Date().toISOString()
        const url = `${household.origin}/api/calendar/${'x'.repeat(43)}/releases.ics`
        return route.fulfill({ json: { created_at, read_at: null, url } })
      })
    },
    act: async (window) => {
      await clickButton('calendar:address')(window)
      await clickButton('calendar:createAddress')(window)
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
    name: 'lists-details',
    path: '/lists/',
    act: async ({ page }) => {
      await page.locator('main a[href*="?id="]').last().click()
      await page.locator('main .card-grid').waitFor()
    },
  },
  {
    name: 'lists-order',
    path: '/lists/',
    act: async (window) => {
      await window.page.locator('main a[href*="?id="]').last().click()
      await clickButton('lists:edit')(window)
    },
  },
  {
    name: 'lists-empty',
    path: '/lists/',
    prepare: answerRequests({ '**/lists': { results: [] } }),
  },
  {
    name: 'lists-create',
    path: '/lists/',
    act: clickButton('lists:create'),
  },
  {
    name: 'lists-save-filters',
    path: '/movies/?includeGenres=18',
    act: clickButton('lists:saveFilters'),
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
      await clickButton('mylist:select')(window)
      await clickButton('mylist:selectAll')(window)
    },
  },
]

/** Switching from an adult to a kids profile: no content of the adult profile stays visible or is requested, on any page. */
import { type APIRequestContext, expect, type Locator, type Page, type Request, test } from '@playwright/test'
import { getTranslation, selectStoredProfile, signInByRequest } from './journey-helpers.ts'
import { getOfflineStatus, signInAndOpenHome, waitUntilSiteCached } from './offline.ts'
import { waitUntilSettled } from './page-navigation.ts'

test.use({ serviceWorkers: 'allow' })

const t = (key: string) => getTranslation('en', key)
const ADULT_NAME = 'Alex'
const KID_NAME = 'Sunny'
const SEARCH_QUERY = 'godfather'

interface AdultContent {
  profileId: string
  /** Titles that are not safe for kids. */
  titles: { id: string; slug: string; title: string; images: string[] }[]
}
interface TitleCard {
  id: string
  slug: string
  title: string
  safe_for_kids: boolean
  poster_path: string | null
  backdrop_path: string | null
}

/** Reads the titles that only the adult profile may see. The requests have their own login to the same account. */
async function readAdultContent(device: APIRequestContext): Promise<AdultContent> {
  const headers = await signInByRequest(device)
  const get = async (path: string) => (await device.get(path, { headers })).json()
  const { results: profiles } = (await get('/api/profile')) as {
    results: { profile_id: string; name: string }[]
  }
  const profileId = profiles.find(({ name }) => name === ADULT_NAME)?.profile_id ?? ''
  Object.assign(headers, { 'X-Profile-Id': profileId })
  const cards: TitleCard[] = []
  for (const list of ['movies', 'series'])
    for (let listPage = 1; listPage <= 10; listPage++) {
      const { results } = (await get(`/api/${list}?limit=100&page=${listPage}`)) as { results: TitleCard[] }
      cards.push(...results)
      if (results.length < 100) break
    }
  const titles = cards
    // Excludes a title with the same name as the dark theme, because the button of the theme would look like that title.
    .filter(({ safe_for_kids, title }) => !safe_for_kids && title !== t('header:themeDark'))
    .map(({ id, slug, title, poster_path, backdrop_path }) => ({
      id,
      slug,
      title,
      images: [poster_path, backdrop_path].filter((path) => path !== null),
    }))
  expect(titles.length).toBeGreaterThan(20)
  return { profileId, titles }
}

/**
 * Records the requests of a page. `findAdultRequests` returns those that contain the id of the adult profile, a title that is
 * not safe for kids, or the query.
 */
function recordRequests(page: Page, { profileId, titles }: AdultContent) {
  const requests: Request[] = []
  const adultTexts = [profileId, SEARCH_QUERY, ...titles.flatMap(({ images }) => images)]
  const slugs = new Set(titles.map(({ slug }) => slug))
  const ids = titles.map(
    ({ id }) => new RegExp(`/(movie|tv|similar|movies|series)/${id}\\b|"media_id":"${id}"`),
  )
  page.on('request', (request) => requests.push(request))
  return {
    /** Checks each request once. */
    findAdultRequests: async () => {
      const found: string[] = []
      for (const request of requests.splice(0)) {
        /* The browser itself requests the documents of history entries, which contain no data. */
        if (request.isNavigationRequest()) continue
        const headers = await request.allHeaders().catch(() => request.headers())
        const text = `${decodeURIComponent(request.url())} ${headers['x-profile-id']} ${request.postData() ?? ''}`
        const hasSlug = text.split(/[/?=&\s]/).some((part) => slugs.has(part))
        if (hasSlug || adultTexts.some((word) => text.includes(word)) || ids.some((id) => id.test(text)))
          found.push(`${request.method()} ${text}`)
      }
      return found
    },
  }
}

/** Returns visible texts, links and images of titles that are not safe for kids, and visible uses of the query. */
function listVisibleAdultContent(page: Page, { titles }: AdultContent): Promise<string[]> {
  return page.evaluate(
    ({ titles, query }) => {
      const names = new Set(titles.map(({ title }) => title))
      const slugs = new Set(titles.map(({ slug }) => slug))
      const images = titles.flatMap((title) => title.images)
      const found: string[] = []
      const elements = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) =>
        element.checkVisibility(),
      )
      for (const element of elements) {
        const texts = [...element.childNodes].flatMap((node) =>
          node.nodeType === Node.TEXT_NODE ? [node.textContent?.trim() ?? ''] : [],
        )
        texts.push(element.getAttribute('aria-label') ?? '', element.getAttribute('alt') ?? '')
        if (element instanceof HTMLInputElement) texts.push(element.value)
        found.push(...texts.filter((text) => names.has(text) || text.toLowerCase().includes(query)))
        const slug = element
          .getAttribute('href')
          ?.split(/[/?=&]/)
          .find((part) => slugs.has(part))
        if (slug) found.push(`link to ${slug}`)
        const source = element.getAttribute('src') ?? ''
        if (images.some((image) => source.endsWith(image))) found.push(`image ${source}`)
      }
      if (location.search.includes(query)) found.push(location.search)
      return found
    },
    { titles, query: SEARCH_QUERY },
  )
}

const openAccountMenu = (page: Page) => page.locator('header button[aria-expanded]').last().click()

/** Waits until the home page shows the profile. */
async function expectHomeOf(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
  const label = t('header:menu').replace('{{name}}', name)
  await expect(page.getByRole('button', { name: label })).toBeVisible()
  await waitUntilSettled(page)
}

async function switchProfileInMenu(page: Page, name: string): Promise<void> {
  await openAccountMenu(page)
  const label = t('header:switchTo').replace('{{name}}', name)
  await page.getByRole('button', { name: label }).click()
  await expectHomeOf(page, name)
}

/** Follows a link on the open page to a person, or to a title that is not safe for kids. */
async function followAdultLink(page: Page, content: AdultContent, path: RegExp): Promise<void> {
  const slugs = content.titles.map(({ slug }) => slug)
  const links = await page
    .locator('main a[href]')
    .evaluateAll((elements) => elements.map((link) => link.getAttribute('href') ?? ''))
  const target = links.find(
    (link) => path.test(link) && (link.includes('/actor/') || slugs.includes(link.split('/')[2] ?? '')),
  )
  await page.locator(`main a[href="${target}"]`).first().click()
  await page.waitForURL((url) => url.pathname === target)
}

const openDetails = async (page: Page, content: AdultContent) => {
  await page.goto('/')
  await expectHomeOf(page, ADULT_NAME)
  await followAdultLink(page, content, /^\/movies\/./)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await waitUntilSettled(page)
}

/** Opens each page as the adult profile, a title and an actor from the home page. */
const PAGES: Record<string, (page: Page, content: AdultContent) => Promise<unknown>> = {
  home: async (page) => {
    await page.goto('/tvshows/')
    await waitUntilSettled(page)
    await page.goto('/')
  },
  movies: async (page) => page.goto('/movies/?includeGenres=80'),
  'TV shows': async (page) => page.goto('/tvshows/?sort=rating.desc'),
  search: async (page) => {
    await page.goto('/search/')
    await page.getByRole('textbox').fill(SEARCH_QUERY)
    await expect(page.locator('.card-grid a').first()).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`q=${SEARCH_QUERY}`))
  },
  'a title': openDetails,
  'an actor': async (page, content) => {
    await openDetails(page, content)
    await followAdultLink(page, content, /^\/actor\/./)
  },
  'My List': async (page) => page.goto('/mylist/?type=movie'),
  history: async (page) => page.goto('/history/?type=movie'),
  statistics: async (page) => page.goto('/statistics/'),
  calendar: async (page) => page.goto('/calendar/?type=tv'),
  'watch next': async (page) => page.goto('/watch-next/?minutes=120'),
  account: async (page) => page.goto('/account/'),
  watch: async (page, content) => {
    const { slug } = content.titles.find(({ slug }) => slug === 'arrival') ?? content.titles[0] ?? {}
    await page.goto(`/watch/?type=movie&slug=${slug}`)
    const getCurrentTimeSeconds = () =>
      page.locator('#picture').evaluate((video: HTMLVideoElement) => video.currentTime)
    await expect.poll(getCurrentTimeSeconds).toBeGreaterThan(0)
  },
}

/** Opens the profile picker in the menu of the page, or by its URL from the player, which has no menu. */
async function findKidOption(page: Page): Promise<Locator> {
  if (new URL(page.url()).pathname.startsWith('/watch/')) {
    await page.goto('/profiles/')
    return page.getByRole('button', { name: KID_NAME }).first()
  }
  await waitUntilSettled(page)
  await openAccountMenu(page)
  return page.getByRole('button', { name: t('header:switchTo').replace('{{name}}', KID_NAME) })
}

test('after a switch to a kids profile on any page, no content of the adult profile is visible or requested', async ({
  context,
  request,
}) => {
  test.setTimeout(240_000)
  const content = await readAdultContent(request)
  await signInByRequest(context.request)
  for (const [name, openAsAdult] of Object.entries(PAGES)) {
    await test.step(name, async () => {
      // Each page has its own tab, so that the history contains no pages of earlier steps.
      const page = await context.newPage()
      await selectStoredProfile(page, content.profileId)
      await openAsAdult(page, content)
      const kidOption = await findKidOption(page)
      await expect(kidOption).toBeVisible()
      const requestLog = recordRequests(page, content)
      const expectNothingOfAdult = (step: string) =>
        test.step(step, async () => {
          expect(await listVisibleAdultContent(page, content)).toEqual([])
          expect(await requestLog.findAdultRequests()).toEqual([])
        })
      await kidOption.click()
      await expectHomeOf(page, KID_NAME)
      await expectNothingOfAdult('after the switch')
      await page.goBack({ waitUntil: 'commit' })
      // For the player, the profile was selected on /profiles/, so Back returns to that page, which belongs to no profile.
      if (name === 'watch') await waitUntilSettled(page)
      else await expectHomeOf(page, KID_NAME)
      await expectNothingOfAdult('after Back')
      await page.goForward({ waitUntil: 'commit' })
      await waitUntilSettled(page)
      await expectNothingOfAdult('after Forward')
      await page.close()
    })
  }
})

test('a tab that is opened after the switch shows no content of the adult profile', async ({
  page,
  context,
  request,
}) => {
  const content = await readAdultContent(request)
  await signInAndOpenHome(page, ADULT_NAME)
  await page.goto(`/search/?q=${SEARCH_QUERY}`)
  await expect(page.locator('.card-grid a').first()).toBeVisible()
  await switchProfileInMenu(page, KID_NAME)
  const secondTab = await context.newPage()
  const requestLog = recordRequests(secondTab, content)
  await secondTab.goto('/')
  await expectHomeOf(secondTab, KID_NAME)
  expect(await listVisibleAdultContent(secondTab, content)).toEqual([])
  await secondTab.goto('/search/')
  await expect(secondTab.getByRole('textbox')).toHaveValue('')
  expect(await listVisibleAdultContent(secondTab, content)).toEqual([])
  expect(await requestLog.findAdultRequests()).toEqual([])
})

test('each tab keeps its own profile', async ({ page, context, request }) => {
  const content = await readAdultContent(request)
  await signInAndOpenHome(page, ADULT_NAME)
  const kidTab = await context.newPage()
  await kidTab.goto('/')
  await expectHomeOf(kidTab, ADULT_NAME)
  await switchProfileInMenu(kidTab, KID_NAME)
  await page.reload()
  await expectHomeOf(page, ADULT_NAME)
  const requestLog = recordRequests(kidTab, content)
  await kidTab.reload()
  await expectHomeOf(kidTab, KID_NAME)
  expect(await listVisibleAdultContent(kidTab, content)).toEqual([])
  expect(await requestLog.findAdultRequests()).toEqual([])
  /* The reload of the kids tab does not change the profile of this tab. */
  await page.reload()
  await expectHomeOf(page, ADULT_NAME)
})

test('after a switch to a profile in another language, Back requests nothing for the previous profile', async ({
  page,
  request,
}) => {
  const content = await readAdultContent(request)
  await signInAndOpenHome(page, ADULT_NAME)
  await page.goto(`/search/?q=${SEARCH_QUERY}`)
  await expect(page.locator('.card-grid a').first()).toBeVisible()
  await openAccountMenu(page)
  await page.getByRole('button', { name: t('header:switchTo').replace('{{name}}', 'ليلى') }).click()
  await expect(page).toHaveURL(/\/ar\/$/)
  const requestLog = recordRequests(page, content)
  await page.goBack({ waitUntil: 'commit' })
  await expect(page).toHaveURL(/\/(ar\/)?$/)
  await waitUntilSettled(page)
  const requests = await requestLog.findAdultRequests()
  expect(
    requests.filter((request) => request.includes(content.profileId) || request.includes(SEARCH_QUERY)),
  ).toEqual([])
})

test('offline, a switch to a kids profile shows only content that this profile has visited', async ({
  page,
  context,
  request,
}) => {
  const content = await readAdultContent(request)
  await signInAndOpenHome(page, ADULT_NAME)
  await switchProfileInMenu(page, KID_NAME)
  await waitUntilSiteCached(page)
  await switchProfileInMenu(page, ADULT_NAME)
  await page.goto(`/search/?q=${SEARCH_QUERY}`)
  await expect(page.locator('.card-grid a').first()).toBeVisible()
  await waitUntilSiteCached(page)
  await context.setOffline(true)
  await expect(getOfflineStatus(page)).toBeVisible()
  await openAccountMenu(page)
  const kidOption = page.getByRole('button', { name: t('header:switchTo').replace('{{name}}', KID_NAME) })
  await expect(kidOption).toBeVisible()
  const requestLog = recordRequests(page, content)
  await kidOption.click()
  await expectHomeOf(page, KID_NAME)
  expect(await listVisibleAdultContent(page, content)).toEqual([])
  await page.goBack({ waitUntil: 'commit' })
  await waitUntilSettled(page)
  expect(await listVisibleAdultContent(page, content)).toEqual([])
  expect(await requestLog.findAdultRequests()).toEqual([])
  await page.goto('/search/')
  await page.getByRole('textbox').fill(SEARCH_QUERY)
  await expect(page.getByText(t('searchpage:offlineResults'))).toBeVisible()
  await expect(page.locator('.card-grid a')).toHaveCount(0)
  await context.setOffline(false)
  await expect(getOfflineStatus(page)).toHaveCount(0)
})

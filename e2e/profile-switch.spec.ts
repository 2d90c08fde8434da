/** Switching from an adult to a kids profile: nothing of the adult stays visible or is requested, on any page. */
import { type APIRequestContext, expect, type Locator, type Page, type Request, test } from '@playwright/test'
import { getTranslation, readDemoCredentials } from './journey-helpers.ts'
import { getOfflineStatus, signInAndOpenHome, waitUntilSiteCached } from './offline.ts'
import { waitUntilSettled } from './page-navigation.ts'

const t = (key: string) => getTranslation('en', key)
const ADULT = 'Alex'
const KID = 'Sunny'
const QUERY = 'godfather'

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

/** Reads what only the adult may see, as another device of the same account. */
async function readAdultContent(device: APIRequestContext): Promise<AdultContent> {
  const { email, password } = readDemoCredentials()
  const login = await device.post('/api/auth/login', { data: { email, password } })
  const { access_token } = (await login.json()) as { access_token: string }
  const headers = { Authorization: `Bearer ${access_token}` }
  const get = async (path: string) => (await device.get(path, { headers })).json()
  const { results: profiles } = (await get('/api/profile')) as {
    results: { profile_id: string; name: string }[]
  }
  const profileId = profiles.find(({ name }) => name === ADULT)?.profile_id ?? ''
  Object.assign(headers, { 'X-Profile-Id': profileId })
  const cards: TitleCard[] = []
  for (const list of ['movies', 'series'])
    for (let listPage = 1; listPage <= 10; listPage++) {
      const { results } = (await get(`/api/${list}?limit=100&page=${listPage}`)) as { results: TitleCard[] }
      cards.push(...results)
      if (results.length < 100) break
    }
  const titles = cards
    // A title with the name of the dark theme cannot be told from the button of the theme.
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

/** Records the requests of a page. `findAdultRequests` returns those that name the adult, a title for adults or the query. */
function recordRequests(page: Page, { profileId, titles }: AdultContent) {
  let requests: Request[] = []
  const words = [profileId, QUERY, ...titles.flatMap(({ images }) => images)]
  const slugs = new Set(titles.map(({ slug }) => slug))
  const ids = titles.map(
    ({ id }) => new RegExp(`/(movie|tv|similar|movies|series)/${id}\\b|"media_id":"${id}"`),
  )
  page.on('request', (request) => requests.push(request))
  return {
    clear: () => {
      requests = []
    },
    findAdultRequests: async () => {
      const found: string[] = []
      for (const request of requests) {
        /* The browser itself requests the documents of history entries, which contain no data. */
        if (request.isNavigationRequest()) continue
        const headers = await request.allHeaders().catch(() => request.headers())
        const text = `${decodeURIComponent(request.url())} ${headers['x-profile-id']} ${request.postData() ?? ''}`
        const hasSlug = text.split(/[/?=&\s]/).some((part) => slugs.has(part))
        if (hasSlug || words.some((word) => text.includes(word)) || ids.some((id) => id.test(text)))
          found.push(`${request.method()} ${text}`)
      }
      return found
    },
  }
}

/** Returns visible texts, links and images of titles for adults, and the query. */
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
    { titles, query: QUERY },
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

async function switchInMenu(page: Page, name: string): Promise<void> {
  await openAccountMenu(page)
  const label = t('header:switchTo').replace('{{name}}', name)
  await page.getByRole('button', { name: label }).click()
  await expectHomeOf(page, name)
}

/** Follows a link to a title or a person for adults from the page that is open. */
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
  await followAdultLink(page, content, /^\/movies\/./)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await waitUntilSettled(page)
}

/** How the adult gets to each page. */
const PAGES: Record<string, (page: Page, content: AdultContent) => Promise<unknown>> = {
  home: async (page) => page.goto('/'),
  movies: async (page) => page.goto('/movies/?includeGenres=80'),
  'TV shows': async (page) => page.goto('/tvshows/?sort=rating.desc'),
  search: async (page) => {
    await page.goto('/search/')
    await page.getByRole('textbox').fill(QUERY)
    await expect(page.locator('.card-grid a').first()).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`q=${QUERY}`))
  },
  'a title': async (page, content) => {
    await page.goto('/')
    await waitUntilSettled(page)
    await openDetails(page, content)
  },
  'an actor': async (page, content) => {
    await page.goto('/')
    await waitUntilSettled(page)
    await openDetails(page, content)
    await followAdultLink(page, content, /^\/actor\/./)
  },
  'My List': async (page) => page.goto('/mylist/?type=movie'),
  account: async (page) => page.goto('/account/'),
  watch: async (page, content) => {
    const { slug } = content.titles.find(({ slug }) => slug === 'arrival') ?? content.titles[0] ?? {}
    await page.goto(`/watch/?type=movie&slug=${slug}`)
    const currentTime = () =>
      page.locator('#picture').evaluate((video: HTMLVideoElement) => video.currentTime)
    await expect.poll(currentTime).toBeGreaterThan(0)
  },
}

/** Opens the profile picker in the menu of the page, or by its address from the player, which has no menu. */
async function findKidOption(page: Page): Promise<Locator> {
  if (new URL(page.url()).pathname.startsWith('/watch')) {
    await page.goto('/profiles/')
    return page.getByRole('button', { name: KID }).first()
  }
  await waitUntilSettled(page)
  await openAccountMenu(page)
  return page.getByRole('button', { name: t('header:switchTo').replace('{{name}}', KID) })
}

test('after a switch to a kids profile on any page, nothing of the adult is visible or requested', async ({
  page: firstPage,
  context,
  request,
}) => {
  test.setTimeout(240_000)
  const content = await readAdultContent(request)
  await signInAndOpenHome(firstPage, ADULT)
  for (const [name, open] of Object.entries(PAGES)) {
    await test.step(name, async () => {
      // A tab of its own, so that its history contains this page only.
      const page = await context.newPage()
      await page.goto('/tvshows/')
      await waitUntilSettled(page)
      await open(page, content)
      const option = await findKidOption(page)
      await expect(option).toBeVisible()
      const record = recordRequests(page, content)
      const expectNothingOfAdult = (step: string) =>
        test.step(step, async () => {
          await waitUntilSettled(page)
          expect(await listVisibleAdultContent(page, content)).toEqual([])
          expect(await record.findAdultRequests()).toEqual([])
        })
      await option.click()
      await expectHomeOf(page, KID)
      await expectNothingOfAdult('after the switch')
      await page.goBack({ waitUntil: 'commit' })
      // Back from the home page that was opened in the picker leads to the picker, which belongs to no profile.
      if (name !== 'watch') await expectHomeOf(page, KID)
      await expectNothingOfAdult('after Back')
      await page.goForward({ waitUntil: 'commit' })
      await expectNothingOfAdult('after Forward')
      await page.goto('/')
      await switchInMenu(page, ADULT)
      await page.close()
    })
  }
})

test('a tab that is opened after the switch shows nothing of the adult', async ({
  page,
  context,
  request,
}) => {
  const content = await readAdultContent(request)
  await signInAndOpenHome(page, ADULT)
  await page.goto(`/search/?q=${QUERY}`)
  await expect(page.locator('.card-grid a').first()).toBeVisible()
  await switchInMenu(page, KID)
  const secondTab = await context.newPage()
  const record = recordRequests(secondTab, content)
  await secondTab.goto('/')
  await expectHomeOf(secondTab, KID)
  expect(await listVisibleAdultContent(secondTab, content)).toEqual([])
  await secondTab.goto('/search/')
  await expect(secondTab.getByRole('textbox')).toHaveValue('')
  expect(await listVisibleAdultContent(secondTab, content)).toEqual([])
  expect(await record.findAdultRequests()).toEqual([])
})

test('each tab keeps its own profile', async ({ page, context, request }) => {
  const content = await readAdultContent(request)
  await signInAndOpenHome(page, ADULT)
  const kidTab = await context.newPage()
  await kidTab.goto('/')
  await expectHomeOf(kidTab, ADULT)
  await switchInMenu(kidTab, KID)
  await page.reload()
  await expectHomeOf(page, ADULT)
  const record = recordRequests(kidTab, content)
  await kidTab.reload()
  await expectHomeOf(kidTab, KID)
  expect(await listVisibleAdultContent(kidTab, content)).toEqual([])
  expect(await record.findAdultRequests()).toEqual([])
  /* The boot script knows from the first request on that the profile of this tab is for kids. */
  await page.reload()
  await expectHomeOf(page, ADULT)
})

test('a switch to a profile in another language leaves nothing of the previous one in the history', async ({
  page,
  request,
}) => {
  const content = await readAdultContent(request)
  await signInAndOpenHome(page, ADULT)
  await page.goto(`/search/?q=${QUERY}`)
  await expect(page.locator('.card-grid a').first()).toBeVisible()
  await openAccountMenu(page)
  await page.getByRole('button', { name: t('header:switchTo').replace('{{name}}', 'ليلى') }).click()
  await expect(page).toHaveURL(/\/ar\/$/)
  const record = recordRequests(page, content)
  await page.goBack({ waitUntil: 'commit' })
  await expect(page).toHaveURL(/\/(ar\/)?$/)
  await waitUntilSettled(page)
  const requests = await record.findAdultRequests()
  expect(
    requests.filter((request) => request.includes(content.profileId) || request.includes(QUERY)),
  ).toEqual([])
})

test('without a network, a switch shows only what the kids profile has seen', async ({
  page,
  context,
  request,
}) => {
  const content = await readAdultContent(request)
  await signInAndOpenHome(page, ADULT)
  await switchInMenu(page, KID)
  await waitUntilSiteCached(page)
  await switchInMenu(page, ADULT)
  await page.goto(`/search/?q=${QUERY}`)
  await expect(page.locator('.card-grid a').first()).toBeVisible()
  await waitUntilSiteCached(page)
  await context.setOffline(true)
  await expect(getOfflineStatus(page)).toBeVisible()
  await openAccountMenu(page)
  const option = page.getByRole('button', { name: t('header:switchTo').replace('{{name}}', KID) })
  await expect(option).toBeVisible()
  const record = recordRequests(page, content)
  await option.click()
  await expectHomeOf(page, KID)
  expect(await listVisibleAdultContent(page, content)).toEqual([])
  await page.goBack({ waitUntil: 'commit' })
  await waitUntilSettled(page)
  expect(await listVisibleAdultContent(page, content)).toEqual([])
  expect(await record.findAdultRequests()).toEqual([])
  await page.goto('/search/')
  await page.getByRole('textbox').fill(QUERY)
  await expect(page.getByText(t('searchpage:offlineResults'))).toBeVisible()
  await expect(page.locator('.card-grid a')).toHaveCount(0)
  await context.setOffline(false)
  await expect(getOfflineStatus(page)).toHaveCount(0)
})

/** Finds content of the adult profile of the demo household on pages and in requests of its kids profile. */
import { type APIRequestContext, expect, type Page, type Request } from '@playwright/test'
import { getTranslation, signInByRequest } from './journey-helpers.ts'

export const ADULT_NAME = 'Alex'
export const KID_NAME = 'Sunny'
/** Search query that finds a title that is not safe for kids. */
export const SEARCH_QUERY = 'godfather'

export interface AdultContent {
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
export async function readAdultContent(device: APIRequestContext): Promise<AdultContent> {
  const headers = await signInByRequest(device)
  const getJson = async (path: string) => (await device.get(path, { headers })).json()
  const { results: profiles } = (await getJson('/api/profile')) as {
    results: { profile_id: string; name: string }[]
  }
  const profileId = profiles.find(({ name }) => name === ADULT_NAME)?.profile_id ?? ''
  Object.assign(headers, { 'X-Profile-Id': profileId })
  const cards: TitleCard[] = []
  for (const list of ['movies', 'series'])
    for (let listPage = 1; listPage <= 10; listPage++) {
      const { results } = (await getJson(`/api/${list}?limit=100&page=${listPage}`)) as {
        results: TitleCard[]
      }
      cards.push(...results)
      if (results.length < 100) break
    }
  const titles = cards
    // Excludes a title with the same name as the dark theme, because the button of the theme would look like that title.
    .filter(
      ({ safe_for_kids, title }) => !safe_for_kids && title !== getTranslation('en', 'header:themeDark'),
    )
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
export function recordRequests(page: Page, { profileId, titles }: AdultContent) {
  const requests: Request[] = []
  const adultTexts = [profileId, SEARCH_QUERY, ...titles.flatMap(({ images }) => images)]
  const slugs = new Set(titles.map(({ slug }) => slug))
  const ids = titles.map(
    ({ id }) => new RegExp(`/(movie|tv|similar|movies|series)/${id}\\b|"media_id":"${id}"`),
  )
  page.on('request', (request) => requests.push(request))
  return {
    /** Returns the recorded requests that contain adult content, as texts. Checks each request only once. */
    findAdultRequests: async () => {
      const foundTexts: string[] = []
      for (const request of requests.splice(0)) {
        /* The browser itself requests the documents of history entries, which contain no data. */
        if (request.isNavigationRequest()) continue
        const headers = await request.allHeaders().catch(() => request.headers())
        const text = `${decodeURIComponent(request.url())} ${headers['x-profile-id']} ${request.postData() ?? ''}`
        const hasSlug = text.split(/[/?=&\s]/).some((part) => slugs.has(part))
        if (hasSlug || adultTexts.some((word) => text.includes(word)) || ids.some((id) => id.test(text)))
          foundTexts.push(`${request.method()} ${text}`)
      }
      return foundTexts
    },
  }
}

/** Returns visible texts, links and images of titles that are not safe for kids, and visible uses of the query. */
export function listVisibleAdultContent(page: Page, { titles }: AdultContent): Promise<string[]> {
  return page.evaluate(
    ({ titles, query }) => {
      const names = new Set(titles.map(({ title }) => title))
      const slugs = new Set(titles.map(({ slug }) => slug))
      const images = titles.flatMap((title) => title.images)
      const foundTexts: string[] = []
      const elements = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) =>
        element.checkVisibility(),
      )
      for (const element of elements) {
        const texts = [...element.childNodes].flatMap((node) =>
          node.nodeType === Node.TEXT_NODE ? [node.textContent?.trim() ?? ''] : [],
        )
        texts.push(element.getAttribute('aria-label') ?? '', element.getAttribute('alt') ?? '')
        if (element instanceof HTMLInputElement) texts.push(element.value)
        foundTexts.push(...texts.filter((text) => names.has(text) || text.toLowerCase().includes(query)))
        const slug = element
          .getAttribute('href')
          ?.split(/[/?=&]/)
          .find((part) => slugs.has(part))
        if (slug) foundTexts.push(`link to ${slug}`)
        const source = element.getAttribute('src') ?? ''
        if (images.some((image) => source.endsWith(image))) foundTexts.push(`image ${source}`)
      }
      if (location.search.includes(query)) foundTexts.push(location.search)
      return foundTexts
    },
    { titles, query: SEARCH_QUERY },
  )
}

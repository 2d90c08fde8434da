/** Finds content of the adult profile of the demo household on pages and in requests of the kids profile. */
import { type APIRequestContext, expect, type Page, type Request } from '@playwright/test'
import { getTranslation, signInByRequest } from './journey-helpers.ts'

export const ADULT_NAME = 'Alex'
export const KID_NAME = 'Sunny'
/** Search query that finds a title that is not safe for kids. */
export const SEARCH_QUERY = 'godfather'

export interface AdultContent {
  profileId: string
  /** Titles that are not safe for kids. */
  titles: { id: string; slug: string; title: string; imagePaths: string[] }[]
}
interface TitleCard {
  id: string
  slug: string
  title: string
  safe_for_kids: boolean
  poster_path: string | null
  backdrop_path: string | null
}

/** Reads the titles that only the adult profile may see, with a separate login to the account. */
export async function readAdultContent(device: APIRequestContext): Promise<AdultContent> {
  const headers = await signInByRequest(device)
  const loadJson = async (path: string) => (await device.get(path, { headers })).json()
  const { results: profiles } = (await loadJson('/api/profile')) as {
    results: { profile_id: string; name: string }[]
  }
  const profileId = profiles.find(({ name }) => name === ADULT_NAME)?.profile_id ?? ''
  Object.assign(headers, { 'X-Profile-Id': profileId })
  const cards: TitleCard[] = []
  for (const listName of ['movies', 'series'])
    for (let listPageNumber = 1; listPageNumber <= 10; listPageNumber++) {
      const { results } = (await loadJson(`/api/${listName}?limit=100&page=${listPageNumber}`)) as {
        results: TitleCard[]
      }
      cards.push(...results)
      if (results.length < 100) break
    }
  const titles = cards
    // Excludes a title with the same name as the dark theme. Otherwise the label of the theme button would count as the
    // name of the title.
    .filter(
      ({ safe_for_kids, title }) => !safe_for_kids && title !== getTranslation('en', 'header:themeDark'),
    )
    .map(({ id, slug, title, poster_path, backdrop_path }) => ({
      id,
      slug,
      title,
      imagePaths: [poster_path, backdrop_path].filter((path) => path !== null),
    }))
  expect(titles.length).toBeGreaterThan(20)
  return { profileId, titles }
}

/**
 * Records the requests of a page. `findAdultRequests` finds the requests that contain SEARCH_QUERY, the id of the adult
 * profile, or data of a title that is not safe for kids. Such data is an id, a slug or an image path of the title.
 */
export function recordRequests(page: Page, { profileId, titles }: AdultContent) {
  const requests: Request[] = []
  const adultTexts = [profileId, SEARCH_QUERY, ...titles.flatMap(({ imagePaths }) => imagePaths)]
  const slugs = new Set(titles.map(({ slug }) => slug))
  const idPatterns = titles.map(
    ({ id }) => new RegExp(`/(movie|tv|similar|movies|series)/${id}\\b|"media_id":"${id}"`),
  )
  page.on('request', (request) => requests.push(request))
  return {
    /** Returns descriptions of the recorded requests that contain adult content. Checks each request only once. */
    findAdultRequests: async () => {
      const foundTexts: string[] = []
      for (const request of requests.splice(0)) {
        /*
         * Skips documents, which contain no data. After Back, the browser requests the document of the earlier page by
         * itself.
         */
        if (request.isNavigationRequest()) continue
        const headers = await request.allHeaders().catch(() => request.headers())
        const requestText = `${decodeURIComponent(request.url())} ${headers['x-profile-id']} ${request.postData() ?? ''}`
        const hasSlug = requestText.split(/[/?=&\s]/).some((requestWord) => slugs.has(requestWord))
        if (
          hasSlug ||
          adultTexts.some((adultText) => requestText.includes(adultText)) ||
          idPatterns.some((idPattern) => idPattern.test(requestText))
        )
          foundTexts.push(`${request.method()} ${requestText}`)
      }
      return foundTexts
    },
  }
}

/** Returns visible texts, links and images of titles that are not safe for kids, and visible uses of SEARCH_QUERY. */
export function listVisibleAdultContent(page: Page, { titles }: AdultContent): Promise<string[]> {
  return page.evaluate(
    ({ titles, query }) => {
      const titleNames = new Set(titles.map(({ title }) => title))
      const slugs = new Set(titles.map(({ slug }) => slug))
      const imagePaths = titles.flatMap((title) => title.imagePaths)
      const foundTexts: string[] = []
      const elements = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) =>
        element.checkVisibility(),
      )
      for (const element of elements) {
        const ownTexts = [...element.childNodes].flatMap((node) =>
          node.nodeType === Node.TEXT_NODE ? [node.textContent?.trim() ?? ''] : [],
        )
        ownTexts.push(element.getAttribute('aria-label') ?? '', element.getAttribute('alt') ?? '')
        if (element instanceof HTMLInputElement) ownTexts.push(element.value)
        foundTexts.push(
          ...ownTexts.filter((text) => titleNames.has(text) || text.toLowerCase().includes(query)),
        )
        const slug = element
          .getAttribute('href')
          ?.split(/[/?=&]/)
          .find((pathSegment) => slugs.has(pathSegment))
        if (slug) foundTexts.push(`link to ${slug}`)
        const imageSource = element.getAttribute('src') ?? ''
        if (imagePaths.some((imagePath) => imageSource.endsWith(imagePath)))
          foundTexts.push(`image ${imageSource}`)
      }
      if (location.search.includes(query)) foundTexts.push(location.search)
      return foundTexts
    },
    { titles, query: SEARCH_QUERY },
  )
}

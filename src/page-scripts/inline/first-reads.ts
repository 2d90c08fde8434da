/** Sends the session refresh and the first reads of the page while the code of its islands is loading. */
import { refreshTokens } from '../../lib/contract/auth.ts'
import type { BodyOf, ReplyOf } from '../../lib/contract/endpoint.ts'
import type { HomeStart } from '../../lib/contract/home-start.ts'
import type { MediaCard } from '../../lib/contract/media.ts'
import { decodeUriComponentSafely } from '../../lib/decode-uri-component.ts'
import { buildEndpointUrl } from '../../lib/endpoint-url.ts'
import { SESSION_REFRESH_TIMEOUT_MS } from '../../lib/refresh-timeout.ts'
import { KIDS_GENRE_IDS } from '../../lib/rules/genres.ts'
import { readActingProfileId, readStorage } from '../../lib/storage.ts'
import { KIDS_PROFILES_KEY } from '../../lib/storage-keys.ts'
import { getTimeZone } from '../../lib/time-zone.ts'
import { drawFirstRow, findFirstRow } from './first-row.ts'
import { showHeroOfResponse, showHeroOfTitles } from './hero.ts'

/** Reads whose response contains the hero of the page. */
const HERO_READ_PATTERN = /^\/api\/(movies\/featured|(movies|series)\/slug\/)/
/** Reads of the home page. The refresh reply (`home`) contains the replies to the first two of these three reads. */
const FEATURED_READ_PATTERN = /^\/api\/movies\/featured/
const CONTINUE_WATCHING_READ_PATTERN = /\/continue-watching$/
const PICKS_READ_PATTERN = /\/recommend\?/

export const isKidsProfile = () =>
  (readStorage('localStorage', KIDS_PROFILES_KEY) ?? '').split(' ').includes(readActingProfileId() ?? '-')

/**
 * Refreshes the session. With `watch` or `home` in the body, the reply also contains the data of a title or of the
 * home page. Concurrent refreshes of several tabs are safe, because the server gives all of them the same new token.
 */
export const refreshSession = (body?: BodyOf<typeof refreshTokens>): Promise<Response> =>
  fetch(buildEndpointUrl(refreshTokens, {}), {
    method: 'POST',
    credentials: 'include',
    signal: AbortSignal.timeout(SESSION_REFRESH_TIMEOUT_MS),
    headers: {
      // The server stores the time zone of the device, so the reads of this script need not repeat it.
      'X-Time-Zone': getTimeZone(),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })

/**
 * Starts the reads of `boot-reads` (Shell.astro). The reads wait for the access token and, on the watch page, also for
 * the first frame or a timeout. A slow device may receive the replies before the skeleton of the page is parsed, so
 * their content is shown only after `skeletonPromise` is fulfilled.
 */
export function startFirstReads(
  boot: BootData,
  earlyPlayback: EarlyPlayback | null | undefined,
  skeletonPromise: Promise<unknown>,
): void {
  const profileId = readActingProfileId()
  const readUrls = listReadUrls(profileId)
  const isHomePage = profileId !== null && readUrls.some((url) => FEATURED_READ_PATTERN.test(url))
  const refreshResponse = earlyPlayback
    ? earlyPlayback.refreshResponse.then(refreshAgainIfInvalid)
    : refreshSession(isHomePage ? { home: { kids: isKidsProfile() } } : undefined)
  boot.refreshResponse = refreshResponse
  const refreshReplyPromise = refreshResponse
    .then((response) => (response.ok ? response.clone().json() : null))
    .catch(() => null) as Promise<ReplyOf<typeof refreshTokens> | null>
  const startRead = async (url: string) => {
    const [refreshReply] = await Promise.all([refreshReplyPromise, earlyPlayback?.scriptPermission])
    if (!refreshReply) throw new Error('signed out')
    const homeStart = getHomeStart(refreshReply, profileId)
    if (homeStart && FEATURED_READ_PATTERN.test(url)) return Response.json(homeStart.featured)
    if (homeStart && CONTINUE_WATCHING_READ_PATTERN.test(url))
      return Response.json(homeStart.continue_watching)
    const headers = {
      Authorization: `Bearer ${refreshReply.access_token}`,
      // As in stores/profile.ts, the list of profiles is requested without an acting profile, because the stored
      // profile may have been deleted.
      ...(profileId && url !== '/api/profile' && { 'X-Profile-Id': profileId }),
    }
    return fetch(url, { headers, credentials: 'include' })
  }
  const { reads } = boot
  for (const url of readUrls) {
    const response = startRead(url)
    reads[url] = response
    if (!isHomePage && HERO_READ_PATTERN.test(url))
      void Promise.all([response, skeletonPromise])
        .then(([hero]) => showHeroOfResponse(boot, reads, hero))
        .catch(() => {})
    else response.catch(() => {})
  }
  if (isHomePage) void showHomeStart(boot, refreshReplyPromise, profileId, skeletonPromise).catch(() => {})
}

/**
 * Returns the data of the home page in a refresh reply; undefined if the data belongs to another profile or is missing.
 */
const getHomeStart = ({ home }: ReplyOf<typeof refreshTokens>, profileId: string | null) =>
  home?.profile_id === profileId ? home : undefined

/** Shows the hero and the first row of the home page. */
async function showHomeStart(
  boot: BootData,
  refreshReplyPromise: Promise<ReplyOf<typeof refreshTokens> | null>,
  profileId: string,
  skeletonPromise: Promise<unknown>,
): Promise<void> {
  const { reads } = boot
  const readUrls = Object.keys(reads)
  const readCards = async (pattern: RegExp) => {
    const response = await reads[readUrls.find((url) => pattern.test(url)) ?? '']
    if (!response?.ok) return []
    return ((await response.clone().json()) as { results: MediaCard[] }).results
  }
  const topPicksPromise = readCards(PICKS_READ_PATTERN).catch(() => [])
  const featuredCardsPromise = readCards(FEATURED_READ_PATTERN)
  const [refreshReply] = await Promise.all([refreshReplyPromise, skeletonPromise])
  const homeStart: HomeStart | undefined = refreshReply ? getHomeStart(refreshReply, profileId) : undefined
  showHeroOfTitles(boot, reads, homeStart?.featured.results ?? (await featuredCardsPromise))
  // On the home page of a kids profile, a row of characters comes first. This script cannot draw that row.
  if (!homeStart || isKidsProfile()) return
  const firstRow = await findFirstRow(homeStart, () => topPicksPromise)
  if (firstRow && boot.reads === reads) drawFirstRow(boot, firstRow)
}

/**
 * Status 422 means that the title in the player's URL is invalid. The session is then refreshed without the
 * title.
 */
const refreshAgainIfInvalid = (response: Response) => (response.status === 422 ? refreshSession() : response)

/**
 * Returns the URLs of the page's reads, with the values of the placeholders `{profile}`, `{slug}` and `{kids:…}`.
 * Without an acting profile, omits the reads with `{profile}` or `{slug}`.
 */
function listReadUrls(profileId: string | null): string[] {
  const urlTemplates = JSON.parse(
    document.querySelector<HTMLMetaElement>('meta[name=boot-reads]')?.content ?? '[]',
  ) as string[]
  const slug = decodeUriComponentSafely(location.pathname.split('/').filter(Boolean).at(-1) ?? '')
  return urlTemplates
    .filter((template) => profileId || !/\{(profile|slug)\}/.test(template))
    .map((template) =>
      template
        .replace('{profile}', profileId ?? '')
        .replace('{slug}', encodeURIComponent(slug))
        .replace(/\{kids:([\w-]+)\}/, (_, parameterName: string) => buildKidsQuery(parameterName)),
    )
}

/**
 * Returns the query parameters for a kids profile, with its genres; empty for other profiles. The genres have the same
 * order as in src/lib/stores/titles.ts, so that the store requests the same URL and can use this response.
 */
const buildKidsQuery = (parameterName: string) =>
  isKidsProfile() ? `&kids=true${KIDS_GENRE_IDS.map((genre) => `&${parameterName}=${genre}`).join('')}` : ''

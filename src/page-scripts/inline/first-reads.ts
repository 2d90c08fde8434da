/** Sends the session refresh and the first reads of the page while the code of its islands is loading. */
import { refreshTokens } from '../../lib/contract/auth.ts'
import type { BodyOf, ReplyOf } from '../../lib/contract/endpoint.ts'
import type { HomeStart } from '../../lib/contract/home-start.ts'
import type { MediaCard } from '../../lib/contract/media.ts'
import { buildEndpointUrl } from '../../lib/endpoint-url.ts'
import { KIDS_GENRES } from '../../lib/rules/genres.ts'
import { readActingProfileId, readStorage } from '../../lib/storage.ts'
import { KIDS_PROFILES_KEY } from '../../lib/storage-keys.ts'
import { drawFirstRow, findFirstRow } from './first-row.ts'
import { showHeroOfResponse, showHeroOfTitles } from './hero.ts'

/** Reads whose response contains the hero of the page. */
const HERO_READS = /^\/api\/(movies\/featured|(movies|series)\/slug\/)/
/** Reads of the home page whose replies are part of the refresh reply (`home`). */
const FEATURED_READ = /^\/api\/movies\/featured/
const CONTINUE_WATCHING_READ = /\/continue-watching$/
const PICKS_READ = /\/recommend\?/

export const isKidsProfile = () =>
  (readStorage('localStorage', KIDS_PROFILES_KEY) ?? '').split(' ').includes(readActingProfileId() ?? '-')

/**
 * Refreshes the session. With `watch` in the body, the reply also contains the data of a title. Concurrent
 * refreshes of several tabs are safe, because the server gives all of them the same new token.
 */
export const refreshSession = (body?: BodyOf<typeof refreshTokens>): Promise<Response> =>
  fetch(buildEndpointUrl(refreshTokens, {}), {
    method: 'POST',
    credentials: 'include',
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })

/**
 * Starts the reads of `boot-reads` (Shell.astro) once there is a token and, on the player's page, the first
 * frame. The content of the first screen is shown once the skeleton is parsed, because a slow device may
 * receive the replies earlier.
 */
export function startFirstReads(
  boot: BootData,
  earlyPlayback: EarlyPlayback | null | undefined,
  skeletonParsed: Promise<unknown>,
): void {
  const profileId = readActingProfileId()
  const urls = listReadUrls(profileId)
  const isHome = profileId !== null && urls.some((url) => FEATURED_READ.test(url))
  const refreshResponse = earlyPlayback
    ? earlyPlayback.refreshResponse.then(refreshAgainIfInvalid)
    : refreshSession(isHome ? { home: { kids: isKidsProfile() } } : undefined)
  boot.refreshResponse = refreshResponse
  const reply = refreshResponse
    .then((response) => (response.ok ? response.clone().json() : null))
    .catch(() => null) as Promise<ReplyOf<typeof refreshTokens> | null>
  const startRead = async (url: string) => {
    const [refreshReply] = await Promise.all([reply, earlyPlayback?.scriptsAllowed])
    if (!refreshReply) throw new Error('signed out')
    const home = getHomeStart(refreshReply, profileId)
    if (home && FEATURED_READ.test(url)) return Response.json(home.featured)
    if (home && CONTINUE_WATCHING_READ.test(url)) return Response.json(home.continue_watching)
    const headers = {
      Authorization: `Bearer ${refreshReply.access_token}`,
      ...(profileId && { 'X-Profile-Id': profileId }),
    }
    return fetch(url, { headers, credentials: 'include' })
  }
  const { reads } = boot
  for (const url of urls) {
    const response = startRead(url)
    reads[url] = response
    if (!isHome && HERO_READS.test(url))
      void Promise.all([response, skeletonParsed])
        .then(([hero]) => showHeroOfResponse(boot, reads, hero))
        .catch(() => {})
    else response.catch(() => {})
  }
  if (isHome) void showHomeStart(boot, reply, profileId, skeletonParsed).catch(() => {})
}

/** Returns the data of the home page in a refresh reply, if it belongs to the acting profile. */
const getHomeStart = ({ home }: ReplyOf<typeof refreshTokens>, profileId: string | null) =>
  home?.profile_id === profileId ? home : undefined

/** Shows the hero and the first row of the home page. */
async function showHomeStart(
  boot: BootData,
  reply: Promise<ReplyOf<typeof refreshTokens> | null>,
  profileId: string,
  skeletonParsed: Promise<unknown>,
): Promise<void> {
  const { reads } = boot
  const urls = Object.keys(reads)
  const readCards = async (pattern: RegExp) => {
    const response = await reads[urls.find((url) => pattern.test(url)) ?? '']
    if (!response?.ok) return []
    return ((await response.clone().json()) as { results: MediaCard[] }).results
  }
  const picks = readCards(PICKS_READ).catch(() => [])
  const featured = readCards(FEATURED_READ)
  const [refreshReply] = await Promise.all([reply, skeletonParsed])
  const home: HomeStart | undefined = refreshReply ? getHomeStart(refreshReply, profileId) : undefined
  showHeroOfTitles(boot, reads, home?.featured.results ?? (await featured))
  // A kids profile has a row of characters before the other rows, so their first row is not drawn here.
  if (!home || isKidsProfile()) return
  const firstRow = await findFirstRow(home, () => picks)
  if (firstRow && boot.reads === reads) drawFirstRow(boot, firstRow)
}

/**
 * Status 422 means that the title in the player's URL is invalid. The session is then refreshed without the
 * title.
 */
const refreshAgainIfInvalid = (response: Response) => (response.status === 422 ? refreshSession() : response)

/** Fills in the placeholders `{profile}`, `{slug}` and `{kids:…}` of the page's reads. */
function listReadUrls(profileId: string | null): string[] {
  const templates = JSON.parse(
    document.querySelector<HTMLMetaElement>('meta[name=boot-reads]')?.content ?? '[]',
  ) as string[]
  const slug = decodeURIComponent(location.pathname.split('/').filter(Boolean).at(-1) ?? '')
  return templates
    .filter((template) => profileId || !/\{(profile|slug)\}/.test(template))
    .map((template) =>
      template
        .replace('{profile}', profileId ?? '')
        .replace('{slug}', encodeURIComponent(slug))
        .replace(/\{kids:([\w-]+)\}/, (_, name: string) => buildKidsParameters(name)),
    )
}

/** Genre parameters of a kids profile, in the order of src/lib/stores/titles.ts, so that the URLs are equal. */
const buildKidsParameters = (name: string) =>
  isKidsProfile() ? `&kids=true${KIDS_GENRES.map((genre) => `&${name}=${genre}`).join('')}` : ''

/** Sends the session refresh and the first reads of the page while the code of its islands is loading. */
import { refreshTokens } from '../../lib/contract/auth.ts'
import type { BodyOf } from '../../lib/contract/endpoint.ts'
import { buildEndpointUrl } from '../../lib/endpoint-url.ts'
import { KIDS_GENRES } from '../../lib/rules/genres.ts'
import { readActingProfileId, readStorage } from '../../lib/storage.ts'
import { KIDS_PROFILES_KEY } from '../../lib/storage-keys.ts'
import { showHeroOfResponse } from './hero.ts'

/** Reads whose response contains the hero of the page. */
const HERO_READS = /^\/api\/(movies\/featured|(movies|series)\/slug\/)/

export const isKidsProfile = () =>
  (readStorage('localStorage', KIDS_PROFILES_KEY) ?? '').split(' ').includes(readActingProfileId() ?? '-')

/**
 * Refreshes the session; with `watch`, the reply contains the data of a title. Concurrent refreshes of several tabs are safe:
 * the server gives all of them the same new token.
 */
export const refreshSession = (body?: BodyOf<typeof refreshTokens>): Promise<Response> =>
  fetch(buildEndpointUrl(refreshTokens, {}), {
    method: 'POST',
    credentials: 'include',
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })

/** Starts the reads of `boot-reads` (Shell.astro) once there is a token and, on the player's page, the first frame. */
export function startFirstReads(boot: BootData, earlyPlayback: EarlyPlayback | null | undefined): void {
  const refreshResponse = earlyPlayback
    ? earlyPlayback.refreshResponse.then(refreshAgainIfInvalid)
    : refreshSession()
  boot.refreshResponse = refreshResponse
  const token = refreshResponse
    .then((response) => (response.ok ? response.clone().json() : null))
    .then((tokens: { access_token: string } | null) => tokens?.access_token)
    .catch(() => undefined)
  const profileId = readActingProfileId()
  const startRead = async (url: string) => {
    const [accessToken] = await Promise.all([token, earlyPlayback?.scriptsAllowed])
    if (!accessToken) throw new Error('signed out')
    const headers = {
      Authorization: `Bearer ${accessToken}`,
      ...(profileId && { 'X-Profile-Id': profileId }),
    }
    return fetch(url, { headers, credentials: 'include' })
  }
  const { reads } = boot
  for (const url of listReadUrls(profileId)) {
    const response = startRead(url)
    reads[url] = response
    if (HERO_READS.test(url))
      void response.then((hero) => showHeroOfResponse(boot, reads, hero)).catch(() => {})
    else response.catch(() => {})
  }
}

/** A status of 422 concerns the title in the URL of the player, not the session. */
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

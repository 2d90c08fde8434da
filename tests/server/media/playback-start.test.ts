/**
 * The playback start endpoint: it redirects a video element, which only sends the session cookie, to the source that the player
 * would choose. It must allow no more than the stream lookup allows.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '../../support/test-client.ts'
import { createTempFolder, type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

const UNSAFE_MOVIE = { title: 'Odd Reel', year: 2001, imdb: 'tt0000311' }
const SAFE_MOVIE = { title: 'Lantern', year: 2002, imdb: 'tt0000312', safe: true }
const TWO_QUALITIES = { title: 'Two Sizes', year: 2004, imdb: 'tt0000314' }
const ADAPTIVE = { title: 'Adaptive', year: 2005, imdb: 'tt0000315' }
const SERIES = { title: 'Nightly', year: 2003, imdb: 'tt0000313', episodes: [0, 3] }
const folder = createTempFolder({
  'Odd Reel (2001).mp4': 'odd',
  'Lantern (2002).mp4': 'lantern',
  'Two Sizes (2004) - 2160p.mp4': 'large',
  'Two Sizes (2004) - 720p.mp4': 'small',
  'Adaptive (2005)/Adaptive (2005).m3u8': '#EXTM3U\n#EXTINF:4,\na.ts\n',
  'Adaptive (2005)/a.ts': 'a',
  'Nightly/Season 1/Nightly S01E02.mp4': 'second',
})

let mediaServer: MediaTestServer
beforeAll(async () => {
  mediaServer = await startMediaTestServer({ MEDIA_DIR: folder.path }, [
    UNSAFE_MOVIE,
    SAFE_MOVIE,
    TWO_QUALITIES,
    ADAPTIVE,
    SERIES,
  ])
})
afterAll(async () => {
  await mediaServer.close()
  folder.remove()
})

/** Requests the playback start with the cookie alone, as a video element does. Returns the status and the redirected content. */
async function requestPlaybackStart(
  device: TestClient,
  params: object,
  range = 'bytes=0-',
): Promise<[number, string]> {
  const query = new URLSearchParams({ screen: '1080', profile: device.profileId ?? '', ...params })
  const response = await mediaServer.server.request(`/proxy/torrent-streamer/begin?${query}`, {
    headers: { Cookie: device.cookie ?? '', Range: range },
  })
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('set-cookie')).toBeNull()
  const url = response.headers.get('location')
  if (response.status !== 307 || !url) return [response.status, '']
  return [307, await (await mediaServer.fetchMedia(url)).text()]
}
const findSlug = async (device: TestClient, list: string, title: string) =>
  (await device.get(`/api/${list}?limit=50`)).body.results.find(
    (media: { title: string }) => media.title === title,
  ).slug as string

test('redirects to the file of a movie and of an episode', async () => {
  const { adult } = mediaServer
  const movie = await findSlug(adult, 'movies', 'Odd Reel')
  expect(await requestPlaybackStart(adult, { type: 'movie', slug: movie })).toEqual([307, 'odd'])
  const series = await findSlug(adult, 'series', 'Nightly')
  expect(await requestPlaybackStart(adult, { type: 'tv', slug: series, season: 1, episode: 2 })).toEqual([
    307,
    'second',
  ])
  expect((await requestPlaybackStart(adult, { type: 'tv', slug: series, season: 1, episode: 9 }))[0]).toBe(
    404,
  )
})

test('selects the quality for the screen size and the connection', async () => {
  const { adult } = mediaServer
  const slug = await findSlug(adult, 'movies', 'Two Sizes')
  const params = { type: 'movie', slug }
  expect(await requestPlaybackStart(adult, { ...params, screen: 2160 })).toEqual([307, 'large'])
  expect(await requestPlaybackStart(adult, { ...params, screen: 1080 })).toEqual([307, 'small'])
  expect(await requestPlaybackStart(adult, { ...params, screen: 2160, line: '3g' })).toEqual([307, 'small'])
})

test('returns 204 for an adaptive stream, which the player selects itself', async () => {
  const { adult } = mediaServer
  const slug = await findSlug(adult, 'movies', 'Adaptive')
  expect((await requestPlaybackStart(adult, { type: 'movie', slug }))[0]).toBe(204)
})

test('starts only safe titles for a kids profile, and rejects another profile id', async () => {
  const { adult, adultId, kid } = mediaServer
  const unsafeSlug = await findSlug(adult, 'movies', 'Odd Reel')
  const safeSlug = await findSlug(kid, 'movies', 'Lantern')
  expect((await requestPlaybackStart(kid, { type: 'movie', slug: unsafeSlug }))[0]).toBe(404)
  expect((await requestPlaybackStart(kid, { type: 'movie', slug: unsafeSlug, profile: adultId }))[0]).toBe(
    204,
  )
  expect(await requestPlaybackStart(kid, { type: 'movie', slug: safeSlug })).toEqual([307, 'lantern'])
})

test('returns 204 if there is saved progress, but redirects requests for later ranges', async () => {
  const { adult, adultId } = mediaServer
  const slug = await findSlug(adult, 'movies', 'Lantern')
  const { id } = (await adult.get(`/api/movies/slug/${slug}`)).body
  await adult.post(`/api/profile/${adultId}/history`, {
    type: 'movie',
    media_id: id,
    progress: 40,
    data: { video_duration: 80 },
  })
  expect((await requestPlaybackStart(adult, { type: 'movie', slug }))[0]).toBe(204)
  expect((await requestPlaybackStart(adult, { type: 'movie', slug }, 'bytes=3-'))[0]).toBe(307)
})

test('returns 401 for a missing, forged or expired cookie and for a signed-out device', async () => {
  const { adult, server } = mediaServer
  const slug = await findSlug(adult, 'movies', 'Odd Reel')
  const params = { type: 'movie', slug, profile: adult.profileId }
  const previousCookie = adult.cookie
  for (const cookie of [null, 'rt=a.1.b.c', `${previousCookie}x`])
    expect((await requestPlaybackStart({ ...adult, cookie } as TestClient, params))[0]).toBe(401)
  await adult.post('/api/auth/refresh', {})
  // The previous cookie is still accepted, because another tab may refresh while this page loads.
  expect((await requestPlaybackStart({ ...adult, cookie: previousCookie } as TestClient, params))[0]).toBe(
    307,
  )
  server.advanceClock(120_000)
  expect((await requestPlaybackStart({ ...adult, cookie: previousCookie } as TestClient, params))[0]).toBe(
    401,
  )
  expect((await requestPlaybackStart(adult, params))[0]).toBe(307)
  const { cookie } = adult
  await adult.post('/api/auth/logout', {})
  expect((await requestPlaybackStart({ ...adult, cookie } as TestClient, params))[0]).toBe(401)
  await adult.login('alice@example.com')
})

test('rejects invalid parameters with 422 and too many requests with 429', async () => {
  const { adult, adultId } = mediaServer
  await adult.get(`/api/profile/${adultId}/list`)
  const slug = await findSlug(adult, 'movies', 'Odd Reel')
  expect((await requestPlaybackStart(adult, { type: 'film', slug }))[0]).toBe(422)
  expect((await requestPlaybackStart(adult, { type: 'movie', slug: '../x' }))[0]).toBe(422)
  expect((await requestPlaybackStart(adult, { type: 'movie', slug, screen: 'x' }))[0]).toBe(422)
  const statuses: number[] = []
  for (let request = 0; request < 70; request++)
    statuses.push((await requestPlaybackStart(adult, { type: 'movie', slug }))[0])
  expect(statuses[0]).toBe(307)
  expect(statuses.at(-1)).toBe(429)
})

/**
 * Session refresh with a `watch` field. The field asks the server to add the data of the player to the response.
 * The added data must equal the responses of the separate endpoints.
 * Data that a separate endpoint would reject must not be added.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '../../support/test-client.ts'
import { createTempFolder, type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

const UNSAFE_MOVIE = { title: 'Odd Reel', year: 2001, imdb: 'tt0000301' }
const SAFE_MOVIE = { title: 'Lantern', year: 2002, imdb: 'tt0000302', isSafeForKids: true }
const SERIES = { title: 'Nightly', year: 2003, imdb: 'tt0000303', episodes: [0, 3] }
const folder = createTempFolder({ 'Odd Reel (2001).mp4': 'odd', 'Lantern (2002).mp4': 'lantern' })

let mediaServer: MediaTestServer
beforeAll(async () => {
  mediaServer = await startMediaTestServer({ MEDIA_DIR: folder.path, DEMO: '1' }, [
    UNSAFE_MOVIE,
    SAFE_MOVIE,
    SERIES,
  ])
})
afterAll(async () => {
  await mediaServer.close()
  folder.remove()
})

/**
 * Refreshes the session without an access token and without the header X-Profile-Id.
 * The first script of the player page sends the same request.
 */
async function refreshWithWatch(device: TestClient, watch: object) {
  const { accessToken, profileId } = device
  Object.assign(device, { accessToken: null, profileId: null })
  const response = await device.post('/api/auth/refresh', { watch })
  Object.assign(device, { accessToken: response.body.access_token ?? accessToken, profileId })
  return response
}
const findSlug = async (device: TestClient, listName: string, title: string) =>
  (await device.get(`/api/${listName}?limit=50`)).body.results.find(
    (media: { title: string }) => media.title === title,
  ).slug as string
/** Removes the signatures from URLs. A signature depends on the time of the request, so two responses would differ. */
const removeSignatures = (value: object) => JSON.parse(JSON.stringify(value).replace(/\?e=[^"]+/g, ''))

test('a refresh with a `watch` field returns the same movie, progress and sources as the separate endpoints', async () => {
  const { adult, adultId } = mediaServer
  const slug = await findSlug(adult, 'movies', 'Odd Reel')
  const media = (await adult.get(`/api/movies/slug/${slug}`)).body
  await adult.post(`/api/profile/${adultId}/history`, {
    type: 'movie',
    media_id: media.id,
    progress: 40,
    data: { video_duration: 80 },
  })
  const history = (await adult.get(`/api/profile/${adultId}/history/movie/${media.id}`)).body
  const stream = (await mediaServer.lookUpStream(`movie/${UNSAFE_MOVIE.imdb}`, '?quality=auto')).body
  const { status, body } = await refreshWithWatch(adult, { type: 'movie', slug })
  expect(status).toBe(200)
  expect(history.latest.progress).toBe(40)
  expect(removeSignatures(body.watch)).toEqual(
    removeSignatures({ profile_id: adultId, media, history, stream }),
  )
  expect((await mediaServer.fetchMedia(body.watch.stream.sources[0].url)).status).toBe(200)
})

test('a refresh with a `watch` field returns all episodes of the season of the requested episode', async () => {
  const { adult } = mediaServer
  const slug = await findSlug(adult, 'series', 'Nightly')
  const { body } = await refreshWithWatch(adult, { type: 'tv', slug, season: 1, episode: 2 })
  const season = body.watch.media.seasons.find(
    ({ season_number }: { season_number: number }) => season_number === 1,
  )
  expect(body.watch.episodes).toEqual((await adult.get(`/api/seasons/${season.id}/episodes`)).body)
  expect(body.watch.stream.sources.length).toBeGreaterThan(0)
})

test('a refresh with a `watch` field returns no watch data if the title or episode does not exist, or if the profile may not see the title', async () => {
  const { adult, kid } = mediaServer
  const unsafeSlug = await findSlug(adult, 'movies', 'Odd Reel')
  const safeSlug = await findSlug(kid, 'movies', 'Lantern')
  for (const [device, watch] of [
    [adult, { type: 'movie', slug: 'nowhere' }],
    [adult, { type: 'tv', slug: await findSlug(adult, 'series', 'Nightly'), season: 1, episode: 9 }],
    [kid, { type: 'movie', slug: unsafeSlug }],
  ] as const) {
    const { status, body } = await refreshWithWatch(device, watch)
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('watch')
    expect((await device.get('/api/auth/me')).status).toBe(200)
  }
  expect((await refreshWithWatch(kid, { type: 'movie', slug: safeSlug })).body.watch.profile_id).toBe(
    kid.profileId,
  )
})

test('a refresh with a `watch` field returns no watch data for a locked profile', async () => {
  const { adult, adultId } = mediaServer
  const slug = await findSlug(adult, 'movies', 'Odd Reel')
  await adult.post(`/api/profile/${adultId}/lock`, { pin: '4711' })
  expect((await refreshWithWatch(adult, { type: 'movie', slug })).body.watch.profile_id).toBe(adultId)
  mediaServer.server.advanceClock(13 * 3_600_000)
  const { status, body } = await refreshWithWatch(adult, { type: 'movie', slug })
  expect(status).toBe(200)
  expect(body).not.toHaveProperty('watch')
  await adult.post(`/api/profile/${adultId}/unlock`, { pin: '4711' })
})

test('a refresh with an invalid slug returns 422 and keeps the refresh token, and a refresh without a session returns 401', async () => {
  const { adult, server } = mediaServer
  const { cookie } = adult
  expect((await refreshWithWatch(adult, { type: 'movie', slug: '../x' })).status).toBe(422)
  expect(adult.cookie).toBe(cookie)
  const response = await server.request('/api/auth/refresh', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ watch: { type: 'movie', slug: 'odd-reel' } }),
  })
  expect(response.status).toBe(401)
  expect(await response.json()).not.toHaveProperty('watch')
})

test('a refresh with a `watch` field accepts a retry with the previous refresh token', async () => {
  const { adult, server } = mediaServer
  const slug = await findSlug(adult, 'movies', 'Lantern')
  const { cookie } = adult
  await refreshWithWatch(adult, { type: 'movie', slug })
  server.advanceClock(40_000)
  adult.cookie = cookie
  expect((await refreshWithWatch(adult, { type: 'movie', slug })).status).toBe(200)
})

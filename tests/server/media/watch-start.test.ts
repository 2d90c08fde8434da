/** The session and what the player plays in one answer: the same as the calls it stands for, and no more than they allow. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Device } from '../../support/client.ts'
import { type Cinema, makeFolder, openCinema } from './support.ts'

const ODD = { title: 'Odd Reel', year: 2001, imdb: 'tt0000301' }
const SAFE = { title: 'Lantern', year: 2002, imdb: 'tt0000302', safe: true }
const SHOW = { title: 'Nightly', year: 2003, imdb: 'tt0000303', episodes: [0, 3] }
const folder = makeFolder({ 'Odd Reel (2001).mp4': 'odd', 'Lantern (2002).mp4': 'lantern' })

let cinema: Cinema
beforeAll(async () => {
  cinema = await openCinema({ MEDIA_DIR: folder.path, DEMO: '1' }, [ODD, SAFE, SHOW])
})
afterAll(async () => {
  await cinema.close()
  folder.remove()
})

/** As the player's first script asks: without a token, as the profile that acted last. */
async function start(device: Device, watch: object) {
  const { accessToken, profileId } = device
  Object.assign(device, { accessToken: null, profileId: null })
  const answer = await device.post('/api/auth/refresh', { watch })
  Object.assign(device, { accessToken: answer.body.access_token ?? accessToken, profileId })
  return answer
}
const slugOf = async (device: Device, list: string, title: string) =>
  (await device.get(`/api/${list}?limit=50`)).body.results.find(
    (one: { title: string }) => one.title === title,
  ).slug as string
/** What is signed carries the time of asking. */
const unsigned = (value: object) => JSON.parse(JSON.stringify(value).replace(/\?e=[^"]+/g, ''))

test('a movie: title, place and sources are what the calls of their own answer', async () => {
  const { adult, adultId } = cinema
  const slug = await slugOf(adult, 'movies', 'Odd Reel')
  const media = (await adult.get(`/api/movies/slug/${slug}`)).body
  await adult.post(`/api/profile/${adultId}/history`, {
    type: 'movie',
    media_id: media.id,
    progress: 40,
    data: { video_duration: 80 },
  })
  const history = (await adult.get(`/api/profile/${adultId}/history/movie/${media.id}`)).body
  const stream = (await cinema.lookup(`movie/${ODD.imdb}`, '?quality=auto')).body
  const { status, body } = await start(adult, { type: 'movie', slug })
  expect(status).toBe(200)
  expect(history.latest.progress).toBe(40)
  expect(unsigned(body.watch)).toEqual(unsigned({ profile_id: adultId, media, history, stream }))
  expect((await cinema.fetch(body.watch.stream.sources[0].url)).status).toBe(200)
})

test('an episode: with the list of its season', async () => {
  const { adult } = cinema
  const slug = await slugOf(adult, 'series', 'Nightly')
  const { body } = await start(adult, { type: 'tv', slug, season: 1, episode: 2 })
  const season = body.watch.media.seasons.find((one: { season_number: number }) => one.season_number === 1)
  expect(body.watch.episodes).toEqual((await adult.get(`/api/seasons/${season.id}/episodes`)).body)
  expect(body.watch.stream.sources.length).toBeGreaterThan(0)
})

test('whatever cannot be watched is left out, and the session is there all the same', async () => {
  const { adult, kid } = cinema
  const unsafe = await slugOf(adult, 'movies', 'Odd Reel')
  const allowed = await slugOf(kid, 'movies', 'Lantern')
  for (const [device, watch] of [
    [adult, { type: 'movie', slug: 'nowhere' }],
    [adult, { type: 'tv', slug: await slugOf(adult, 'series', 'Nightly'), season: 1, episode: 9 }],
    [kid, { type: 'movie', slug: unsafe }],
  ] as const) {
    const { status, body } = await start(device, watch)
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('watch')
    expect((await device.get('/api/auth/me')).status).toBe(200)
  }
  expect((await start(kid, { type: 'movie', slug: allowed })).body.watch.profile_id).toBe(kid.profileId)
})

test('a locked profile plays nothing before its PIN', async () => {
  const { adult, adultId } = cinema
  const slug = await slugOf(adult, 'movies', 'Odd Reel')
  await adult.post(`/api/profile/${adultId}/lock`, { pin: '4711' })
  expect((await start(adult, { type: 'movie', slug })).body.watch.profile_id).toBe(adultId)
  cinema.server.advance(13 * 3_600_000)
  const { status, body } = await start(adult, { type: 'movie', slug })
  expect(status).toBe(200)
  expect(body).not.toHaveProperty('watch')
  await adult.post(`/api/profile/${adultId}/unlock`, { pin: '4711' })
})

test('nonsense is refused before anything is rotated; nobody without a session is told anything', async () => {
  const { adult, server } = cinema
  const { cookie } = adult
  expect((await start(adult, { type: 'movie', slug: '../x' })).status).toBe(422)
  expect(adult.cookie).toBe(cookie)
  const answer = await server.request('/api/auth/refresh', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ watch: { type: 'movie', slug: 'odd-reel' } }),
  })
  expect(answer.status).toBe(401)
  expect(await answer.json()).not.toHaveProperty('watch')
})

test('an answer that was lost can be asked for again: having looked is no use of the new token', async () => {
  const { adult, server } = cinema
  const slug = await slugOf(adult, 'movies', 'Lantern')
  const { cookie } = adult
  await start(adult, { type: 'movie', slug })
  server.advance(40_000)
  adult.cookie = cookie
  expect((await start(adult, { type: 'movie', slug })).status).toBe(200)
})

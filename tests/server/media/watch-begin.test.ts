/** The bytes that the player begins with, for the session's cookie alone: what the player would choose, and no more than it may. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Device } from '../../support/client.ts'
import { type Cinema, makeFolder, openCinema } from './support.ts'

const ODD = { title: 'Odd Reel', year: 2001, imdb: 'tt0000311' }
const SAFE = { title: 'Lantern', year: 2002, imdb: 'tt0000312', safe: true }
const TWICE = { title: 'Two Sizes', year: 2004, imdb: 'tt0000314' }
const LIST = { title: 'Adaptive', year: 2005, imdb: 'tt0000315' }
const SHOW = { title: 'Nightly', year: 2003, imdb: 'tt0000313', episodes: [0, 3] }
const folder = makeFolder({
  'Odd Reel (2001).mp4': 'odd',
  'Lantern (2002).mp4': 'lantern',
  'Two Sizes (2004) - 2160p.mp4': 'large',
  'Two Sizes (2004) - 720p.mp4': 'small',
  'Adaptive (2005)/Adaptive (2005).m3u8': '#EXTM3U\n#EXTINF:4,\na.ts\n',
  'Adaptive (2005)/a.ts': 'a',
  'Nightly/Season 1/Nightly S01E02.mp4': 'second',
})

let cinema: Cinema
beforeAll(async () => {
  cinema = await openCinema({ MEDIA_DIR: folder.path }, [ODD, SAFE, TWICE, LIST, SHOW])
})
afterAll(async () => {
  await cinema.close()
  folder.remove()
})

/** As a video element asks: by cookie, without a token, and follows. */
async function begin(device: Device, about: object, range = 'bytes=0-'): Promise<[number, string]> {
  const query = new URLSearchParams({ screen: '1080', profile: device.profileId ?? '', ...about })
  const answer = await cinema.server.request(`/proxy/torrent-streamer/begin?${query}`, {
    headers: { Cookie: device.cookie ?? '', Range: range },
  })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('set-cookie')).toBeNull()
  const url = answer.headers.get('location')
  if (answer.status !== 307 || !url) return [answer.status, '']
  return [307, await (await cinema.fetch(url)).text()]
}
const slugOf = async (device: Device, list: string, title: string) =>
  (await device.get(`/api/${list}?limit=50`)).body.results.find(
    (one: { title: string }) => one.title === title,
  ).slug as string

test('a movie and an episode: the bytes themselves', async () => {
  const { adult } = cinema
  const movie = await slugOf(adult, 'movies', 'Odd Reel')
  expect(await begin(adult, { type: 'movie', slug: movie })).toEqual([307, 'odd'])
  const series = await slugOf(adult, 'series', 'Nightly')
  expect(await begin(adult, { type: 'tv', slug: series, season: 1, episode: 2 })).toEqual([307, 'second'])
  expect((await begin(adult, { type: 'tv', slug: series, season: 1, episode: 9 }))[0]).toBe(404)
})

test('of two sizes the one that the screen and the line are good for', async () => {
  const { adult } = cinema
  const slug = await slugOf(adult, 'movies', 'Two Sizes')
  const about = { type: 'movie', slug }
  expect(await begin(adult, { ...about, screen: 2160 })).toEqual([307, 'large'])
  expect(await begin(adult, { ...about, screen: 1080 })).toEqual([307, 'small'])
  expect(await begin(adult, { ...about, screen: 2160, line: '3g' })).toEqual([307, 'small'])
})

test('nothing where the player has to choose: an adaptive stream', async () => {
  const { adult } = cinema
  const slug = await slugOf(adult, 'movies', 'Adaptive')
  expect((await begin(adult, { type: 'movie', slug }))[0]).toBe(204)
})

test('a kids profile begins with what is safe for it, and never as another profile', async () => {
  const { adult, adultId, kid } = cinema
  const unsafe = await slugOf(adult, 'movies', 'Odd Reel')
  const safe = await slugOf(kid, 'movies', 'Lantern')
  expect((await begin(kid, { type: 'movie', slug: unsafe }))[0]).toBe(404)
  expect((await begin(kid, { type: 'movie', slug: unsafe, profile: adultId }))[0]).toBe(204)
  expect(await begin(kid, { type: 'movie', slug: safe })).toEqual([307, 'lantern'])
})

test('a place to go on from is the player’s to find; later ranges go on all the same', async () => {
  const { adult, adultId } = cinema
  const slug = await slugOf(adult, 'movies', 'Lantern')
  const { id } = (await adult.get(`/api/movies/slug/${slug}`)).body
  await adult.post(`/api/profile/${adultId}/history`, {
    type: 'movie',
    media_id: id,
    progress: 40,
    data: { video_duration: 80 },
  })
  expect((await begin(adult, { type: 'movie', slug }))[0]).toBe(204)
  expect((await begin(adult, { type: 'movie', slug }, 'bytes=3-'))[0]).toBe(307)
})

test('nothing without a live session: no cookie, a made-up one, one of long ago, a signed-out device', async () => {
  const { adult, server } = cinema
  const slug = await slugOf(adult, 'movies', 'Odd Reel')
  const about = { type: 'movie', slug, profile: adult.profileId }
  const before = adult.cookie
  for (const cookie of [null, 'rt=a.1.b.c', `${before}x`])
    expect((await begin({ ...adult, cookie } as Device, about))[0]).toBe(401)
  await adult.post('/api/auth/refresh', {})
  /* A page that was opened while another one refreshed. */
  expect((await begin({ ...adult, cookie: before } as Device, about))[0]).toBe(307)
  server.advance(120_000)
  expect((await begin({ ...adult, cookie: before } as Device, about))[0]).toBe(401)
  expect((await begin(adult, about))[0]).toBe(307)
  const { cookie } = adult
  await adult.post('/api/auth/logout', {})
  expect((await begin({ ...adult, cookie } as Device, about))[0]).toBe(401)
  await adult.login('alice@example.com')
})

test('nonsense is refused, haste as well', async () => {
  const { adult, adultId } = cinema
  await adult.get(`/api/profile/${adultId}/list`)
  const slug = await slugOf(adult, 'movies', 'Odd Reel')
  expect((await begin(adult, { type: 'film', slug }))[0]).toBe(422)
  expect((await begin(adult, { type: 'movie', slug: '../x' }))[0]).toBe(422)
  expect((await begin(adult, { type: 'movie', slug, screen: 'x' }))[0]).toBe(422)
  const answers: number[] = []
  for (let at = 0; at < 70; at++) answers.push((await begin(adult, { type: 'movie', slug }))[0])
  expect(answers[0]).toBe(307)
  expect(answers.at(-1)).toBe(429)
})

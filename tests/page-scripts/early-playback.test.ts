/** The bundled script that starts playback early, in a browser made of plain objects. */
import { describe, expect, test } from 'vitest'
import { loadInlineScript } from './inline-script.ts'

const runEarlyPlayback = await loadInlineScript('src/page-scripts/inline/early-playback.ts')

interface Visit {
  query: string
  profile?: string
  /** What POST /api/auth/refresh answers. */
  answer?: () => Response
  boot?: object
  /** The language that was shown last. */
  language?: string
  autoplay?: boolean
}

const MEDIA = {
  id: '7',
  slug: 'reel',
  imdb_id: 'tt0000007',
  original_title: 'Reel & Co',
  year: 1999,
  seasons: [{ id: 's1', season_number: 1 }],
}
const source = (lines: number, type = 'video/mp4') => ({
  url: `/proxy/m/7/${lines}.mp4`,
  mime_type: type,
  quality: `${lines}p`,
})
const watch = (more: object = {}) => ({
  profile_id: 'p1',
  media: MEDIA,
  history: { latest: null, episodes: [] },
  stream: {
    sources: [source(2160), source(1080), source(720), source(480, 'video/x-matroska')],
    subtitles: [],
  },
  ...more,
})
const tokens = (more: object = {}) => ({
  access_token: 'a.b.c',
  user: { preferences: { media_quality: 'auto' } },
  ...more,
})
const given = (more?: object) => () => Response.json(tokens({ watch: watch(more) }))

class Video extends EventTarget {
  src = ''
  currentTime = 0
  duration = 80
  plays = 0
  loads: string[] = []
  readonly #autoplay: boolean
  constructor(autoplay: boolean) {
    super()
    this.#autoplay = autoplay
  }
  canPlayType = (type: string) => (type === 'video/mp4' ? 'probably' : '')
  requestVideoFrameCallback = (told: () => void) => told()
  setAttribute = (name: string, value: string) => Object.assign(this, { [name]: value })
  async play() {
    this.plays += 1
    this.loads.push(this.src)
    setTimeout(() => {
      for (const name of ['loadedmetadata', 'loadeddata']) this.dispatchEvent(new Event(name))
    })
    if (!this.#autoplay) throw new DOMException('a press first', 'NotAllowedError')
  }
}

function visit(visited: Visit) {
  const { query, profile = 'p1', answer = given(), boot, language, autoplay = true } = visited
  const video = new Video(autoplay)
  /* As the markup brings it, until it is replaced. */
  let stands: object = {
    attributes: [{ name: 'id', value: 'picture' }],
    replaceWith: (other: object) => {
      stands = other
    },
  }
  const kept: Record<string, string | undefined> = { 'marquee-profile': profile, i18nextLng: language }
  const late = {}
  const taken: unknown[] = []
  const append = (...parts: unknown[]) => taken.push(...parts)
  const requests: { url: string; init: RequestInit }[] = []
  const page = {
    location: { search: query },
    document: {
      cookie: '',
      documentElement: { lang: 'en', dataset: {} as Record<string, string> },
      getElementById: (id: string) => (id === 'late' ? { content: late } : stands),
      createElement: () => video,
      body: { append },
    },
    MutationObserver: class {},
    navigator: { languages: [] },
    screen: { width: 1920, height: 1080 },
    devicePixelRatio: 1,
    sessionStorage: { getItem: () => null },
    localStorage: { getItem: (key: string) => kept[key] ?? null },
    fetch: async (url: string, init: RequestInit) => {
      requests.push({ url, init })
      return url === '/api/auth/refresh' ? answer() : Response.json({ sources: [source(360)] })
    },
    URLSearchParams,
    Response,
    setTimeout,
    __boot: boot,
    __early: undefined as EarlyPlayback | null | undefined,
  }
  runEarlyPlayback(page)
  return { video, requests, early: page.__early, page, late, taken, standing: () => stands }
}

const MOVIE = '?type=movie&slug=reel'
const TITLE = '/api/movies/slug/reel'
const LOOKUP = '/proxy/torrent-streamer/stream/movie/tt0000007?quality=auto&title=Reel+%26+Co&year=1999'

describe('what is asked', () => {
  test('one call, which names what the address names', async () => {
    const { requests, early } = visit({ query: '?type=tv&slug=reel&season=1&episode=2' })
    await early?.scriptsAllowed
    expect(requests.map(({ url, init }) => [init.method, url, JSON.parse(String(init.body))])).toEqual([
      ['POST', '/api/auth/refresh', { watch: { type: 'tv', slug: 'reel', season: 1, episode: 2 } }],
    ])
  })

  test.each([
    ['no title', { query: '' }],
    ['a series whose next episode the player knows', { query: '?type=tv&slug=reel' }],
    ['another page was here before', { query: MOVIE, boot: {} }],
  ])('nothing: %s', (_, given) => {
    const { requests, early } = visit(given)
    expect(early).toBeNull()
    expect(requests).toEqual([])
  })
})

describe('the picture', () => {
  const begun = async (more: object, query = MOVIE) => {
    const { video, early } = visit({ query, answer: given(more) })
    await early?.scriptsAllowed
    return video
  }
  const seen = (progress: number, rest: object = {}) => ({
    progress,
    finished: false,
    data: { video_duration: 80 },
    ...rest,
  })

  test('of the finest source that the screen and the browser are good for', async () => {
    expect(await begun({})).toMatchObject({ src: '/proxy/m/7/1080.mp4', plays: 1, currentTime: 0 })
  })

  test.each([
    ['where it was left', seen(40), 40],
    ['from the start after the end', seen(79, { finished: true }), 0],
    ['from the start when hardly begun', seen(4), 0],
    ['at the same share of a shorter file', seen(90, { data: { video_duration: 180 } }), 40],
  ])('begins %s', async (_, latest, at) => {
    expect((await begun({ history: { latest, episodes: [] } })).currentTime).toBe(at)
  })

  test('of an episode: at its own place, and only when it is out', async () => {
    const query = '?type=tv&slug=reel&season=1&episode=2'
    const episodes = [seen(30, { season: 1, episode: 1 }), seen(20, { season: 1, episode: 2 })]
    const history = { latest: episodes[0], episodes }
    const list = (released: boolean) => ({ results: [{ episode_number: 2, released }] })
    expect((await begun({ history, episodes: list(true) }, query)).currentTime).toBe(20)
    expect((await begun({ history, episodes: list(false) }, query)).src).toBe('')
  })

  test('is left to the player where none of the sources fits', async () => {
    expect((await begun({ stream: { sources: [source(720, 'x/y')], subtitles: [] } })).src).toBe('')
  })

  test('comes although the browser wants a press first', async () => {
    const { video, early } = visit({ query: MOVIE, autoplay: false })
    await early?.scriptsAllowed
    expect(video.src).toBe('/proxy/m/7/1080.mp4')
  })

  test('where only the resolver can tell: looked up with the new token, once', async () => {
    const { video, requests, early } = visit({ query: MOVIE, answer: given({ stream: undefined }) })
    await early?.scriptsAllowed
    expect(requests.slice(1)).toEqual([
      {
        url: LOOKUP,
        init: { headers: { Authorization: 'Bearer a.b.c', 'X-Profile-Id': 'p1' }, credentials: 'include' },
      },
    ])
    expect(video.src).toBe('/proxy/m/7/360.mp4')
    expect(await (await early?.reads[LOOKUP])?.json()).toMatchObject({ sources: [source(360)] })
  })
})

describe('the video element', () => {
  test('replaces the one of the page when playback starts', async () => {
    const { video, early, standing } = visit({ query: MOVIE })
    await early?.scriptsAllowed
    expect(video).toMatchObject({ id: 'picture', loads: ['/proxy/m/7/1080.mp4'] })
    expect(standing()).toBe(video)
  })

  test.each<[string, Partial<Visit>]>([
    ['the page will be left for another language', { language: 'fr' }],
    ['no profile is known on this device', { profile: '' }],
    ['another profile acts for the server', { answer: given({ profile_id: 'p9' }) }],
  ])('plays nothing when %s', async (_, more) => {
    const { video, early } = visit({ query: MOVIE, ...more })
    await early?.scriptsAllowed
    await expect(early?.reads[TITLE]).rejects.toThrow()
    expect(video.loads).toEqual([])
  })
})

describe('what is left for the player', () => {
  test('the session as if asked for alone, and the answers by their addresses', async () => {
    const { early } = visit({ query: MOVIE })
    expect(await (await early?.refreshResponse)?.json()).toEqual(tokens())
    const read = async (url: string) => (await early?.reads[url])?.json()
    expect(await read(TITLE)).toEqual(MEDIA)
    expect(await read(LOOKUP)).toEqual(watch().stream)
    expect(await read('/api/profile/p1/history/movie/7')).toEqual(watch().history)
  })

  test.each<[string, Partial<Visit>]>([
    ['another profile acts in this tab', { profile: 'p2' }],
    ['the profile may not see it', { answer: () => Response.json(tokens()) }],
    ['the page will be left for another language', { language: 'fr' }],
    ['nobody is signed in', { answer: () => new Response(null, { status: 401 }) }],
    [
      'the server is away',
      {
        answer: () => {
          throw new TypeError('failed to fetch')
        },
      },
    ],
  ])('nothing but the session: %s', async (_, more) => {
    const { video, early } = visit({ query: MOVIE, ...more })
    await Promise.all([early?.scriptsAllowed, early?.refreshResponse.catch(() => {})])
    expect(video.src).toBe('')
    await expect(early?.reads[TITLE]).rejects.toThrow()
    expect(Object.keys(early?.reads ?? {})).toEqual([TITLE])
  })
})

describe('the other scripts', () => {
  test('come when the picture is here, and the body is laid out before', async () => {
    const { early, taken, late, page } = visit({ query: MOVIE })
    expect(taken).toEqual([])
    expect(page.document.documentElement.dataset).toEqual({})
    await early?.scriptsAllowed
    await Promise.resolve()
    expect(taken).toEqual([late])
    expect(page.document.documentElement.dataset).toEqual({ picture: '' })
  })

  test.each([
    ['without a title', { query: '' }],
    ['of a series whose next episode the player knows', { query: '?type=tv&slug=reel' }],
  ])('come at once %s', (_, given) => {
    const { taken, late } = visit(given)
    expect(taken).toEqual([late])
  })

  test('are here already after another page', () => {
    expect(visit({ query: MOVIE, boot: {} }).taken).toEqual([])
  })
})

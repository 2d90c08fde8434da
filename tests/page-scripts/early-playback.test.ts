/** Runs early-playback.ts, the first script of the player page, as a bundle in a simulated browser. */
import { describe, expect, test } from 'vitest'
import { loadInlineScript } from './inline-script.ts'

const runEarlyPlayback = await loadInlineScript('src/page-scripts/inline/early-playback.ts')

interface PlayerVisit {
  query: string
  profileId?: string
  /** Response to POST /api/auth/refresh. */
  respondToRefresh?: () => Response
  historyState?: object
  bootData?: object
  /** The interface language that is stored on the device. */
  storedLanguage?: string
  canAutoplay?: boolean
}

const TITLE_DETAILS = {
  id: '7',
  slug: 'reel',
  imdb_id: 'tt0000007',
  original_title: 'Reel & Co',
  year: 1999,
  seasons: [{ id: 's1', season_number: 1 }],
}
const createSource = (heightPx: number, mimeType = 'video/mp4') => ({
  url: `/proxy/m/7/${heightPx}.mp4`,
  mime_type: mimeType,
  quality: `${heightPx}p`,
})
const createWatchData = (overrides: object = {}) => ({
  profile_id: 'p1',
  media: TITLE_DETAILS,
  history: { latest: null, episodes: [], next_episode: null },
  stream: {
    sources: [
      createSource(2160),
      createSource(1080),
      createSource(720),
      createSource(480, 'video/x-matroska'),
    ],
    subtitles: [],
  },
  ...overrides,
})
const createSession = (overrides: object = {}) => ({
  access_token: 'a.b.c',
  user: { preferences: { media_quality: 'auto' } },
  ...overrides,
})
const respondWithWatch = (overrides?: object) => () =>
  Response.json(createSession({ watch: createWatchData(overrides) }))

class FakeVideo extends EventTarget {
  src = ''
  currentTime = 0
  duration = 80
  playCallCount = 0
  playedSources: string[] = []
  readonly #canAutoplay: boolean
  constructor(canAutoplay: boolean) {
    super()
    this.#canAutoplay = canAutoplay
  }
  canPlayType = (mimeType: string) => (mimeType === 'video/mp4' ? 'probably' : '')
  requestVideoFrameCallback = (onFrame: () => void) => onFrame()
  setAttribute = (name: string, value: string) => Object.assign(this, { [name]: value })
  async play() {
    this.playCallCount += 1
    this.playedSources.push(this.src)
    setTimeout(() => {
      for (const name of ['loadstart', 'loadedmetadata', 'loadeddata']) this.dispatchEvent(new Event(name))
    })
    if (!this.#canAutoplay) throw new DOMException('a press first', 'NotAllowedError')
  }
}

function visitPlayer(options: PlayerVisit) {
  const {
    query,
    profileId = 'p1',
    respondToRefresh = respondWithWatch(),
    bootData,
    historyState,
    storedLanguage,
    canAutoplay = true,
  } = options
  const video = new FakeVideo(canAutoplay)
  /*
   * The video element of the page: first the element of the HTML, then the element with which the script replaces it.
   */
  let currentVideoElement: object = {
    attributes: [{ name: 'id', value: 'picture' }],
    replaceWith: (replacement: object) => {
      currentVideoElement = replacement
    },
  }
  const storedValues: Record<string, string | undefined> = {
    'marquee-profile': profileId,
    i18nextLng: storedLanguage,
  }
  const deferredScripts = {}
  const appendedElements: unknown[] = []
  const append = (...elements: unknown[]) => appendedElements.push(...elements)
  const requests: { url: string; init: RequestInit }[] = []
  const page = {
    location: { search: query },
    history: { state: historyState ?? null },
    document: {
      cookie: '',
      documentElement: { lang: 'en', dataset: {} as Record<string, string> },
      getElementById: (id: string) => (id === 'late' ? { content: deferredScripts } : currentVideoElement),
      createElement: () => video,
      body: { append },
    },
    MutationObserver: class {},
    navigator: { languages: [] },
    screen: { width: 1920, height: 1080 },
    devicePixelRatio: 1,
    sessionStorage: { getItem: () => null },
    localStorage: { getItem: (key: string) => storedValues[key] ?? null },
    fetch: async (url: string, init: RequestInit) => {
      requests.push({ url, init })
      return url === '/api/auth/refresh'
        ? respondToRefresh()
        : Response.json({ sources: [createSource(360)] })
    },
    URLSearchParams,
    Response,
    setTimeout,
    __boot: bootData,
    __early: undefined as EarlyPlayback | null | undefined,
  }
  runEarlyPlayback(page)
  return {
    video,
    requests,
    earlyPlayback: page.__early,
    page,
    deferredScripts,
    appendedElements,
    getCurrentVideoElement: () => currentVideoElement,
  }
}

const MOVIE_QUERY = '?type=movie&slug=reel'
const TITLE_PATH = '/api/movies/slug/reel'
const STREAM_LOOKUP_PATH =
  '/proxy/torrent-streamer/stream/movie/tt0000007?quality=auto&title=Reel+%26+Co&year=1999&decoders=10'

describe('the first request of early playback', () => {
  test('asks for the session and the playback data of the title and episode in the URL', async () => {
    const { requests, earlyPlayback } = visitPlayer({ query: '?type=tv&slug=reel&season=1&episode=2' })
    await earlyPlayback?.scriptPermission
    expect(requests.map(({ url, init }) => [init.method, url, JSON.parse(String(init.body))])).toEqual([
      [
        'POST',
        '/api/auth/refresh',
        { watch: { type: 'tv', slug: 'reel', season: 1, episode: 2, decoders: '10' } },
      ],
    ])
  })

  test.each([
    ['the URL has no title', { query: '' }],
    ['the URL of a series has no episode', { query: '?type=tv&slug=reel' }],
    ['another page was open before in this document', { query: MOVIE_QUERY, bootData: {} }],
    ['the history entry stores another profile', { query: MOVIE_QUERY, historyState: { profile: 'p2' } }],
  ])('early playback sends no request when %s', (_, visitOptions) => {
    const { requests, earlyPlayback } = visitPlayer(visitOptions)
    expect(earlyPlayback).toBeNull()
    expect(requests).toEqual([])
  })
})

describe('the video of early playback', () => {
  const visitAndGetVideo = async (overrides: object, query = MOVIE_QUERY) => {
    const { video, earlyPlayback } = visitPlayer({ query, respondToRefresh: respondWithWatch(overrides) })
    await earlyPlayback?.scriptPermission
    return video
  }
  const createProgress = (progressSeconds: number, overrides: object = {}) => ({
    progress: progressSeconds,
    finished: false,
    data: { video_duration: 80 },
    ...overrides,
  })

  test('early playback plays the best source that fits the screen and that the browser can play', async () => {
    expect(await visitAndGetVideo({})).toMatchObject({
      src: '/proxy/m/7/1080.mp4',
      playCallCount: 1,
      currentTime: 0,
    })
  })

  test.each([
    ['at the saved position of 40 s', createProgress(40), 40],
    ['at 0 s after the title was finished', createProgress(79, { finished: true }), 0],
    ['at 0 s when only 4 s were watched', createProgress(4), 0],
    [
      'at the proportional position in a shorter file',
      createProgress(90, { data: { video_duration: 180 } }),
      40,
    ],
  ])('early playback starts %s', async (_, latestProgress, expectedSeconds) => {
    expect((await visitAndGetVideo({ history: { latest: latestProgress, episodes: [] } })).currentTime).toBe(
      expectedSeconds,
    )
  })

  test('a released episode starts at its own saved position, and an unreleased episode does not start', async () => {
    const query = '?type=tv&slug=reel&season=1&episode=2'
    const progressEntries = [
      createProgress(30, { season: 1, episode: 1 }),
      createProgress(20, { season: 1, episode: 2 }),
    ]
    const history = { latest: progressEntries[0], episodes: progressEntries }
    const createEpisodeList = (isReleased: boolean) => ({
      results: [{ episode_number: 2, released: isReleased }],
    })
    expect((await visitAndGetVideo({ history, episodes: createEpisodeList(true) }, query)).currentTime).toBe(
      20,
    )
    expect((await visitAndGetVideo({ history, episodes: createEpisodeList(false) }, query)).src).toBe('')
  })

  test('early playback starts no video when the browser can play none of the sources', async () => {
    expect(
      (await visitAndGetVideo({ stream: { sources: [createSource(720, 'x/y')], subtitles: [] } })).src,
    ).toBe('')
  })

  test('early playback sets the source of the video even if the browser blocks autoplay', async () => {
    const { video, earlyPlayback } = visitPlayer({ query: MOVIE_QUERY, canAutoplay: false })
    await earlyPlayback?.scriptPermission
    expect(video.src).toBe('/proxy/m/7/1080.mp4')
  })

  test('when the session response contains no stream, early playback requests the stream once with the access token of that response', async () => {
    const { video, requests, earlyPlayback } = visitPlayer({
      query: MOVIE_QUERY,
      respondToRefresh: respondWithWatch({ stream: undefined }),
    })
    await earlyPlayback?.scriptPermission
    expect(requests.slice(1)).toEqual([
      {
        url: STREAM_LOOKUP_PATH,
        init: { headers: { Authorization: 'Bearer a.b.c', 'X-Profile-Id': 'p1' }, credentials: 'include' },
      },
    ])
    expect(video.src).toBe('/proxy/m/7/360.mp4')
    expect(await (await earlyPlayback?.reads[STREAM_LOOKUP_PATH])?.json()).toMatchObject({
      sources: [createSource(360)],
    })
  })
})

describe('the video element of early playback', () => {
  test('the video element of early playback replaces the video element of the page', async () => {
    const { video, earlyPlayback, getCurrentVideoElement } = visitPlayer({ query: MOVIE_QUERY })
    await earlyPlayback?.scriptPermission
    expect(video).toMatchObject({ id: 'picture', playedSources: ['/proxy/m/7/1080.mp4'] })
    expect(getCurrentVideoElement()).toBe(video)
  })

  test('the video element of early playback is inserted into the page only after the browser has requested the video, because layout would delay that request', async () => {
    const { video, earlyPlayback, getCurrentVideoElement } = visitPlayer({ query: MOVIE_QUERY })
    const isInPageAtStep: boolean[] = []
    const recordIsInPage = () => isInPageAtStep.push(getCurrentVideoElement() === video)
    video.addEventListener('loadstart', recordIsInPage)
    await earlyPlayback?.scriptPermission
    recordIsInPage()
    expect(isInPageAtStep).toEqual([false, true])
  })

  test.each<[string, Partial<PlayerVisit>]>([
    ['the page will redirect to another language', { storedLanguage: 'fr' }],
    ['no profile is stored', { profileId: '' }],
    ['the session belongs to another profile', { respondToRefresh: respondWithWatch({ profile_id: 'p9' }) }],
  ])('plays nothing when %s', async (_, overrides) => {
    const { video, earlyPlayback } = visitPlayer({ query: MOVIE_QUERY, ...overrides })
    await earlyPlayback?.scriptPermission
    await expect(earlyPlayback?.reads[TITLE_PATH]).rejects.toThrow()
    expect(video.playedSources).toEqual([])
  })
})

describe('playback data that early playback passes to the player', () => {
  test('contains the session reply without its field `watch`, and the replies for title, stream and progress under their URLs', async () => {
    const { earlyPlayback } = visitPlayer({ query: MOVIE_QUERY })
    expect(await (await earlyPlayback?.refreshResponse)?.json()).toEqual(createSession())
    const readReply = async (url: string) => (await earlyPlayback?.reads[url])?.json()
    expect(await readReply(TITLE_PATH)).toEqual(TITLE_DETAILS)
    expect(await readReply(STREAM_LOOKUP_PATH)).toEqual(createWatchData().stream)
    expect(await readReply('/api/profile/p1/history/movie/7')).toEqual(createWatchData().history)
  })

  test.each<[string, Partial<PlayerVisit>]>([
    ['another profile is selected in this tab', { profileId: 'p2' }],
    ['the profile may not see the title', { respondToRefresh: () => Response.json(createSession()) }],
    ['the page will redirect to another language', { storedLanguage: 'fr' }],
    ['the visitor is not signed in', { respondToRefresh: () => new Response(null, { status: 401 }) }],
    [
      'the server is unreachable',
      {
        respondToRefresh: () => {
          throw new TypeError('failed to fetch')
        },
      },
    ],
  ])('contains no replies for title, stream and progress when %s', async (_, overrides) => {
    const { video, earlyPlayback } = visitPlayer({ query: MOVIE_QUERY, ...overrides })
    await Promise.all([earlyPlayback?.scriptPermission, earlyPlayback?.refreshResponse.catch(() => {})])
    expect(video.src).toBe('')
    await expect(earlyPlayback?.reads[TITLE_PATH]).rejects.toThrow()
    expect(Object.keys(earlyPlayback?.reads ?? {})).toEqual([TITLE_PATH])
  })
})

describe('deferred scripts of the watch page', () => {
  test('the deferred scripts are added only after the video shows its first frame', async () => {
    const { earlyPlayback, appendedElements, deferredScripts, page } = visitPlayer({ query: MOVIE_QUERY })
    expect(appendedElements).toEqual([])
    expect(page.document.documentElement.dataset).toEqual({})
    await earlyPlayback?.scriptPermission
    await Promise.resolve()
    expect(appendedElements).toEqual([deferredScripts])
    expect(page.document.documentElement.dataset).toEqual({ picture: '' })
  })

  test.each([
    ['has no title', { query: '' }],
    ['of a series has no episode', { query: '?type=tv&slug=reel' }],
  ])('the deferred scripts are added immediately if the URL %s', (_, visitOptions) => {
    const { appendedElements, deferredScripts } = visitPlayer(visitOptions)
    expect(appendedElements).toEqual([deferredScripts])
  })

  test('the deferred scripts are not added again when another page was open before in this document', () => {
    expect(visitPlayer({ query: MOVIE_QUERY, bootData: {} }).appendedElements).toEqual([])
  })
})

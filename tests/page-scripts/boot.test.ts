/** Runs the bundled boot script with a simulated browser: language, theme, first reads and display preferences. */
import { describe, expect, test, vi } from 'vitest'
import { LOCALES } from '../../src/lib/i18n/locales.ts'
import { splitLocale } from '../../src/lib/routes.ts'
import { loadInlineScript } from './inline-script.ts'

const runBoot = await loadInlineScript('src/page-scripts/inline/boot.ts')

interface BootVisit {
  url: string
  cookie?: string
  local?: Record<string, string>
  session?: Record<string, string>
  languages?: string[]
  isSystemLight?: boolean
  reads?: string[]
  /** Properties of `navigator` that describe the device. */
  device?: object
  /** Access token in the response of POST /api/auth/refresh; null for a 401. */
  token?: string | null
  /** Data of the home page in the response of POST /api/auth/refresh. */
  home?: object
  /** State of the history entry. */
  historyState?: object
  /** Data that early-playback.ts, the first script of the player, provides to the boot script. */
  early?: EarlyPlayback
}

function createStorage(initialValues: Record<string, string>) {
  const values = { ...initialValues }
  return {
    values,
    getItem: (key: string) => values[key] ?? null,
    setItem: (key: string, value: string) => {
      values[key] = value
    },
  }
}

function visitPage({
  url,
  cookie = '',
  local = {},
  session = {},
  languages = ['en-GB'],
  ...options
}: BootVisit) {
  const pageUrl = new URL(url, 'http://marquee.example')
  const dataset: Record<string, string> = {}
  const requests: { url: string; method: string; headers: Record<string, string>; body?: object }[] = []
  let redirectTarget: string | null = null
  let heroCount = 0
  const parsingListeners: (() => void)[] = []
  const localStorage = createStorage(local)
  const history = {
    state: options.historyState ?? null,
    replaceState: (state: object | null) => {
      history.state = state
    },
  }
  const page = {
    history,
    location: {
      pathname: pageUrl.pathname,
      search: pageUrl.search,
      hash: pageUrl.hash,
      replace: (target: string) => {
        redirectTarget = target
      },
    },
    document: {
      documentElement: { lang: splitLocale(pageUrl.pathname).locale, dataset },
      cookie,
      readyState: 'loading',
      addEventListener: (type: string, listener: () => void) => {
        if (type === 'readystatechange') parsingListeners.push(listener)
      },
      querySelector: (selector: string) => {
        if (selector === '[data-early-hero]') heroCount += 1
        return selector.startsWith('meta') ? { content: JSON.stringify(options.reads ?? []) } : null
      },
    },
    navigator: { languages, ...options.device },
    addEventListener: () => {},
    requestAnimationFrame: () => 0,
    matchMedia: () => ({ matches: options.isSystemLight ?? false, addEventListener: () => {} }),
    localStorage,
    sessionStorage: createStorage(session),
    fetch: async (target: string, init: RequestInit) => {
      requests.push({
        url: target,
        method: init.method ?? 'GET',
        headers: (init.headers ?? {}) as Record<string, string>,
        ...(typeof init.body === 'string' && { body: JSON.parse(init.body) as object }),
      })
      const token = options.token === undefined ? 'a.b.c' : options.token
      return token === null
        ? new Response(null, { status: 401 })
        : Response.json({ access_token: token, results: [], home: options.home })
    },
    URLSearchParams,
    __early: options.early,
    __boot: undefined as BootData | undefined,
  }
  runBoot(page)
  return {
    redirectTarget: redirectTarget as string | null,
    local: localStorage.values,
    dataset,
    requests,
    boot: page.__boot,
    history,
    /** Returns how often a hero was shown. */
    countHeroes: () => heroCount,
    finishParsing: () => {
      for (const listener of parsingListeners) listener()
    },
  }
}

describe('the boot script chooses the language (Spec §9)', () => {
  test.each<[string, BootVisit, string | null]>([
    ['keeps the page when no source names a language', { url: '/', languages: [] }, null],
    [
      'uses the language of the query before the cookie and local storage',
      { url: '/?lng=fr', cookie: 'i18next=ar', local: { i18nextLng: 'ar' } },
      '/fr/',
    ],
    [
      'uses the language of the cookie before local storage',
      { url: '/', cookie: 'a=b; i18next=fr', local: { i18nextLng: 'ar' } },
      '/fr/',
    ],
    [
      'uses the language of local storage before session storage',
      { url: '/', local: { i18nextLng: 'ar' }, session: { i18nextLng: 'fr' } },
      '/ar/',
    ],
    [
      'uses the language of session storage before the browser languages',
      { url: '/', session: { i18nextLng: 'fr' }, languages: ['ar'] },
      '/fr/',
    ],
    [
      'uses the first supported browser language when no other source names a language',
      { url: '/', languages: ['xx-AT', 'ar-EG', 'fr'] },
      '/ar/',
    ],
    ['keeps the page when no browser language is supported', { url: '/', languages: ['xx', 'yy'] }, null],
    [
      'ignores unknown languages of the query and the cookie',
      { url: '/?lng=xx', cookie: 'i18next=yy', local: { i18nextLng: 'fr' } },
      '/fr/',
    ],
    [
      'prefers the language prefix of the URL to stored choices',
      { url: '/fr/movies/', local: { i18nextLng: 'ar' } },
      null,
    ],
    [
      'prefers the query to the language prefix of the URL',
      { url: '/fr/movies/?lng=ar', local: {} },
      '/ar/movies/',
    ],
    [
      'removes the language prefix for English and keeps the fragment',
      { url: '/ar/mylist/?lng=en#x' },
      '/mylist/#x',
    ],
    [
      'keeps the path, the other parameters and the fragment in the redirect',
      { url: '/movies/alien?a=1&lng=fr&b=2#c' },
      '/fr/movies/alien?a=1&b=2#c',
    ],
    [
      'prefers a stored choice of English to the browser language',
      { url: '/', local: { i18nextLng: 'en' }, languages: ['fr'] },
      null,
    ],
  ])('the boot script %s', (_, visitOptions, target) =>
    expect(visitPage(visitOptions).redirectTarget).toBe(target),
  )

  test('the boot script stores the chosen language in local storage', () => {
    expect(visitPage({ url: '/fr/' }).local['i18nextLng']).toBe('fr')
    expect(visitPage({ url: '/', languages: ['ar'] }).local['i18nextLng']).toBe('ar')
  })

  test('the boot script redirects at most twice, for any combination of language sources', () => {
    const choices = [undefined, ...LOCALES, 'xx']
    for (const url of ['/', '/fr/', '/ar', '/movies/x', '/fr/nowhere', '/french/'])
      for (const queryLanguage of choices)
        for (const cookieLanguage of choices)
          for (const storedLanguage of choices)
            for (const browserLanguage of choices) {
              const query = queryLanguage ? `?lng=${queryLanguage}` : ''
              const otherSources = {
                cookie: cookieLanguage ? `i18next=${cookieLanguage}` : '',
                languages: browserLanguage ? [browserLanguage] : [],
              }
              const firstVisit = visitPage({
                url: url + query,
                local: storedLanguage ? { i18nextLng: storedLanguage } : {},
                ...otherSources,
              })
              if (firstVisit.redirectTarget === null) continue
              const secondVisit = visitPage({
                url: firstVisit.redirectTarget,
                local: firstVisit.local,
                ...otherSources,
              })
              const thirdVisit =
                secondVisit.redirectTarget &&
                visitPage({ url: secondVisit.redirectTarget, local: secondVisit.local, ...otherSources })
              if (thirdVisit && thirdVisit.redirectTarget !== null)
                expect.fail(
                  JSON.stringify({
                    url,
                    queryLanguage,
                    cookieLanguage,
                    storedLanguage,
                    browserLanguage,
                  }),
                )
            }
  })

  test('the boot script sends no request for a page that it redirects', () => {
    expect(visitPage({ url: '/?lng=fr' }).requests).toEqual([])
  })
})

describe('theme', () => {
  test.each([
    [{}, false, 'dark'],
    [{}, true, 'light'],
    [{ 'marquee-theme': 'system' }, true, 'light'],
    [{ 'marquee-theme': 'dark' }, true, 'dark'],
    [{ 'marquee-theme': 'light' }, false, 'light'],
    [{ 'marquee-theme': 'nonsense' }, false, 'dark'],
  ])(
    'with the local storage %j, and the light theme in the system: %s, the boot script applies the theme %s',
    (local, isSystemLight, theme) => {
      expect(visitPage({ url: '/', local, isSystemLight }).dataset['theme']).toBe(theme)
    },
  )
})

describe('first reads', () => {
  const local = { 'marquee-profile': 'p1' }
  const reads = ['/api/profile', '/api/profile/{profile}/continue-watching', '/api/movies/slug/{slug}']

  test('first reads follow the session request, with the stored profile and the slug of the URL', async () => {
    const { boot, requests } = visitPage({ url: '/movies/alien%20%C3%A9', local, reads })
    await Promise.all(Object.values(boot?.reads ?? {}))
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /api/auth/refresh',
      'GET /api/profile',
      'GET /api/profile/p1/continue-watching',
      'GET /api/movies/slug/alien%20%C3%A9',
    ])
    expect(requests.at(-1)?.headers).toEqual({ Authorization: 'Bearer a.b.c', 'X-Profile-Id': 'p1' })
  })

  test('first reads omit URLs with a profile when no profile is stored', async () => {
    const { boot } = visitPage({ url: '/', reads })
    expect(Object.keys(boot?.reads ?? {})).toEqual(['/api/profile'])
  })

  test('first reads are not sent when the visitor is not signed in', async () => {
    const { boot, requests } = visitPage({ url: '/', local, reads, token: null })
    const results = await Promise.allSettled(Object.values(boot?.reads ?? {}))
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    expect(requests).toHaveLength(1)
  })
})

describe('the boot script uses the profile of the page load', () => {
  const local = { 'marquee-profile': 'kid', 'marquee-kids': 'kid other', i18nextLng: 'en' }
  const reads = ['/api/movies/featured?limit=20{kids:include-genres}']
  const createStoredHero = (profile: string, kids: boolean) =>
    JSON.stringify({ profile, kids, day: Math.floor(Date.now() / 86_400_000), media: { title: 'Reel' } })

  test('requests only titles for kids when a kids profile acts, even if another tab has an adult profile', () => {
    const session = { 'marquee-profile': 'kid' }
    const { boot } = visitPage({ url: '/', local: { ...local, 'marquee-profile': 'adult' }, session, reads })
    expect(Object.keys(boot?.reads ?? {})).toEqual([
      '/api/movies/featured?limit=20&kids=true&include-genres=10751&include-genres=10762&include-genres=16',
    ])
  })

  test('requests titles without the kids filter when the acting profile is not a kids profile', () => {
    const { boot } = visitPage({ url: '/', local: { ...local, 'marquee-profile': 'adult' }, reads })
    expect(Object.keys(boot?.reads ?? {})).toEqual(['/api/movies/featured?limit=20'])
  })

  test.each([
    ['/search/?q=x', '/'],
    ['/fr/movies/x', '/fr/'],
  ])('opens the home page instead of %s if another profile opened this history entry', (url, home) => {
    const { redirectTarget, requests } = visitPage({ url, local, reads, historyState: { profile: 'adult' } })
    expect(redirectTarget).toBe(home)
    expect(requests).toEqual([])
  })

  test('opens the home page in the stored language instead of a page that another profile opened', () => {
    const visitOptions = { local: { ...local, i18nextLng: 'ar' }, historyState: { profile: 'adult' } }
    expect(visitPage({ url: '/search/?q=x', ...visitOptions }).redirectTarget).toBe('/ar/')
  })

  test.each(['/', '/fr/'])(
    'keeps the home page %s that another profile opened, and removes the state of that profile',
    (url) => {
      const { redirectTarget, history, boot } = visitPage({
        url,
        local: { ...local, i18nextLng: url === '/' ? 'en' : 'fr' },
        reads,
        historyState: { profile: 'adult' },
      })
      expect([redirectTarget, history.state]).toEqual([null, null])
      expect(Object.keys(boot?.reads ?? {})).toHaveLength(1)
    },
  )

  test.each([
    ['of the same profile', { profile: 'kid' }],
    ['without a profile', { profile: null }],
    ['without state', undefined],
  ])('keeps the page of a history entry %s', (_, historyState) => {
    expect(
      visitPage({ url: '/search/?q=x', local, ...(historyState && { historyState }) }).redirectTarget,
    ).toBeNull()
  })

  test('shows the stored hero only to the profile for which it was stored', () => {
    const showStoredHero = (hero: string) => {
      const { boot } = visitPage({ url: '/', local: { ...local, 'marquee-first': hero } })
      boot?.showStoredHero()
      return boot?.heroTitles
    }
    expect(showStoredHero(createStoredHero('kid', true))).toEqual([{ title: 'Reel' }])
    expect(showStoredHero(createStoredHero('adult', false))).toBeUndefined()
    expect(showStoredHero(createStoredHero('kid', false))).toBeUndefined()
  })

  test('does not show the stored hero after another profile was selected', () => {
    const visitResult = visitPage({
      url: '/',
      local: { ...local, 'marquee-first': createStoredHero('kid', true) },
    })
    visitResult.local['marquee-profile'] = 'adult'
    visitResult.boot?.showStoredHero()
    expect(visitResult.boot?.heroTitles).toBeUndefined()
  })

  test('shows the hero of the first read when the skeleton is parsed', async () => {
    const { boot, countHeroes } = visitPage({ url: '/', local, reads })
    await Promise.all(Object.values(boot?.reads ?? {}))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(countHeroes()).toBe(0)
    boot?.showStoredHero()
    await vi.waitFor(() => expect(countHeroes()).toBe(1))
  })

  test('shows the hero of a title page when the document is parsed', async () => {
    const titleReads = ['/api/movies/slug/{slug}']
    const { countHeroes, finishParsing } = visitPage({ url: '/movies/reel', local, reads: titleReads })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(countHeroes()).toBe(0)
    finishParsing()
    await vi.waitFor(() => expect(countHeroes()).toBe(1))
  })

  test('does not show a hero that arrives after another profile was selected', async () => {
    const { boot, countHeroes } = visitPage({ url: '/', local, reads })
    if (!boot) throw new Error('The boot script did not run')
    boot.showStoredHero()
    const [read] = Object.values(boot.reads)
    boot.reads = {}
    await read
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect([countHeroes(), boot.heroTitles]).toEqual([0, undefined])
  })
})

describe('the boot script on the home page', () => {
  const reads = ['/api/movies/featured?limit=20', '/api/profile/{profile}/continue-watching', '/api/profile']
  const featured = { results: [{ title: 'Reel' }] }
  const createHomeData = (profile: string) => ({
    profile_id: profile,
    rows: ['continue', 'picks'],
    featured,
    continue_watching: { results: [] },
  })

  test('takes featured titles and Continue Watching from the refresh reply', async () => {
    const { boot, requests } = visitPage({
      url: '/',
      local: { 'marquee-profile': 'adult' },
      reads,
      home: createHomeData('adult'),
    })
    const responses = await Promise.all(Object.values(boot?.reads ?? {}))
    expect(await responses[0]?.json()).toEqual(featured)
    expect(await responses[1]?.json()).toEqual({ results: [] })
    expect(requests.map(({ url }) => url)).toEqual(['/api/auth/refresh', '/api/profile'])
    expect(requests[0]?.body).toEqual({ home: { kids: false } })
  })

  test('requests the lists separately when the reply belongs to another profile', async () => {
    const { boot, requests } = visitPage({
      url: '/',
      local: { 'marquee-profile': 'adult' },
      reads,
      home: createHomeData('kid'),
    })
    await Promise.all(Object.values(boot?.reads ?? {}))
    expect(requests.map(({ url }) => url)).toContain('/api/movies/featured?limit=20')
    expect(requests.map(({ url }) => url)).toContain('/api/profile/adult/continue-watching')
  })

  test('requests no home data on other pages, or without a stored profile', () => {
    expect(
      visitPage({ url: '/mylist/', local: { 'marquee-profile': 'adult' } }).requests[0]?.body,
    ).toBeUndefined()
    expect(visitPage({ url: '/', reads }).requests[0]?.body).toBeUndefined()
  })
})

describe('the boot script after the first script of the player', () => {
  const createEarlyData = (response: Response) => {
    const resolvedPromise = Promise.resolve()
    return { refreshResponse: Promise.resolve(response), reads: {}, scriptsAllowed: resolvedPromise }
  }

  test('reuses the session response of the player script, and sends the first reads with its token', async () => {
    const earlyData = createEarlyData(Response.json({ access_token: 'd.e.f' }))
    const { boot, requests } = visitPage({ url: '/watch/', reads: ['/api/profile'], early: earlyData })
    await boot?.reads['/api/profile']
    expect((await boot?.refreshResponse)?.status).toBe(200)
    expect(requests.map(({ url }) => url)).toEqual(['/api/profile'])
    expect(requests[0]?.headers).toEqual({ Authorization: 'Bearer d.e.f' })
  })

  test.each([
    [422, ['/api/auth/refresh']],
    [401, []],
    [503, []],
  ])(
    'after the early session request failed with %i, the boot script requests %j',
    async (status, expectedRequests) => {
      const { boot, requests } = visitPage({
        url: '/watch/',
        early: createEarlyData(new Response(null, { status })),
      })
      await boot?.refreshResponse
      expect(requests.map(({ url }) => url)).toEqual(expectedRequests)
    },
  )
})

describe('the boot script applies display preferences and lite mode', () => {
  const getDataset = (visitOptions: Partial<BootVisit>) => visitPage({ url: '/', ...visitOptions }).dataset

  test('applies the stored display preferences before the first paint', () => {
    const local = { 'marquee-comfort': '{"text":"130","contrast":"high","motion":"less","home":"simple"}' }
    expect(getDataset({ local })).toMatchObject({
      text: '130',
      contrast: 'high',
      motion: 'less',
      home: 'simple',
    })
    expect(getDataset({ local: { 'marquee-comfort': 'broken' } })).toEqual({ theme: 'dark' })
  })

  test.each<[string, Partial<BootVisit>, boolean]>([
    ['is off with eight cores', { device: { hardwareConcurrency: 8, deviceMemory: 8 } }, false],
    [
      'is off with two cores and enough memory',
      { device: { hardwareConcurrency: 2, deviceMemory: 4 } },
      false,
    ],
    ['is on with two cores and unknown memory', { device: { hardwareConcurrency: 2 } }, true],
    ['is on with little memory', { device: { hardwareConcurrency: 8, deviceMemory: 2 } }, true],
    ['is on with data saver', { device: { connection: { saveData: true } } }, true],
    ['is on after slow frames were detected in this session', { session: { 'marquee-late': '1' } }, true],
    ['is on when the viewer turned it on', { local: { 'marquee-lite': '1' } }, true],
    [
      'is off when the viewer turned it off',
      { local: { 'marquee-lite': '0' }, device: { deviceMemory: 1 } },
      false,
    ],
  ])('lite mode %s', (_, visitOptions, isLite) => expect('lite' in getDataset(visitOptions)).toBe(isLite))
})

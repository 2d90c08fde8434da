/**
 * Runs the bundled boot script in a simulated browser. The tests cover language, theme, requests, the hero of the home
 * page, and display preferences.
 */
import { describe, expect, test } from 'vitest'
import { LOCALES } from '../../src/lib/i18n/locales.ts'
import { splitLocale } from '../../src/lib/routes.ts'
import { waitFor } from '../support/wait-for.ts'
import { loadInlineScript } from './inline-script.ts'

const runBoot = await loadInlineScript('src/page-scripts/inline/boot.ts')

interface BootVisit {
  url: string
  cookie?: string
  localStorageValues?: Record<string, string>
  sessionStorageValues?: Record<string, string>
  languages?: string[]
  isSystemLight?: boolean
  isContrastHigh?: boolean
  firstReadUrls?: string[]
  /** Properties of `navigator` that describe the device. */
  deviceProperties?: object
  /** Access token in the response of POST /api/auth/refresh; null for a 401. */
  accessToken?: string | null
  /** Data of the home page in the response of POST /api/auth/refresh. */
  homeStart?: object
  historyState?: object
  /** Data that early-playback.ts, the first script of the player, provides to the boot script. */
  earlyPlayback?: EarlyPlayback
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
  localStorageValues = {},
  sessionStorageValues = {},
  languages = ['en-GB'],
  ...options
}: BootVisit) {
  const pageUrl = new URL(url, 'http://marquee.example')
  const dataset: Record<string, string> = {}
  const requests: { url: string; method: string; headers: Record<string, string>; body?: object }[] = []
  let redirectTarget: string | null = null
  let shownHeroCount = 0
  const readyStateListeners: (() => void)[] = []
  const localStorage = createStorage(localStorageValues)
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
      replace: (redirectUrl: string) => {
        redirectTarget = redirectUrl
      },
    },
    document: {
      documentElement: { lang: splitLocale(pageUrl.pathname).locale, dataset },
      cookie,
      readyState: 'loading',
      addEventListener: (type: string, listener: () => void) => {
        if (type === 'readystatechange') readyStateListeners.push(listener)
      },
      querySelector: (selector: string) => {
        if (selector === '[data-early-hero]') shownHeroCount += 1
        return selector.startsWith('meta') ? { content: JSON.stringify(options.firstReadUrls ?? []) } : null
      },
    },
    navigator: { languages, ...options.deviceProperties },
    addEventListener: () => {},
    requestAnimationFrame: () => 0,
    matchMedia: (query: string) => ({
      matches: query.includes('contrast') ? options.isContrastHigh === true : options.isSystemLight === true,
      addEventListener: () => {},
    }),
    localStorage,
    sessionStorage: createStorage(sessionStorageValues),
    fetch: async (requestUrl: string, init: RequestInit) => {
      requests.push({
        url: requestUrl,
        method: init.method ?? 'GET',
        headers: (init.headers ?? {}) as Record<string, string>,
        ...(typeof init.body === 'string' && { body: JSON.parse(init.body) as object }),
      })
      const accessToken = options.accessToken === undefined ? 'a.b.c' : options.accessToken
      return accessToken === null
        ? new Response(null, { status: 401 })
        : Response.json({ access_token: accessToken, results: [], home: options.homeStart })
    },
    URLSearchParams,
    __early: options.earlyPlayback,
    __boot: undefined as BootData | undefined,
  }
  runBoot(page)
  return {
    redirectTarget: redirectTarget as string | null,
    localStorageAfterBoot: localStorage.values,
    dataset,
    requests,
    bootData: page.__boot,
    history,
    /** Returns how many times the script showed a hero (the large title at the top of the home page). */
    countHeroes: () => shownHeroCount,
    finishParsing: () => {
      for (const listener of readyStateListeners) listener()
    },
  }
}

describe('the boot script chooses the language', () => {
  test.each<[string, BootVisit, string | null]>([
    ['keeps the page when no source names a language', { url: '/', languages: [] }, null],
    [
      'uses the language of the query before the cookie and local storage',
      { url: '/?lng=fr', cookie: 'i18next=ar', localStorageValues: { i18nextLng: 'ar' } },
      '/fr/',
    ],
    [
      'uses the language of the cookie before local storage',
      { url: '/', cookie: 'a=b; i18next=fr', localStorageValues: { i18nextLng: 'ar' } },
      '/fr/',
    ],
    [
      'uses the language of local storage before session storage',
      { url: '/', localStorageValues: { i18nextLng: 'ar' }, sessionStorageValues: { i18nextLng: 'fr' } },
      '/ar/',
    ],
    [
      'uses the language of session storage before the browser languages',
      { url: '/', sessionStorageValues: { i18nextLng: 'fr' }, languages: ['ar'] },
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
      { url: '/?lng=xx', cookie: 'i18next=yy', localStorageValues: { i18nextLng: 'fr' } },
      '/fr/',
    ],
    [
      'prefers the language prefix of the URL to stored choices',
      { url: '/fr/movies/', localStorageValues: { i18nextLng: 'ar' } },
      null,
    ],
    [
      'prefers the query to the language prefix of the URL',
      { url: '/fr/movies/?lng=ar', localStorageValues: {} },
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
      { url: '/', localStorageValues: { i18nextLng: 'en' }, languages: ['fr'] },
      null,
    ],
  ])('the boot script %s', (_, visitOptions, redirectUrl) =>
    expect(visitPage(visitOptions).redirectTarget).toBe(redirectUrl),
  )

  test('the boot script stores the chosen language in local storage', () => {
    expect(visitPage({ url: '/fr/' }).localStorageAfterBoot['i18nextLng']).toBe('fr')
    expect(visitPage({ url: '/', languages: ['ar'] }).localStorageAfterBoot['i18nextLng']).toBe('ar')
  })

  test('the boot script redirects at most twice, for any combination of language sources', () => {
    const languageChoices = [undefined, ...LOCALES, 'xx']
    for (const url of ['/', '/fr/', '/ar', '/movies/x', '/fr/nowhere', '/french/'])
      for (const queryLanguage of languageChoices)
        for (const cookieLanguage of languageChoices)
          for (const storedLanguage of languageChoices)
            for (const browserLanguage of languageChoices) {
              const query = queryLanguage ? `?lng=${queryLanguage}` : ''
              const otherLanguageSources = {
                cookie: cookieLanguage ? `i18next=${cookieLanguage}` : '',
                languages: browserLanguage ? [browserLanguage] : [],
              }
              const firstVisit = visitPage({
                url: url + query,
                localStorageValues: storedLanguage ? { i18nextLng: storedLanguage } : {},
                ...otherLanguageSources,
              })
              if (firstVisit.redirectTarget === null) continue
              const secondVisit = visitPage({
                url: firstVisit.redirectTarget,
                localStorageValues: firstVisit.localStorageAfterBoot,
                ...otherLanguageSources,
              })
              const thirdVisit =
                secondVisit.redirectTarget &&
                visitPage({
                  url: secondVisit.redirectTarget,
                  localStorageValues: secondVisit.localStorageAfterBoot,
                  ...otherLanguageSources,
                })
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

  test('the boot script sends no request when it redirects to another language', () => {
    expect(visitPage({ url: '/?lng=fr' }).requests).toEqual([])
  })
})

describe('on a page whose URL ends in the middle of a percent-encoded character', () => {
  test('the boot script still applies the theme and refreshes the session', () => {
    const { dataset, requests } = visitPage({
      url: '/movie/100%',
      localStorageValues: { 'marquee-theme': 'light', 'marquee-profile': 'alex' },
      firstReadUrls: ['/api/movies/slug/{slug}'],
    })
    expect(dataset['theme']).toBe('light')
    expect(requests.map(({ url }) => url)).toEqual(['/api/auth/refresh'])
  })
})

describe('the theme that the boot script applies', () => {
  test.each([
    [{}, false, 'dark'],
    [{}, true, 'light'],
    [{ 'marquee-theme': 'system' }, true, 'light'],
    [{ 'marquee-theme': 'dark' }, true, 'dark'],
    [{ 'marquee-theme': 'light' }, false, 'light'],
    [{ 'marquee-theme': 'nonsense' }, false, 'dark'],
  ])(
    'with the local storage %j and a light system theme (%s), the boot script applies the theme %s',
    (localStorageValues, isSystemLight, theme) => {
      expect(visitPage({ url: '/', localStorageValues, isSystemLight }).dataset['theme']).toBe(theme)
    },
  )
})

describe('the contrast that the boot script applies', () => {
  test.each([
    [{}, false, undefined],
    [{}, true, 'high'],
    [{ 'marquee-comfort': '{"text":"130"}' }, true, 'high'],
    [{ 'marquee-comfort': '{"contrast":"high"}' }, false, 'high'],
  ])(
    'with the local storage %j and high contrast of the system (%s), the boot script applies the contrast %s',
    (localStorageValues, isContrastHigh, contrast) => {
      expect(visitPage({ url: '/', localStorageValues, isContrastHigh }).dataset['contrast']).toBe(contrast)
    },
  )
})

describe('the first reads that the boot script sends', () => {
  const localStorageValues = { 'marquee-profile': 'p1' }
  const firstReadUrls = [
    '/api/profile',
    '/api/profile/{profile}/continue-watching',
    '/api/movies/slug/{slug}',
  ]

  test('first reads are sent after the session request, with the stored profile and the slug of the URL', async () => {
    const { bootData, requests } = visitPage({
      url: '/movies/alien%20%C3%A9',
      localStorageValues,
      firstReadUrls,
    })
    await Promise.all(Object.values(bootData?.reads ?? {}))
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /api/auth/refresh',
      'GET /api/profile',
      'GET /api/profile/p1/continue-watching',
      'GET /api/movies/slug/alien%20%C3%A9',
    ])
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    expect(requests[0]?.headers).toEqual({ 'X-Time-Zone': timeZone })
    expect(requests.at(-1)?.headers).toEqual({ Authorization: 'Bearer a.b.c', 'X-Profile-Id': 'p1' })
    expect(requests[1]?.headers).toEqual({ Authorization: 'Bearer a.b.c' })
  })

  test('first reads omit URLs that contain a profile when no profile is stored', async () => {
    const { bootData } = visitPage({ url: '/', firstReadUrls })
    expect(Object.keys(bootData?.reads ?? {})).toEqual(['/api/profile'])
  })

  test('first reads are not sent when the visitor is not signed in', async () => {
    const { bootData, requests } = visitPage({
      url: '/',
      localStorageValues,
      firstReadUrls,
      accessToken: null,
    })
    const readResults = await Promise.allSettled(Object.values(bootData?.reads ?? {}))
    expect(readResults.map(({ status }) => status)).toEqual(firstReadUrls.map(() => 'rejected'))
    expect(requests).toHaveLength(1)
  })
})

describe('the boot script in a tab with an acting profile', () => {
  const localStorageValues = { 'marquee-profile': 'kid', 'marquee-kids': 'kid other', i18nextLng: 'en' }
  const firstReadUrls = ['/api/movies/featured?limit=20{kids:include-genres}']
  const createStoredHero = (profile: string, isKids: boolean) =>
    JSON.stringify({
      profile,
      kids: isKids,
      day: Math.floor(Date.now() / 86_400_000),
      media: { title: 'Reel' },
    })

  test('requests only titles for kids when a kids profile acts, even if another tab has an adult profile', () => {
    const sessionStorageValues = { 'marquee-profile': 'kid' }
    const { bootData } = visitPage({
      url: '/',
      localStorageValues: { ...localStorageValues, 'marquee-profile': 'adult' },
      sessionStorageValues,
      firstReadUrls,
    })
    expect(Object.keys(bootData?.reads ?? {})).toEqual([
      '/api/movies/featured?limit=20&kids=true&include-genres=10751&include-genres=10762&include-genres=16',
    ])
  })

  test('requests titles without the kids filter when the acting profile is not a kids profile', () => {
    const { bootData } = visitPage({
      url: '/',
      localStorageValues: { ...localStorageValues, 'marquee-profile': 'adult' },
      firstReadUrls,
    })
    expect(Object.keys(bootData?.reads ?? {})).toEqual(['/api/movies/featured?limit=20'])
  })

  test.each([
    ['/search/?q=x', '/'],
    ['/fr/movies/x', '/fr/'],
  ])('opens the home page instead of %s if the history entry stores another profile', (url, homePath) => {
    const { redirectTarget, requests } = visitPage({
      url,
      localStorageValues,
      firstReadUrls,
      historyState: { profile: 'adult' },
    })
    expect(redirectTarget).toBe(homePath)
    expect(requests).toEqual([])
  })

  test('opens the home page in the stored language instead of a page that another profile opened', () => {
    const visitOptions = {
      localStorageValues: { ...localStorageValues, i18nextLng: 'ar' },
      historyState: { profile: 'adult' },
    }
    expect(visitPage({ url: '/search/?q=x', ...visitOptions }).redirectTarget).toBe('/ar/')
  })

  test.each(['/', '/fr/'])(
    'stays on the home page %s if the history entry stores another profile, and removes the state from the history entry',
    (url) => {
      const { redirectTarget, history, bootData } = visitPage({
        url,
        localStorageValues: { ...localStorageValues, i18nextLng: url === '/' ? 'en' : 'fr' },
        firstReadUrls,
        historyState: { profile: 'adult' },
      })
      expect([redirectTarget, history.state]).toEqual([null, null])
      expect(Object.keys(bootData?.reads ?? {})).toHaveLength(1)
    },
  )

  test.each([
    ['of the same profile', { profile: 'kid' }],
    ['without a profile', { profile: null }],
    ['without state', undefined],
  ])('keeps the page of a history entry %s', (_, historyState) => {
    expect(
      visitPage({
        url: '/search/?q=x',
        localStorageValues,
        ...(historyState && { historyState }),
      }).redirectTarget,
    ).toBeNull()
  })

  test('shows the stored hero only to the profile for which it was stored', () => {
    const showStoredHero = (storedHero: string) => {
      const { bootData } = visitPage({
        url: '/',
        localStorageValues: { ...localStorageValues, 'marquee-first': storedHero },
      })
      bootData?.showStoredHero()
      return bootData?.heroTitles
    }
    expect(showStoredHero(createStoredHero('kid', true))).toEqual([{ title: 'Reel' }])
    expect(showStoredHero(createStoredHero('adult', false))).toBeUndefined()
    expect(showStoredHero(createStoredHero('kid', false))).toBeUndefined()
  })

  test('does not show the stored hero after another profile was selected', () => {
    const openedPage = visitPage({
      url: '/',
      localStorageValues: { ...localStorageValues, 'marquee-first': createStoredHero('kid', true) },
    })
    openedPage.localStorageAfterBoot['marquee-profile'] = 'adult'
    openedPage.bootData?.showStoredHero()
    expect(openedPage.bootData?.heroTitles).toBeUndefined()
  })

  test('when the reply with the hero arrives before the skeleton of the page is parsed, shows the hero as soon as the skeleton is parsed', async () => {
    const { bootData, countHeroes } = visitPage({
      url: '/',
      localStorageValues,
      firstReadUrls,
    })
    await Promise.all(Object.values(bootData?.reads ?? {}))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(countHeroes()).toBe(0)
    bootData?.showStoredHero()
    await waitFor(() => expect(countHeroes()).toBe(1))
  })

  test('shows the hero of a title page as soon as the document is parsed', async () => {
    const titleReads = ['/api/movies/slug/{slug}']
    const { countHeroes, finishParsing } = visitPage({
      url: '/movies/reel',
      localStorageValues,
      firstReadUrls: titleReads,
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(countHeroes()).toBe(0)
    finishParsing()
    await waitFor(() => expect(countHeroes()).toBe(1))
  })

  test('does not show a hero that arrives after another profile was selected', async () => {
    const { bootData, countHeroes } = visitPage({
      url: '/',
      localStorageValues,
      firstReadUrls,
    })
    if (!bootData) throw new Error('The boot script did not run')
    bootData.showStoredHero()
    const [featuredRead] = Object.values(bootData.reads)
    bootData.reads = {}
    await featuredRead
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect([countHeroes(), bootData.heroTitles]).toEqual([0, undefined])
  })
})

describe('the boot script and the data of the home page', () => {
  const firstReadUrls = [
    '/api/movies/featured?limit=20',
    '/api/profile/{profile}/continue-watching',
    '/api/profile',
  ]
  const featuredTitles = { results: [{ title: 'Reel' }] }
  const createHomeStart = (profile: string) => ({
    profile_id: profile,
    rows: ['continue', 'picks'],
    featured: featuredTitles,
    continue_watching: { results: [] },
  })

  test('takes featured titles and Continue Watching from the refresh reply', async () => {
    const { bootData, requests } = visitPage({
      url: '/',
      localStorageValues: { 'marquee-profile': 'adult' },
      firstReadUrls,
      homeStart: createHomeStart('adult'),
    })
    const responses = await Promise.all(Object.values(bootData?.reads ?? {}))
    expect(await responses[0]?.json()).toEqual(featuredTitles)
    expect(await responses[1]?.json()).toEqual({ results: [] })
    expect(requests.map(({ url }) => url)).toEqual(['/api/auth/refresh', '/api/profile'])
    expect(requests[0]?.body).toEqual({ home: { kids: false } })
  })

  test('requests the featured titles and Continue Watching separately when the refresh reply contains the home page data of another profile', async () => {
    const { bootData, requests } = visitPage({
      url: '/',
      localStorageValues: { 'marquee-profile': 'adult' },
      firstReadUrls,
      homeStart: createHomeStart('kid'),
    })
    await Promise.all(Object.values(bootData?.reads ?? {}))
    expect(requests.map(({ url }) => url)).toContain('/api/movies/featured?limit=20')
    expect(requests.map(({ url }) => url)).toContain('/api/profile/adult/continue-watching')
  })

  test('requests no home data on pages other than the home page, or without a stored profile', () => {
    expect(
      visitPage({ url: '/mylist/', localStorageValues: { 'marquee-profile': 'adult' } }).requests[0]?.body,
    ).toBeUndefined()
    expect(visitPage({ url: '/', firstReadUrls }).requests[0]?.body).toBeUndefined()
  })
})

describe('the boot script after the script of early playback', () => {
  const createEarlyPlayback = (refreshResponse: Response) => {
    const resolvedPromise = Promise.resolve()
    return { refreshResponse: Promise.resolve(refreshResponse), reads: {}, scriptPermission: resolvedPromise }
  }

  test('reuses the session response of early playback, and sends the first reads with the token of that response', async () => {
    const earlyPlayback = createEarlyPlayback(Response.json({ access_token: 'd.e.f' }))
    const { bootData, requests } = visitPage({
      url: '/watch/',
      firstReadUrls: ['/api/profile'],
      earlyPlayback,
    })
    await bootData?.reads['/api/profile']
    expect((await bootData?.refreshResponse)?.status).toBe(200)
    expect(requests.map(({ url }) => url)).toEqual(['/api/profile'])
    expect(requests[0]?.headers).toEqual({ Authorization: 'Bearer d.e.f' })
  })

  test.each([
    [422, ['/api/auth/refresh']],
    [401, []],
    [503, []],
  ])(
    'after the session request of early playback failed with %i, the boot script requests %j',
    async (status, expectedRequestUrls) => {
      const { bootData, requests } = visitPage({
        url: '/watch/',
        earlyPlayback: createEarlyPlayback(new Response(null, { status })),
      })
      await bootData?.refreshResponse
      expect(requests.map(({ url }) => url)).toEqual(expectedRequestUrls)
    },
  )
})

describe('the boot script applies display preferences and lite mode', () => {
  const visitAndGetDataset = (visitOptions: Partial<BootVisit>) =>
    visitPage({ url: '/', ...visitOptions }).dataset

  test('applies the stored display preferences before the first paint', () => {
    const localStorageValues = {
      'marquee-comfort': '{"text":"130","contrast":"high","motion":"less","home":"simple"}',
    }
    expect(visitAndGetDataset({ localStorageValues })).toMatchObject({
      text: '130',
      contrast: 'high',
      motion: 'less',
      home: 'simple',
    })
    expect(visitAndGetDataset({ localStorageValues: { 'marquee-comfort': 'broken' } })).toEqual({
      theme: 'dark',
    })
  })

  test.each<[string, Partial<BootVisit>, boolean]>([
    ['is off with eight cores', { deviceProperties: { hardwareConcurrency: 8, deviceMemory: 8 } }, false],
    [
      'is off with two cores and enough memory',
      { deviceProperties: { hardwareConcurrency: 2, deviceMemory: 4 } },
      false,
    ],
    ['is on with two cores and unknown memory', { deviceProperties: { hardwareConcurrency: 2 } }, true],
    ['is on with little memory', { deviceProperties: { hardwareConcurrency: 8, deviceMemory: 2 } }, true],
    ['is on with data saver', { deviceProperties: { connection: { saveData: true } } }, true],
    [
      'is on after slow frames were detected in this session',
      { sessionStorageValues: { 'marquee-late': '1' } },
      true,
    ],
    ['is on when the viewer turned it on', { localStorageValues: { 'marquee-lite': '1' } }, true],
    [
      'is off when the viewer turned it off',
      { localStorageValues: { 'marquee-lite': '0' }, deviceProperties: { deviceMemory: 1 } },
      false,
    ],
  ])('lite mode %s', (_, visitOptions, isLite) =>
    expect('lite' in visitAndGetDataset(visitOptions)).toBe(isLite),
  )
})

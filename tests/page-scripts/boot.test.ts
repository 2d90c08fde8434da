/** The bundled boot script in a browser made of plain objects: language, theme and first reads. */
import { describe, expect, test } from 'vitest'
import { LOCALES } from '../../src/lib/i18n/locales.ts'
import { splitLocale } from '../../src/lib/routes.ts'
import { loadInlineScript } from './inline-script.ts'

const runBoot = await loadInlineScript('src/page-scripts/inline/boot.ts')

interface Visit {
  address: string
  cookie?: string
  local?: Record<string, string>
  session?: Record<string, string>
  languages?: string[]
  light?: boolean
  reads?: string[]
  /** What the navigator tells of the device. */
  device?: object
  /** What POST /api/auth/refresh answers. */
  token?: string | null
  /** What the inline script of the player's page left (early-playback.ts). */
  early?: EarlyPlayback
}

function storage(start: Record<string, string>) {
  const values = { ...start }
  return {
    values,
    getItem: (key: string) => values[key] ?? null,
    setItem: (key: string, value: string) => {
      values[key] = value
    },
  }
}

function visit({ address, cookie = '', local = {}, session = {}, languages = ['en-GB'], ...rest }: Visit) {
  const url = new URL(address, 'http://marquee.example')
  const dataset: Record<string, string> = {}
  const requests: { url: string; method: string; headers: Record<string, string> }[] = []
  let replaced: string | null = null
  const localStorage = storage(local)
  const page = {
    location: {
      pathname: url.pathname,
      search: url.search,
      hash: url.hash,
      replace: (target: string) => {
        replaced = target
      },
    },
    document: {
      documentElement: { lang: splitLocale(url.pathname).locale, dataset },
      cookie,
      readyState: 'loading',
      addEventListener: () => {},
      querySelector: () => ({ content: JSON.stringify(rest.reads ?? []) }),
    },
    navigator: { languages, ...rest.device },
    addEventListener: () => {},
    matchMedia: () => ({ matches: rest.light ?? false, addEventListener: () => {} }),
    localStorage,
    sessionStorage: storage(session),
    fetch: async (target: string, init: RequestInit) => {
      requests.push({
        url: target,
        method: init.method ?? 'GET',
        headers: (init.headers ?? {}) as Record<string, string>,
      })
      const token = rest.token === undefined ? 'a.b.c' : rest.token
      return token === null ? new Response(null, { status: 401 }) : Response.json({ access_token: token })
    },
    URLSearchParams,
    __early: rest.early,
    __boot: undefined as BootData | undefined,
  }
  runBoot(page)
  return {
    replaced: replaced as string | null,
    local: localStorage.values,
    dataset,
    requests,
    boot: page.__boot,
  }
}

describe('language (Spec §9)', () => {
  test.each<[string, Visit, string | null]>([
    ['nothing known: the page as it is', { address: '/', languages: [] }, null],
    [
      'the query is asked first',
      { address: '/?lng=fr', cookie: 'i18next=ar', local: { i18nextLng: 'ar' } },
      '/fr/',
    ],
    ['then the cookie', { address: '/', cookie: 'a=b; i18next=fr', local: { i18nextLng: 'ar' } }, '/fr/'],
    [
      'then local storage',
      { address: '/', local: { i18nextLng: 'ar' }, session: { i18nextLng: 'fr' } },
      '/ar/',
    ],
    ['then session storage', { address: '/', session: { i18nextLng: 'fr' }, languages: ['ar'] }, '/fr/'],
    ['then the browser', { address: '/', languages: ['xx-AT', 'ar-EG', 'fr'] }, '/ar/'],
    ['then the page', { address: '/', languages: ['xx', 'yy'] }, null],
    [
      'an unknown language is passed over',
      { address: '/?lng=xx', cookie: 'i18next=yy', local: { i18nextLng: 'fr' } },
      '/fr/',
    ],
    [
      'a language in the address was asked for',
      { address: '/fr/movies/', local: { i18nextLng: 'ar' } },
      null,
    ],
    ['unless the query asks for another', { address: '/fr/movies/?lng=ar', local: {} }, '/ar/movies/'],
    ['back to English', { address: '/ar/mylist/?lng=en#x' }, '/mylist/#x'],
    [
      'the rest of the address stays',
      { address: '/movies/alien?a=1&lng=fr&b=2#c' },
      '/fr/movies/alien?a=1&b=2#c',
    ],
    [
      'a chosen English stays English',
      { address: '/', local: { i18nextLng: 'en' }, languages: ['fr'] },
      null,
    ],
  ])('%s', (_, given, target) => expect(visit(given).replaced).toBe(target))

  test('is kept in local storage', () => {
    expect(visit({ address: '/fr/' }).local['i18nextLng']).toBe('fr')
    expect(visit({ address: '/', languages: ['ar'] }).local['i18nextLng']).toBe('ar')
  })

  test('never goes round in a circle, wherever a visitor comes from', () => {
    const choices = [undefined, ...LOCALES, 'xx']
    for (const address of ['/', '/fr/', '/ar', '/movies/x', '/fr/nowhere', '/french/'])
      for (const asked of choices)
        for (const cookie of choices)
          for (const local of choices)
            for (const browser of choices) {
              const query = asked ? `?lng=${asked}` : ''
              const rest = {
                cookie: cookie ? `i18next=${cookie}` : '',
                languages: browser ? [browser] : [],
              }
              const first = visit({
                address: address + query,
                local: local ? { i18nextLng: local } : {},
                ...rest,
              })
              if (first.replaced === null) continue
              const second = visit({ address: first.replaced, local: first.local, ...rest })
              const third =
                second.replaced && visit({ address: second.replaced, local: second.local, ...rest })
              if (third && third.replaced !== null)
                expect.fail(JSON.stringify({ address, asked, cookie, local, browser }))
            }
  })

  test('nothing is fetched for a page that is left', () => {
    expect(visit({ address: '/?lng=fr' }).requests).toEqual([])
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
  ])('%j with a light system: %s', (local, light, theme) => {
    expect(visit({ address: '/', local, light }).dataset['theme']).toBe(theme)
  })
})

describe('first reads', () => {
  const local = { 'marquee-profile': 'p1' }
  const reads = ['/api/profile', '/api/profile/{profile}/continue-watching', '/api/movies/slug/{slug}']

  test('follow the session at once, as the last profile, with the slug of the address', async () => {
    const { boot, requests } = visit({ address: '/movies/alien%20%C3%A9', local, reads })
    await Promise.all(Object.values(boot?.reads ?? {}))
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /api/auth/refresh',
      'GET /api/profile',
      'GET /api/profile/p1/continue-watching',
      'GET /api/movies/slug/alien%20%C3%A9',
    ])
    expect(requests.at(-1)?.headers).toEqual({ Authorization: 'Bearer a.b.c', 'X-Profile-Id': 'p1' })
  })

  test('what belongs to a profile waits for one', async () => {
    const { boot } = visit({ address: '/', reads })
    expect(Object.keys(boot?.reads ?? {})).toEqual(['/api/profile'])
  })

  test('nothing is read for somebody who is not signed in', async () => {
    const { boot, requests } = visit({ address: '/', local, reads, token: null })
    const answers = await Promise.allSettled(Object.values(boot?.reads ?? {}))
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true)
    expect(requests).toHaveLength(1)
  })
})

describe('after the player’s first script', () => {
  const early = (answer: Response) => {
    const here = Promise.resolve()
    return { refreshResponse: Promise.resolve(answer), reads: {}, scriptsAllowed: here }
  }

  test('the session is taken over, and the page’s own reads use its token', async () => {
    const given = early(Response.json({ access_token: 'd.e.f' }))
    const { boot, requests } = visit({ address: '/watch/', reads: ['/api/profile'], early: given })
    await boot?.reads['/api/profile']
    expect((await boot?.refreshResponse)?.status).toBe(200)
    expect(requests.map(({ url }) => url)).toEqual(['/api/profile'])
    expect(requests[0]?.headers).toEqual({ Authorization: 'Bearer d.e.f' })
  })

  test.each([
    [422, ['/api/auth/refresh']],
    [401, []],
    [503, []],
  ])('answered %i, the session is asked for alone: %j', async (status, asked) => {
    const { boot, requests } = visit({ address: '/watch/', early: early(new Response(null, { status })) })
    await boot?.refreshResponse
    expect(requests.map(({ url }) => url)).toEqual(asked)
  })
})

describe('comfort and lite mode', () => {
  const look = (given: Partial<Visit>) => visit({ address: '/', ...given }).dataset

  test('what the profile asked for stands before the first paint', () => {
    const local = { 'marquee-comfort': '{"text":"130","contrast":"high","motion":"less","home":"simple"}' }
    expect(look({ local })).toMatchObject({ text: '130', contrast: 'high', motion: 'less', home: 'simple' })
    expect(look({ local: { 'marquee-comfort': 'broken' } })).toEqual({ theme: 'dark' })
  })

  test.each<[string, Partial<Visit>, boolean]>([
    ['eight cores', { device: { hardwareConcurrency: 8, deviceMemory: 8 } }, false],
    ['two cores with enough memory', { device: { hardwareConcurrency: 2, deviceMemory: 4 } }, false],
    ['two cores and nothing known of memory', { device: { hardwareConcurrency: 2 } }, true],
    ['little memory', { device: { hardwareConcurrency: 8, deviceMemory: 2 } }, true],
    ['a viewer who saves data', { device: { connection: { saveData: true } } }, true],
    ['frames that came late', { session: { 'marquee-late': '1' } }, true],
    ['chosen by hand', { local: { 'marquee-lite': '1' } }, true],
    ['refused by hand', { local: { 'marquee-lite': '0' }, device: { deviceMemory: 1 } }, false],
  ])('%s', (_, given, lite) => expect('lite' in look(given)).toBe(lite))
})

/** The service worker caches the pages and files of its build, and serves them without a network. */
import { beforeAll, describe, expect, it } from 'vitest'
import { loadInlineScript } from './inline-script.ts'

type Listener = (event: Record<string, unknown>) => void
const ORIGIN = 'https://home.example'
const toUrl = (key: string | { url: string }) => new URL(typeof key === 'string' ? key : key.url, ORIGIN).href

let runWorker: (page: object) => void
beforeAll(async () => {
  runWorker = await loadInlineScript('src/sw/worker.ts')
})

/**
 * Creates the cache storage of a device. Several workers can use it one after the other, as after an update of the
 * site. `isFull` makes every write fail.
 */
function createDevice() {
  const cachesByName = new Map<string, Map<string, Response>>()
  const storage = { isFull: false, cachesByName }
  const open = async (name: string) => {
    const responsesByUrl = cachesByName.get(name) ?? new Map<string, Response>()
    cachesByName.set(name, responsesByUrl)
    return {
      match: async (key: string | { url: string }) => responsesByUrl.get(toUrl(key))?.clone(),
      put: async (key: string, response: Response) => {
        if (storage.isFull) throw new DOMException('', 'QuotaExceededError')
        responsesByUrl.set(toUrl(key), response)
      },
      delete: async (key: string | { url: string }) => responsesByUrl.delete(toUrl(key)),
      keys: async () => [...responsesByUrl.keys()].map((url) => ({ url })),
    }
  }
  const caches = {
    open,
    has: async (name: string) => cachesByName.has(name),
    keys: async () => [...cachesByName.keys()],
    delete: async (name: string) => cachesByName.delete(name),
    match: async (key: string) => {
      for (const responsesByUrl of cachesByName.values())
        if (responsesByUrl.has(toUrl(key))) return responsesByUrl.get(toUrl(key))?.clone()
      return undefined
    },
  }
  return { storage, caches }
}

interface SimulatedSite {
  /** Content by path. A path without content is answered with 404. */
  contentByPath: Record<string, string>
  isReachable: boolean
}
const PAGES = [
  { pattern: '^(/fr)?/movies/$', examplePath: '/movies/' },
  { pattern: '^(/fr)?/offline/$', examplePath: '/offline/' },
]
const createShell = (name: string, ...files: string[]) =>
  `<title>${name}</title>${files.map((file) => `<script src="${file}"></script>`).join('')}`

/**
 * Starts the service worker of one build on a device. Returns the fetches of the worker, and functions that send events
 * to the worker.
 */
function startWorker(
  { caches }: ReturnType<typeof createDevice>,
  site: SimulatedSite,
  { version = 'one', files = ['/_a/app.1.js'], isDataSavingOn = false } = {},
) {
  const listeners = new Map<string, Listener>()
  const fetches: { path: string; cache: string | undefined }[] = []
  runWorker({
    BUILD_MANIFEST: { version, files, pages: PAGES, offline: '/offline/' },
    location: { origin: ORIGIN },
    addEventListener: (kind: string, listener: Listener) => listeners.set(kind, listener),
    registration: {},
    clients: { claim: async () => {} },
    skipWaiting: async () => {},
    caches,
    navigator: { connection: { saveData: isDataSavingOn } },
    fetch: async (request: string | { url: string }, init?: RequestInit) => {
      const path = new URL(toUrl(request)).pathname
      fetches.push({ path, cache: init?.cache })
      if (!site.isReachable) throw new TypeError('Failed to fetch')
      const content = site.contentByPath[path]
      const response = new Response(content ?? 'Not found', { status: content === undefined ? 404 : 200 })
      Object.defineProperties(response, { type: { value: 'basic' }, url: { value: toUrl(path) } })
      return response
    },
  })
  /**
   * Sends an event to the worker, and waits for all tasks that the worker starts. Returns the text of the response to
   * the event, or undefined without a response.
   */
  const sendEvent = async (kind: string, event: object = {}) => {
    const tasks: Promise<unknown>[] = []
    let response: Promise<Response> | undefined
    listeners.get(kind)?.({
      ...event,
      waitUntil: (task: Promise<unknown>) => tasks.push(task),
      respondWith: (pendingResponse: Promise<Response>) => {
        response = pendingResponse
      },
    })
    const body = await response?.then((servedResponse) => servedResponse.text())
    for (const task of tasks) await task
    return body
  }
  const request = (path: string, options: object) =>
    sendEvent('fetch', {
      request: { method: 'GET', url: toUrl(path), headers: new Headers(), cache: 'default', ...options },
    })
  return {
    fetches,
    install: async () => {
      await sendEvent('install')
      await sendEvent('activate')
    },
    cacheShells: () => sendEvent('message', { data: { kind: 'cache-shells', prefix: '' } }),
    openPage: (path: string) => request(path, { mode: 'navigate' }),
    loadFile: (path: string) => request(path, { mode: 'no-cors' }),
  }
}

const createSite = (): SimulatedSite => ({
  contentByPath: {
    '/movies/': createShell('Movies 1', '/_a/app.1.js'),
    '/offline/': createShell('Offline', '/_a/app.1.js'),
    '/_a/app.1.js': 'app 1',
    '/_a/subtitles.1.js': 'subtitles 1',
  },
  isReachable: true,
})

describe('on a device whose storage is full', () => {
  it('a file that would be cached at its first use is served from the network', async () => {
    const device = createDevice()
    const worker = startWorker(device, createSite())
    await worker.install()
    device.storage.isFull = true
    expect(await worker.loadFile('/_a/subtitles.1.js')).toBe('subtitles 1')
  })

  it('the worker of a new build is installed, and its pages and files are served from the network', async () => {
    const device = createDevice()
    device.storage.isFull = true
    const worker = startWorker(device, createSite())
    await worker.install()
    await worker.cacheShells()
    expect(await worker.openPage('/movies/')).toContain('Movies 1')
    expect(await worker.loadFile('/_a/app.1.js')).toBe('app 1')
  })
})

describe('files without a hash', () => {
  it.each([
    ['during the installation', false],
    ['at their first use, because the browser saves data', true],
  ])(
    'files without a hash are requested with the cache mode "no-cache" when they are cached %s',
    async (_, isDataSavingOn) => {
      const site = createSite()
      site.contentByPath['/favicon.svg'] = 'icon'
      const files = ['/_a/app.1.js', '/favicon.svg']
      const worker = startWorker(createDevice(), site, { files, isDataSavingOn })
      await worker.install()
      for (const file of files) await worker.loadFile(file)
      expect(worker.fetches.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
        { path: '/_a/app.1.js', cache: undefined },
        { path: '/favicon.svg', cache: 'no-cache' },
      ])
    },
  )
})

describe('without a network', () => {
  it('a cached page opens, and a page that is not cached is replaced by the offline page', async () => {
    const site = createSite()
    const worker = startWorker(createDevice(), site)
    await worker.install()
    await worker.cacheShells()
    site.isReachable = false
    expect(await worker.openPage('/movies/')).toContain('Movies 1')
    expect(await worker.openPage('/other/')).toContain('Offline')
  })

  it('a page in a locale that is not cached is replaced by the same page in a cached locale, or by the offline page if the page is cached in no locale', async () => {
    const site = createSite()
    const worker = startWorker(createDevice(), site)
    await worker.install()
    await worker.cacheShells()
    site.isReachable = false
    expect(await worker.openPage('/fr/movies/')).toContain('Movies 1')
    expect(await worker.openPage('/fr/other/')).toContain('Offline')
  })

  it('after an update of the site, offline pages are those of the old build until the worker of the new build is installed', async () => {
    const site = createSite()
    const device = createDevice()
    const worker = startWorker(device, site)
    await worker.install()
    await worker.cacheShells()
    const nextShell = createShell('Movies 2', '/_a/app.2.js')
    site.contentByPath = { ...site.contentByPath, '/movies/': nextShell, '/_a/app.2.js': 'app 2' }
    expect(await worker.openPage('/movies/')).toContain('Movies 1')
    expect(await worker.openPage('/movies/')).toContain('Movies 2')
    site.isReachable = false
    expect(await worker.openPage('/movies/')).toContain('Movies 1')
    site.isReachable = true
    const nextWorker = startWorker(device, site, { version: 'two', files: ['/_a/app.2.js'] })
    await nextWorker.install()
    site.isReachable = false
    expect(await nextWorker.openPage('/movies/')).toContain('Movies 2')
  })

  it('in data-saving mode, a page whose files are not cached is replaced by the offline page', async () => {
    const site = createSite()
    const worker = startWorker(createDevice(), site, { isDataSavingOn: true })
    await worker.install()
    await worker.cacheShells()
    site.isReachable = false
    expect(await worker.openPage('/movies/')).toContain('Offline')
    site.isReachable = true
    await worker.openPage('/movies/')
    await worker.loadFile('/_a/app.1.js')
    site.isReachable = false
    expect(await worker.openPage('/movies/')).toContain('Movies 1')
  })

  it('the cached page opens, even if the last response to its URL was the maintenance page of a proxy', async () => {
    const site = createSite()
    const worker = startWorker(createDevice(), site)
    await worker.install()
    await worker.cacheShells()
    site.contentByPath['/movies/'] = '<title>Maintenance</title>'
    await worker.openPage('/movies/')
    site.isReachable = false
    expect(await worker.openPage('/movies/')).toContain('Movies 1')
  })
})

it('the installation of a service worker fails when a file cannot be downloaded, and the next attempt downloads only that file', async () => {
  const site = createSite()
  const device = createDevice()
  const files = ['/_a/app.1.js', '/_a/home.1.js']
  await expect(startWorker(device, site, { files }).install()).rejects.toThrow('/_a/home.1.js')
  site.contentByPath['/_a/home.1.js'] = 'home 1'
  const worker = startWorker(device, site, { files })
  await worker.install()
  expect(worker.fetches.map(({ path }) => path)).toEqual(['/_a/home.1.js'])
})

it('after the installation of a new build has failed, the installation of the next build keeps the files of the build that is still active', async () => {
  const site = createSite()
  const device = createDevice()
  await startWorker(device, site).install()
  site.contentByPath = { '/_a/app.2.js': 'app 2', '/_a/app.3.js': 'app 3' }
  const secondBuild = { version: 'two', files: ['/_a/missing.2.js', '/_a/app.2.js'] }
  await expect(startWorker(device, site, secondBuild).install()).rejects.toThrow('/_a/missing.2.js')
  const thirdWorker = startWorker(device, site, { version: 'three', files: ['/_a/app.3.js'] })
  await thirdWorker.install()
  expect(await thirdWorker.loadFile('/_a/app.1.js')).toBe('app 1')
  expect(await thirdWorker.loadFile('/_a/app.2.js')).toBe('app 2')
  expect(thirdWorker.fetches.at(-1)?.path).toBe('/_a/app.2.js')
})

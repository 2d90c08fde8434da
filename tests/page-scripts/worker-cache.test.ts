/** The service worker caches the pages and files of its build, and serves them without a network. */
import { beforeAll, describe, expect, it } from 'vitest'
import { loadInlineScript } from './inline-script.ts'

type Listener = (event: Record<string, unknown>) => void
const ORIGIN = 'https://home.example'
const toUrl = (key: string | { url: string }) => new URL(typeof key === 'string' ? key : key.url, ORIGIN).href

let runWorker: (page: object) => void
beforeAll(async () => {
  runWorker = await loadInlineScript('src/sw/worker.ts')
}, 30_000)

/** Cache storage of a device, which survives an update of the worker. `isFull` makes every write fail. */
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

interface Site {
  /** Content by path. A path without content is answered with 404. */
  contents: Record<string, string>
  isReachable: boolean
}
const PAGES = [
  { pattern: '^(/fr)?/movies/$', examplePath: '/movies/' },
  { pattern: '^(/fr)?/offline/$', examplePath: '/offline/' },
]
const createShell = (name: string, ...files: string[]) =>
  `<title>${name}</title>${files.map((file) => `<script src="${file}"></script>`).join('')}`

/** Starts the worker of a build on a device. */
function startWorker(
  { caches }: ReturnType<typeof createDevice>,
  site: Site,
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
      const content = site.contents[path]
      const response = new Response(content ?? 'Not found', { status: content === undefined ? 404 : 200 })
      Object.defineProperties(response, { type: { value: 'basic' }, url: { value: toUrl(path) } })
      return response
    },
  })
  /** Sends an event to the worker, and waits for everything that the worker does after it. */
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
    const body = await response?.then((served) => served.text())
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

const createSite = (): Site => ({
  contents: {
    '/movies/': createShell('Movies 1', '/_a/app.1.js'),
    '/offline/': createShell('Offline', '/_a/app.1.js'),
    '/_a/app.1.js': 'app 1',
    '/_a/subtitles.1.js': 'subtitles 1',
  },
  isReachable: true,
})

describe('on a device whose storage is full', () => {
  it('a file that is cached on use is served from the network', async () => {
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
    ['at the installation', false],
    ['on use, while the browser saves data', true],
  ])('are requested past the HTTP cache when they are cached %s', async (_, isDataSavingOn) => {
    const site = createSite()
    site.contents['/favicon.svg'] = 'icon'
    const files = ['/_a/app.1.js', '/favicon.svg']
    const worker = startWorker(createDevice(), site, { files, isDataSavingOn })
    await worker.install()
    for (const file of files) await worker.loadFile(file)
    expect(worker.fetches.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: '/_a/app.1.js', cache: undefined },
      { path: '/favicon.svg', cache: 'no-cache' },
    ])
  })
})

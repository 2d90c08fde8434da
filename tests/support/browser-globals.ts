/**
 * The globals of a browser that the stores use, for tests in Node: storage, history, document, caches and connectivity.
 */
import { MemoryStorage } from '../client/pending-write-examples.ts'

interface HistoryEntry {
  url: URL
  state: unknown
}

/** Session history of one tab. Traversals are asynchronous and dispatch `popstate`, as in browsers. */
export class TestHistory {
  #entries: HistoryEntry[]
  #index = 0
  constructor(url: string) {
    this.#entries = [{ url: new URL(url), state: null }]
  }

  get url(): URL {
    return this.#current.url
  }
  get state(): unknown {
    return this.#current.state
  }
  get #current(): HistoryEntry {
    return this.#entries[this.#index] as HistoryEntry
  }

  pushState(state: unknown, _title: string, url?: string | URL | null): void {
    this.#entries = [...this.#entries.slice(0, this.#index + 1), this.#createEntry(state, url)]
    this.#index += 1
  }
  replaceState(state: unknown, _title: string, url?: string | URL | null): void {
    this.#entries[this.#index] = this.#createEntry(state, url)
  }
  #createEntry(state: unknown, url?: string | URL | null): HistoryEntry {
    return { state: structuredClone(state), url: new URL(url ?? this.url, this.url) }
  }

  back = () => this.#traverse(-1)
  forward = () => this.#traverse(1)
  #traverse(entryOffset: number): void {
    if (!this.#entries[this.#index + entryOffset]) throw new Error('There is no such history entry')
    setTimeout(() => {
      this.#index += entryOffset
      dispatchEvent(Object.assign(new Event('popstate'), { state: this.state }))
    })
  }
}

/** Cache storage in memory. */
export class MemoryCaches {
  readonly #caches = new Map<string, Map<string, Response>>()
  async open(name: string) {
    const responsesByUrl = this.#caches.get(name) ?? new Map<string, Response>()
    this.#caches.set(name, responsesByUrl)
    return {
      match: async (key: string | { url: string }) =>
        responsesByUrl.get(typeof key === 'string' ? key : key.url)?.clone(),
      put: async (key: string, value: Response) => void responsesByUrl.set(key, value),
      delete: async ({ url }: { url: string }) => responsesByUrl.delete(url),
      keys: async () => [...responsesByUrl.keys()].map((url) => ({ url })),
    }
  }
  keys = async () => [...this.#caches.keys()]
  delete = async (name: string) => this.#caches.delete(name)
}

/**
 * Replaces `navigator.locks`, for a single tab. A free lock is granted in the same turn of the event loop, whereas Node
 * grants it in a later turn.
 */
class TestLocks {
  readonly #lastTasks = new Map<string, Promise<unknown>>()
  request<T>(name: string, ...options: [...unknown[], task: () => Promise<T>]): Promise<T> {
    const task = options.at(-1) as () => Promise<T>
    const taskResult = (this.#lastTasks.get(name) ?? Promise.resolve()).then(task)
    this.#lastTasks.set(
      name,
      taskResult.catch(() => {}),
    )
    return taskResult
  }
}

/**
 * The events of a window. Capturing listeners run first, as in browsers; Node runs all listeners in registration order.
 */
class TestWindowEvents {
  readonly #capturing = new EventTarget()
  readonly #bubbling = new EventTarget()
  #selectTarget(options?: AddEventListenerOptions): EventTarget {
    return options?.capture ? this.#capturing : this.#bubbling
  }
  addEventListener = (type: string, listener: EventListener, options?: AddEventListenerOptions) =>
    this.#selectTarget(options).addEventListener(type, listener, options)
  removeEventListener = (type: string, listener: EventListener, options?: AddEventListenerOptions) =>
    this.#selectTarget(options).removeEventListener(type, listener, options)
  dispatchEvent = (event: Event) =>
    this.#capturing.dispatchEvent(event) && this.#bubbling.dispatchEvent(event)
}

class TestDocument extends EventTarget {
  readonly documentElement = { lang: 'en', dir: 'ltr', dataset: {} as Record<string, string> }
  readonly visibilityState = 'visible'
  hidden = false
  readonly readyState = 'complete'
  cookie = ''
  title = ''
  /** Selectors for which the page has an element. */
  readonly presentSelectors = new Set<string>()
  /** Elements that were created, in the order of their creation. */
  readonly createdElements: {
    href: string
    download: string
    clickCount: number
    canPlayType: (type: string) => string
  }[] = []
  querySelector = (selector: string) => (this.presentSelectors.has(selector) ? {} : null)
  getElementById = () => null
  createElement() {
    const element = {
      href: '',
      download: '',
      clickCount: 0,
      click() {
        this.clickCount += 1
      },
      /** This browser can play no media type. */
      canPlayType: () => '',
    }
    this.createdElements.push(element)
    return element
  }
}

export interface TestBrowser {
  history: TestHistory
  document: TestDocument
  /** URLs that were opened as a new document. A reload is recorded as `reload`. */
  documentLoads: string[]
  setOnline(isOnline: boolean): void
}

/** Installs the globals. Must be called before the stores are imported. */
export function installBrowserGlobals(url = 'http://marquee.example/'): TestBrowser {
  const history = new TestHistory(url)
  const document = new TestDocument()
  const events = new TestWindowEvents()
  const documentLoads: string[] = []
  let isOnline = true
  const location = {
    assign: (target: string) => documentLoads.push(target),
    reload: () => documentLoads.push('reload'),
  }
  for (const name of ['href', 'origin', 'pathname', 'search', 'hash'] as const)
    Object.defineProperty(location, name, { get: () => history.url[name] })
  const browserGlobals = {
    localStorage: new MemoryStorage(),
    sessionStorage: new MemoryStorage(),
    caches: new MemoryCaches(),
    history,
    location,
    document,
    addEventListener: events.addEventListener,
    removeEventListener: events.removeEventListener,
    dispatchEvent: events.dispatchEvent,
    requestAnimationFrame: (callback: () => void) => setTimeout(callback),
    matchMedia: () => ({ matches: false, addEventListener: () => {} }),
    scrollTo: () => {},
  }
  for (const [name, value] of Object.entries(browserGlobals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  Object.defineProperty(navigator, 'locks', { value: new TestLocks(), configurable: true })
  Object.defineProperty(navigator, 'onLine', { get: () => isOnline, configurable: true })
  const setOnline = (isNowOnline: boolean) => {
    isOnline = isNowOnline
    dispatchEvent(new Event(isNowOnline ? 'online' : 'offline'))
  }
  return { history, document, documentLoads, setOnline }
}

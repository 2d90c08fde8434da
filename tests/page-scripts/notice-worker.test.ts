/** The service worker shows notices and opens their pages. */
import { beforeAll, describe, expect, it } from 'vitest'
import { loadInlineScript } from './inline-script.ts'

interface FakeEvent {
  waitUntil: (task: Promise<unknown>) => void
}
type Listener = (event: FakeEvent & Record<string, unknown>) => void

let runWorker: (page: object) => void
beforeAll(async () => {
  runWorker = await loadInlineScript('src/sw/worker.ts')
}, 30_000)

/** Starts the worker with open tabs, and returns functions that send it events. */
function startWorker(tabUrls: readonly string[] = []) {
  const listeners = new Map<string, Listener>()
  const shownNotices: unknown[] = []
  const opened: string[] = []
  const tabs = tabUrls.map((url) => ({
    url,
    focus: async () => opened.push(`focus ${url}`),
    navigate: async (target: string) => opened.push(`navigate ${target}`),
  }))
  runWorker({
    BUILD_MANIFEST: { version: 'test', files: [], pages: [], offline: '/offline/' },
    location: { origin: 'https://home.example' },
    addEventListener: (kind: string, listener: Listener) => listeners.set(kind, listener),
    registration: {
      showNotification: async (title: string, options: object) => shownNotices.push({ title, ...options }),
    },
    clients: {
      claim: async () => {},
      matchAll: async () => tabs,
      openWindow: async (url: string) => opened.push(`open ${url}`),
    },
    skipWaiting: async () => {},
    caches: {},
    navigator: {},
    URL,
  })
  const sendEvent = async (kind: string, event: object) => {
    const tasks: Promise<unknown>[] = []
    listeners.get(kind)?.({ ...event, waitUntil: (task: Promise<unknown>) => tasks.push(task) })
    await Promise.all(tasks)
  }
  const clickNotice = (path: unknown) =>
    sendEvent('notificationclick', { notification: { data: path, close: () => {} } })
  return { shown: shownNotices, opened, send: sendEvent, click: clickNotice }
}

describe('notices in the service worker', () => {
  it('are shown in the language and direction of their profile', async () => {
    const { shown, send } = startWorker()
    const payload = { title: 'فانوس', body: 'جديد: م1 ح2', path: '/ar/tvshows/x', tag: 'notice-1' }
    await send('push', { data: { json: () => ({ ...payload, lang: 'ar', dir: 'rtl' }) } })
    expect(shown).toMatchObject([
      { title: 'فانوس', body: 'جديد: م1 ح2', tag: 'notice-1', lang: 'ar', dir: 'rtl', data: '/ar/tvshows/x' },
    ])
  })

  it('open their page in a new tab when no tab is open', async () => {
    const { opened, click } = startWorker()
    await click('/movies/arrival')
    expect(opened).toEqual(['open https://home.example/movies/arrival'])
  })

  it('open their page in an open tab, but not in a tab that plays a video', async () => {
    const { opened, click } = startWorker(['https://home.example/watch/', 'https://home.example/movies/'])
    await click('/movies/arrival')
    expect(opened).toEqual([
      'focus https://home.example/movies/',
      'navigate https://home.example/movies/arrival',
    ])
  })

  it('never open a page of another site', async () => {
    const { opened, click } = startWorker()
    await click('https://other.example/')
    await click('//other.example/')
    expect(opened).toEqual([])
  })
})

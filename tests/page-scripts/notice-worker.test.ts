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
})

/** Starts the service worker while `tabUrls` are open. Returns functions that send events to the worker. */
function startWorker(tabUrls: readonly string[] = [], { isSignedIn = true } = {}) {
  const listeners = new Map<string, Listener>()
  const shownNotices: unknown[] = []
  const tabActions: string[] = []
  const tabs = tabUrls.map((url) => ({
    url,
    focus: async () => tabActions.push(`focus ${url}`),
    navigate: async (target: string) => tabActions.push(`navigate ${target}`),
  }))
  runWorker({
    BUILD_MANIFEST: { version: 'test', files: [], pages: [], offline: '/offline/', siteName: 'Lantern' },
    location: { origin: 'https://home.example' },
    addEventListener: (kind: string, listener: Listener) => listeners.set(kind, listener),
    registration: {
      showNotification: async (title: string, options: object) => shownNotices.push({ title, ...options }),
    },
    clients: {
      claim: async () => {},
      matchAll: async () => tabs,
      openWindow: async (url: string) => tabActions.push(`open ${url}`),
    },
    skipWaiting: async () => {},
    caches: { has: async (name: string) => isSignedIn && name === 'marquee-pictures' },
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
  return {
    shownNotices,
    tabActions,
    sendEvent,
    clickNotice,
  }
}

describe('notices in the service worker', () => {
  it('notices are shown in the language and direction of their profile', async () => {
    const { shownNotices, sendEvent } = startWorker()
    const payload = { title: 'فانوس', body: 'جديد: م1 ح2', path: '/ar/tvshows/x', tag: 'notice-1' }
    await sendEvent('push', { data: { json: () => ({ ...payload, lang: 'ar', dir: 'rtl' }) } })
    expect(shownNotices).toMatchObject([
      { title: 'فانوس', body: 'جديد: م1 ح2', tag: 'notice-1', lang: 'ar', dir: 'rtl', data: '/ar/tvshows/x' },
    ])
  })

  it('notices are shown without their content after a sign-out that has not reached the server', async () => {
    const { shownNotices, sendEvent } = startWorker([], { isSignedIn: false })
    const payload = { title: 'Arrival', body: 'Now available', path: '/movies/arrival', tag: 'notice-1' }
    await sendEvent('push', { data: { json: () => payload } })
    expect(shownNotices).toMatchObject([
      { title: 'Lantern', body: undefined, tag: undefined, data: undefined },
    ])
  })

  it('a click on a notice opens the page of the notice in a new tab if no tab is open', async () => {
    const { tabActions, clickNotice } = startWorker()
    await clickNotice('/movies/arrival')
    expect(tabActions).toEqual(['open https://home.example/movies/arrival'])
  })

  it('a click on a notice opens the page of the notice in an open tab, but not in a tab that shows the player', async () => {
    const { tabActions, clickNotice } = startWorker([
      'https://home.example/watch/',
      'https://home.example/movies/',
    ])
    await clickNotice('/movies/arrival')
    expect(tabActions).toEqual([
      'focus https://home.example/movies/',
      'navigate https://home.example/movies/arrival',
    ])
  })

  it('notices never open a page of another site', async () => {
    const { tabActions, clickNotice } = startWorker()
    await clickNotice('https://other.example/')
    await clickNotice('//other.example/')
    expect(tabActions).toEqual([])
  })
})

/** Tracks the requests for scripts and data that a page waits for. */
import type { Page, Request } from '@playwright/test'

/** The stream of events never ends, so it does not count as a pending request. */
const EVENT_STREAM_PATTERN = /\/events/

interface RequestTracker {
  /** Requests whose response has not arrived completely. */
  pendingRequests: Set<Request>
  /** Time at which a request was last sent or ended, in milliseconds since 1970. */
  changedAtMs: number
}
const trackersByPage = new WeakMap<Page, RequestTracker>()

/** Records the requests of a page from the first call on. Requests that were sent before are unknown. */
export function trackRequests(page: Page): RequestTracker {
  const existingTracker = trackersByPage.get(page)
  if (existingTracker) return existingTracker
  const tracker: RequestTracker = { pendingRequests: new Set(), changedAtMs: 0 }
  trackersByPage.set(page, tracker)
  const endRequest = (request: Request) => {
    if (tracker.pendingRequests.delete(request)) tracker.changedAtMs = Date.now()
  }
  page.on('request', (request) => {
    if (request.isNavigationRequest()) {
      // The browser does not report the end of the previous document's requests, so they must not count as pending.
      if (request.frame() === page.mainFrame()) tracker.pendingRequests.clear()
    } else if (/script|fetch|xhr/.test(request.resourceType()) && !EVENT_STREAM_PATTERN.test(request.url())) {
      tracker.pendingRequests.add(request)
      tracker.changedAtMs = Date.now()
    }
  })
  page.on('requestfinished', endRequest)
  page.on('requestfailed', endRequest)
  return tracker
}

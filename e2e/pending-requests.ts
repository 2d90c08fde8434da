/** Tracks the requests of scripts and data that a page waits for. */
import type { Page, Request } from '@playwright/test'

/** The stream of events never ends, so it does not count. */
const EVENT_STREAM = /\/events/

interface RequestTracker {
  /** Requests that have no response yet. */
  pending: Set<Request>
  /** Time at which a request was last sent or ended, in milliseconds since 1970. */
  changedAtMs: number
}
const trackers = new WeakMap<Page, RequestTracker>()

/** Records the requests of a page from the first call on. Requests that were sent before are unknown. */
export function trackRequests(page: Page): RequestTracker {
  const knownTracker = trackers.get(page)
  if (knownTracker) return knownTracker
  const tracker: RequestTracker = { pending: new Set(), changedAtMs: 0 }
  trackers.set(page, tracker)
  const endRequest = (request: Request) => {
    if (tracker.pending.delete(request)) tracker.changedAtMs = Date.now()
  }
  page.on('request', (request) => {
    if (request.isNavigationRequest()) {
      // The requests of the previous document never end.
      if (request.frame() === page.mainFrame()) tracker.pending.clear()
    } else if (/script|fetch|xhr/.test(request.resourceType()) && !EVENT_STREAM.test(request.url())) {
      tracker.pending.add(request)
      tracker.changedAtMs = Date.now()
    }
  })
  page.on('requestfinished', endRequest)
  page.on('requestfailed', endRequest)
  return tracker
}

/**
 * Replaces Astro's client router (`astro:transitions/client`) in tests of the stores. Like the router, it writes the
 * state of history entries, dispatches the events of a navigation, and follows Back and Forward.
 */
interface NavigateOptions {
  history?: 'push' | 'replace' | 'auto'
  state?: object
}

let entryIndex = 0
/** Path and query of each page that was opened, in order. */
export const openedUrls: string[] = []

export async function navigate(url: string, options: NavigateOptions = {}): Promise<void> {
  const isReplacement = options.history === 'replace'
  const targetUrl = new URL(url, location.href)
  await openPage(isReplacement ? 'replace' : 'push', targetUrl, () => {
    const { index, scrollX, scrollY } = { scrollX: 0, scrollY: 0, index: entryIndex, ...history.state }
    if (isReplacement) history.replaceState({ ...options.state, index, scrollX, scrollY }, '', targetUrl.href)
    else {
      entryIndex += 1
      history.pushState({ ...options.state, index: entryIndex, scrollX: 0, scrollY: 0 }, '', targetUrl.href)
    }
  })
}

async function openPage(
  navigationType: string,
  targetUrl: URL,
  changeHistoryEntry: () => void,
): Promise<void> {
  const preparationEvent = Object.assign(new Event('astro:before-preparation'), {
    navigationType,
    to: targetUrl,
    from: new URL(location.href),
  })
  document.dispatchEvent(preparationEvent)
  await new Promise((resolve) => setTimeout(resolve))
  document.dispatchEvent(new Event('astro:before-swap'))
  changeHistoryEntry()
  // Uses the URL of the event, because a listener may have replaced it.
  openedUrls.push(preparationEvent.to.pathname + preparationEvent.to.search)
  document.dispatchEvent(new Event('astro:after-swap'))
}

addEventListener('popstate', () => {
  if (history.state !== null) void openPage('traverse', new URL(location.href), () => {})
})

/** Registers the service worker (src/sw/worker.ts) after the page has loaded, except in embedded players. */
import { getLocalePrefix, splitLocale } from '../../lib/i18n/locale-prefix.ts'
import type { CacheShellsMessage } from '../../sw/messages.ts'
import { getPageLocale } from './locale-redirect.ts'

/** Delay after the load event, so that the requests of the page come first. */
const REGISTRATION_DELAY_MS = 3_000

export function registerServiceWorker(): void {
  if (!navigator.serviceWorker || splitLocale(location.pathname).path.startsWith('/watch/embed')) return
  const scheduleRegistration = () => setTimeout(registerWorker, REGISTRATION_DELAY_MS)
  if (document.readyState === 'complete') scheduleRegistration()
  else addEventListener('load', scheduleRegistration, { once: true })
}

async function registerWorker(): Promise<void> {
  try {
    await navigator.serviceWorker.register('/sw.js')
    const { active: activeWorker } = await navigator.serviceWorker.ready
    // The service worker could not cache the images that the page loaded before the worker was active. The page
    // therefore sends the URLs of these images to the worker.
    const imageUrls = performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.startsWith(`${location.origin}/images/`))
    const localePrefix = getLocalePrefix(getPageLocale())
    activeWorker?.postMessage({
      kind: 'cache-shells',
      prefix: localePrefix,
      imageUrls,
    } satisfies CacheShellsMessage)
  } catch {
    // The browser refuses service workers, or the file of the worker cannot be loaded. The site works without the
    // worker.
  }
}

/**
 * Reloads the page if a file of its code fails to load. Usually, an update has removed the file from the server.
 * Reloads once per error message or island, and never while offline, because a reload would not help then.
 */
import { readStorage, writeStorage } from '../../lib/storage.ts'
import { RELOAD_REASON_KEY_PREFIX } from '../../lib/storage-keys.ts'

export function reloadWhenCodeIsStale(): void {
  addEventListener('vite:preloadError', (event) => {
    const { payload } = event as Event & { payload?: Error }
    if (isLoadError(payload) && reloadOnce(payload?.message)) event.preventDefault()
  })
  addEventListener('astro:hydration-error', (event) => {
    const { error, componentUrl } =
      (event as CustomEvent<{ error?: Error; componentUrl?: string }>).detail ?? {}
    if (isLoadError(error)) reloadOnce(componentUrl)
  })
}

/**
 * Returns true if the message of the browser or of Vite says that a file of code did not load. The events of Vite and
 * Astro also report errors that loaded code throws, for example after a failed API call.
 */
const isLoadError = (error: Error | undefined): boolean =>
  /imported module|module script|preload/.test(error?.message ?? '')

function reloadOnce(message: string | undefined): boolean {
  const storageKey = `${RELOAD_REASON_KEY_PREFIX} ${message}`
  if (navigator.onLine === false || readStorage('sessionStorage', storageKey)) return false
  writeStorage('sessionStorage', storageKey, '1')
  location.reload()
  return true
}

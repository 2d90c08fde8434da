/**
 * Reloads the page if its code fails to load, because an update has usually removed that file from the
 * server. It reloads once per error message. Offline it does not reload, because that would not help.
 */
import { readStorage, writeStorage } from '../../lib/storage.ts'
import { RELOADED_KEY_PREFIX } from '../../lib/storage-keys.ts'

export function reloadWhenCodeIsStale(): void {
  addEventListener('vite:preloadError', (event) => {
    const { payload } = event as Event & { payload?: Error }
    if (reloadOnce(payload?.message)) event.preventDefault()
  })
  addEventListener('astro:hydration-error', (event) => {
    const { error, componentUrl } =
      (event as CustomEvent<{ error?: Error; componentUrl?: string }>).detail ?? {}
    if (/import|load|fetch/i.test(error?.message ?? '')) reloadOnce(componentUrl)
  })
}

function reloadOnce(message: string | undefined): boolean {
  const storageKey = `${RELOADED_KEY_PREFIX} ${message}`
  if (navigator.onLine === false || readStorage('sessionStorage', storageKey)) return false
  writeStorage('sessionStorage', storageKey, '1')
  location.reload()
  return true
}

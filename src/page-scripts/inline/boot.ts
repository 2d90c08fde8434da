/**
 * Inline script of every page (Shell.astro), which runs before the first paint. It applies the display settings and
 * redirects to the language of the visitor. It also sends the first API requests while the code of the islands is
 * loading.
 */
import { isEntryOfOtherProfile } from '../../lib/history-entry.ts'
import { getLocalePrefix } from '../../lib/i18n/locale-prefix.ts'
import type { Locale } from '../../lib/i18n/locales.ts'
import { readActingProfileId, writeStorage } from '../../lib/storage.ts'
import { LOCALE_KEY, REMOTE_CONTROL_MODE_KEY } from '../../lib/storage-keys.ts'
import { applyDisplaySettings, keepDisplaySettingsApplied } from './display-settings.ts'
import { isKidsProfile, startFirstReads } from './first-reads.ts'
import { showHero, showStoredHero } from './hero.ts'
import { detectLocale, getPageLocale, redirectToLocale } from './locale-redirect.ts'
import { delayScriptLoading } from './script-loading.ts'
import { registerServiceWorker } from './service-worker-registration.ts'
import { reloadWhenCodeIsStale } from './stale-code-reload.ts'

// `startPage` runs once per document, and not after client-side navigation. It comes before `applyDisplaySettings`,
// because it sends the first request. The display settings are applied even if `startPage` fails.
try {
  if (!window.__boot) startPage()
} finally {
  applyDisplaySettings()
}
// The pages of a television are in remote control mode from the start, so that a control has the focus before the first
// key press.
if ('tv' in document.documentElement.dataset) writeStorage('sessionStorage', REMOTE_CONTROL_MODE_KEY, '1')

function startPage(): void {
  keepDisplaySettingsApplied()
  const locale = detectLocale()
  writeStorage('localStorage', LOCALE_KEY, locale)
  // The history state contains the profile that opened the entry. The redirect to the locale loses this state,
  // so this check comes before the redirect.
  if (isEntryOfOtherProfile(readActingProfileId()) && replaceEntryOfOtherProfile(locale)) return
  if (locale !== getPageLocale() && redirectToLocale(locale)) return
  registerServiceWorker()
  reloadWhenCodeIsStale()
  const earlyPlayback = window.__early
  const [skeletonPromise, markSkeletonParsed] = createSkeletonSignal()
  const boot: BootData = {
    reads: earlyPlayback?.reads ?? {},
    loadScripts: delayScriptLoading(earlyPlayback),
    showStoredHero: () => {
      showStoredHero(boot, isKidsProfile())
      markSkeletonParsed()
    },
    showHero,
  }
  window.__boot = boot
  startFirstReads(boot, earlyPlayback, skeletonPromise)
}

/**
 * Returns a promise that resolves when the skeleton of the page is parsed, and the function that resolves it.
 * A script after the skeleton of the home page calls the function. On other pages, the promise resolves when
 * the whole document is parsed.
 */
function createSkeletonSignal(): [Promise<void>, () => void] {
  let markSkeletonParsed = () => {}
  const skeletonPromise = new Promise<void>((resolve) => {
    markSkeletonParsed = resolve
    if (document.readyState === 'loading')
      document.addEventListener('readystatechange', () => resolve(), { once: true })
    else resolve()
  })
  return [skeletonPromise, markSkeletonParsed]
}

/**
 * Opens the home page in place of a history entry that another profile has opened. After client-side navigation,
 * src/lib/stores/history-entries.ts does the same. Returns false if the entry is the home page. The home page can
 * stay open, because it has sent no request for the other profile yet.
 */
function replaceEntryOfOtherProfile(locale: Locale): boolean {
  // Clears the state of the entry. With that state, the page would be replaced again and again.
  history.replaceState(null, '')
  const homePath = `${getLocalePrefix(locale)}/`
  if (location.pathname + location.search === homePath) return false
  location.replace(homePath)
  return true
}

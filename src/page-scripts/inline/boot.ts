/**
 * Inline script of every page (Shell.astro). It runs before the first paint: it applies the display settings, redirects to the
 * visitor's language, and sends the first API requests while the code of the islands is loading.
 */
import { isForeignEntry } from '../../lib/history-entry.ts'
import { getLocalePrefix } from '../../lib/i18n/locale-prefix.ts'
import type { Locale } from '../../lib/i18n/locales.ts'
import { readActingProfileId, writeStorage } from '../../lib/storage.ts'
import { LOCALE_KEY } from '../../lib/storage-keys.ts'
import { applyDisplaySettings, keepDisplaySettingsApplied } from './display-settings.ts'
import { isKidsProfile, startFirstReads } from './first-reads.ts'
import { showHero, showStoredHero } from './hero.ts'
import { detectLocale, getPageLocale, redirectToLocale } from './locale-redirect.ts'
import { controlScriptLoading } from './script-loading.ts'
import { registerServiceWorker } from './service-worker-registration.ts'
import { reloadWhenCodeIsStale } from './stale-code-reload.ts'

// After client-side navigation, this part of the script has already run. It sends the first request, so it comes first.
if (!window.__boot) start()
applyDisplaySettings()

function start(): void {
  keepDisplaySettingsApplied()
  const locale = detectLocale()
  writeStorage('localStorage', LOCALE_KEY, locale)
  // The redirect below would keep the URL, but not the state that names the profile.
  if (isForeignEntry(readActingProfileId()) && replaceForeignEntry(locale)) return
  if (locale !== getPageLocale() && redirectToLocale(locale)) return
  registerServiceWorker()
  reloadWhenCodeIsStale()
  const earlyPlayback = window.__early
  const [skeletonParsed, markSkeletonParsed] = createSkeletonSignal()
  const boot: BootData = {
    reads: earlyPlayback?.reads ?? {},
    loadScripts: controlScriptLoading(earlyPlayback),
    showStoredHero: () => {
      showStoredHero(boot, isKidsProfile())
      markSkeletonParsed()
    },
    showHero,
  }
  window.__boot = boot
  startFirstReads(boot, earlyPlayback, skeletonParsed)
}

/**
 * Returns a promise that resolves when the skeleton of the page is parsed, and the function that the script after the skeleton of the
 * home page resolves it with. On other pages it resolves with the end of the document.
 */
function createSkeletonSignal(): [Promise<void>, () => void] {
  let markParsed = () => {}
  const skeletonParsed = new Promise<void>((resolve) => {
    markParsed = resolve
    if (document.readyState === 'loading')
      document.addEventListener('readystatechange', () => resolve(), { once: true })
    else resolve()
  })
  return [skeletonParsed, markParsed]
}

/**
 * Opens the home page in place of a history entry that another profile opened, as src/lib/stores/history-entries.ts does.
 * Returns false if the entry is the home page, which has requested nothing yet.
 */
function replaceForeignEntry(locale: Locale): boolean {
  // A document that replaces itself keeps the state of its entry, so that it would be replaced again and again.
  history.replaceState(null, '')
  const home = `${getLocalePrefix(locale)}/`
  if (location.pathname + location.search === home) return false
  location.replace(home)
  return true
}

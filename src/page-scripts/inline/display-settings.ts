/** Sets the data attributes of the root element for theme, lite mode, television and display preferences. */
import {
  type DisplayAttributes,
  HIGH_CONTRAST_QUERY,
  setDisplayAttributes,
} from '../../lib/display-attributes.ts'
import { needsLiteMode, resolveTheme } from '../../lib/rules/display-settings.ts'
import { readStorage, readStoredJson } from '../../lib/storage.ts'
import { DISPLAY_ATTRIBUTES_KEY, LITE_MODE_KEY, SLOW_FRAMES_KEY, THEME_KEY } from '../../lib/storage-keys.ts'

/** Only the user agent distinguishes a television from a large desktop screen. */
const TELEVISION_PATTERN = /\b(TV|SmartTV|Tizen|Web0S|BRAVIA|AFT\w+)\b/i
const lightSchemeQuery = matchMedia('(prefers-color-scheme: light)')

export function applyDisplaySettings(): void {
  const { dataset } = document.documentElement
  if (TELEVISION_PATTERN.test(navigator.userAgent)) dataset['tv'] = ''
  // The preferred colour scheme is ignored on televisions, because they report a light scheme that the user did not
  // choose. A light page is glaring in a dark room.
  const isLightPreferred = lightSchemeQuery.matches && !('tv' in dataset)
  dataset['theme'] = resolveTheme(readStorage('localStorage', THEME_KEY), isLightPreferred)
  const storedLiteMode = readStorage('localStorage', LITE_MODE_KEY)
  if (storedLiteMode === '1' || (storedLiteMode !== '0' && isSlowDevice())) dataset['lite'] = ''
  else delete dataset['lite']
  setDisplayAttributes(readStoredJson(DISPLAY_ATTRIBUTES_KEY) as DisplayAttributes | null)
}

/**
 * Applies the settings again after client-side navigation, and when the colour scheme or the contrast of the system
 * changes.
 */
export function keepDisplaySettingsApplied(): void {
  document.addEventListener('astro:after-swap', applyDisplaySettings)
  for (const query of [lightSchemeQuery, matchMedia(HIGH_CONTRAST_QUERY)])
    query.addEventListener('change', applyDisplaySettings)
}

function isSlowDevice(): boolean {
  const { connection, deviceMemory, hardwareConcurrency } = navigator
  return needsLiteMode({
    hardwareConcurrency,
    deviceMemory,
    savesData: connection?.saveData === true,
    hadSlowFrames: readStorage('sessionStorage', SLOW_FRAMES_KEY) === '1',
  })
}

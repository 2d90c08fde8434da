/**
 * Display preferences of the acting profile: text size, contrast, motion and simple home. They are stored on the
 * device, so that the boot script can apply them before the first paint.
 */
import type { Profile } from '../contract/profiles.ts'
import { type DisplayAttributes, setDisplayAttributes } from '../display-attributes.ts'
import { DISPLAY_ATTRIBUTES_KEY } from '../storage-keys.ts'
import { $profile } from './profile.ts'

/**
 * Returns the values of `data-text`, `data-contrast`, `data-motion` and `data-home` on the root element. Defaults are
 * omitted.
 */
export function getDisplayAttributes({
  text_size,
  high_contrast,
  less_motion,
  simple_home,
}: Profile['preferences']): DisplayAttributes {
  return {
    ...(text_size !== 100 && { text: String(text_size) }),
    ...(high_contrast && { contrast: 'high' }),
    ...(less_motion && { motion: 'less' }),
    ...(simple_home && { home: 'simple' }),
  }
}

let hasKidsProfileActed = false

// Until a profile acts, the preferences of the previous profile stay applied.
$profile.listen((profile) => {
  if (!profile) return
  hasKidsProfileActed ||= profile.kids
  if (hasKidsProfileActed)
    void import('./kids-interface.ts').then(
      (module) => module.applyKidsInterface(profile),
      () => {},
    )
  const attributes = getDisplayAttributes(profile.preferences)
  setDisplayAttributes(attributes)
  try {
    localStorage.setItem(DISPLAY_ATTRIBUTES_KEY, JSON.stringify(attributes))
  } catch {
    // Storage is full or not available: the preferences apply to this page only.
  }
})

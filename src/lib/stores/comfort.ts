/** What the profile asked of every screen, kept on this device so that the boot script shows it before the first paint. */
import type { Profile } from '../contract/profiles.ts'
import { $profile } from './profile.ts'

const KEY = 'marquee-comfort'
const NAMES = ['text', 'contrast', 'motion', 'home'] as const

/** As attributes of the page: `data-text`, `data-contrast`, `data-motion`, `data-home`; what is usual has none. */
export function comfortOf({ text_size, high_contrast, less_motion, simple_home }: Profile['preferences']) {
  return {
    ...(text_size !== 100 && { text: String(text_size) }),
    ...(high_contrast && { contrast: 'high' }),
    ...(less_motion && { motion: 'less' }),
    ...(simple_home && { home: 'simple' }),
  }
}

/** The profile that acts decides; before one is chosen, the last one's wishes stay. */
$profile.listen((profile) => {
  if (!profile) return
  const comfort: Partial<Record<(typeof NAMES)[number], string>> = comfortOf(profile.preferences)
  const look = document.documentElement.dataset
  for (const name of NAMES) {
    const value = comfort[name]
    if (value === undefined) delete look[name]
    else look[name] = value
  }
  try {
    localStorage.setItem(KEY, JSON.stringify(comfort))
  } catch {
    /* Storage is full or forbidden: it holds for this page. */
  }
})

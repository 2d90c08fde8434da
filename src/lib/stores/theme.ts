import { atom } from 'nanostores'
import { painted } from '../painted.ts'

export type Theme = 'light' | 'dark' | 'system'
const KEY = 'marquee-theme'

export const $theme = atom<Theme>((globalThis.localStorage?.getItem(KEY) as Theme | null) ?? 'system')

/**
 * Chosen once, kept on this device; the boot script of Shell.astro shows it before the first paint. The press shows first:
 * new colours reach every element of the page.
 */
export function setTheme(theme: Theme): void {
  $theme.set(theme)
  localStorage.setItem(KEY, theme)
  const light =
    theme === 'light' || (theme === 'system' && matchMedia('(prefers-color-scheme: light)').matches)
  void painted().then(() => {
    document.documentElement.dataset['theme'] = light ? 'light' : 'dark'
  })
}

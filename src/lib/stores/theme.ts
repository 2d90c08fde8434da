import { atom } from 'nanostores'

export type Theme = 'light' | 'dark' | 'system'
const KEY = 'marquee-theme'

export const $theme = atom<Theme>((globalThis.localStorage?.getItem(KEY) as Theme | null) ?? 'system')

/** Chosen once, kept on this device; the boot script of Shell.astro shows it before the first paint. */
export function setTheme(theme: Theme): void {
  $theme.set(theme)
  localStorage.setItem(KEY, theme)
  const light =
    theme === 'light' || (theme === 'system' && matchMedia('(prefers-color-scheme: light)').matches)
  document.documentElement.dataset['theme'] = light ? 'light' : 'dark'
}

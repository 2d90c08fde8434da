import { atom } from 'nanostores'
import { waitForPaint } from '../wait-for-paint.ts'

export type Theme = 'light' | 'dark' | 'system'
const STORAGE_KEY = 'marquee-theme'

export const $theme = atom<Theme>((globalThis.localStorage?.getItem(STORAGE_KEY) as Theme | null) ?? 'system')

/**
 * Stores the theme on the device; the boot script of Shell.astro applies it before the first paint. The change is applied
 * after the next frame, because it restyles every element and would delay the feedback to the press.
 */
export function setTheme(theme: Theme): void {
  $theme.set(theme)
  localStorage.setItem(STORAGE_KEY, theme)
  const isLight =
    theme === 'light' || (theme === 'system' && matchMedia('(prefers-color-scheme: light)').matches)
  void waitForPaint().then(() => {
    document.documentElement.dataset['theme'] = isLight ? 'light' : 'dark'
  })
}

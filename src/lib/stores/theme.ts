import { atom } from 'nanostores'
import { resolveTheme } from '../rules/display-settings.ts'
import { THEME_KEY } from '../storage-keys.ts'
import { waitForPaint } from '../wait-for-paint.ts'

export type Theme = 'light' | 'dark' | 'system'

export const $theme = atom<Theme>((globalThis.localStorage?.getItem(THEME_KEY) as Theme | null) ?? 'system')

/**
 * Stores the theme on the device; the boot script of Shell.astro applies it before the first paint. A change is applied after
 * the next frame. It restyles every element, and would otherwise delay the visible reaction of the pressed button.
 */
export function setTheme(theme: Theme): void {
  $theme.set(theme)
  localStorage.setItem(THEME_KEY, theme)
  const { dataset } = document.documentElement
  const prefersLight = matchMedia('(prefers-color-scheme: light)').matches && !('tv' in dataset)
  void waitForPaint().then(() => {
    dataset['theme'] = resolveTheme(theme, prefersLight)
  })
}

import { atom } from 'nanostores'
import { resolveTheme } from '../rules/display-settings.ts'
import { writeStorage } from '../storage.ts'
import { THEME_KEY } from '../storage-keys.ts'
import { waitForPaint } from '../wait-for-paint.ts'

export type Theme = 'light' | 'dark' | 'system'

export const $theme = atom<Theme>((globalThis.localStorage?.getItem(THEME_KEY) as Theme | null) ?? 'system')

/**
 * Stores the theme on the device. The boot script of Shell.astro applies the stored theme before the first paint of a
 * page. The open page gets the new theme only after the next frame. Restyling every element takes time, and without
 * this delay, the pressed button would react late.
 */
export function setTheme(theme: Theme): void {
  $theme.set(theme)
  writeStorage('localStorage', THEME_KEY, theme)
  const { dataset } = document.documentElement
  const prefersLight = matchMedia('(prefers-color-scheme: light)').matches && !('tv' in dataset)
  void waitForPaint().then(() => {
    dataset['theme'] = resolveTheme(theme, prefersLight)
  })
}

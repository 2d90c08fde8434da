/**
 * Visibility of the controls: they hide three seconds after the last input, unless paused, focused or a panel is
 * open.
 */
import { atom } from 'nanostores'
import { $paused, theatre } from './deck.ts'

export type PanelName = 'captions' | 'settings' | 'episodes' | 'keys' | 'info'
export const $panel = atom<PanelName | null>(null)
export const $controls = atom(true)
/** True when the last input was a navigation key, from a keyboard or a remote. */
export const $byKeys = atom(false)

const HIDE_AFTER_MS = 3_000
let hideTimer: ReturnType<typeof setTimeout> | undefined

export function wake(): void {
  $controls.set(true)
  clearTimeout(hideTimer)
  hideTimer = setTimeout(hideWhenIdle, HIDE_AFTER_MS)
}

export function hideControls(): void {
  clearTimeout(hideTimer)
  $controls.set(false)
}

function hideWhenIdle(): void {
  const focusedControl = theatre()?.querySelector('[data-controls] :focus-visible')
  if ($paused.get() || $panel.get() || focusedControl) hideTimer = setTimeout(hideWhenIdle, HIDE_AFTER_MS)
  else $controls.set(false)
}

/** Starts hiding idle controls. Returns a function that stops it. */
export function keepControls(): () => void {
  wake()
  const cleanups = [
    $paused.listen(wake),
    $controls.subscribe((visible) => theatre()?.toggleAttribute('data-idle', !visible)),
  ]
  return () => {
    clearTimeout(hideTimer)
    $panel.set(null)
    for (const cleanup of cleanups) cleanup()
  }
}

export function openPanel(name: PanelName | null): void {
  $panel.set($panel.get() === name ? null : name)
  wake()
}

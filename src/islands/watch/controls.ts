/** Whether the controls are seen: three seconds from the last input, and as long as somebody needs them. */
import { atom } from 'nanostores'
import { $paused, theatre } from './deck.ts'

export type PanelName = 'captions' | 'settings' | 'episodes' | 'keys' | 'info'
export const $panel = atom<PanelName | null>(null)
export const $controls = atom(true)
/** The last input was a key that moves: a remote, or somebody who drives by keyboard. */
export const $byKeys = atom(false)

const HIDE_AFTER_MS = 3_000
let timer: ReturnType<typeof setTimeout> | undefined

export function wake(): void {
  $controls.set(true)
  clearTimeout(timer)
  timer = setTimeout(rest, HIDE_AFTER_MS)
}

export function hideControls(): void {
  clearTimeout(timer)
  $controls.set(false)
}

function rest(): void {
  const focused = theatre()?.querySelector('[data-controls] :focus-visible')
  if ($paused.get() || $panel.get() || focused) timer = setTimeout(rest, HIDE_AFTER_MS)
  else $controls.set(false)
}

/** Returns how to stop. */
export function keepControls(): () => void {
  wake()
  const stops = [
    $paused.listen(wake),
    $controls.subscribe((shown) => theatre()?.toggleAttribute('data-idle', !shown)),
  ]
  return () => {
    clearTimeout(timer)
    $panel.set(null)
    for (const stop of stops) stop()
  }
}

export function openPanel(name: PanelName | null): void {
  $panel.set($panel.get() === name ? null : name)
  wake()
}

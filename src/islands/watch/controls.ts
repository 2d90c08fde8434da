/**
 * Visibility of the controls. They hide three seconds after the last input, unless the video is paused, a
 * control has the focus, the timeline is dragged or a panel is open.
 */
import { atom, computed } from 'nanostores'
import { $isPaused, getPlayerRoot } from './video-element.ts'

export type PanelName = 'captions' | 'chapters' | 'settings' | 'episodes' | 'keys' | 'info'
export const $openPanel = atom<PanelName | null>(null)
const POPOVER_PANELS: ReadonlySet<PanelName | null> = new Set(['captions', 'chapters', 'settings'])
/** True while a popover covers the lower part of the video. Subtitles are then shown in the upper part. */
export const $isPopoverOpen = computed($openPanel, (name) => POPOVER_PANELS.has(name))
export const $areControlsVisible = atom(true)
/** True when the last input was a navigation key of a keyboard or remote control. */
export const $isKeyboardNavigation = atom(false)

const HIDE_DELAY_MS = 3_000
let hideTimer: ReturnType<typeof setTimeout> | undefined

export function showControls(): void {
  $areControlsVisible.set(true)
  clearTimeout(hideTimer)
  hideTimer = setTimeout(hideWhenIdle, HIDE_DELAY_MS)
}

export function hideControls(): void {
  clearTimeout(hideTimer)
  $areControlsVisible.set(false)
}

function hideWhenIdle(): void {
  const usedControl = getPlayerRoot()?.querySelector('[data-controls] :is(:focus-visible,[data-dragging])')
  if ($isPaused.get() || $openPanel.get() || usedControl) hideTimer = setTimeout(hideWhenIdle, HIDE_DELAY_MS)
  else $areControlsVisible.set(false)
}

/** Shows the controls and hides them again after HIDE_DELAY_MS without input. Returns a function that stops this. */
export function startControlsAutohide(): () => void {
  showControls()
  const cleanups = [
    $isPaused.listen(showControls),
    $areControlsVisible.subscribe((isVisible) => getPlayerRoot()?.toggleAttribute('data-idle', !isVisible)),
  ]
  return () => {
    clearTimeout(hideTimer)
    $openPanel.set(null)
    for (const cleanup of cleanups) cleanup()
  }
}

export function togglePanel(name: PanelName | null): void {
  $openPanel.set($openPanel.get() === name ? null : name)
  showControls()
}

/**
 * Visibility of the controls. They hide three seconds after the last input, or when the viewer taps the video. They do
 * not hide by themselves while the video is paused, a control has the focus, the timeline is dragged or a panel is
 * open. They never hide if the viewer has chosen to keep them visible.
 */
import { atom, computed } from 'nanostores'
import { readStorage, writeStorage } from '../../lib/storage.ts'
import { KEPT_CONTROLS_KEY } from '../../lib/storage-keys.ts'
import { $isPaused, getPlayerRoot } from './video-element.ts'

export type PanelName = 'captions' | 'chapters' | 'settings' | 'episodes' | 'keys' | 'info'
export const $openPanel = atom<PanelName | null>(null)
const POPOVER_PANELS: ReadonlySet<PanelName | null> = new Set(['captions', 'chapters', 'settings'])
/** True while a popover covers the lower part of the video. Subtitles are then shown in the upper part. */
export const $isPopoverOpen = computed($openPanel, (name) => POPOVER_PANELS.has(name))
export const $areControlsVisible = atom(true)
/** True if the last pressed key was an arrow key, Enter or Tab. Pointer input does not change the value. */
export const $isKeyboardNavigation = atom(false)

/**
 * True if the controls stay visible on this device. Screen readers on touch screens read an element without focusing
 * it, so the controls would hide while the user listens.
 */
export const $areControlsKept = atom(readStorage('localStorage', KEPT_CONTROLS_KEY) === '1')

export function setControlsKept(shouldKeep: boolean): void {
  $areControlsKept.set(shouldKeep)
  writeStorage('localStorage', KEPT_CONTROLS_KEY, shouldKeep ? '1' : '0')
  showControls()
}

const HIDE_DELAY_MS = 3_000
let hideTimer: ReturnType<typeof setTimeout> | undefined

export function showControls(): void {
  $areControlsVisible.set(true)
  clearTimeout(hideTimer)
  hideTimer = setTimeout(hideWhenIdle, HIDE_DELAY_MS)
}

export function hideControls(): void {
  if ($areControlsKept.get()) return
  clearTimeout(hideTimer)
  $areControlsVisible.set(false)
}

function hideWhenIdle(): void {
  const usedControl = getPlayerRoot()?.querySelector('[data-controls] :is(:focus-visible,[data-dragging])')
  if ($areControlsKept.get()) return
  if ($isPaused.get() || $openPanel.get() || usedControl) hideTimer = setTimeout(hideWhenIdle, HIDE_DELAY_MS)
  else $areControlsVisible.set(false)
}

/**
 * Shows the controls, which hide after HIDE_DELAY_MS without input. Returns a function that stops the timer, removes
 * the listeners and closes the open panel.
 */
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

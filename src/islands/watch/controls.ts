/**
 * Visibility of the controls. They hide three seconds after the last input, or when the viewer taps the video. They do
 * not hide by themselves while the video is paused, a control has the focus, the timeline is dragged or a panel is
 * open. They never hide if the viewer has chosen to keep them visible.
 */
import { atom, computed } from 'nanostores'
import { readStorage, writeStorage } from '../../lib/storage.ts'
import { CONTROLS_KEPT_VISIBLE_KEY } from '../../lib/storage-keys.ts'
import { $isPaused, getPlayerRoot } from './video-element.ts'

export type PanelName = 'captions' | 'chapters' | 'settings' | 'episodes' | 'keys' | 'info'
export const $openPanel = atom<PanelName | null>(null)
/**
 * Closes the next episode card, and lets the credits play. Null while the card is hidden and after the end of the
 * video.
 */
export const $closeNextEpisodeCard = atom<(() => void) | null>(null)
const POPOVER_PANELS: ReadonlySet<PanelName | null> = new Set(['captions', 'chapters', 'settings'])
/** True while a popover covers the lower part of the video. Subtitles are then shown in the upper part. */
export const $isPopoverOpen = computed($openPanel, (name) => POPOVER_PANELS.has(name))
export const $areControlsVisible = atom(true)
/** True if the last pressed key was an arrow key, Enter or Tab. Pointer input does not change the value. */
export const $isNavigatingByKeyboard = atom(false)

/**
 * True if the controls stay visible on this device. Screen readers on touch screens read an element without focusing
 * it, so the controls would hide while the user listens.
 */
export const $areControlsKeptVisible = atom(readStorage('localStorage', CONTROLS_KEPT_VISIBLE_KEY) === '1')

export function setControlsKeptVisible(shouldKeepVisible: boolean): void {
  $areControlsKeptVisible.set(shouldKeepVisible)
  writeStorage('localStorage', CONTROLS_KEPT_VISIBLE_KEY, shouldKeepVisible ? '1' : '0')
  showControls()
}

const CONTROLS_HIDE_DELAY_MS = 3_000
let hideTimer: ReturnType<typeof setTimeout> | undefined

export function showControls(): void {
  $areControlsVisible.set(true)
  clearTimeout(hideTimer)
  hideTimer = setTimeout(hideWhenIdle, CONTROLS_HIDE_DELAY_MS)
}

export function hideControls(): void {
  if ($areControlsKeptVisible.get()) return
  clearTimeout(hideTimer)
  $areControlsVisible.set(false)
}

function hideWhenIdle(): void {
  const usedControl = getPlayerRoot()?.querySelector('[data-controls] :is(:focus-visible,[data-dragging])')
  if ($areControlsKeptVisible.get()) return
  if ($isPaused.get() || $openPanel.get() || usedControl)
    hideTimer = setTimeout(hideWhenIdle, CONTROLS_HIDE_DELAY_MS)
  else $areControlsVisible.set(false)
}

/**
 * Shows the controls, which hide after CONTROLS_HIDE_DELAY_MS without input. Returns a function that stops the timer,
 * removes the listeners and closes the open panel.
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

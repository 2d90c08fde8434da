/**
 * Pointer input on the video. A click toggles playback, and a double click toggles fullscreen. A tap toggles the
 * controls, and a double tap at a side skips.
 */
import { atom } from 'nanostores'
import { SKIP_SECONDS } from '../../lib/rules/player-keys.ts'
import { $areControlsVisible, $openPanel, hideControls, showControls, togglePanel } from './controls.ts'
import { toggleFullscreen } from './display-modes.ts'
import { recordUserInput } from './still-watching.ts'
import { getVideoElement, skipSeconds, togglePlayback } from './video-element.ts'

/**
 * The total of consecutive skips by double tap, and the time of the last skip (performance.now()). Null while no total
 * is displayed.
 */
export const $touchSkip = atom<{ totalSeconds: number; atMs: number } | null>(null)

const DOUBLE_TAP_MS = 300
/** Fraction of the width at each side in which a double tap skips. */
const SKIP_AREA_FRACTION = 0.35

let lastTapAtMs = 0
let singleTapTimer: ReturnType<typeof setTimeout> | undefined

const isTargetInside = (event: Event, selector: string) =>
  event.target instanceof Element && event.target.closest(selector) !== null
const isOnVideo = (event: Event) => isTargetInside(event, '[data-surface]')

function handleTap(event: PointerEvent): void {
  const bounds = (event.currentTarget as HTMLElement).getBoundingClientRect()
  const xFraction = (event.clientX - bounds.x) / bounds.width
  const skipDirection = xFraction < SKIP_AREA_FRACTION ? -1 : xFraction > 1 - SKIP_AREA_FRACTION ? 1 : 0
  const nowMs = performance.now()
  const isDoubleTap = nowMs - lastTapAtMs < DOUBLE_TAP_MS
  lastTapAtMs = nowMs
  clearTimeout(singleTapTimer)
  if (isDoubleTap && skipDirection !== 0) {
    const previousSkip = $touchSkip.get()
    const previousTotalSeconds =
      previousSkip &&
      nowMs - previousSkip.atMs < 800 &&
      Math.sign(previousSkip.totalSeconds) === skipDirection
        ? previousSkip.totalSeconds
        : 0
    skipSeconds(skipDirection * SKIP_SECONDS)
    $touchSkip.set({ totalSeconds: previousTotalSeconds + skipDirection * SKIP_SECONDS, atMs: nowMs })
    return
  }
  singleTapTimer = setTimeout(
    () => ($areControlsVisible.get() ? hideControls() : showControls()),
    isDoubleTap ? 0 : DOUBLE_TAP_MS,
  )
}

function handlePointerUp(event: PointerEvent): void {
  recordUserInput()
  if (!isOnVideo(event) || event.button > 0) return
  if ($openPanel.get()) togglePanel(null)
  else if (event.pointerType === 'touch') handleTap(event)
  else {
    showControls()
    togglePlayback()
  }
}

/**
 * Listens to clicks and taps on the video. Returns a function that removes the listeners. In the embedded player, whose
 * only control is a play button, a tap toggles playback.
 */
export function listenToPointerEvents(playerRoot: HTMLElement, isEmbedded: boolean): () => void {
  const onPointerUp = (event: PointerEvent) => {
    if (isEmbedded && event.pointerType === 'touch') return void (isOnVideo(event) && togglePlayback())
    handlePointerUp(event)
  }
  /* Ignores touches outside the controls, because `handleTap` shows or hides the controls after a tap on the video. */
  const onPointerActivity = (event: PointerEvent) => {
    if (event.pointerType === 'touch' && !isTargetInside(event, '[data-controls]')) return
    recordUserInput()
    showControls()
  }
  const onDoubleClick = (event: MouseEvent) => {
    const isTouch = (event as PointerEvent).pointerType === 'touch'
    if (isOnVideo(event) && !isTouch && getVideoElement()) void toggleFullscreen()
  }
  const abortController = new AbortController()
  const { signal } = abortController
  playerRoot.addEventListener('pointerup', onPointerUp, { signal })
  for (const eventName of ['pointerdown', 'pointermove', 'pointerup'] as const)
    playerRoot.addEventListener(eventName, onPointerActivity, { signal })
  playerRoot.addEventListener('dblclick', onDoubleClick, { signal })
  return () => {
    clearTimeout(singleTapTimer)
    abortController.abort()
  }
}

/** Pointer input on the video: a click toggles playback, a tap toggles the controls, a double tap at a side skips. */
import { atom } from 'nanostores'
import { STEP } from '../../lib/rules/player-keys.ts'
import { noteInput } from './attention.ts'
import { $controls, $panel, hideControls, openPanel, wake } from './controls.ts'
import { picture, skip, toggle } from './deck.ts'
import { toggleFullscreen } from './screens.ts'

/** The last skip by double tap: the sum of consecutive skips, and its time by performance.now(). */
export const $skipped = atom<{ totalSeconds: number; atMs: number } | null>(null)

const DOUBLE_TAP_MS = 300
/** Fraction of the width, at either side, where a double tap skips. */
const SIDE_FRACTION = 0.35

let lastTapMs = 0
let singleTapTimer: ReturnType<typeof setTimeout> | undefined

const isOnVideo = (event: Event) => event.target instanceof Element && event.target.closest('[data-surface]')

function handleTap(event: PointerEvent): void {
  const bounds = (event.currentTarget as HTMLElement).getBoundingClientRect()
  const xFraction = (event.clientX - bounds.x) / bounds.width
  const side = xFraction < SIDE_FRACTION ? -1 : xFraction > 1 - SIDE_FRACTION ? 1 : 0
  const nowMs = performance.now()
  const isDoubleTap = nowMs - lastTapMs < DOUBLE_TAP_MS
  lastTapMs = nowMs
  clearTimeout(singleTapTimer)
  if (isDoubleTap && side !== 0) {
    const previousSkip = $skipped.get()
    const previousTotalSeconds =
      previousSkip && nowMs - previousSkip.atMs < 800 && Math.sign(previousSkip.totalSeconds) === side
        ? previousSkip.totalSeconds
        : 0
    skip(side * STEP)
    $skipped.set({ totalSeconds: previousTotalSeconds + side * STEP, atMs: nowMs })
    return
  }
  singleTapTimer = setTimeout(
    () => ($controls.get() ? hideControls() : wake()),
    isDoubleTap ? 0 : DOUBLE_TAP_MS,
  )
}

function handlePointerUp(event: PointerEvent): void {
  noteInput()
  if (!isOnVideo(event) || event.button > 0) return
  if ($panel.get()) openPanel(null)
  else if (event.pointerType === 'touch') handleTap(event)
  else {
    wake()
    toggle()
  }
}

/**
 * Returns a function that removes the listeners. In the embedded player, which has no controls, a tap toggles
 * playback.
 */
export function listenToPointer(playerRoot: HTMLElement, embed: boolean): () => void {
  const onPointerUp = (event: PointerEvent) => {
    if (embed && event.pointerType === 'touch') return void (isOnVideo(event) && toggle())
    handlePointerUp(event)
  }
  const onPointerMove = (event: PointerEvent) => {
    if (event.pointerType === 'touch') return
    noteInput()
    wake()
  }
  const onDoubleClick = (event: MouseEvent) => {
    const isTouch = (event as PointerEvent).pointerType === 'touch'
    if (isOnVideo(event) && !isTouch && picture()) void toggleFullscreen()
  }
  playerRoot.addEventListener('pointerup', onPointerUp)
  playerRoot.addEventListener('pointermove', onPointerMove)
  playerRoot.addEventListener('dblclick', onDoubleClick)
  return () => {
    clearTimeout(singleTapTimer)
    playerRoot.removeEventListener('pointerup', onPointerUp)
    playerRoot.removeEventListener('pointermove', onPointerMove)
    playerRoot.removeEventListener('dblclick', onDoubleClick)
  }
}

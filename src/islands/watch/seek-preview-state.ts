/**
 * Shows the preview of the seek bar while the viewer seeks with keys, because a remote control has no
 * pointer.
 */
import { atom } from 'nanostores'

/** True for PREVIEW_DURATION_MS after a seek with a key. */
export const $isKeyboardSeekPreviewShown = atom(false)

const PREVIEW_DURATION_MS = 1_500
let hideTimer: ReturnType<typeof setTimeout> | undefined

export function showKeyboardSeekPreview(): void {
  $isKeyboardSeekPreviewShown.set(true)
  clearTimeout(hideTimer)
  hideTimer = setTimeout(() => $isKeyboardSeekPreviewShown.set(false), PREVIEW_DURATION_MS)
}

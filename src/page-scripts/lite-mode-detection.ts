/** Measures the frame times from the first scroll of a visit on. Turns on lite mode if most of them are too long. */
import { FRAME_SAMPLE_SIZE, isFrameRateLow } from '../lib/rules/frame-rate.ts'
import { readStorage, writeStorage } from '../lib/storage.ts'
import { LITE_MODE_KEY, SLOW_FRAMES_KEY } from '../lib/storage-keys.ts'

const frameTimesMs: number[] = []
let isMeasuringFrames = false

function measureFrames(): void {
  if (isMeasuringFrames || 'lite' in document.documentElement.dataset || isLiteModeSetByUser()) return
  isMeasuringFrames = true
  let lastFrameAtMs = 0
  /* Gaps of a second or more are ignored, because a hidden page has no frames. */
  const onFrame = (nowMs: number) => {
    if (lastFrameAtMs > 0 && nowMs - lastFrameAtMs < 1_000) frameTimesMs.push(nowMs - lastFrameAtMs)
    lastFrameAtMs = nowMs
    if (frameTimesMs.length < FRAME_SAMPLE_SIZE) requestAnimationFrame(onFrame)
    else if (isFrameRateLow(frameTimesMs)) turnOnLiteMode()
  }
  requestAnimationFrame(onFrame)
}

/** True if the user has turned lite mode on or off. */
const isLiteModeSetByUser = () => readStorage('localStorage', LITE_MODE_KEY) !== null

/**
 * Turns on lite mode for the browser session. If session storage is not available, lite mode lasts until the page is
 * reloaded.
 */
function turnOnLiteMode(): void {
  document.documentElement.dataset['lite'] = ''
  writeStorage('sessionStorage', SLOW_FRAMES_KEY, '1')
}

addEventListener('scroll', measureFrames, { passive: true, capture: true })

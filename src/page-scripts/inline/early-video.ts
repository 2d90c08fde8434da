/** Plays a video on the watch page before the video element of the page is parsed. */
import { getResumePosition, scalePosition } from '../../lib/rules/player-prompts.ts'
import { loadStoredVolume } from '../../lib/stored-volume.ts'

/**
 * Longest wait for a frame after the first data of the video is loaded. Browsers without
 * requestVideoFrameCallback do not report frames, and hidden pages show no frames.
 */
const FRAME_TIMEOUT_MS = 200

export const waitForDelay = (delayMs: number) => new Promise<void>((resolve) => setTimeout(resolve, delayMs))

interface SavedProgress {
  progress: number
  finished: boolean
  data: { video_duration: number }
}

/**
 * Starts playback in `video`. Then replaces the video element of the page with `video`. The replacement causes a
 * layout, which would delay the request for the video. So `playVideo` first waits for the start of this request.
 * Resolves with true once a frame is shown or FRAME_TIMEOUT_MS has passed, and with false if the video fails.
 */
export async function playVideo(
  video: HTMLVideoElement,
  savedProgress?: SavedProgress | null,
): Promise<boolean> {
  Object.assign(video, loadStoredVolume())
  const startSeconds = getResumePosition(savedProgress)
  if (savedProgress && startSeconds > 0)
    seekTo(video, { positionSeconds: startSeconds, durationSeconds: savedProgress.data.video_duration })
  video.play().catch(() => {})
  const framePromise = waitForFrame(video)
  const [placeholder] = await Promise.all([findPageVideo(), waitForLoadStart(video)])
  if (placeholder !== video) {
    for (const { name, value } of placeholder.attributes) video.setAttribute(name, value)
    placeholder.replaceWith(video)
    document.documentElement.dataset['picture'] = ''
  }
  return framePromise
}

/** Seeks to the saved position or, if the file does not contain it, to the position that `scalePosition` returns. */
function seekTo(
  video: HTMLVideoElement,
  savedPosition: { positionSeconds: number; durationSeconds: number },
): void {
  const seekToScaledPosition = () => {
    const seconds = scalePosition(video.duration, savedPosition)
    if (seconds !== savedPosition.positionSeconds) video.currentTime = seconds
  }
  video.currentTime = savedPosition.positionSeconds
  video.addEventListener('loadedmetadata', seekToScaledPosition, { once: true })
}

/**
 * Resolves when the browser starts to load the video. Browsers select the source in a separate task, which a
 * layout would delay.
 */
const waitForLoadStart = (video: HTMLVideoElement) =>
  new Promise((resolve) => video.addEventListener('loadstart', resolve, { once: true }))

async function waitForFrame(video: HTMLVideoElement): Promise<boolean> {
  const hasFirstFrame = await new Promise<boolean>((resolve) => {
    video.addEventListener('loadeddata', () => resolve(true), { once: true })
    video.addEventListener('error', () => resolve(false), { once: true })
  })
  if (hasFirstFrame)
    await Promise.race([
      new Promise((resolve) => video.requestVideoFrameCallback?.(resolve)),
      waitForDelay(FRAME_TIMEOUT_MS),
    ])
  return hasFirstFrame
}

/** Resolves with the page's video element as soon as the parser has created it. */
function findPageVideo(): Promise<HTMLElement> {
  return new Promise((resolve) => {
    const checkForVideo = () => {
      const element = document.getElementById('picture')
      if (element) resolve(element)
      return element !== null
    }
    const observer = new MutationObserver(() => checkForVideo() && observer.disconnect())
    if (!checkForVideo()) observer.observe(document, { childList: true, subtree: true })
  })
}

/** The canvas over the video on which styled and picture subtitles are drawn. */
import type { CaptionPreferences } from '../../lib/rules/player-captions.ts'

export interface CaptionDrawingOptions {
  video: HTMLVideoElement
  delaySeconds: number
  size: CaptionPreferences['size']
  /** Called if drawing fails after the start. */
  onFailed: () => void
}
export interface CaptionDrawing {
  /**
   * The caller inserts the canvas into the page, unless another track was chosen while this track was loading.
   */
  canvas: HTMLCanvasElement
  setDelay: (seconds: number) => void
  setSize: (size: CaptionPreferences['size']) => void
  destroy: () => void
}

/**
 * Creates a canvas that lies over the video and below the controls. Like the picture of the video element, the
 * drawing keeps its aspect ratio when it is scaled.
 */
export function createCaptionCanvas(): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.className = 'pointer-events-none absolute inset-0 size-full object-contain'
  canvas.dataset['captionCanvas'] = ''
  return canvas
}

/**
 * Calls `onFrame` with the position of the video in seconds, at each presented frame and at each `timeupdate` and
 * `seeked` event. Returns a function that stops these calls.
 */
export function watchFrames(video: HTMLVideoElement, onFrame: (seconds: number) => void): () => void {
  let isStopped = false
  const watchNextFrame = () =>
    video.requestVideoFrameCallback?.((_, { mediaTime }) => {
      if (isStopped) return
      onFrame(mediaTime)
      watchNextFrame()
    })
  // The events are needed for two reasons. Some browsers do not report frames. And a paused video presents no new frame
  // when the viewer seeks to a time within the current frame.
  const reportTime = () => onFrame(video.currentTime)
  const eventNames = ['timeupdate', 'seeked'] as const
  for (const eventName of eventNames) video.addEventListener(eventName, reportTime)
  watchNextFrame()
  return () => {
    isStopped = true
    for (const eventName of eventNames) video.removeEventListener(eventName, reportTime)
  }
}

/** Returns the lower edge of the visible picture inside the video element, in CSS pixels. */
export function getPictureBottomPx({
  clientWidth,
  clientHeight,
  videoWidth,
  videoHeight,
}: HTMLVideoElement): number {
  if (videoWidth === 0) return clientHeight
  const pictureHeightPx = Math.min(clientHeight, (clientWidth * videoHeight) / videoWidth)
  return (clientHeight + pictureHeightPx) / 2
}

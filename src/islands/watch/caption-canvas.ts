/** The canvas over the video on which styled and picture subtitles are drawn. */
import type { CaptionPreferences } from '../../lib/rules/player-captions.ts'

export interface DrawingOptions {
  video: HTMLVideoElement
  delaySeconds: number
  size: CaptionPreferences['size']
  /** Called when drawing fails later. */
  onFailed: () => void
}
export interface CaptionDrawing {
  /** The caller places it, because another track may have been chosen while this one was loaded. */
  canvas: HTMLCanvasElement
  setDelay: (seconds: number) => void
  setSize: (size: CaptionPreferences['size']) => void
  destroy: () => void
}

/** Creates a canvas for over the video, below the controls. Its content keeps its ratio, as that of the video element does. */
export function createCaptionCanvas(): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.className = 'pointer-events-none absolute inset-0 size-full object-contain'
  canvas.dataset['captionCanvas'] = ''
  return canvas
}

/** Reports the time of every frame that is presented, in seconds. Returns a function that stops it. */
export function watchFrames(video: HTMLVideoElement, onFrame: (seconds: number) => void): () => void {
  let isStopped = false
  const watchNextFrame = () =>
    video.requestVideoFrameCallback?.((_, { mediaTime }) => {
      if (isStopped) return
      onFrame(mediaTime)
      watchNextFrame()
    })
  // Not every browser reports frames, and a video that is paused presents none after a seek to the same frame.
  const reportTime = () => onFrame(video.currentTime)
  const events = ['timeupdate', 'seeked'] as const
  for (const eventName of events) video.addEventListener(eventName, reportTime)
  watchNextFrame()
  return () => {
    isStopped = true
    for (const eventName of events) video.removeEventListener(eventName, reportTime)
  }
}

/** Returns the lower edge of the picture of the video in its element, in CSS pixels. */
export function getPictureBottom({
  clientWidth,
  clientHeight,
  videoWidth,
  videoHeight,
}: HTMLVideoElement): number {
  if (videoWidth === 0) return clientHeight
  const pictureHeight = Math.min(clientHeight, (clientWidth * videoHeight) / videoWidth)
  return (clientHeight + pictureHeight) / 2
}

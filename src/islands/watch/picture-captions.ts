/**
 * Draws picture subtitles of Blu-rays (PGS) in a worker. This module is loaded when such a track is chosen.
 */
import { PgsRenderer } from 'libpgs'
import workerUrl from 'libpgs/dist/libpgs.worker.js?url'
import {
  type CaptionDrawing,
  type CaptionDrawingOptions,
  createCaptionCanvas,
  watchFrames,
} from './caption-canvas.ts'

/** Draws the track at `url`. Throws if the track cannot be loaded. */
export async function drawPictureCaptions(
  url: string,
  { video, delaySeconds }: Pick<CaptionDrawingOptions, 'video' | 'delaySeconds'>,
): Promise<CaptionDrawing> {
  const canvas = createCaptionCanvas()
  const renderer = new PgsRenderer({ canvas, workerUrl })
  try {
    await renderer.loadFromUrl(new URL(url, location.href).href)
  } catch (error) {
    renderer.dispose()
    throw error
  }
  let offsetSeconds = -delaySeconds
  const drawFrame = (seconds: number) => renderer.renderAtTimestamp(seconds + offsetSeconds)
  const stopWatching = watchFrames(video, drawFrame)
  drawFrame(video.currentTime)
  return {
    canvas,
    setDelay: (seconds) => {
      offsetSeconds = -seconds
      drawFrame(video.currentTime)
    },
    // The size cannot be changed, because the pictures have the size of the video.
    setSize: () => {},
    destroy: () => {
      stopWatching()
      renderer.dispose()
      canvas.remove()
    },
  }
}

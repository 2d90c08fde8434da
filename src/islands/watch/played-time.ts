/**
 * Measures how long the video plays. Pauses, stalls and seeks do not count. A change of the device's clock does not
 * affect the result, because the times come from `performance.now()`.
 */
import type { PlayedTime } from '../../lib/contract/viewing-time.ts'
import { measurePlayedMs, type PlaybackSample } from '../../lib/rules/viewing-time.ts'
import { perProfile } from '../../lib/stores/per-profile.ts'

const createViewingSession = () => ({
  id: Array.from(crypto.getRandomValues(new Uint32Array(3)), (randomNumber) =>
    randomNumber.toString(36),
  ).join('-'),
  playedMs: 0,
})
/** Playing time of the acting profile, with the id of this measurement. Starts at 0 when another profile acts. */
const $viewingSession = perProfile(createViewingSession)

export const getPlayedMs = () => $viewingSession.get().playedMs

export function getPlayedTime(): PlayedTime {
  const { id, playedMs } = $viewingSession.get()
  return { session: id, seconds: Math.round(playedMs) / 1_000 }
}

/** Starts the measurement. Returns a function that stops it. */
export function startMeasuringPlayedTime(video: HTMLVideoElement): () => void {
  let previousSample: PlaybackSample | null = null
  const measurePlayedTime = () => {
    const nextSample = {
      atMs: performance.now(),
      positionSeconds: video.currentTime,
      playbackRate: video.playbackRate,
    }
    if (previousSample && !video.seeking) {
      const viewingSession = $viewingSession.get()
      $viewingSession.set({
        ...viewingSession,
        playedMs: viewingSession.playedMs + measurePlayedMs(previousSample, nextSample),
      })
    }
    previousSample = video.paused || video.seeking ? null : nextSample
  }
  const discardPreviousSample = () => {
    previousSample = null
  }
  const abortController = new AbortController()
  const { signal } = abortController
  for (const name of ['timeupdate', 'pause', 'playing', 'ratechange', 'ended'] as const)
    video.addEventListener(name, measurePlayedTime, { signal })
  for (const name of ['seeking', 'emptied'] as const)
    video.addEventListener(name, discardPreviousSample, { signal })
  return () => abortController.abort()
}

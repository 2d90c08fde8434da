/**
 * The video element and its state as stores. The element is part of the page markup, outside React. Therefore
 * playback starts before the interface has loaded, and fullscreen is kept when the next episode starts.
 */
import { atom } from 'nanostores'
import { getNextPlaybackRate, SKIP_SECONDS } from '../../lib/rules/player-keys.ts'
import { loadStoredVolume, storeVolume } from '../../lib/stored-volume.ts'

export const $positionSeconds = atom(0)
/** Duration in seconds; 0 while unknown. */
export const $durationSeconds = atom(0)
/** End of the buffered range at the playback position, in seconds. */
export const $bufferedSeconds = atom(0)
export const $isPaused = atom(true)
export const $hasEnded = atom(false)
/** True while the video waits for data. */
export const $isBuffering = atom(false)
/** True once a frame of this title has been shown. Before that, no progress is saved. */
export const $hasPlaybackStarted = atom(false)
export const $volumeState = atom({ volume: 1, muted: false })
export const $playbackRate = atom(1)

/** Seconds per frame at 25 frames per second; browsers do not expose the real frame rate. */
const FRAME_SECONDS = 1 / 25

let video: HTMLVideoElement | null = null
export const getVideoElement = () => video
export const getPlayerRoot = () => document.querySelector<HTMLElement>('#theatre')

/** Last known position in seconds. It stays valid after the element has lost its source. */
let positionSeconds = 0
export const getPositionSeconds = () => positionSeconds

export function attachVideoElement(element: HTMLVideoElement): void {
  video = element
  const storedVolume = loadStoredVolume()
  element.volume = storedVolume.volume
  element.muted = storedVolume.muted
  $volumeState.set(storedVolume)
  // Every page has its own video element, whose playback rate is 1 at first.
  $playbackRate.set(element.playbackRate)
  for (const [eventName, handleEvent] of Object.entries(VIDEO_EVENT_HANDLERS))
    element.addEventListener(eventName, () => handleEvent(element))
}

export function detachVideoElement(): void {
  if (!video) return
  // The picture-in-picture window would stay open, although the video has no source.
  if (document.pictureInPictureElement === video) void document.exitPictureInPicture().catch(() => {})
  video.pause()
  video.removeAttribute('src')
  video.load()
  video = null
  resetPlayback(0)
}

/** Resets the state before another title, or the same title at another position, is loaded. */
export function resetPlayback(startSeconds: number): void {
  positionSeconds = startSeconds
  $positionSeconds.set(startSeconds)
  $durationSeconds.set(0)
  $bufferedSeconds.set(0)
  $hasEnded.set(false)
  $hasPlaybackStarted.set(false)
}

/** Reads the state of an element that started playing before the listeners were attached. */
export function syncWithVideoElement(): void {
  if (!video) return
  $isPaused.set(video.paused)
  if (video.duration > 0) $durationSeconds.set(video.duration)
  if (video.readyState > 0) updatePosition(video)
  if (video.readyState > 2 && !video.paused) VIDEO_EVENT_HANDLERS['playing']?.(video)
}

const VIDEO_EVENT_HANDLERS: Record<string, (element: HTMLVideoElement) => void> = {
  timeupdate: updatePosition,
  seeking: updatePosition,
  durationchange: ({ duration }) => Number.isFinite(duration) && $durationSeconds.set(duration),
  progress: updateBuffered,
  play: () => {
    $isPaused.set(false)
    $hasEnded.set(false)
  },
  /*
   * At the end, the element fires `pause` before `ended`. `$hasEnded` is set first, so that listeners of `$isPaused` do
   * not mistake the end for a pause by the user.
   */
  pause: (element) => {
    if (element.ended) $hasEnded.set(true)
    $isPaused.set(true)
  },
  waiting: () => $isBuffering.set(true),
  stalled: (element) => element.readyState < 3 && $isBuffering.set(true),
  seeked: (element) => element.paused && $isBuffering.set(false),
  canplay: () => $isBuffering.set(false),
  playing: () => {
    $isBuffering.set(false)
    $hasPlaybackStarted.set(true)
    getPlayerRoot()?.setAttribute('data-started', '')
  },
  ended: () => $hasEnded.set(true),
  volumechange: (element) => {
    $volumeState.set({ volume: element.volume, muted: element.muted })
    storeVolume($volumeState.get())
  },
  ratechange: ({ playbackRate }) => $playbackRate.set(playbackRate),
}

function updatePosition(element: HTMLVideoElement): void {
  if (element.readyState === 0) return
  positionSeconds = element.currentTime
  $positionSeconds.set(positionSeconds)
  if (positionSeconds < element.duration - 0.5) $hasEnded.set(false)
  updateBuffered(element)
}

function updateBuffered({ buffered, currentTime }: HTMLVideoElement): void {
  for (let index = 0; index < buffered.length; index++) {
    if (buffered.start(index) <= currentTime + 0.5 && buffered.end(index) >= currentTime)
      $bufferedSeconds.set(buffered.end(index))
  }
}

/** Starts playback. If the browser blocks autoplay, the video stays paused and the play button is shown. */
export const startPlayback = () => void video?.play().catch(() => $isPaused.set(video?.paused ?? true))
export const pausePlayback = () => video?.pause()
export function togglePlayback(): void {
  if (video?.paused) startPlayback()
  else pausePlayback()
}

/**
 * Seeks to `seconds`, but at most to 0.2 s before the end, so that the End key still shows a frame. Does nothing while
 * the duration is unknown.
 */
export function seekTo(seconds: number): void {
  const durationSeconds = $durationSeconds.get()
  if (!video || durationSeconds <= 0) return
  const targetSeconds = Math.max(0, Math.min(durationSeconds - 0.2, seconds))
  positionSeconds = targetSeconds
  $positionSeconds.set(targetSeconds)
  video.currentTime = targetSeconds
}
export const skipSeconds = (seconds: number = SKIP_SECONDS) => seekTo(positionSeconds + seconds)
export const stepFrame = (step: 1 | -1) => seekTo(positionSeconds + step * FRAME_SECONDS)

export function setVolume(volume: number): void {
  if (!video) return
  video.volume = Math.round(Math.max(0, Math.min(1, volume)) * 100) / 100
  video.muted = video.volume === 0
}
export const changeVolume = (volumeChange: number) =>
  setVolume((video?.muted ? 0 : (video?.volume ?? 0)) + volumeChange)
export function toggleMute(): void {
  if (!video) return
  if (video.muted && video.volume === 0) video.volume = 0.5
  video.muted = !video.muted
}

/** Sets the playback rate. It is also set as the default rate, which is kept when the source changes. */
export function setPlaybackRate(rate: number): void {
  if (!video) return
  video.defaultPlaybackRate = rate
  video.playbackRate = rate
}
export const stepPlaybackRate = (step: 1 | -1) =>
  setPlaybackRate(getNextPlaybackRate($playbackRate.get(), step))

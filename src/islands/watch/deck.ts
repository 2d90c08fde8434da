/**
 * The video element and its state as stores. The element is part of the page markup, outside React: playback starts before
 * the interface has loaded, and fullscreen survives the change to the next episode.
 */
import { atom } from 'nanostores'
import { rateAfter, STEP } from '../../lib/rules/player-keys.ts'

/** Playback position in seconds. */
export const $time = atom(0)
/** Duration in seconds; 0 while unknown. */
export const $duration = atom(0)
/** End of the buffered range at the playback position, in seconds. */
export const $buffered = atom(0)
export const $paused = atom(true)
export const $ended = atom(false)
/** True while playback stalls although it is not paused. */
export const $waiting = atom(false)
/** True once a frame of this title has been shown. Progress is not saved before. */
export const $started = atom(false)
export const $sound = atom({ volume: 1, muted: false })
export const $rate = atom(1)

const VOLUME_STORAGE_KEY = 'marquee-sound'
/** Seconds per frame at 25 frames per second; browsers do not expose the real frame rate. */
const FRAME_SECONDS = 1 / 25

let video: HTMLVideoElement | null = null
export const picture = () => video
export const theatre = () => document.querySelector<HTMLElement>('#theatre')

/** Last known position in seconds; still valid after the element has lost its source. */
let positionSeconds = 0
export const currentPlace = () => positionSeconds

export function attach(element: HTMLVideoElement): void {
  video = element
  const storedVolume = loadStoredVolume()
  element.volume = storedVolume.volume
  element.muted = storedVolume.muted
  $sound.set(storedVolume)
  for (const [eventName, handleEvent] of Object.entries(EVENT_HANDLERS))
    element.addEventListener(eventName, () => handleEvent(element))
}

export function detach(): void {
  if (!video) return
  video.pause()
  video.removeAttribute('src')
  delete video.dataset['plays']
  video.load()
  video = null
  reset(0)
}

/** Resets the state before another title, or the same title at another position, is loaded. */
export function reset(startSeconds: number): void {
  positionSeconds = startSeconds
  $time.set(startSeconds)
  $duration.set(0)
  $buffered.set(0)
  $ended.set(false)
  $started.set(false)
}

/** Reads the state of an element that started playing before the listeners were attached. */
export function adopt(): void {
  if (!video) return
  $paused.set(video.paused)
  if (video.duration > 0) $duration.set(video.duration)
  if (video.readyState > 0) updatePosition(video)
  if (video.readyState > 2 && !video.paused) EVENT_HANDLERS['playing']?.(video)
}

const EVENT_HANDLERS: Record<string, (element: HTMLVideoElement) => void> = {
  timeupdate: updatePosition,
  seeking: updatePosition,
  durationchange: ({ duration }) => Number.isFinite(duration) && $duration.set(duration),
  progress: updateBuffered,
  play: () => {
    $paused.set(false)
    $ended.set(false)
  },
  /* At the end the element fires `pause` before `ended`, although the user did not pause. */
  pause: (element) => {
    if (element.ended) $ended.set(true)
    $paused.set(true)
  },
  waiting: () => $waiting.set(true),
  stalled: (element) => element.readyState < 3 && $waiting.set(true),
  seeked: (element) => element.paused && $waiting.set(false),
  canplay: () => $waiting.set(false),
  playing: () => {
    $waiting.set(false)
    $started.set(true)
    theatre()?.setAttribute('data-started', '')
  },
  ended: () => $ended.set(true),
  volumechange: (element) => {
    $sound.set({ volume: element.volume, muted: element.muted })
    storeVolume()
  },
  ratechange: ({ playbackRate }) => $rate.set(playbackRate),
}

function updatePosition(element: HTMLVideoElement): void {
  if (element.readyState === 0) return
  positionSeconds = element.currentTime
  $time.set(positionSeconds)
  if (positionSeconds < element.duration - 0.5) $ended.set(false)
  updateBuffered(element)
}

function updateBuffered({ buffered, currentTime }: HTMLVideoElement): void {
  for (let index = 0; index < buffered.length; index++) {
    if (buffered.start(index) <= currentTime + 0.5 && buffered.end(index) >= currentTime)
      $buffered.set(buffered.end(index))
  }
}

/** Where the browser blocks autoplay, the video stays paused and the play button is shown. */
export const play = () => void video?.play().catch(() => $paused.set(video?.paused ?? true))
export const pause = () => video?.pause()
export function toggle(): void {
  if (video?.paused) play()
  else pause()
}

/** Seeks to `seconds`, limited to the duration minus 0.2 s, so that the End key still shows a frame. */
export function seekTo(seconds: number): void {
  const durationSeconds = $duration.get()
  if (!video || durationSeconds <= 0) return
  const targetSeconds = Math.max(0, Math.min(durationSeconds - 0.2, seconds))
  positionSeconds = targetSeconds
  $time.set(targetSeconds)
  video.currentTime = targetSeconds
}
export const skip = (seconds: number = STEP) => seekTo(positionSeconds + seconds)
export const frame = (step: 1 | -1) => seekTo(positionSeconds + step * FRAME_SECONDS)

export function setVolume(volume: number): void {
  if (!video) return
  video.volume = Math.round(Math.max(0, Math.min(1, volume)) * 100) / 100
  video.muted = video.volume === 0
}
export const changeVolume = (delta: number) => setVolume((video?.muted ? 0 : (video?.volume ?? 0)) + delta)
export function toggleMute(): void {
  if (!video) return
  if (video.muted && video.volume === 0) video.volume = 0.5
  video.muted = !video.muted
}

/** Also sets the default rate, which survives a change of the source. */
export function setRate(rate: number): void {
  if (!video) return
  video.defaultPlaybackRate = rate
  video.playbackRate = rate
}
export const stepRate = (step: 1 | -1) => setRate(rateAfter($rate.get(), step))

function loadStoredVolume(): { volume: number; muted: boolean } {
  try {
    const { volume, muted } = JSON.parse(localStorage.getItem(VOLUME_STORAGE_KEY) ?? '') as Record<
      string,
      unknown
    >
    if (typeof volume === 'number' && volume >= 0 && volume <= 1) return { volume, muted: muted === true }
  } catch {
    /* Nothing is stored, or it cannot be parsed. */
  }
  return { volume: 1, muted: false }
}

function storeVolume(): void {
  try {
    localStorage.setItem(VOLUME_STORAGE_KEY, JSON.stringify($sound.get()))
  } catch {
    /* Storage is full or blocked; the volume is not remembered. */
  }
}

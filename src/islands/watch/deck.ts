/**
 * The video element and what is known of it. The element stands in the page's own markup, outside React: the picture
 * comes before the interface does, and full screen lasts from one episode to the next.
 */
import { atom } from 'nanostores'
import { rateAfter, STEP } from '../../lib/rules/player-keys.ts'

/** Seconds. */
export const $time = atom(0)
/** Seconds; 0 until it is known. */
export const $duration = atom(0)
/** Seconds up to which it is here. */
export const $buffered = atom(0)
export const $paused = atom(true)
export const $ended = atom(false)
/** The picture stands still though it should not. */
export const $waiting = atom(false)
/** A picture of this title was shown: only then is there a place worth keeping. */
export const $started = atom(false)
export const $sound = atom({ volume: 1, muted: false })
export const $rate = atom(1)

const SOUND_KEY = 'marquee-sound'
/** Of a typical 25 pictures a second; browsers do not tell the real rate. */
const FRAME = 1 / 25

let video: HTMLVideoElement | null = null
export const picture = () => video
export const theatre = () => document.querySelector<HTMLElement>('#theatre')

/** Seconds where it stands; survives an element that lost its source. */
let place = 0
export const currentPlace = () => place

export function attach(element: HTMLVideoElement): void {
  video = element
  const sound = storedSound()
  element.volume = sound.volume
  element.muted = sound.muted
  $sound.set(sound)
  for (const [name, react] of Object.entries(REACTIONS)) element.addEventListener(name, () => react(element))
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

/** Another title, or another place, is about to play. */
export function reset(at: number): void {
  place = at
  $time.set(at)
  $duration.set(0)
  $buffered.set(0)
  $ended.set(false)
  $started.set(false)
}

/** What the element did before it was listened to. */
export function adopt(): void {
  if (!video) return
  $paused.set(video.paused)
  if (video.duration > 0) $duration.set(video.duration)
  if (video.readyState > 0) follow(video)
  if (video.readyState > 2 && !video.paused) REACTIONS['playing']?.(video)
}

const REACTIONS: Record<string, (element: HTMLVideoElement) => void> = {
  timeupdate: follow,
  seeking: follow,
  durationchange: ({ duration }) => Number.isFinite(duration) && $duration.set(duration),
  progress: measure,
  play: () => {
    $paused.set(false)
    $ended.set(false)
  },
  /* At the end the element pauses first: that is nobody's wish. */
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
    storeSound()
  },
  ratechange: ({ playbackRate }) => $rate.set(playbackRate),
}

function follow(element: HTMLVideoElement): void {
  if (element.readyState === 0) return
  place = element.currentTime
  $time.set(place)
  if (place < element.duration - 0.5) $ended.set(false)
  measure(element)
}

function measure({ buffered, currentTime }: HTMLVideoElement): void {
  for (let at = 0; at < buffered.length; at++) {
    if (buffered.start(at) <= currentTime + 0.5 && buffered.end(at) >= currentTime)
      $buffered.set(buffered.end(at))
  }
}

/** A browser that wants a gesture first leaves it paused, with the button in sight. */
export const play = () => void video?.play().catch(() => $paused.set(video?.paused ?? true))
export const pause = () => video?.pause()
export function toggle(): void {
  if (video?.paused) play()
  else pause()
}

/** Seconds, kept inside; the very end is left alone so that "end" still shows a picture. */
export function seekTo(seconds: number): void {
  const length = $duration.get()
  if (!video || length <= 0) return
  const at = Math.max(0, Math.min(length - 0.2, seconds))
  place = at
  $time.set(at)
  video.currentTime = at
}
export const skip = (seconds: number = STEP) => seekTo(place + seconds)
export const frame = (step: 1 | -1) => seekTo(place + step * FRAME)

export function setVolume(volume: number): void {
  if (!video) return
  video.volume = Math.round(Math.max(0, Math.min(1, volume)) * 100) / 100
  video.muted = video.volume === 0
}
export const changeVolume = (change: number) => setVolume((video?.muted ? 0 : (video?.volume ?? 0)) + change)
export function toggleMute(): void {
  if (!video) return
  if (video.muted && video.volume === 0) video.volume = 0.5
  video.muted = !video.muted
}

/** Kept when the source changes. */
export function setRate(rate: number): void {
  if (!video) return
  video.defaultPlaybackRate = rate
  video.playbackRate = rate
}
export const stepRate = (step: 1 | -1) => setRate(rateAfter($rate.get(), step))

function storedSound(): { volume: number; muted: boolean } {
  try {
    const { volume, muted } = JSON.parse(localStorage.getItem(SOUND_KEY) ?? '') as Record<string, unknown>
    if (typeof volume === 'number' && volume >= 0 && volume <= 1) return { volume, muted: muted === true }
  } catch {
    /* Nothing stored, or nothing that can be read. */
  }
  return { volume: 1, muted: false }
}

function storeSound(): void {
  try {
    localStorage.setItem(SOUND_KEY, JSON.stringify($sound.get()))
  } catch {
    /* Not kept, then. */
  }
}

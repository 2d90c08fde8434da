/** Keeps the place: every ten seconds, on pause, and when the page goes. A start that failed is never saved. */
import { saveProgress } from '../../lib/stores/history.ts'
import { $player } from '../../lib/stores/player.ts'
import { $duration, $started, currentPlace } from './deck.ts'

const EVERY_MS = 10_000

export function savePlace(leaving = false): void {
  const player = $player.get()
  if (player.status !== 'ready' || !$started.get()) return
  const { media, episode } = player
  const place = episode ? { season: episode.season_number, episode: episode.episode_number } : {}
  void saveProgress(
    { title: media, ...place, progress: currentPlace(), duration: $duration.get() },
    leaving,
  ).catch(() => {})
}

/** Returns how to stop. */
export function keepSaving(video: HTMLVideoElement): () => void {
  const timer = setInterval(() => !video.paused && savePlace(), EVERY_MS)
  const pause = () => !video.seeking && savePlace()
  const hide = () => document.visibilityState === 'hidden' && savePlace(true)
  const leave = () => savePlace(true)
  video.addEventListener('pause', pause)
  document.addEventListener('visibilitychange', hide)
  window.addEventListener('pagehide', leave)
  return () => {
    clearInterval(timer)
    video.removeEventListener('pause', pause)
    document.removeEventListener('visibilitychange', hide)
    window.removeEventListener('pagehide', leave)
  }
}

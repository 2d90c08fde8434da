/** Saves the progress every ten seconds, on pause and when the page is hidden; never before playback has started. */
import { saveProgress } from '../../lib/stores/history.ts'
import { $player } from '../../lib/stores/player.ts'
import { $duration, $started, currentPlace } from './deck.ts'

const SAVE_INTERVAL_MS = 10_000

export function savePlace(keepalive = false): void {
  const player = $player.get()
  if (player.status !== 'ready' || !$started.get()) return
  const { media, episode } = player
  const episodeNumbers = episode ? { season: episode.season_number, episode: episode.episode_number } : {}
  void saveProgress(
    { title: media, ...episodeNumbers, progress: currentPlace(), duration: $duration.get() },
    keepalive,
  ).catch(() => {})
}

/** Returns a function that stops saving. */
export function keepSaving(video: HTMLVideoElement): () => void {
  const timer = setInterval(() => !video.paused && savePlace(), SAVE_INTERVAL_MS)
  const saveOnPause = () => !video.seeking && savePlace()
  const saveWhenHidden = () => document.visibilityState === 'hidden' && savePlace(true)
  const saveOnPageHide = () => savePlace(true)
  video.addEventListener('pause', saveOnPause)
  document.addEventListener('visibilitychange', saveWhenHidden)
  window.addEventListener('pagehide', saveOnPageHide)
  return () => {
    clearInterval(timer)
    video.removeEventListener('pause', saveOnPause)
    document.removeEventListener('visibilitychange', saveWhenHidden)
    window.removeEventListener('pagehide', saveOnPageHide)
  }
}

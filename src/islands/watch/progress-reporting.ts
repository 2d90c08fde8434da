/**
 * Saves the progress every ten seconds, on pause and when the page is hidden. Before playback has started,
 * nothing is saved.
 */

import { $player } from '../../lib/stores/player.ts'
import { saveProgress } from '../../lib/stores/progress.ts'
import { $viewingTime } from '../../lib/stores/viewing-time.ts'
import { getPlayedTime } from './played-time.ts'
import { $durationSeconds, $hasPlaybackStarted, getPositionSeconds } from './video-element.ts'

const SAVE_INTERVAL_MS = 10_000

export function reportProgress(keepalive = false): void {
  const player = $player.get()
  if (player.status !== 'ready' || !$hasPlaybackStarted.get()) return
  const { media, episode } = player
  const episodeNumbers = episode ? { season: episode.season_number, episode: episode.episode_number } : {}
  void saveProgress(
    {
      title: media,
      ...episodeNumbers,
      positionSeconds: getPositionSeconds(),
      durationSeconds: $durationSeconds.get(),
      played: [getPlayedTime()],
    },
    keepalive,
  ).then(
    (viewingTime) => viewingTime && $viewingTime.mutate(viewingTime),
    () => {},
  )
}

/** Starts saving the progress and returns a function that stops it. */
export function startProgressReporting(video: HTMLVideoElement): () => void {
  const timer = setInterval(() => !video.paused && reportProgress(), SAVE_INTERVAL_MS)
  const saveOnPause = () => !video.seeking && reportProgress()
  const saveWhenHidden = () => document.visibilityState === 'hidden' && reportProgress(true)
  const saveOnPageHide = () => reportProgress(true)
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

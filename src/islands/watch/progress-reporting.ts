/**
 * Saves the progress every ten seconds, on pause and when the page is hidden. Before playback has started,
 * nothing is saved.
 */

import { isFinished } from '../../lib/rules/progress.ts'
import { perProfile } from '../../lib/stores/per-profile.ts'
import { $isEpisodeLoading, $player } from '../../lib/stores/player.ts'
import { saveProgress } from '../../lib/stores/save-progress.ts'
import { $viewingTime } from '../../lib/stores/viewing-time.ts'
import { getPlayedTime } from './played-time.ts'
import { $durationSeconds, $hasPlaybackStarted, getPositionSeconds } from './video-element.ts'

const SAVE_INTERVAL_MS = 10_000

/**
 * `key` of the player state for which `reportProgress` has reported the other episodes of the same file as finished.
 * They are reported only once per `key`.
 */
const $finishedPlayerKey = perProfile<string | null>(() => null)

export function reportProgress(keepalive = false): void {
  const player = $player.get()
  if (player.status !== 'ready' || !$hasPlaybackStarted.get()) return
  const { media, episode, stream } = player
  const position = {
    title: media,
    positionSeconds: getPositionSeconds(),
    durationSeconds: $durationSeconds.get(),
  }
  const episodeNumbers = episode ? { season: episode.season_number, episode: episode.episode_number } : {}
  const reportWithPlayedTime = { ...position, ...episodeNumbers, played: [getPlayedTime()] }
  // The end of a file with several episodes finishes all of them. Only the report of the current episode contains the
  // playing time, so that it is not counted several times.
  if (
    episode &&
    $finishedPlayerKey.get() !== player.key &&
    isFinished(position.positionSeconds, position.durationSeconds, stream.credits_at)
  ) {
    $finishedPlayerKey.set(player.key)
    for (const number of stream.episodes ?? [])
      if (number !== episode.episode_number)
        void saveProgress({ ...position, season: episode.season_number, episode: number }, keepalive).catch(
          () => {},
        )
  }
  void saveProgress(reportWithPlayedTime, keepalive).then(
    (viewingTime) => viewingTime && $viewingTime.mutate(viewingTime),
    () => {},
  )
}

/** Starts saving the progress and returns a function that stops it. */
export function startProgressReporting(video: HTMLVideoElement): () => void {
  const saveWhilePlaying = () => {
    if (!video.paused) reportProgress()
  }
  const timer = setInterval(saveWhilePlaying, SAVE_INTERVAL_MS)
  // Saves the position of the previous episode before the next one replaces it. The viewer may have continued the
  // previous episode while the next one was loading.
  const stopListening = $isEpisodeLoading.listen((isLoading) => {
    if (!isLoading) saveWhilePlaying()
  })
  const saveOnPause = () => reportProgress()
  const saveWhenHidden = () => document.visibilityState === 'hidden' && reportProgress(true)
  const saveOnPageHide = () => reportProgress(true)
  video.addEventListener('pause', saveOnPause)
  document.addEventListener('visibilitychange', saveWhenHidden)
  window.addEventListener('pagehide', saveOnPageHide)
  return () => {
    clearInterval(timer)
    stopListening()
    video.removeEventListener('pause', saveOnPause)
    document.removeEventListener('visibilitychange', saveWhenHidden)
    window.removeEventListener('pagehide', saveOnPageHide)
  }
}

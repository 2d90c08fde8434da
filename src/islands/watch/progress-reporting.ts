/**
 * Saves the progress on pause, when the page is hidden, and every ten seconds while the video plays or after the viewer
 * has changed the position. Before playback has started, nothing is saved.
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
 * While the video is paused, the position is saved again only after a change of more than this number of seconds. A
 * smaller change may be caused by a renewed stream, which can start a little earlier. Saving that position would
 * replace a newer position of another device.
 */
const MIN_POSITION_CHANGE_SECONDS = 1

/**
 * `key` of the player state for which `reportProgress` has reported the other episodes of the same file as finished.
 * They are reported only once per `key`.
 */
const $finishedPlayerKey = perProfile<string | null>(() => null)

/** Position in seconds of the last report. */
let reportedPositionSeconds = 0

export function reportProgress(keepalive = false): void {
  const player = $player.get()
  if (player.status !== 'ready' || !$hasPlaybackStarted.get()) return
  const { media, episode, stream } = player
  reportedPositionSeconds = getPositionSeconds()
  const position = {
    title: media,
    season: episode?.season_number,
    positionSeconds: reportedPositionSeconds,
    durationSeconds: $durationSeconds.get(),
    creditsAtSeconds: stream.credits_at,
  }
  // The end of a file with several episodes finishes all these episodes. Only the report of the current episode
  // contains the playing time, so that it is not counted several times.
  if (
    episode &&
    $finishedPlayerKey.get() !== player.key &&
    isFinished(reportedPositionSeconds, position.durationSeconds, position.creditsAtSeconds)
  ) {
    $finishedPlayerKey.set(player.key)
    for (const number of stream.episodes ?? [])
      if (number !== episode.episode_number)
        void saveProgress({ ...position, episode: number }, keepalive).catch(() => {})
  }
  void saveProgress(
    { ...position, episode: episode?.episode_number, played: [getPlayedTime()] },
    keepalive,
  ).then(
    (viewingTime) => viewingTime && $viewingTime.mutate(viewingTime),
    () => {},
  )
}

/** Starts saving the progress and returns a function that stops it. */
export function startProgressReporting(video: HTMLVideoElement): () => void {
  const saveWhilePlaying = () => {
    const isMoved = Math.abs(getPositionSeconds() - reportedPositionSeconds) > MIN_POSITION_CHANGE_SECONDS
    if (!video.paused || isMoved) reportProgress()
  }
  const timer = setInterval(saveWhilePlaying, SAVE_INTERVAL_MS)
  // Saves the position of the previous episode before the next one replaces it. The viewer may have continued the
  // previous episode while the next one was loading.
  const stopListening = $isEpisodeLoading.listen((isLoading) => {
    if (!isLoading) saveWhilePlaying()
  })
  const abortController = new AbortController()
  const { signal } = abortController
  const saveWhenHidden = () => document.visibilityState === 'hidden' && reportProgress(true)
  video.addEventListener('pause', () => reportProgress(), { signal })
  document.addEventListener('visibilitychange', saveWhenHidden, { signal })
  window.addEventListener('pagehide', () => reportProgress(true), { signal })
  return () => {
    clearInterval(timer)
    stopListening()
    abortController.abort()
  }
}

/** Attaches the player to the video element, outside React, and takes over playback that the inline script started. */
import { probeCapabilities } from '../../lib/playback-environment.ts'
import { onProfileReset } from '../../lib/stores/per-profile.ts'
import { $player, closePlayer, openPlayer, retryPlayer } from '../../lib/stores/player.ts'
import { connectMediaSession } from './media-session.ts'
import { startMeasuringPlayedTime } from './played-time.ts'
import { reportProgress, startProgressReporting } from './progress-reporting.ts'
import { listenToVideoEvents, retryConnection, startStream, stopStream } from './source-selection.ts'
import {
  $activeCaption,
  $captionDelaySeconds,
  applyActiveCaption,
  applyCaptionDelay,
  setNativeCaptions,
} from './tracks.ts'
import { $durationSeconds, attachVideoElement, detachVideoElement, getVideoElement } from './video-element.ts'

/** Delay before the stream is looked up again after a network error. */
const RETRY_MS = 5_000
let retryTimer: ReturnType<typeof setTimeout> | undefined
let playingKey = ''
let cleanups: (() => void)[] = []

/** Attaches the player to the video of the page, unless it is attached already, and opens the title of the URL. */
export function attachPlayer(): void {
  const video = document.querySelector<HTMLVideoElement>('#picture')
  if (!video) return
  if (video !== getVideoElement()) attachVideo(video)
  void openPlayer(location.search)
  void probeCapabilities().catch(() => {})
}

function attachVideo(video: HTMLVideoElement): void {
  attachVideoElement(video)
  listenToVideoEvents(video)
  video.addEventListener('webkitbeginfullscreen', () => setNativeCaptions(true))
  video.addEventListener('webkitendfullscreen', () => setNativeCaptions(false))
  playingKey = ''
  cleanups = [
    startMeasuringPlayedTime(video),
    startProgressReporting(video),
    $player.subscribe((player) => {
      clearTimeout(retryTimer)
      if (player.status === 'failed' && player.error.status === 0)
        retryTimer = setTimeout(retryPlayer, RETRY_MS)
      if (player.status !== 'ready' || player.key === playingKey) return
      playingKey = player.key
      startStream(player.start)
    }),
    $activeCaption.subscribe(applyActiveCaption),
    $captionDelaySeconds.listen(applyCaptionDelay),
    connectMediaSession(),
  ]
}

/** Runs before the page swap, because the progress can be saved only while the profile and the title are known. */
function detachPlayer(): void {
  if (!getVideoElement()) return
  if ($durationSeconds.get() > 0) reportProgress(true)
  clearTimeout(retryTimer)
  for (const cleanup of cleanups) cleanup()
  stopStream()
  closePlayer()
  detachVideoElement()
}

attachPlayer()
document.addEventListener('astro:before-swap', detachPlayer)
onProfileReset(detachPlayer)
document.addEventListener('astro:after-swap', attachPlayer)
window.addEventListener('online', () => void retryConnection())

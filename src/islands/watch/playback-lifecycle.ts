/**
 * Attaches the player to the video element, outside React. It takes over playback that the inline script has
 * started.
 */
import { probeCapabilities } from '../../lib/playback-environment.ts'
import { onProfileReset } from '../../lib/stores/per-profile.ts'
import { $player, closePlayer, openPlayer, retryPlayer } from '../../lib/stores/player.ts'
import { setNativeCaptions, startCaptionDrawing } from './caption-drawing.ts'
import { connectMediaSession } from './media-session.ts'
import { startMeasuringPlayedTime } from './played-time.ts'
import { reportProgress, startProgressReporting } from './progress-reporting.ts'
import { confirmStillWatching } from './still-watching.ts'
import { listenToVideoEvents, retryConnection, startStream, stopStream } from './stream-playback.ts'
import { $durationSeconds, attachVideoElement, detachVideoElement, getVideoElement } from './video-element.ts'

/** Delay before the stream is looked up again after a network error. */
const RETRY_DELAY_MS = 5_000
let retryTimer: ReturnType<typeof setTimeout> | undefined
let startedPlayerKey = ''
let cleanups: (() => void)[] = []

/** Attaches the player to the video of the page if it is not attached yet, and opens the title in the URL. */
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
  startedPlayerKey = ''
  cleanups = [
    startMeasuringPlayedTime(video),
    startProgressReporting(video),
    $player.subscribe((player) => {
      clearTimeout(retryTimer)
      if (player.status === 'failed' && player.error.status === 0)
        retryTimer = setTimeout(retryPlayer, RETRY_DELAY_MS)
      // The title may become available again under the same key. Without this reset, the stream would then not be
      // started.
      if (player.status === 'nothing' || player.status === 'failed') startedPlayerKey = ''
      if (player.status !== 'ready' || player.key === startedPlayerKey) return
      startedPlayerKey = player.key
      startStream(player.startPosition)
    }),
    startCaptionDrawing(),
    connectMediaSession(),
  ]
}

/**
 * Detaches the player and saves the progress. It runs before the page swap and at the start of another profile session,
 * because the profile and the title are known only until then.
 */
function detachPlayer(): void {
  if (!getVideoElement()) return
  if ($durationSeconds.get() > 0) reportProgress(true)
  clearTimeout(retryTimer)
  for (const cleanup of cleanups) cleanup()
  stopStream()
  closePlayer()
  confirmStillWatching()
  detachVideoElement()
}

attachPlayer()
document.addEventListener('astro:before-swap', detachPlayer)
onProfileReset(detachPlayer)
document.addEventListener('astro:after-swap', attachPlayer)
window.addEventListener('online', () => void retryConnection())

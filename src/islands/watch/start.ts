/** Attaches the player to the video element, outside React, and takes over playback that the inline script started. */
import { $player, closePlayer, openPlayer, retryPlayer } from '../../lib/stores/player.ts'
import { $duration, attach, detach, picture } from './deck.ts'
import { listenToKeysOfTheSystem } from './media-session.ts'
import { keepSaving, savePlace } from './saving.ts'
import { reconnect, startStream, stopStream, watchLine } from './source.ts'
import { $caption, drawByBrowser, showCaption } from './tracks.ts'

/** Interval for another lookup of the stream after a network error. */
const RETRY_MS = 5_000
let retryTimer: ReturnType<typeof setTimeout> | undefined
let playingKey = ''
let cleanups: (() => void)[] = []

function attachPlayer(): void {
  const video = document.querySelector<HTMLVideoElement>('#picture')
  if (!video || video === picture()) return
  attach(video)
  watchLine(video)
  video.addEventListener('webkitbeginfullscreen', () => drawByBrowser(true))
  video.addEventListener('webkitendfullscreen', () => drawByBrowser(false))
  playingKey = ''
  cleanups = [
    keepSaving(video),
    $player.subscribe((player) => {
      clearTimeout(retryTimer)
      if (player.status === 'failed' && player.error.status === 0)
        retryTimer = setTimeout(retryPlayer, RETRY_MS)
      if (player.status !== 'ready' || player.key === playingKey) return
      playingKey = player.key
      startStream(player.start)
    }),
    $caption.subscribe(showCaption),
    listenToKeysOfTheSystem(),
  ]
  void openPlayer(location.search)
}

/** Runs before the swap, because the progress can be saved only while the profile and the title are known. */
function detachPlayer(): void {
  if (!picture()) return
  if ($duration.get() > 0) savePlace(true)
  clearTimeout(retryTimer)
  for (const cleanup of cleanups) cleanup()
  stopStream()
  closePlayer()
  detach()
}

attachPlayer()
document.addEventListener('astro:before-swap', detachPlayer)
document.addEventListener('astro:after-swap', attachPlayer)
window.addEventListener('online', () => void reconnect())

/** Beside React: takes over the picture that the page's first script began, or begins it. */
import { $player, closePlayer, openPlayer, retryPlayer } from '../../lib/stores/player.ts'
import { $duration, attach, detach, picture } from './deck.ts'
import { listenToKeysOfTheSystem } from './media-session.ts'
import { keepSaving, savePlace } from './saving.ts'
import { reconnect, startStream, stopStream, watchLine } from './source.ts'
import { $caption, drawByBrowser, showCaption } from './tracks.ts'

/** A lookup that found no line is tried again so often. */
const RETRY_MS = 5_000
let again: ReturnType<typeof setTimeout> | undefined
let playing = ''
let stops: (() => void)[] = []

function begin(): void {
  const video = document.querySelector<HTMLVideoElement>('#picture')
  if (!video || video === picture()) return
  attach(video)
  watchLine(video)
  video.addEventListener('webkitbeginfullscreen', () => drawByBrowser(true))
  video.addEventListener('webkitendfullscreen', () => drawByBrowser(false))
  playing = ''
  stops = [
    keepSaving(video),
    $player.subscribe((player) => {
      clearTimeout(again)
      if (player.status === 'failed' && player.error.status === 0) again = setTimeout(retryPlayer, RETRY_MS)
      if (player.status !== 'ready' || player.key === playing) return
      playing = player.key
      startStream(player.start)
    }),
    $caption.subscribe(showCaption),
    listenToKeysOfTheSystem(),
  ]
  void openPlayer(location.search)
}

/** The place is saved while the profile and the title are still known. */
function leave(): void {
  if (!picture()) return
  if ($duration.get() > 0) savePlace(true)
  clearTimeout(again)
  for (const stop of stops) stop()
  stopStream()
  closePlayer()
  detach()
}

begin()
document.addEventListener('astro:before-swap', leave)
document.addEventListener('astro:after-swap', begin)
window.addEventListener('online', () => void reconnect())

/** Connects the player to the Media Session API: media keys, headset buttons and the lock screen. */
import { t } from '../../lib/i18n/t.ts'
import { getImageUrl } from '../../lib/images.ts'
import { $player, type ReadyPlayerState } from '../../lib/stores/player.ts'
import { $nextEpisode, $previousEpisode } from '../../lib/stores/player-episodes.ts'
import { $isTimeOver } from './covering-screen.ts'
import { playEpisode } from './episode-navigation.ts'
import { $isStillWatchingPromptOpen, recordUserInput, resumeAfterPrompt } from './still-watching.ts'
import {
  $durationSeconds,
  $isPaused,
  $playbackRate,
  $positionSeconds,
  pausePlayback,
  seekTo,
  skipSeconds,
  startPlayback,
} from './video-element.ts'

/** Registers the media session handlers and returns a function that removes them. */
export function connectMediaSession(): () => void {
  if (!('mediaSession' in navigator)) return () => {}
  const { mediaSession } = navigator
  const handlersByAction: Partial<Record<MediaSessionAction, (details: MediaSessionActionDetails) => void>> =
    {
      play: () => ($isStillWatchingPromptOpen.get() ? resumeAfterPrompt() : startPlayback()),
      pause: pausePlayback,
      seekbackward: ({ seekOffset }) => skipSeconds(-(seekOffset ?? 10)),
      seekforward: ({ seekOffset }) => skipSeconds(seekOffset ?? 10),
      seekto: ({ seekTime }) => seekTime !== undefined && seekTo(seekTime),
    }
  for (const [action, handleAction] of Object.entries(handlersByAction))
    setPlayerActionHandler(action as MediaSessionAction, handleAction)
  const cleanups = [
    // Systems show a button for each handler, some of them in place of the buttons that skip ten seconds. Each of these
    // two handlers is therefore set only while there is a next or a previous episode.
    $nextEpisode.subscribe((episode) =>
      setPlayerActionHandler('nexttrack', episode && (() => playEpisode(episode))),
    ),
    $previousEpisode.subscribe((episode) =>
      setPlayerActionHandler('previoustrack', episode && (() => playEpisode(episode))),
    ),
    $player.subscribe((player) => {
      mediaSession.metadata = player.status === 'ready' ? createMetadata(player) : null
    }),
    $isPaused.subscribe((isPaused) => {
      mediaSession.playbackState = isPaused ? 'paused' : 'playing'
    }),
    $positionSeconds.subscribe((positionSeconds) => reportPosition(positionSeconds)),
    // A new rate is reported at once, because the system extrapolates the position from the last reported rate.
    $playbackRate.listen(() => reportPosition($positionSeconds.get(), { isForced: true })),
  ]
  return () => {
    for (const cleanup of cleanups) cleanup()
    for (const action of [...Object.keys(handlersByAction), 'nexttrack', 'previoustrack'])
      setActionHandlerIfSupported(action as MediaSessionAction, null)
    mediaSession.metadata = null
    mediaSession.playbackState = 'none'
    mediaSession.setPositionState?.()
  }
}

/**
 * Sets or removes the handler of an action. While the viewing time is over, every action except a pause is ignored.
 */
function setPlayerActionHandler(
  action: MediaSessionAction,
  handleAction: ((details: MediaSessionActionDetails) => void) | null,
): void {
  setActionHandlerIfSupported(
    action,
    handleAction &&
      ((details) => {
        if ($isTimeOver.get() && action !== 'pause') return
        handleAction(details)
        recordUserInput()
      }),
  )
}

/** Sets or removes a handler. Browsers throw on actions that they do not support. */
function setActionHandlerIfSupported(
  action: MediaSessionAction,
  handler: MediaSessionActionHandler | null,
): void {
  try {
    navigator.mediaSession.setActionHandler(action, handler)
  } catch {
    /* The browser does not support this action, so its key has no effect. */
  }
}

function createMetadata({ media, episode }: ReadyPlayerState): MediaMetadata {
  const posterUrl = getImageUrl(media.poster_path, 'w500')
  const episodeCode = episode
    ? t('common:episodeCode', { season: episode.season_number, episode: episode.episode_number })
    : ''
  return new MediaMetadata({
    title: episode ? [episodeCode, episode.title].filter(Boolean).join(' · ') : media.title,
    artist: episode ? media.title : '',
    artwork: posterUrl ? [{ src: new URL(posterUrl, location.href).href, sizes: '500x750' }] : [],
  })
}

let reportedPositionSeconds = 0
function reportPosition(positionSeconds: number, { isForced = false } = {}): void {
  const durationSeconds = $durationSeconds.get()
  /* The system extrapolates the position, so one update per second is enough. */
  if (
    durationSeconds <= 0 ||
    positionSeconds > durationSeconds ||
    (!isForced && Math.abs(positionSeconds - reportedPositionSeconds) < 1)
  )
    return
  reportedPositionSeconds = positionSeconds
  navigator.mediaSession.setPositionState?.({
    duration: durationSeconds,
    position: positionSeconds,
    playbackRate: $playbackRate.get() || 1,
  })
}

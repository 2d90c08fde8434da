/** The system's own controls: a headset's keys, a lock screen, a keyboard's play key. */
import { t } from '../../lib/i18n/t.ts'
import { imageUrl } from '../../lib/images.ts'
import { $nextEpisode, $player, $previousEpisode, type Ready } from '../../lib/stores/player.ts'
import { noteInput } from './attention.ts'
import { $duration, $paused, $rate, $time, pause, play, seekTo, skip } from './deck.ts'
import { playEpisode } from './next.ts'

/** Returns how to stop. */
export function listenToKeysOfTheSystem(): () => void {
  if (!('mediaSession' in navigator)) return () => {}
  const { mediaSession } = navigator
  const handlers: Partial<Record<MediaSessionAction, (details: MediaSessionActionDetails) => void>> = {
    play,
    pause,
    seekbackward: ({ seekOffset }) => skip(-(seekOffset ?? 10)),
    seekforward: ({ seekOffset }) => skip(seekOffset ?? 10),
    seekto: ({ seekTime }) => seekTime !== undefined && seekTo(seekTime),
    nexttrack: () => playEpisode($nextEpisode.get()),
    previoustrack: () => playEpisode($previousEpisode.get()),
  }
  for (const [action, handle] of Object.entries(handlers)) {
    setHandler(action as MediaSessionAction, (details) => {
      noteInput()
      handle(details)
    })
  }
  const stops = [
    $player.subscribe((player) => {
      mediaSession.metadata = player.status === 'ready' ? metadataOf(player) : null
    }),
    $paused.subscribe((paused) => {
      mediaSession.playbackState = paused ? 'paused' : 'playing'
    }),
    $time.subscribe(tellPosition),
  ]
  return () => {
    for (const stop of stops) stop()
    for (const action of Object.keys(handlers)) setHandler(action as MediaSessionAction, null)
    mediaSession.metadata = null
    mediaSession.playbackState = 'none'
  }
}

/** Browsers throw at actions they do not know. */
function setHandler(action: MediaSessionAction, handler: MediaSessionActionHandler | null): void {
  try {
    navigator.mediaSession.setActionHandler(action, handler)
  } catch {
    /* Then that key does nothing here. */
  }
}

function metadataOf({ media, episode }: Ready): MediaMetadata {
  const src = imageUrl(media.poster_path, 'w500')
  const code = episode
    ? t('common:episodeCode', { season: episode.season_number, episode: episode.episode_number })
    : ''
  return new MediaMetadata({
    title: episode ? [code, episode.title].filter(Boolean).join(' · ') : media.title,
    artist: episode ? media.title : '',
    artwork: src ? [{ src: new URL(src, location.href).href, sizes: '500x750' }] : [],
  })
}

let told = 0
function tellPosition(position: number): void {
  const duration = $duration.get()
  /* Once a second is enough: the system counts on by itself. */
  if (duration <= 0 || position > duration || Math.abs(position - told) < 1) return
  told = position
  navigator.mediaSession.setPositionState?.({ duration, position, playbackRate: $rate.get() || 1 })
}

/**
 * The active subtitle and audio tracks, and the delay of subtitles. caption-drawing.ts draws the subtitles.
 */
import { atom, computed } from 'nanostores'
import type { StreamInfo } from '../../lib/contract/playback.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import {
  addCaptionDelay,
  chooseCaptionTrack,
  chooseTrackToTurnOn,
  getCaptionKind,
  getSpokenLanguage,
} from '../../lib/rules/player-captions.ts'
import {
  $captionDelaysByTitleId,
  $captionPreferences,
  $deviceCaption,
  type DeviceCaption,
  saveCaptionPreferences,
} from '../../lib/stores/captions.ts'
import { $player, chooseAudioTrack } from '../../lib/stores/player.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { getHlsPlayback, reloadStream } from './stream-playback.ts'
import { getVideoElement } from './video-element.ts'

const $subtitles = computed($player, (player) => (player.status === 'ready' ? player.stream.subtitles : []))
const $audioLanguage = computed($player, (player) =>
  player.status === 'ready'
    ? getSpokenLanguage(player.stream.audio_tracks ?? [], player.media.language)
    : null,
)
/** The opened subtitle file of this device for the current movie or episode; null if there is none. */
export const $openedCaption = computed([$player, $deviceCaption], (player, deviceCaption) =>
  player.status === 'ready' && deviceCaption?.playerKey === player.key ? deviceCaption : null,
)
type ServerCaption = StreamInfo['subtitles'][number]
export type ActiveCaption = ServerCaption | DeviceCaption
/** The subtitle track that is shown; null if there is none. */
export const $activeCaption = computed(
  [$subtitles, $audioLanguage, $captionPreferences, $profile, $openedCaption],
  (subtitles, audioLanguage, captionPreferences, profile, openedCaption): ActiveCaption | null =>
    openedCaption?.isSelected
      ? openedCaption
      : chooseCaptionTrack(captionPreferences, subtitles, {
          readerLanguage: getCurrentLocale(),
          spokenLanguage: audioLanguage,
          isAlwaysOn: profile?.preferences.captions ?? false,
        }),
)

export const isFromDevice = (caption: ActiveCaption): caption is DeviceCaption => 'webVtt' in caption

/** Shows a track; null turns subtitles off. */
export function selectCaption(caption: ActiveCaption | null): void {
  const openedCaption = $openedCaption.get()
  if (openedCaption)
    $deviceCaption.set({ ...openedCaption, isSelected: caption !== null && isFromDevice(caption) })
  if (caption === null) saveCaptionPreferences({ on: false })
  else if (!isFromDevice(caption))
    saveCaptionPreferences({
      on: true,
      lang: caption.lang,
      kind: getCaptionKind(caption),
      label: caption.label,
    })
}

export function toggleCaptions(): void {
  const activeCaption = $activeCaption.get()
  if (activeCaption) {
    // This call stores the language, kind and label of the track, so that the next toggle shows the same track again.
    if (!isFromDevice(activeCaption)) selectCaption(activeCaption)
    selectCaption(null)
    return
  }
  selectCaption(
    $openedCaption.get() ??
      chooseTrackToTurnOn($captionPreferences.get(), $subtitles.get(), getCurrentLocale()),
  )
}

/**
 * Delay of the subtitles of the current title, in seconds. A negative delay shows the subtitles earlier than their
 * file states.
 */
export const $captionDelaySeconds = computed([$player, $captionDelaysByTitleId], (player, delaysByTitleId) =>
  player.status === 'ready' ? (delaysByTitleId[player.media.id] ?? 0) : 0,
)
/** True for a moment after a key changed the delay. The player then displays the delay. */
export const $isCaptionDelayShown = atom(false)

export function changeCaptionDelay(delayChangeSeconds: number): void {
  const player = $player.get()
  if (player.status === 'ready')
    $captionDelaysByTitleId.setKey(
      player.media.id,
      addCaptionDelay($captionDelaySeconds.get(), delayChangeSeconds),
    )
}
export const resetCaptionDelay = () => changeCaptionDelay(-$captionDelaySeconds.get())

export interface AudioTrackOption {
  id: string
  label: string
  /** Language of the label. */
  lang?: string
  /** Kind and channels of the track, in the language of the page. */
  note?: string
  isSelected: boolean
  select: () => void
}

interface BrowserAudioTrack {
  id: string
  label: string
  language: string
  enabled: boolean
}

/**
 * Returns the audio tracks that can be selected: those that the server lists, else those of the stream. For a stream
 * that plays without hls.js, the list is empty in most browsers, because they expose no audio tracks.
 */
export function listAudioTracks(): AudioTrackOption[] {
  const serverTracks = listServerAudioTracks()
  // If the server lists at most one track, the tracks of the stream are used instead. The stream may contain several
  // tracks.
  if (serverTracks.length > 1) return serverTracks
  const hlsTracks = getHlsPlayback()?.getAudioTracks()
  if (hlsTracks) {
    return hlsTracks.tracks.map(({ id, label }) => ({
      id: String(id),
      label,
      isSelected: id === hlsTracks.selectedId,
      select: () => hlsTracks.select(id),
    }))
  }
  const browserTracks = (getVideoElement() as unknown as { audioTracks?: Iterable<BrowserAudioTrack> } | null)
    ?.audioTracks
  const tracks = browserTracks ? [...browserTracks] : []
  return tracks.map((track, index) => ({
    id: track.id || String(index),
    label: track.label || track.language || String(index + 1),
    isSelected: track.enabled,
    select: () => {
      for (const candidate of tracks) candidate.enabled = candidate === track
    },
  }))
}

/**
 * Returns the audio tracks of a file in the media folder. Each stream plays one of these tracks. To play another
 * track, the player requests the stream again.
 */
function listServerAudioTracks(): AudioTrackOption[] {
  const player = $player.get()
  const streamTracks = (player.status === 'ready' && player.stream.audio_tracks) || []
  return streamTracks.map(({ id, lang, label, kind, channels, selected }) => ({
    id: String(id),
    label,
    ...(lang !== 'und' && { lang }),
    note: [kind === 'main' ? '' : t(`watch:audio_${kind}`), channels > 2 ? t('watch:surround') : '']
      .filter(Boolean)
      .join(' · '),
    isSelected: selected,
    select: () => {
      chooseAudioTrack({ id, lang, kind })
      void reloadStream()
    },
  }))
}

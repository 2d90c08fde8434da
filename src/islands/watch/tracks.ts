/** Subtitle and audio tracks. The browser parses the subtitles; CaptionOverlay.tsx draws them above the controls. */
import { atom, computed } from 'nanostores'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { chooseCaptionTrack, chooseTrackToTurnOn } from '../../lib/rules/player-captions.ts'
import { $captionPreferences, saveCaptionPreferences } from '../../lib/stores/captions.ts'
import { $player, chooseAudioTrack } from '../../lib/stores/player.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { getHlsPlayback, reloadStream } from './source-selection.ts'
import { getVideoElement } from './video-element.ts'

/** The cues for the current position, as parsed by the browser. */
export const $activeCues = atom<readonly VTTCue[]>([])

const $subtitles = computed($player, (player) => (player.status === 'ready' ? player.stream.subtitles : []))
const $audioLanguage = computed($player, (player) =>
  player.status === 'ready' ? player.media.language : null,
)
/** The subtitle track that is shown, or null. */
export const $activeCaption = computed(
  [$subtitles, $audioLanguage, $captionPreferences, $profile],
  (subtitles, audioLanguage, captionSettings, profile) =>
    chooseCaptionTrack(captionSettings, subtitles, {
      reader: getCurrentLocale(),
      spoken: audioLanguage,
      always: profile?.preferences.captions ?? false,
    }),
)

/** Shows the subtitles in `lang`; null turns them off. */
export function selectCaption(lang: string | null): void {
  saveCaptionPreferences(lang === null ? { on: false } : { on: true, lang })
}

export function toggleCaptions(): void {
  const captionToEnable = $activeCaption.get()
    ? null
    : chooseTrackToTurnOn($captionPreferences.get(), $subtitles.get(), getCurrentLocale())
  const previousLang = $activeCaption.get()?.lang
  saveCaptionPreferences(
    captionToEnable
      ? { on: true, lang: captionToEnable.lang }
      : { on: false, ...(previousLang && { lang: previousLang }) },
  )
}

/** Adds the active subtitle track to the video element. Only one is added at a time, because each one loads its file. */
export function applyActiveCaption(): void {
  const video = getVideoElement()
  if (!video) return
  const caption = $activeCaption.get()
  $activeCues.set([])
  for (const trackElement of [...video.querySelectorAll('track')]) {
    trackElement.track.mode = 'disabled'
    trackElement.remove()
  }
  if (!caption) return
  const trackElement = document.createElement('track')
  Object.assign(trackElement, {
    kind: 'subtitles',
    src: caption.url,
    srclang: caption.lang,
    label: caption.label,
  })
  video.append(trackElement)
  trackElement.track.mode = 'hidden'
  const updateCues = () => $activeCues.set([...(trackElement.track.activeCues ?? [])] as VTTCue[])
  trackElement.track.addEventListener('cuechange', updateCues)
  trackElement.addEventListener('load', updateCues)
}

/** iOS shows the bare video element in fullscreen; the browser has to draw the subtitles there. */
export function setNativeCaptions(isNative: boolean): void {
  for (const track of getVideoElement()?.textTracks ?? [])
    if (track.mode !== 'disabled') track.mode = isNative ? 'showing' : 'hidden'
}

export interface AudioTrackOption {
  id: string
  label: string
  isSelected: boolean
  select: () => void
}

interface BrowserTrack {
  id: string
  label: string
  language: string
  enabled: boolean
}

/** Returns the audio tracks that can be selected. Most browsers expose none for plain files. */
export function listAudioTracks(): AudioTrackOption[] {
  const serverTracks = listServerAudioTracks()
  if (serverTracks.length > 0) return serverTracks
  const hls = getHlsPlayback()?.getAudioTracks()
  if (hls) {
    return hls.tracks.map(({ id, label }) => ({
      id: String(id),
      label,
      isSelected: id === hls.selectedId,
      select: () => hls.select(id),
    }))
  }
  const browserTracks = (getVideoElement() as unknown as { audioTracks?: Iterable<BrowserTrack> } | null)
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

/** Returns the tracks of a file of the media folder. The server sends one of them; another one needs another lookup. */
function listServerAudioTracks(): AudioTrackOption[] {
  const player = $player.get()
  const tracks = (player.status === 'ready' && player.stream.audio_tracks) || []
  return tracks.map(({ id, lang, label, kind, channels, selected }) => ({
    id: String(id),
    label: [label, kind === 'main' ? '' : t(`watch:audio_${kind}`), channels > 2 ? t('watch:surround') : '']
      .filter(Boolean)
      .join(' · '),
    isSelected: selected,
    select: () => {
      chooseAudioTrack(id, lang)
      void reloadStream()
    },
  }))
}

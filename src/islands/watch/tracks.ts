/** Subtitle and audio tracks. The browser parses the subtitles; CaptionOverlay.tsx draws them above the controls. */
import { atom, computed } from 'nanostores'
import type { StreamInfo } from '../../lib/contract/playback.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import {
  addCaptionDelay,
  chooseCaptionTrack,
  chooseTrackToTurnOn,
  getCaptionKind,
  shiftCueTimes,
} from '../../lib/rules/player-captions.ts'
import {
  $captionDelays,
  $captionPreferences,
  $deviceCaption,
  type DeviceCaption,
  saveCaptionPreferences,
} from '../../lib/stores/captions.ts'
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
/** The subtitle file of this device for the current movie or episode, or null. */
export const $openedCaption = computed([$player, $deviceCaption], (player, deviceCaption) =>
  player.status === 'ready' && deviceCaption?.playerKey === player.key ? deviceCaption : null,
)
type ServerCaption = StreamInfo['subtitles'][number]
/** The subtitle track that is shown, or null. */
export const $activeCaption = computed(
  [$subtitles, $audioLanguage, $captionPreferences, $profile, $openedCaption],
  (
    subtitles,
    audioLanguage,
    captionSettings,
    profile,
    openedCaption,
  ): ServerCaption | DeviceCaption | null =>
    openedCaption?.isSelected
      ? openedCaption
      : chooseCaptionTrack(captionSettings, subtitles, {
          reader: getCurrentLocale(),
          spoken: audioLanguage,
          always: profile?.preferences.captions ?? false,
        }),
)

const isFromDevice = (caption: ServerCaption | DeviceCaption): caption is DeviceCaption => 'webVtt' in caption

/** Shows a track; null turns subtitles off. */
export function selectCaption(caption: ServerCaption | DeviceCaption | null): void {
  const openedCaption = $openedCaption.get()
  if (openedCaption)
    $deviceCaption.set({ ...openedCaption, isSelected: caption !== null && isFromDevice(caption) })
  if (caption === null) saveCaptionPreferences({ on: false })
  else if (!isFromDevice(caption))
    saveCaptionPreferences({ on: true, lang: caption.lang, kind: getCaptionKind(caption) })
}

export function toggleCaptions(): void {
  const activeCaption = $activeCaption.get()
  if (activeCaption) {
    // The language is remembered, so that the next press shows the same track.
    if (!isFromDevice(activeCaption)) selectCaption(activeCaption)
    selectCaption(null)
    return
  }
  selectCaption(
    $openedCaption.get() ??
      chooseTrackToTurnOn($captionPreferences.get(), $subtitles.get(), getCurrentLocale()),
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
  const url = isFromDevice(caption)
    ? URL.createObjectURL(new Blob([caption.webVtt], { type: 'text/vtt' }))
    : caption.url
  Object.assign(trackElement, { kind: 'subtitles', src: url, srclang: caption.lang, label: caption.label })
  video.append(trackElement)
  trackElement.track.mode = 'hidden'
  trackElement.track.addEventListener('cuechange', updateActiveCues)
  trackElement.addEventListener('load', () => {
    if (isFromDevice(caption)) URL.revokeObjectURL(url)
    applyCaptionDelay()
  })
}

const listCues = () =>
  [...(getVideoElement()?.querySelectorAll('track') ?? [])].flatMap(
    ({ track }) => [...(track.cues ?? [])] as VTTCue[],
  )

/** Browsers update their list of active cues late after a change of cue times, so the cues are compared with the position. */
function updateActiveCues(): void {
  const { currentTime = 0 } = getVideoElement() ?? {}
  $activeCues.set(listCues().filter((cue) => cue.startTime <= currentTime && currentTime < cue.endTime))
}

/** Delay of the subtitles of the current title, in seconds; negative when they appear earlier than their file says. */
export const $captionDelaySeconds = computed([$player, $captionDelays], (player, delays) =>
  player.status === 'ready' ? (delays[player.media.id] ?? 0) : 0,
)
/** True for a moment after the delay was changed with a key, to display it. */
export const $isCaptionDelayShown = atom(false)

export function changeCaptionDelay(changeSeconds: number): void {
  const player = $player.get()
  if (player.status === 'ready')
    $captionDelays.setKey(player.media.id, addCaptionDelay($captionDelaySeconds.get(), changeSeconds))
}
export const resetCaptionDelay = () => changeCaptionDelay(-$captionDelaySeconds.get())

/** The times in the file of the cues that are displayed at other times. */
const cueTimes = new WeakMap<VTTCue, { start: number; end: number }>()

/** Moves the cues themselves, so that the delay also applies where the browser draws the subtitles. */
export function applyCaptionDelay(): void {
  const delaySeconds = $captionDelaySeconds.get()
  for (const cue of listCues()) {
    const times = cueTimes.get(cue) ?? { start: cue.startTime, end: cue.endTime }
    if (delaySeconds === 0 && !cueTimes.has(cue)) continue
    cueTimes.set(cue, times)
    const shifted = shiftCueTimes(times, delaySeconds)
    cue.startTime = shifted.start
    cue.endTime = shifted.end
  }
  updateActiveCues()
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

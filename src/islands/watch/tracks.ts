/** Subtitle and audio tracks. The browser parses the subtitles; CaptionOverlay.tsx draws them above the controls. */
import { atom, computed } from 'nanostores'
import { currentLocale } from '../../lib/i18n/t.ts'
import { captionToShow, captionToTurnOn } from '../../lib/rules/player-captions.ts'
import { $captionMemory, rememberCaptions } from '../../lib/stores/captions.ts'
import { $player } from '../../lib/stores/player.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { picture } from './deck.ts'
import { audioLine } from './source.ts'

/** The cues to show now, as parsed by the browser. */
export const $cues = atom<readonly VTTCue[]>([])

const $subtitles = computed($player, (player) => (player.status === 'ready' ? player.stream.subtitles : []))
const $audioLanguage = computed($player, (player) =>
  player.status === 'ready' ? player.media.language : null,
)
/** The subtitle track that is shown, or null. */
export const $caption = computed(
  [$subtitles, $audioLanguage, $captionMemory, $profile],
  (subtitles, audioLanguage, captionSettings, profile) =>
    captionToShow(captionSettings, subtitles, {
      reader: currentLocale(),
      spoken: audioLanguage,
      always: profile?.preferences.captions ?? false,
    }),
)

/** Shows the subtitles in `lang`; null turns them off. */
export function chooseCaption(lang: string | null): void {
  rememberCaptions(lang === null ? { on: false } : { on: true, lang })
}

export function toggleCaptions(): void {
  const captionToEnable = $caption.get()
    ? null
    : captionToTurnOn($captionMemory.get(), $subtitles.get(), currentLocale())
  const previousLang = $caption.get()?.lang
  rememberCaptions(
    captionToEnable
      ? { on: true, lang: captionToEnable.lang }
      : { on: false, ...(previousLang && { lang: previousLang }) },
  )
}

/** Adds the active subtitle track to the element. Only one is added at a time, because each one loads its file. */
export function showCaption(): void {
  const video = picture()
  if (!video) return
  const caption = $caption.get()
  $cues.set([])
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
  const updateCues = () => $cues.set([...(trackElement.track.activeCues ?? [])] as VTTCue[])
  trackElement.track.addEventListener('cuechange', updateCues)
  trackElement.addEventListener('load', updateCues)
}

/** iOS shows the bare video element in fullscreen; the browser has to draw the subtitles there. */
export function drawByBrowser(native: boolean): void {
  for (const track of picture()?.textTracks ?? [])
    if (track.mode !== 'disabled') track.mode = native ? 'showing' : 'hidden'
}

export interface AudioChoice {
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

/** Audio tracks that can be selected; most browsers expose none for plain files. */
export function audioChoices(): AudioChoice[] {
  const hls = audioLine()?.audio()
  if (hls) {
    return hls.tracks.map(({ id, label }) => ({
      id: String(id),
      label,
      isSelected: id === hls.selectedId,
      select: () => hls.select(id),
    }))
  }
  const browserTracks = (picture() as unknown as { audioTracks?: Iterable<BrowserTrack> } | null)?.audioTracks
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

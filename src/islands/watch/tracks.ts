/** Subtitles and sound tracks of the element. Subtitles are read by the browser and drawn by us, above the controls. */
import { atom, computed } from 'nanostores'
import { currentLocale } from '../../lib/i18n/t.ts'
import { captionToShow, captionToTurnOn } from '../../lib/rules/player-captions.ts'
import { $captionMemory, rememberCaptions } from '../../lib/stores/captions.ts'
import { $player } from '../../lib/stores/player.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { picture } from './deck.ts'
import { audioLine } from './source.ts'

/** What is said now; each cue as the browser parsed it. */
export const $cues = atom<readonly VTTCue[]>([])

const $subtitles = computed($player, (player) => (player.status === 'ready' ? player.stream.subtitles : []))
const $spoken = computed($player, (player) => (player.status === 'ready' ? player.media.language : null))
/** The subtitles that show, or null. */
export const $caption = computed(
  [$subtitles, $spoken, $captionMemory, $profile],
  (subtitles, spoken, memory, profile) =>
    captionToShow(memory, subtitles, {
      reader: currentLocale(),
      spoken,
      always: profile?.preferences.captions ?? false,
    }),
)

/** By language; null turns them off and keeps the language in mind. */
export function chooseCaption(lang: string | null): void {
  rememberCaptions(lang === null ? { on: false } : { on: true, lang })
}

export function toggleCaptions(): void {
  const found = $caption.get()
    ? null
    : captionToTurnOn($captionMemory.get(), $subtitles.get(), currentLocale())
  const last = $caption.get()?.lang
  rememberCaptions(found ? { on: true, lang: found.lang } : { on: false, ...(last && { lang: last }) })
}

/** Puts the chosen track under the element; one at a time, since each one loads its file. */
export function showCaption(): void {
  const video = picture()
  if (!video) return
  const wanted = $caption.get()
  $cues.set([])
  for (const element of [...video.querySelectorAll('track')]) {
    element.track.mode = 'disabled'
    element.remove()
  }
  if (!wanted) return
  const element = document.createElement('track')
  Object.assign(element, { kind: 'subtitles', src: wanted.url, srclang: wanted.lang, label: wanted.label })
  video.append(element)
  element.track.mode = 'hidden'
  const say = () => $cues.set([...(element.track.activeCues ?? [])] as VTTCue[])
  element.track.addEventListener('cuechange', say)
  element.addEventListener('load', say)
}

/** A telephone's own full screen shows the element alone: there the browser draws. */
export function drawByBrowser(native: boolean): void {
  for (const track of picture()?.textTracks ?? [])
    if (track.mode !== 'disabled') track.mode = native ? 'showing' : 'hidden'
}

export interface AudioChoice {
  id: string
  label: string
  chosen: boolean
  choose: () => void
}

interface BrowserTrack {
  id: string
  label: string
  language: string
  enabled: boolean
}

/** The sound tracks that can be chosen here; most browsers offer none of a plain file. */
export function audioChoices(): AudioChoice[] {
  const hls = audioLine()?.audio()
  if (hls) {
    return hls.tracks.map(({ id, label }) => ({
      id: String(id),
      label,
      chosen: id === hls.chosen,
      choose: () => hls.choose(id),
    }))
  }
  const own = (picture() as unknown as { audioTracks?: Iterable<BrowserTrack> } | null)?.audioTracks
  const tracks = own ? [...own] : []
  return tracks.map((track, at) => ({
    id: track.id || String(at),
    label: track.label || track.language || String(at + 1),
    chosen: track.enabled,
    choose: () => {
      for (const one of tracks) one.enabled = one === track
    },
  }))
}

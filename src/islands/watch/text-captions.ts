/**
 * Plain subtitles. The browser parses a WebVTT track, and CaptionOverlay.tsx draws its cues above the
 * controls.
 */
import { atom } from 'nanostores'
import { shiftCueTimes } from '../../lib/rules/player-captions.ts'
import { getVideoElement } from './video-element.ts'

/** The cues for the current position, as parsed by the browser. */
export const $activeCues = atom<readonly VTTCue[]>([])

interface TextTrack {
  lang: string
  label: string
  /** URL of the WebVTT file, or the content of a WebVTT file. */
  source: { url: string } | { webVtt: string }
}

/**
 * Adds a track to the video element. The caller adds only the active track, because each added track loads its file.
 * `getDelaySeconds` is called when the track has loaded, because the viewer can change the delay until then.
 */
export function showTextTrack(
  { lang, label, source }: TextTrack,
  getDelaySeconds: () => number,
  { onLoaded, onFailed }: { onLoaded: () => void; onFailed: () => void },
): void {
  const trackElement = document.createElement('track')
  const url =
    'url' in source ? source.url : URL.createObjectURL(new Blob([source.webVtt], { type: 'text/vtt' }))
  Object.assign(trackElement, { kind: 'subtitles', src: url, srclang: lang, label })
  getVideoElement()?.append(trackElement)
  trackElement.track.mode = 'hidden'
  trackElement.track.addEventListener('cuechange', updateActiveCues)
  trackElement.addEventListener('error', onFailed)
  trackElement.addEventListener('load', () => {
    if ('webVtt' in source) URL.revokeObjectURL(url)
    applyTextDelay(getDelaySeconds())
    onLoaded()
  })
}

export function removeTextTracks(): void {
  $activeCues.set([])
  for (const trackElement of [...(getVideoElement()?.querySelectorAll('track') ?? [])]) {
    trackElement.track.mode = 'disabled'
    trackElement.remove()
  }
}

const listCues = () =>
  [...(getVideoElement()?.querySelectorAll('track') ?? [])].flatMap(
    ({ track }) => [...(track.cues ?? [])] as VTTCue[],
  )

/**
 * Sets `$activeCues` to the cues at the playback position. The browser's own list of active cues is not used,
 * because it is updated too late after cue times change.
 */
function updateActiveCues(): void {
  const { currentTime = 0 } = getVideoElement() ?? {}
  $activeCues.set(listCues().filter((cue) => cue.startTime <= currentTime && currentTime < cue.endTime))
}

/** For each cue whose times were changed: the original times, as in the file. */
const originalTimesByCue = new WeakMap<VTTCue, { start: number; end: number }>()

/** Changes the times of the cues, so that the delay also applies where the browser draws the subtitles. */
export function applyTextDelay(delaySeconds: number): void {
  for (const cue of listCues()) {
    const originalTimes = originalTimesByCue.get(cue) ?? { start: cue.startTime, end: cue.endTime }
    if (delaySeconds === 0 && !originalTimesByCue.has(cue)) continue
    originalTimesByCue.set(cue, originalTimes)
    const shiftedTimes = shiftCueTimes(originalTimes, delaySeconds)
    cue.startTime = shiftedTimes.start
    cue.endTime = shiftedTimes.end
  }
  updateActiveCues()
}

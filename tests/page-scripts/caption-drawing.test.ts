/** Changes of the delay and the size of subtitles that the viewer makes while a track is loading. */
import { atom } from 'nanostores'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CaptionDrawing, CaptionDrawingOptions } from '../../src/islands/watch/caption-canvas.ts'
import type { ActiveCaption } from '../../src/islands/watch/tracks.ts'
import { waitFor } from '../support/wait-for.ts'

const $activeCaption = atom<ActiveCaption | null>(null)
const $captionDelaySeconds = atom(0)
const $captionPreferences = atom<Pick<CaptionDrawingOptions, 'size'>>({ size: 'medium' })

class FakeTrackElement extends EventTarget {
  readonly track = Object.assign(new EventTarget(), {
    mode: 'disabled',
    cues: [] as { startTime: number; endTime: number }[],
  })
  remove() {
    trackElements.splice(trackElements.indexOf(this), 1)
  }
}
const trackElements: FakeTrackElement[] = []
const video = {
  currentTime: 0,
  append: (element: FakeTrackElement) => void trackElements.push(element),
  querySelectorAll: () => trackElements,
  insertAdjacentElement: () => {},
}

vi.mock('../../src/islands/watch/tracks.ts', () => ({
  $activeCaption,
  $captionDelaySeconds,
  isFromDevice: (caption: ActiveCaption) => 'webVtt' in caption,
}))
vi.mock('../../src/lib/stores/captions.ts', () => ({ $captionPreferences }))
vi.mock('../../src/lib/stores/player.ts', () => ({ chooseBurntInSubtitle: () => false }))
vi.mock('../../src/islands/watch/stream-playback.ts', () => ({ reloadStream: () => {} }))
vi.mock('../../src/islands/watch/controls.ts', () => ({
  $areControlsVisible: atom(false),
  $isPopoverOpen: atom(false),
}))
vi.mock('../../src/islands/watch/video-element.ts', () => ({
  getVideoElement: () => video,
  getPlayerRoot: () => null,
}))
/** Promise of the script of the styled track, with the function that resolves the promise. */
let scriptLoad = Promise.withResolvers<{ script: string; fontUrls: string[] }>()
const finishScriptLoad = async () => {
  scriptLoad.resolve({ script: '', fontUrls: [] })
  await waitFor(() => expect($captionDrawingState.get()).toBe('styled'))
}
const setDelay = vi.fn<CaptionDrawing['setDelay']>()
const setSize = vi.fn<CaptionDrawing['setSize']>()
vi.mock('../../src/islands/watch/styled-captions.ts', () => ({
  loadStyledCaptionSource: () => scriptLoad.promise,
  drawStyledCaptions: async () => ({ canvas: {}, setDelay, setSize, destroy: () => {} }),
}))

const { $captionDrawingState, startCaptionDrawing } = await import(
  '../../src/islands/watch/caption-drawing.ts'
)
const TEXT_CAPTION: ActiveCaption = { lang: 'en', label: 'English', url: '/en.vtt' }
const STYLED_CAPTION: ActiveCaption = { ...TEXT_CAPTION, format: 'ass', original_url: '/ass/' }

let stopCaptionDrawing = () => {}
beforeEach(() => {
  scriptLoad = Promise.withResolvers()
  vi.stubGlobal('document', {
    createElement: () => new FakeTrackElement(),
    documentElement: { dataset: {} },
  })
  vi.stubGlobal('Worker', class {})
  vi.stubGlobal(
    'HTMLCanvasElement',
    class {
      transferControlToOffscreen() {}
    },
  )
  $captionDelaySeconds.set(0)
  $captionPreferences.set({ size: 'medium' })
  stopCaptionDrawing = startCaptionDrawing()
})
afterEach(() => {
  stopCaptionDrawing()
  $activeCaption.set(null)
  vi.clearAllMocks()
})

test('the cues of a text track are moved by the delay that was set while the track was loading', async () => {
  $activeCaption.set(TEXT_CAPTION)
  await waitFor(() => expect(trackElements).toHaveLength(1))
  $captionDelaySeconds.set(1.5)
  const [trackElement] = trackElements
  trackElement?.track.cues.push({ startTime: 10, endTime: 12 })
  trackElement?.dispatchEvent(new Event('load'))
  expect(trackElement?.track.cues).toEqual([{ startTime: 11.5, endTime: 13.5 }])
  expect($captionDrawingState.get()).toBe('text')
})

test('a styled track is drawn with the delay and the size that were set while the track was loading', async () => {
  $activeCaption.set(STYLED_CAPTION)
  $captionDelaySeconds.set(-0.5)
  $captionPreferences.set({ size: 'large' })
  await finishScriptLoad()
  expect([setDelay.mock.calls, setSize.mock.calls]).toEqual([[[-0.5]], [['large']]])
})

test('a styled track is not drawn again when delay and size were not changed while the track was loading', async () => {
  $activeCaption.set(STYLED_CAPTION)
  await finishScriptLoad()
  expect([setDelay.mock.calls, setSize.mock.calls]).toEqual([[], []])
})

/**
 * Draws the active subtitle track. A track is plain text, styled text, pictures, or burnt-in subtitles that
 * the server draws.
 */
import { atom } from 'nanostores'
import { $captionPreferences } from '../../lib/stores/captions.ts'
import { chooseBurntInSubtitle } from '../../lib/stores/player.ts'
import { type CaptionDrawing, type CaptionDrawingOptions, getPictureBottomPx } from './caption-canvas.ts'
import { $areControlsVisible, $isPopoverOpen } from './controls.ts'
import { reloadStream } from './stream-playback.ts'
import { applyTextDelay, removeTextTracks, showTextTrack } from './text-captions.ts'
import { $activeCaption, $captionDelaySeconds, type ActiveCaption, isFromDevice } from './tracks.ts'
import { getPlayerRoot, getVideoElement } from './video-element.ts'

/**
 * Which style preferences apply depends on the state: all with `text`, only the size with `styled`, none with
 * `pictures` and `burnt_in`.
 */
export type CaptionDrawingState = 'loading' | 'text' | 'styled' | 'pictures' | 'burnt_in' | 'failed'
/** How the active track is drawn; null without a track. */
export const $captionDrawingState = atom<CaptionDrawingState | null>(null)

type CaptionDrawingPreferences = Pick<CaptionDrawingOptions, 'delaySeconds' | 'size'>

let drawing: CaptionDrawing | null = null
/** Incremented for every track, so that a track is discarded if another track was chosen while it was loading. */
let drawCount = 0

/**
 * Draws the active track and applies changes of the track, its delay and its size. Returns a function that ends the
 * drawing and removes the subtitles.
 */
export function startCaptionDrawing(): () => void {
  const cleanups = [
    $activeCaption.subscribe((caption) => void drawCaption(caption)),
    $captionDelaySeconds.listen(applyDelay),
    $captionPreferences.listen(({ size }, previousPreferences) => {
      if (size !== previousPreferences?.size) drawing?.setSize(size)
    }),
    $isPopoverOpen.listen(placeCanvas),
    $areControlsVisible.listen(placeCanvas),
  ]
  return () => {
    for (const cleanup of cleanups) cleanup()
    clearDrawing()
    $captionDrawingState.set(null)
  }
}

function clearDrawing(): void {
  drawCount += 1
  drawing?.destroy()
  drawing = null
  removeTextTracks()
}

async function drawCaption(caption: ActiveCaption | null): Promise<void> {
  clearDrawing()
  const isBurntIn = caption !== null && !isFromDevice(caption) && isBurnInNeeded(caption)
  if (chooseBurntInSubtitle(isBurntIn ? (caption.burn_in_id ?? null) : null)) void reloadStream()
  if (!caption) return $captionDrawingState.set(null)
  if (isBurntIn) return $captionDrawingState.set(caption.burn_in_id === undefined ? 'failed' : 'burnt_in')
  $captionDrawingState.set('loading')
  const drawNumber = drawCount
  const initialPreferences = getDrawingPreferences()
  const newDrawing = await createDrawing(caption, initialPreferences).catch(() => null)
  if (drawNumber !== drawCount) return newDrawing?.drawing.destroy()
  if (!newDrawing) return drawPlainCaption(caption)
  drawing = newDrawing.drawing
  getVideoElement()?.insertAdjacentElement('afterend', drawing.canvas)
  $captionDrawingState.set(newDrawing.state)
  // The viewer may have changed the delay or the size while the track was loading.
  const { delaySeconds, size } = getDrawingPreferences()
  if (delaySeconds !== initialPreferences.delaySeconds) drawing.setDelay(delaySeconds)
  if (size !== initialPreferences.size) drawing.setSize(size)
  placeCanvas()
}

const getDrawingPreferences = (): CaptionDrawingPreferences => ({
  delaySeconds: $captionDelaySeconds.get(),
  size: $captionPreferences.get().size,
})

/**
 * Returns the drawing of a styled or picture track. Returns null if the track must be drawn as plain text, for example
 * because the browser cannot draw styles. Throws if the track cannot be drawn.
 */
async function createDrawing(
  caption: ActiveCaption,
  preferences: CaptionDrawingPreferences,
): Promise<{ drawing: CaptionDrawing; state: CaptionDrawingState } | null> {
  const video = getVideoElement()
  if (!video) return null
  const drawingOptions: CaptionDrawingOptions = {
    video,
    ...preferences,
    onFailed: () => {
      clearDrawing()
      drawPlainCaption(caption)
    },
  }
  if (!isFromDevice(caption) && caption.format === 'pgs') {
    const { drawPictureCaptions } = await import('./picture-captions.ts')
    const pictureDrawing = await drawPictureCaptions(`${caption.original_url}track.sup`, drawingOptions)
    return { drawing: pictureDrawing, state: 'pictures' }
  }
  const script = isFromDevice(caption) ? caption.styledScript : null
  if (!canDrawStyles() || (script === null && (isFromDevice(caption) || caption.format !== 'ass')))
    return null
  const { drawStyledCaptions, loadStyledCaptionSource } = await import('./styled-captions.ts')
  const folderUrl = isFromDevice(caption) ? '' : (caption.original_url ?? '')
  const styledCaptionSource =
    script === null ? await loadStyledCaptionSource(folderUrl) : { script, fontUrls: [] }
  return { drawing: await drawStyledCaptions(styledCaptionSource, drawingOptions), state: 'styled' }
}

function drawPlainCaption(caption: ActiveCaption): void {
  const drawNumber = drawCount
  const setDrawingState = (drawingState: CaptionDrawingState) => {
    if (drawNumber === drawCount) $captionDrawingState.set(drawingState)
  }
  const captionSource = isFromDevice(caption)
    ? { webVtt: caption.webVtt }
    : caption.url
      ? { url: caption.url }
      : null
  if (!captionSource) {
    setDrawingState('failed')
    return
  }
  $captionDrawingState.set('loading')
  showTextTrack(
    { lang: caption.lang, label: caption.label, source: captionSource },
    () => $captionDelaySeconds.get(),
    {
      onLoaded: () => setDrawingState('text'),
      onFailed: () => setDrawingState('failed'),
    },
  )
}

const hasOffscreenCanvas = () =>
  typeof Worker === 'function' && 'transferControlToOffscreen' in HTMLCanvasElement.prototype
/**
 * False in lite mode and in browsers without the needed APIs. Styled subtitles are then drawn as plain text.
 */
const canDrawStyles = () =>
  hasOffscreenCanvas() && typeof WebAssembly === 'object' && !('lite' in document.documentElement.dataset)
const isBurnInNeeded = ({ format }: { format?: string | undefined }) =>
  format === 'vobsub' || (format === 'pgs' && !hasOffscreenCanvas())

function applyDelay(delaySeconds: number): void {
  drawing?.setDelay(delaySeconds)
  applyTextDelay(delaySeconds)
}

const CONTROLS_HEIGHT_PX = 128
/**
 * An open popover (Panel.tsx) does not cover the upper part of the player. The height of this part is
 * UNCOVERED_HEIGHT_FRACTION of the height of the player, but at least MIN_UNCOVERED_HEIGHT_PX.
 */
const MIN_UNCOVERED_HEIGHT_PX = 144
const UNCOVERED_HEIGHT_FRACTION = 0.3

/** Moves the canvas up while the controls or a popover would cover its lower edge. */
function placeCanvas(): void {
  const playerRoot = getPlayerRoot()
  if (!drawing || !playerRoot) return
  const video = getVideoElement()
  const bottomPx = video ? getPictureBottomPx(video) : 0
  const heightPx = playerRoot.clientHeight
  const areControlsShown = $areControlsVisible.get() && playerRoot.querySelector('[data-top]') !== null
  const maxBottomPx = $isPopoverOpen.get()
    ? Math.max(MIN_UNCOVERED_HEIGHT_PX, heightPx * UNCOVERED_HEIGHT_FRACTION)
    : heightPx - (areControlsShown ? CONTROLS_HEIGHT_PX : 0)
  drawing.canvas.style.translate = bottomPx > maxBottomPx ? `0 ${Math.round(maxBottomPx - bottomPx)}px` : ''
}

/**
 * With `areCaptionsNative`, the browser itself draws the subtitles as plain text. This is needed where the drawings of
 * the page are not visible: in fullscreen on iOS, which shows only the video element, and on a cast device.
 * Picture subtitles have no plain text and are not shown there.
 */
export function setNativeCaptions(areCaptionsNative: boolean): void {
  const caption = $activeCaption.get()
  if (areCaptionsNative && caption && $captionDrawingState.get() === 'styled') drawPlainCaption(caption)
  else if (!areCaptionsNative && drawing && $captionDrawingState.get() !== 'pictures') {
    removeTextTracks()
    $captionDrawingState.set('styled')
  }
  for (const track of getVideoElement()?.textTracks ?? [])
    if (track.mode !== 'disabled') track.mode = areCaptionsNative ? 'showing' : 'hidden'
}

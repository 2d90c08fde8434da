/** Display modes of the video: fullscreen, picture-in-picture and casting to another device. */
import { atom } from 'nanostores'
import { setNativeCaptions } from './caption-drawing.ts'
import { getPlayerRoot, getVideoElement } from './video-element.ts'

export const $isFullscreen = atom(false)
/** Stays false in browsers that have only Safari's prefixed API. */
export const $isPictureInPicture = atom(false)
export const $isCastAvailable = atom(false)
/**
 * State of the connection to a cast device. While connected, the video element of the page controls the playback on the
 * cast device.
 */
export const $castState = atom<'disconnected' | 'connecting' | 'connected'>('disconnected')

/** Safari's prefixed counterparts of the fullscreen, picture-in-picture and remote playback APIs. */
interface AppleVideo extends HTMLVideoElement {
  webkitEnterFullscreen?: () => void
  webkitShowPlaybackTargetPicker?: () => void
  webkitSetPresentationMode?: (mode: 'inline' | 'picture-in-picture') => void
  webkitPresentationMode?: string
  webkitCurrentPlaybackTargetIsWireless?: boolean
}
const getAppleVideo = () => getVideoElement() as AppleVideo | null

export async function toggleFullscreen(): Promise<void> {
  try {
    if (document.fullscreenElement) await document.exitFullscreen()
    else if (getPlayerRoot()?.requestFullscreen)
      await getPlayerRoot()?.requestFullscreen({ navigationUI: 'hide' })
    else getAppleVideo()?.webkitEnterFullscreen?.()
  } catch {
    /* The request was rejected, because the frame lacks permission or there was no user gesture. */
  }
}

export const isPictureInPictureSupported = () =>
  document.pictureInPictureEnabled === true || getAppleVideo()?.webkitSetPresentationMode !== undefined

export async function togglePictureInPicture(): Promise<void> {
  const video = getAppleVideo()
  try {
    if (document.pictureInPictureElement) await document.exitPictureInPicture()
    else if (document.pictureInPictureEnabled) await video?.requestPictureInPicture()
    else
      video?.webkitSetPresentationMode?.(
        video.webkitPresentationMode === 'picture-in-picture' ? 'inline' : 'picture-in-picture',
      )
  } catch {
    /* The request was rejected, or the video has no metadata yet. */
  }
}

export function openCastPicker(): void {
  const video = getAppleVideo()
  if (video?.webkitShowPlaybackTargetPicker) video.webkitShowPlaybackTargetPicker()
  else void video?.remote?.prompt().catch(() => {})
}

/**
 * Sets the cast state. While the video is cast, the browser must draw the subtitles natively, because the cast device
 * does not show what the page draws over the video.
 */
function setCastState(state: 'disconnected' | 'connecting' | 'connected'): void {
  $castState.set(state)
  setNativeCaptions(state === 'connected')
}

/** Keeps `$isCastAvailable` and `$castState` up to date. Returns a function that removes the listeners. */
function listenToCastDevices(video: AppleVideo): () => void {
  const listenerController = new AbortController()
  const listenerOptions = { signal: listenerController.signal }
  const updateCastAvailability = (event: Event) =>
    $isCastAvailable.set((event as Event & { availability?: string }).availability === 'available')
  const updateAppleCastState = () =>
    setCastState(video.webkitCurrentPlaybackTargetIsWireless ? 'connected' : 'disconnected')
  video.addEventListener('webkitplaybacktargetavailabilitychanged', updateCastAvailability, listenerOptions)
  video.addEventListener(
    'webkitcurrentplaybacktargetiswirelesschanged',
    updateAppleCastState,
    listenerOptions,
  )
  const { remote } = video
  remote?.addEventListener('connecting', () => setCastState('connecting'), listenerOptions)
  remote?.addEventListener('connect', () => setCastState('connected'), listenerOptions)
  remote?.addEventListener('disconnect', () => setCastState('disconnected'), listenerOptions)
  let availabilityWatchId: number | undefined
  remote
    ?.watchAvailability((isAvailable) => $isCastAvailable.set(isAvailable))
    .then((id) => {
      availabilityWatchId = id
    })
    /*
     * Some browsers refuse to monitor availability in the background, to save power. The button is then
     * hidden.
     */
    .catch(() => $isCastAvailable.set(false))
  return () => {
    listenerController.abort()
    if (availabilityWatchId !== undefined)
      void remote?.cancelWatchAvailability(availabilityWatchId).catch(() => {})
    $castState.set('disconnected')
  }
}

/** Keeps the stores of this module up to date. Returns a function that removes the listeners. */
export function listenToDisplayModes(): () => void {
  const video = getAppleVideo()
  const abortController = new AbortController()
  const { signal } = abortController
  const updateFullscreen = () => $isFullscreen.set(document.fullscreenElement !== null)
  document.addEventListener('fullscreenchange', updateFullscreen, { signal })
  // If the viewer has left the previous player in fullscreen, `$isFullscreen` is still true: that player stopped
  // listening before the browser reported the end of fullscreen.
  updateFullscreen()
  const updatePictureInPicture = () => $isPictureInPicture.set(document.pictureInPictureElement != null)
  video?.addEventListener('enterpictureinpicture', updatePictureInPicture, { signal })
  video?.addEventListener('leavepictureinpicture', updatePictureInPicture, { signal })
  updatePictureInPicture()
  const stopCastListeners = video ? listenToCastDevices(video) : null
  return () => {
    abortController.abort()
    stopCastListeners?.()
  }
}

/** Where the video is displayed: fullscreen, picture-in-picture or a cast device. */
import { atom } from 'nanostores'
import { getPlayerRoot, getVideoElement } from './video-element.ts'

export const $isFullscreen = atom(false)
/** True when a cast device is available. */
export const $isCastAvailable = atom(false)

/** Safari's prefixed counterparts of the fullscreen, picture-in-picture and remote playback APIs. */
interface AppleVideo extends HTMLVideoElement {
  webkitEnterFullscreen?: () => void
  webkitShowPlaybackTargetPicker?: () => void
  webkitSetPresentationMode?: (mode: 'inline' | 'picture-in-picture') => void
  webkitPresentationMode?: string
}
const getAppleVideo = () => getVideoElement() as AppleVideo | null

export async function toggleFullscreen(): Promise<void> {
  try {
    if (document.fullscreenElement) await document.exitFullscreen()
    else if (getPlayerRoot()?.requestFullscreen)
      await getPlayerRoot()?.requestFullscreen({ navigationUI: 'hide' })
    else getAppleVideo()?.webkitEnterFullscreen?.()
  } catch {
    /* The request was rejected: the frame lacks permission, or there was no user gesture. */
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

/** Keeps `$isFullscreen` and `$isCastAvailable` up to date. Returns a function that removes the listeners. */
export function listenToDisplayModes(): () => void {
  const video = getVideoElement()
  const updateFullscreen = () => $isFullscreen.set(document.fullscreenElement !== null)
  const updateCastAvailability = (event: Event) =>
    $isCastAvailable.set((event as Event & { availability?: string }).availability === 'available')
  document.addEventListener('fullscreenchange', updateFullscreen)
  video?.addEventListener('webkitplaybacktargetavailabilitychanged', updateCastAvailability)
  let availabilityWatchId: number | undefined
  video?.remote
    ?.watchAvailability((isAvailable) => $isCastAvailable.set(isAvailable))
    .then((id) => {
      availabilityWatchId = id
    })
    /* The browser cannot monitor availability in the background, to save power; the button is then hidden. */
    .catch(() => $isCastAvailable.set(false))
  return () => {
    document.removeEventListener('fullscreenchange', updateFullscreen)
    video?.removeEventListener('webkitplaybacktargetavailabilitychanged', updateCastAvailability)
    if (availabilityWatchId !== undefined)
      void video?.remote?.cancelWatchAvailability(availabilityWatchId).catch(() => {})
  }
}

/** Where the picture is shown: full screen, a small window over others, another device. */
import { atom } from 'nanostores'
import { picture, theatre } from './deck.ts'

export const $fullscreen = atom(false)
/** Another screen is in reach. */
export const $castable = atom(false)

/** What Safari has under names of its own. */
interface AppleVideo extends HTMLVideoElement {
  webkitEnterFullscreen?: () => void
  webkitShowPlaybackTargetPicker?: () => void
  webkitSetPresentationMode?: (mode: 'inline' | 'picture-in-picture') => void
  webkitPresentationMode?: string
}
const apple = () => picture() as AppleVideo | null

export async function toggleFullscreen(): Promise<void> {
  try {
    if (document.fullscreenElement) await document.exitFullscreen()
    else if (theatre()?.requestFullscreen) await theatre()?.requestFullscreen({ navigationUI: 'hide' })
    else apple()?.webkitEnterFullscreen?.()
  } catch {
    /* Refused: a frame that may not, or no gesture. */
  }
}

export const offersPictureInPicture = () =>
  document.pictureInPictureEnabled === true || apple()?.webkitSetPresentationMode !== undefined

export async function togglePictureInPicture(): Promise<void> {
  const video = apple()
  try {
    if (document.pictureInPictureElement) await document.exitPictureInPicture()
    else if (document.pictureInPictureEnabled) await video?.requestPictureInPicture()
    else
      video?.webkitSetPresentationMode?.(
        video.webkitPresentationMode === 'picture-in-picture' ? 'inline' : 'picture-in-picture',
      )
  } catch {
    /* Refused, or nothing to show yet. */
  }
}

export function cast(): void {
  const video = apple()
  if (video?.webkitShowPlaybackTargetPicker) video.webkitShowPlaybackTargetPicker()
  else void video?.remote?.prompt().catch(() => {})
}

/** Returns how to stop. */
export function watchScreens(): () => void {
  const video = picture()
  const seen = () => $fullscreen.set(document.fullscreenElement !== null)
  const target = (event: Event) =>
    $castable.set((event as Event & { availability?: string }).availability === 'available')
  document.addEventListener('fullscreenchange', seen)
  video?.addEventListener('webkitplaybacktargetavailabilitychanged', target)
  let watching: number | undefined
  video?.remote
    ?.watchAvailability((there) => $castable.set(there))
    .then((id) => {
      watching = id
    })
    /* Devices that save power do not look around by themselves: there the button may still find something. */
    .catch(() => $castable.set(false))
  return () => {
    document.removeEventListener('fullscreenchange', seen)
    video?.removeEventListener('webkitplaybacktargetavailabilitychanged', target)
    if (watching !== undefined) void video?.remote?.cancelWatchAvailability(watching).catch(() => {})
  }
}

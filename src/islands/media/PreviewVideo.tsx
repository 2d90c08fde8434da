import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { MediaDetails } from '../../lib/contract/media.ts'
import { $previewDetails } from '../../lib/stores/preview.ts'
import { findPreviewSource } from '../../lib/stores/preview-source.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { canPlayExtraVideo } from './extra-video.ts'

/** Time for which the still image is shown before the video starts. */
const START_DELAY_MS = 1_200
const MAX_PLAY_SECONDS = 30
/**
 * Start position as a share of the duration. It is usually after the opening titles and reveals little of the
 * plot.
 */
const START_POSITION_FRACTION = 0.1

/**
 * A muted excerpt that covers the preview image. It plays if the profile has autoplay of previews turned on, motion is
 * not reduced and the device can play a second video.
 */
export function PreviewVideo() {
  const details = useStore($previewDetails)
  const isAutoplayOn = useStore($profile)?.preferences.autoplay_previews === true
  return details && isAutoplayOn && !hasReducedMotionPreference() ? (
    <MutedVideo key={details.id} details={details} />
  ) : null
}

const hasReducedMotionPreference = () =>
  'motion' in document.documentElement.dataset || matchMedia('(prefers-reduced-motion: reduce)').matches

function MutedVideo({ details }: { details: MediaDetails }) {
  const [url, setUrl] = useState<string | null>(null)
  const [isPlaying, setIsPlaying] = useState(false)
  useEffect(() => {
    if (!canPlayExtraVideo('')) return
    let isCancelled = false
    const loadSource = async () => {
      const source = await findPreviewSource(details).catch(() => null)
      if (!isCancelled && source && canPlayExtraVideo(source.mime_type)) setUrl(source.url)
    }
    const timer = setTimeout(() => void loadSource(), START_DELAY_MS)
    return () => {
      isCancelled = true
      clearTimeout(timer)
    }
  }, [details])
  if (!url) return null
  const removeVideo = () => setUrl(null)
  return (
    <video
      src={url}
      muted
      autoPlay
      playsInline
      disablePictureInPicture
      disableRemotePlayback
      aria-hidden
      tabIndex={-1}
      onLoadedMetadata={({ currentTarget: video }) => {
        video.currentTime = video.duration * START_POSITION_FRACTION || 0
      }}
      onPlaying={() => setIsPlaying(true)}
      onTimeUpdate={({ currentTarget: { currentTime, duration } }) => {
        if (currentTime > duration * START_POSITION_FRACTION + MAX_PLAY_SECONDS) removeVideo()
      }}
      onEnded={removeVideo}
      onError={removeVideo}
      className={`absolute inset-0 size-full object-cover transition-opacity duration-(--duration-slow) ${isPlaying ? '' : 'opacity-0'}`}
    />
  )
}

import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { MediaDetails } from '../../lib/contract/media.ts'
import { $previewDetails } from '../../lib/stores/preview.ts'
import { findFilm } from '../../lib/stores/preview-film.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { isVideoCheap } from './second-video.ts'

/** The picture is looked at first. */
const WAIT_MS = 1_200
const SHOWN_S = 30
/** Past the titles, before the story is told. */
const SHARE = 0.1

/** A silent piece of the film over its picture, for a profile that wants previews to play and a device that can. */
export function PreviewFilm() {
  const media = useStore($previewDetails)
  const wanted = useStore($profile)?.preferences.autoplay_previews === true
  return media && wanted && !isCalm() ? <Film key={media.id} media={media} /> : null
}

const isCalm = () =>
  'motion' in document.documentElement.dataset || matchMedia('(prefers-reduced-motion: reduce)').matches

function Film({ media }: { media: MediaDetails }) {
  const [url, setUrl] = useState<string | null>(null)
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (!isVideoCheap('')) return
    let gone = false
    const look = async () => {
      const source = await findFilm(media).catch(() => null)
      if (!gone && source && isVideoCheap(source.mime_type)) setUrl(source.url)
    }
    const timer = setTimeout(() => void look(), WAIT_MS)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [media])
  if (!url) return null
  const end = () => setUrl(null)
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
      onLoadedMetadata={({ currentTarget: film }) => {
        film.currentTime = film.duration * SHARE || 0
      }}
      onPlaying={() => setShown(true)}
      onTimeUpdate={({ currentTarget: { currentTime, duration } }) => {
        if (currentTime > duration * SHARE + SHOWN_S) end()
      }}
      onEnded={end}
      onError={end}
      className={`absolute inset-0 size-full object-cover transition-opacity duration-(--duration-slow) ${shown ? '' : 'opacity-0'}`}
    />
  )
}

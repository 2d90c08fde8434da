import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { formatClock } from '../../lib/i18n/format.ts'
import { findLowestSource } from '../../lib/rules/player-quality.ts'
import { $player } from '../../lib/stores/player.ts'
import { canPlayExtraVideo } from '../media/extra-video.ts'
import { $currentSource } from './source-selection.ts'

/** Shows the time under the pointer, and a frame of the video if the device can play a second video. */
export function SeekPreview({ fraction, seconds }: { fraction: number; seconds: number }) {
  const player = useStore($player)
  const currentSource = useStore($currentSource)
  const source = player.status === 'ready' ? findLowestSource(player.stream.sources) : null
  const showsFrame = currentSource !== null && source !== null && canPlayExtraVideo(source.mime_type)
  return (
    <div
      data-preview
      className="pointer-events-none absolute bottom-8 z-10 flex w-48 -translate-x-1/2 flex-col items-center gap-1"
      style={{ insetInlineStart: `clamp(6rem, ${fraction * 100}%, calc(100% - 6rem))` }}
    >
      {showsFrame && <FramePreview url={source.url} seconds={seconds} />}
      <span className="numbers rounded-sm bg-black/80 px-2 text-sm text-white">{formatClock(seconds)}</span>
    </div>
  )
}

/**
 * Second, muted video that shows the frame. Each seek waits until the previous one has finished, so that seeks do not
 * queue up.
 */
function FramePreview({ url, seconds }: { url: string; seconds: number }) {
  const video = useRef<HTMLVideoElement>(null)
  const targetSeconds = useRef(seconds)
  const [hasFrame, setHasFrame] = useState(false)
  targetSeconds.current = seconds
  const seekToTarget = () => {
    const element = video.current
    if (element && !element.seeking && Math.abs(element.currentTime - targetSeconds.current) > 0.5)
      element.currentTime = targetSeconds.current
  }
  useEffect(seekToTarget)
  return (
    <video
      ref={video}
      src={url}
      muted
      playsInline
      preload="auto"
      disablePictureInPicture
      disableRemotePlayback
      aria-hidden
      tabIndex={-1}
      onLoadedMetadata={seekToTarget}
      onSeeked={() => {
        setHasFrame(true)
        seekToTarget()
      }}
      className={`aspect-video w-48 rounded-md border border-line bg-black object-cover ${hasFrame ? '' : 'invisible'}`}
    />
  )
}

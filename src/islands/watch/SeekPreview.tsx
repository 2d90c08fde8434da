import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { formatClock } from '../../lib/i18n/format.ts'
import { coarsest } from '../../lib/rules/player-quality.ts'
import { $player } from '../../lib/stores/player.ts'
import { isVideoCheap } from '../media/second-video.ts'
import { $source } from './source.ts'

/** The time under the pointer and, where it costs little, the picture there. */
export function SeekPreview({ share, seconds }: { share: number; seconds: number }) {
  const player = useStore($player)
  const playing = useStore($source)
  const source = player.status === 'ready' ? coarsest(player.stream.sources) : null
  const cheap = playing !== null && source !== null && isVideoCheap(source.mime_type)
  return (
    <div
      data-preview
      className="pointer-events-none absolute bottom-8 z-10 flex w-48 -translate-x-1/2 flex-col items-center gap-1"
      style={{ insetInlineStart: `clamp(6rem, ${share * 100}%, calc(100% - 6rem))` }}
    >
      {cheap && <Still url={source.url} seconds={seconds} />}
      <span className="numbers rounded-sm bg-black/80 px-2 text-sm text-white">{formatClock(seconds)}</span>
    </div>
  )
}

/** A second, silent video; asked for another place only when it has shown the last one. */
function Still({ url, seconds }: { url: string; seconds: number }) {
  const video = useRef<HTMLVideoElement>(null)
  const wanted = useRef(seconds)
  const [shown, setShown] = useState(false)
  wanted.current = seconds
  const go = () => {
    const element = video.current
    if (element && !element.seeking && Math.abs(element.currentTime - wanted.current) > 0.5)
      element.currentTime = wanted.current
  }
  useEffect(go)
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
      onLoadedMetadata={go}
      onSeeked={() => {
        setShown(true)
        go()
      }}
      className={`aspect-video w-48 rounded-md border border-line bg-black object-cover ${shown ? '' : 'invisible'}`}
    />
  )
}

import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import type { StreamInfo } from '../../lib/contract/playback.ts'
import { formatDigitalDuration } from '../../lib/i18n/format.ts'
import { findLowestSource } from '../../lib/rules/player-quality.ts'
import { findThumbnail } from '../../lib/rules/seek-thumbnails.ts'
import { $player } from '../../lib/stores/player.ts'
import { canPlayExtraVideo } from '../media/extra-video.ts'
import { formatChapterTitle } from './chapter-titles.ts'
import { $currentSource } from './stream-playback.ts'

/** The requested sheets of thumbnails, by URL. They are kept here, because the browser does not cache the responses. */
export type LoadedThumbnailSheets = Map<string, HTMLImageElement>

interface Props {
  positionFraction: number
  seconds: number
  loadedThumbnailSheets: LoadedThumbnailSheets
  /** True if the pointer selects the position. False if keys have moved the main video to this position. */
  isSelectedByPointer: boolean
}

/**
 * Shows the time and the chapter of a position, with an image. The image comes from the server's thumbnails. If there
 * are no thumbnails, a second video shows the frame of the position. The second video is used only if the pointer
 * selects the position and the device can play two videos at once.
 */
export function SeekPreview({
  positionFraction,
  seconds,
  loadedThumbnailSheets,
  isSelectedByPointer,
}: Props) {
  const player = useStore($player)
  const currentSource = useStore($currentSource)
  const stream = player.status === 'ready' ? player.stream : null
  const source = stream && isSelectedByPointer ? findLowestSource(stream.sources) : null
  const isFrameShown = currentSource !== null && source !== null && canPlayExtraVideo(source.mime_type)
  const chapterTitle = formatChapterTitle(stream?.chapters, seconds)
  // The preview keeps this distance from both ends of the seek bar. With an image or a chapter name, the preview is
  // wide and would extend beyond the ends. With only a time, the preview is narrow.
  const distanceFromEnds = stream?.thumbnails || isFrameShown || chapterTitle ? '6rem' : '1rem'
  return (
    <div
      data-preview
      className="pointer-events-none absolute bottom-8 z-10 flex w-48 -translate-x-1/2 flex-col items-center gap-1"
      style={{
        insetInlineStart: `clamp(${distanceFromEnds}, ${positionFraction * 100}%, calc(100% - ${distanceFromEnds}))`,
      }}
    >
      {stream?.thumbnails ? (
        <SheetPicture
          {...findThumbnail(stream.thumbnails, seconds)}
          thumbnails={stream.thumbnails}
          loadedThumbnailSheets={loadedThumbnailSheets}
        />
      ) : (
        isFrameShown && <FramePreview url={source.url} seconds={seconds} />
      )}
      {chapterTitle && (
        <bdi className="max-w-full truncate rounded-sm bg-black/80 px-2 text-sm text-white">
          {chapterTitle}
        </bdi>
      )}
      <span className="numbers rounded-sm bg-black/80 px-2 text-sm text-white">
        {formatDigitalDuration(seconds)}
      </span>
    </div>
  )
}

type SheetPictureProps = ReturnType<typeof findThumbnail> & {
  thumbnails: NonNullable<StreamInfo['thumbnails']>
  loadedThumbnailSheets: LoadedThumbnailSheets
}

/** Shows one thumbnail of a sheet; shows nothing if the sheet cannot be loaded. */
function SheetPicture({
  sheetUrl,
  column,
  row,
  thumbnails: { columns, width, height },
  loadedThumbnailSheets,
}: SheetPictureProps) {
  const [failedUrl, setFailedUrl] = useState('')
  useEffect(() => {
    if (loadedThumbnailSheets.has(sheetUrl)) return
    const image = new Image()
    image.src = sheetUrl
    loadedThumbnailSheets.set(sheetUrl, image)
  }, [sheetUrl, loadedThumbnailSheets])
  if (failedUrl === sheetUrl) return null
  return (
    <div
      className="relative box-content w-48 overflow-hidden rounded-md border border-line bg-black"
      style={{ aspectRatio: `${width} / ${height}` }}
    >
      <img
        key={sheetUrl}
        src={sheetUrl}
        alt=""
        onError={() => setFailedUrl(sheetUrl)}
        className="absolute max-w-none"
        style={{
          width: `${columns * 100}%`,
          insetInlineStart: `${column * -100}%`,
          top: `${row * -100}%`,
        }}
      />
    </div>
  )
}

/**
 * A second, muted video that shows the frame of the position. Each seek waits for the end of the previous
 * one, so that seeks do not queue up.
 */
function FramePreview({ url, seconds }: { url: string; seconds: number }) {
  const videoRef = useRef<HTMLVideoElement>(null)
  const targetSecondsRef = useRef(seconds)
  const [hasFrame, setHasFrame] = useState(false)
  targetSecondsRef.current = seconds
  const seekToTarget = () => {
    const videoElement = videoRef.current
    if (
      videoElement &&
      !videoElement.seeking &&
      Math.abs(videoElement.currentTime - targetSecondsRef.current) > 0.5
    )
      videoElement.currentTime = targetSecondsRef.current
  }
  useEffect(seekToTarget)
  return (
    <video
      ref={videoRef}
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

import { useStore } from '@nanostores/react'
import { computed } from 'nanostores'
import { type PointerEvent, useRef, useState } from 'react'
import type { StreamInfo } from '../../lib/contract/playback.ts'
import { formatDigitalDuration } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { $player } from '../../lib/stores/player.ts'
import { formatChapterTitle } from './chapter-titles.ts'
import { type LoadedThumbnailSheets, SeekPreview } from './SeekPreview.tsx'
import { $isKeyboardSeekPreviewShown } from './seek-preview-state.ts'
import { $bufferedSeconds, $durationSeconds, $positionSeconds, seekTo } from './video-element.ts'

const $chaptersAndThumbnails = computed(
  $player,
  (player): Pick<StreamInfo, 'chapters' | 'thumbnails'> => (player.status === 'ready' ? player.stream : {}),
)
const formatCssPercentage = (fraction: number) => `${Math.max(0, Math.min(1, fraction)) * 100}%`

/** Seek bar. It runs from left to right in every language. It seeks when the pointer is released. */
export function Timeline() {
  const positionSeconds = useStore($positionSeconds)
  const durationSeconds = useStore($durationSeconds)
  const bufferedSeconds = useStore($bufferedSeconds)
  const [hoverFraction, setHoverFraction] = useState<number | null>(null)
  const [isDragging, setIsDragging] = useState(false)
  const loadedThumbnailSheetsRef = useRef<LoadedThumbnailSheets>(new Map())
  const isKeyboardSeekPreviewShown = useStore($isKeyboardSeekPreviewShown)
  const { chapters, thumbnails } = useStore($chaptersAndThumbnails)
  const getFractionAtPointer = (event: PointerEvent<HTMLElement>) => {
    const bounds = event.currentTarget.getBoundingClientRect()
    return Math.max(0, Math.min(1, (event.clientX - bounds.x) / bounds.width))
  }
  const nonZeroDurationSeconds = durationSeconds || 1
  const shownPositionSeconds =
    isDragging && hoverFraction !== null ? hoverFraction * nonZeroDurationSeconds : positionSeconds
  const hasPreview = thumbnails !== undefined || chapters !== undefined
  const previewFraction =
    hoverFraction ??
    (isKeyboardSeekPreviewShown && hasPreview ? positionSeconds / nonZeroDurationSeconds : null)
  const chapterTitle = formatChapterTitle(chapters, shownPositionSeconds)
  const positionText = t('watch:position', {
    at: formatDigitalDuration(shownPositionSeconds),
    length: formatDigitalDuration(durationSeconds),
  })
  return (
    <div
      data-timeline
      data-dragging={isDragging || undefined}
      role="slider"
      tabIndex={0}
      dir="ltr"
      aria-label={t('watch:seek')}
      aria-valuemin={0}
      aria-valuemax={Math.round(durationSeconds)}
      aria-valuenow={Math.round(shownPositionSeconds)}
      aria-valuetext={chapterTitle ? `${positionText}, ${chapterTitle}` : positionText}
      className="group/line pointer-events-auto relative h-6 grow cursor-pointer touch-none"
      onPointerMove={(event) => setHoverFraction(getFractionAtPointer(event))}
      onPointerLeave={() => !isDragging && setHoverFraction(null)}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setIsDragging(true)
        setHoverFraction(getFractionAtPointer(event))
      }}
      onPointerUp={(event) => {
        if (isDragging) seekTo(getFractionAtPointer(event) * durationSeconds)
        setIsDragging(false)
        if (event.pointerType === 'touch') setHoverFraction(null)
      }}
      onPointerCancel={() => {
        setIsDragging(false)
        setHoverFraction(null)
      }}
    >
      <div className="absolute inset-x-0 inset-y-2.5 overflow-hidden rounded-full bg-white/25 group-hover/line:inset-y-2 group-focus-visible/line:inset-y-2">
        <div
          className="absolute inset-y-0 start-0 bg-white/35"
          style={{ width: formatCssPercentage(bufferedSeconds / nonZeroDurationSeconds) }}
        />
        {hoverFraction !== null && (
          <div
            className="absolute inset-y-0 start-0 bg-white/30"
            style={{ width: formatCssPercentage(hoverFraction) }}
          />
        )}
        <div
          className="absolute inset-y-0 start-0 bg-accent"
          style={{ width: formatCssPercentage(shownPositionSeconds / nonZeroDurationSeconds) }}
        />
        {durationSeconds > 0 &&
          chapters
            ?.filter(({ start }) => start > 0 && start < durationSeconds)
            .map(({ start }) => (
              <div
                key={start}
                data-chapter-mark
                className="absolute inset-y-0 w-0.5 bg-black/80"
                style={{ insetInlineStart: formatCssPercentage(start / durationSeconds) }}
              />
            ))}
      </div>
      <div
        className="absolute inset-y-1 -ms-2 size-4 rounded-full bg-accent shadow-(--shadow-card) group-hover/line:scale-125"
        style={{ insetInlineStart: formatCssPercentage(shownPositionSeconds / nonZeroDurationSeconds) }}
      />
      {previewFraction !== null && durationSeconds > 0 && (
        <SeekPreview
          positionFraction={previewFraction}
          seconds={previewFraction * durationSeconds}
          loadedThumbnailSheets={loadedThumbnailSheetsRef.current}
          isSelectedByPointer={hoverFraction !== null}
        />
      )}
    </div>
  )
}

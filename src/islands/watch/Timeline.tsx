import { useStore } from '@nanostores/react'
import { type PointerEvent, useState } from 'react'
import { formatClock } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { $buffered, $duration, $time, seekTo } from './deck.ts'
import { SeekPreview } from './SeekPreview.tsx'

const percent = (share: number) => `${Math.max(0, Math.min(1, share)) * 100}%`

/** From left to right in every language. A drag shows where it leads; letting go goes there. */
export function Timeline() {
  const time = useStore($time)
  const duration = useStore($duration)
  const buffered = useStore($buffered)
  const [hover, setHover] = useState<number | null>(null)
  const [dragging, setDragging] = useState(false)
  const shareOf = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    return Math.max(0, Math.min(1, (event.clientX - box.x) / box.width))
  }
  const length = duration || 1
  const at = dragging && hover !== null ? hover * length : time
  return (
    <div
      data-timeline
      role="slider"
      tabIndex={0}
      dir="ltr"
      aria-label={t('watch:seek')}
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={Math.round(at)}
      aria-valuetext={t('watch:position', { at: formatClock(at), length: formatClock(duration) })}
      className="group/line pointer-events-auto relative h-6 grow cursor-pointer touch-none"
      onPointerMove={(event) => setHover(shareOf(event))}
      onPointerLeave={() => !dragging && setHover(null)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setDragging(true)
        setHover(shareOf(event))
      }}
      onPointerUp={(event) => {
        if (dragging) seekTo(shareOf(event) * duration)
        setDragging(false)
        if (event.pointerType === 'touch') setHover(null)
      }}
      onPointerCancel={() => {
        setDragging(false)
        setHover(null)
      }}
    >
      <div className="absolute inset-x-0 inset-y-2.5 overflow-hidden rounded-full bg-white/25 group-hover/line:inset-y-2 group-focus-visible/line:inset-y-2">
        <div
          className="absolute inset-y-0 start-0 bg-white/35"
          style={{ width: percent(buffered / length) }}
        />
        {hover !== null && (
          <div className="absolute inset-y-0 start-0 bg-white/30" style={{ width: percent(hover) }} />
        )}
        <div className="absolute inset-y-0 start-0 bg-accent" style={{ width: percent(at / length) }} />
      </div>
      <div
        className="absolute inset-y-1 -ms-2 size-4 rounded-full bg-accent shadow-(--shadow-card) group-hover/line:scale-125"
        style={{ insetInlineStart: percent(at / length) }}
      />
      {hover !== null && duration > 0 && <SeekPreview share={hover} seconds={hover * duration} />}
    </div>
  )
}

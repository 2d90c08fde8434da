import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { MAX_RATING } from '../../lib/rules/tracking-limits.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { isPhone } from '../../ui/is-phone.ts'
import { RatingStars } from './RatingStars.tsx'

interface Props {
  /** Name of the title. */
  name: string
  rating: number | null
  onClose: () => void
  onRate: (rating: number | null) => void
}

/**
 * Dialog that changes the profile's own rating. A click on a half star saves the rating. The left and right keys change
 * the rating, and OK or Done then saves it.
 */
export function RatingDialog({ name, rating, onClose, onRate }: Props) {
  const [draftRating, setDraftRating] = useState(rating ?? 0)
  const [hoveredRating, setHoveredRating] = useState<number | null>(null)
  const actionsRef = useRef<HTMLDivElement>(null)
  const saveRating = (newRating: number) => {
    onClose()
    onRate(newRating === 0 ? null : newRating)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') saveRating(draftRating)
    if (event.key === 'Delete' || event.key === 'Backspace') setDraftRating(0)
    /*
     * Down moves the focus to the buttons, and up does nothing. If these keys changed the value, a remote
     * could not leave the slider.
     */
    if (event.key === 'ArrowDown') actionsRef.current?.querySelector('button')?.focus()
    if (['Enter', 'Delete', 'Backspace', 'ArrowDown', 'ArrowUp'].includes(event.key)) event.preventDefault()
  }
  return (
    <Dialog title={t('ratings:rateTitle', { title: name })} closeLabel={t('common:close')} onClose={onClose}>
      <div className="flex flex-col items-center gap-3">
        <div className="relative" onPointerLeave={() => setHoveredRating(null)}>
          <RatingStars rating={hoveredRating ?? draftRating} sizePx={48} />
          <input
            data-first
            type="range"
            min={0}
            max={MAX_RATING}
            step={1}
            value={draftRating}
            aria-label={t('ratings:label')}
            aria-valuetext={formatRating(draftRating)}
            className="absolute -inset-2 m-0 cursor-pointer appearance-none rounded-md bg-transparent [&::-moz-range-thumb]:opacity-0 [&::-webkit-slider-thumb]:opacity-0"
            onKeyDown={onKeyDown}
            onChange={(event) => setDraftRating(Number(event.target.value))}
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={(event) => setHoveredRating(findPointedRating(event))}
            onClick={(event) => saveRating(findPointedRating(event))}
          />
        </div>
        <p className="numbers text-lg font-bold">
          <bdi>{formatRating(hoveredRating ?? draftRating)}</bdi>
        </p>
        <p className="text-center text-sm text-muted">
          {t('ratings:hint')} {!isPhone() && t('ratings:keysHint')}
        </p>
      </div>
      <DialogActions ref={actionsRef}>
        {rating !== null && (
          <Button variant="quiet" onClick={() => saveRating(0)}>
            {t('ratings:remove')}
          </Button>
        )}
        <Button variant="primary" onClick={() => saveRating(draftRating)}>
          {t('common:done')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const formatRating = (rating: number) => (rating === 0 ? t('ratings:none') : t('ratings:value', { rating }))

/** Returns the rating at the half star under the pointer. The stars follow the text direction. */
function findPointedRating({ currentTarget, clientX }: MouseEvent<HTMLElement>): number {
  const starsBox = currentTarget.parentElement?.getBoundingClientRect()
  if (!starsBox) return 1
  const isRightToLeft = getComputedStyle(currentTarget).direction === 'rtl'
  const offsetPx = isRightToLeft ? starsBox.right - clientX : clientX - starsBox.left
  return Math.min(MAX_RATING, Math.max(1, Math.ceil((offsetPx / starsBox.width) * MAX_RATING)))
}

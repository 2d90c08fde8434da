import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { Star } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import { $displayedRatings, loadRating, setRating } from '../../lib/stores/ratings.ts'
import type { TitleRef } from '../../lib/stores/watchlist.ts'
import { RatingDialog } from './RatingDialog.tsx'
import { RatingStars } from './RatingStars.tsx'

interface Props {
  title: TitleRef
  name: string
  /** The rating, if the reply of the list contains it. If it is undefined, the button loads the rating. */
  listedRating?: number | null
  isCompact?: boolean
}

/** Shows the profile's own rating as stars, and opens the dialog that changes it. */
export function RatingButton({ title, name, listedRating, isCompact = false }: Props) {
  const { type, id } = title
  const displayedRating = useStore($displayedRatings)[`${type}/${id}`]
  const knownRating = displayedRating === undefined ? listedRating : displayedRating
  const rating = knownRating ?? null
  const isListed = listedRating !== undefined
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  useEffect(() => {
    if (!isListed) void loadRating({ type, id }).catch(() => {})
  }, [type, id, isListed])
  const label =
    rating === null
      ? t('ratings:rateTitle', { title: name })
      : t('ratings:rated', { title: name, value: t('ratings:value', { rating }) })
  return (
    <>
      <button
        type="button"
        aria-label={label}
        title={label}
        className={`inline-flex min-h-11 items-center justify-center gap-2 rounded-full text-ink ${isCompact ? 'px-1 hover:text-accent' : 'border border-line bg-overlay/80 px-3 hover:border-ink'}`}
        onClick={() => setIsDialogOpen(true)}
      >
        {rating === null && isCompact ? (
          <Star aria-hidden size={18} className="text-faint" />
        ) : (
          <RatingStars rating={rating ?? 0} sizePx={isCompact ? 16 : 18} />
        )}
      </button>
      {isDialogOpen && (
        <RatingDialog
          name={name}
          rating={rating}
          onClose={() => setIsDialogOpen(false)}
          onRate={(nextRating) => void setRating({ type, id }, nextRating, knownRating)}
        />
      )}
    </>
  )
}

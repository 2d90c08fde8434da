import { Star, StarHalf } from '../../icons/index.ts'

const STARS = [1, 2, 3, 4, 5]

/** Draws a rating from 0 to 10 as five stars with halves. */
export function RatingStars({ rating, sizePx }: { rating: number; sizePx: number }) {
  return (
    <span aria-hidden className="flex shrink-0 text-accent">
      {STARS.map((star) => (
        <span key={star} className="relative">
          <Star
            size={sizePx}
            fill={rating >= star * 2 ? 'currentColor' : 'none'}
            className={rating >= star * 2 - 1 ? '' : 'text-faint'}
          />
          {rating === star * 2 - 1 && (
            <StarHalf size={sizePx} fill="currentColor" className="absolute inset-0 rtl:-scale-x-100" />
          )}
        </span>
      ))}
    </span>
  )
}

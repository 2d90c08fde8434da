import { getImageUrl } from '../../lib/images.ts'

/**
 * The poster of a title in a list row, 48 by 72 pixels; null shows the placeholder. Its `alt` is empty
 * because the row contains the name.
 */
export const SmallPoster = ({ posterPath }: { posterPath: string | null }) => (
  <img
    src={getImageUrl(posterPath, 'w185')}
    alt=""
    width="48"
    height="72"
    loading="lazy"
    draggable={false}
    className="h-18 w-12 shrink-0 rounded-sm bg-raised object-cover"
  />
)

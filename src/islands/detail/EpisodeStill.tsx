import type { PlaybackProgress } from '../../lib/contract/progress.ts'
import { getImageUrl } from '../../lib/images.ts'

interface Props {
  imagePath: string | null
  progress: PlaybackProgress | undefined
  /** Classes for the width and the background. */
  className: string
}

/** Still image of an episode with its progress bar. */
export function EpisodeStill({ imagePath, progress, className }: Props) {
  return (
    <span className={`relative aspect-video shrink-0 overflow-hidden rounded-md ${className}`}>
      <img src={getImageUrl(imagePath, 'w342')} alt="" loading="lazy" className="size-full object-cover" />
      {progress && (
        <span className="absolute inset-x-0 bottom-0 h-1 bg-black/60">
          <span
            className="block h-full bg-accent"
            style={{ width: `${progress.finished ? 100 : progress.percentage}%` }}
          />
        </span>
      )}
    </span>
  )
}

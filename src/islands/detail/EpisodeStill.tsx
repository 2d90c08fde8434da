import type { Progress } from '../../lib/contract/progress.ts'
import { imageUrl } from '../../lib/images.ts'

interface Props {
  path: string | null
  progress: Progress | undefined
  /** Width and background. */
  className: string
}

/** Still image of an episode with its progress bar. */
export function EpisodeStill({ path, progress, className }: Props) {
  return (
    <span className={`relative aspect-video shrink-0 overflow-hidden rounded-md ${className}`}>
      <img src={imageUrl(path, 'w342')} alt="" loading="lazy" className="size-full object-cover" />
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

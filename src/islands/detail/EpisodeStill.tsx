import type { Progress } from '../../lib/contract/progress.ts'
import { imageUrl } from '../../lib/images.ts'

interface Props {
  path: string | null
  progress: Progress | undefined
  /** Its width, and what it stands on. */
  className: string
}

/** What an episode's line begins with: its picture, and how far it was watched. */
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

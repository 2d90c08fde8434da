import { t } from '../../lib/i18n/t.ts'

const SKELETON_INDEXES = Array.from({ length: 18 }, (_, index) => index)

/** Placeholders for a grid of posters with captions. */
export function PosterGridSkeleton() {
  return (
    <div role="status" aria-label={t('common:loading')} className="card-grid">
      {SKELETON_INDEXES.map((index) => (
        <div key={index}>
          <div className="skeleton aspect-2/3" />
          <div className="skeleton mt-2 h-5 w-2/3" />
          <div className="skeleton mt-2 h-4 w-1/3" />
        </div>
      ))}
    </div>
  )
}

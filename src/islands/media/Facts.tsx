import type { MediaCard } from '../../lib/contract/media.ts'
import { formatRuntime } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'

export const ratedWords = (rated: string) => (rated === 'All' ? t('common:all') : rated)

/** Rating, year, age rating, length, quality: one line. */
export function Facts({ media }: { media: MediaCard }) {
  return (
    <p className="numbers flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
      {media.rating > 0 && <span className="font-semibold text-accent">★ {media.rating.toFixed(1)}</span>}
      {media.year && <span>{media.year}</span>}
      {media.rated && (
        <span className="rounded-sm border border-faint px-1.5 text-sm">{ratedWords(media.rated)}</span>
      )}
      {media.type === 'tv' && media.season_count ? (
        <span>{t('common:seasons', { count: media.season_count })}</span>
      ) : null}
      {media.type === 'movie' && media.runtime ? <span>{formatRuntime(media.runtime)}</span> : null}
      {media.high_quality && (
        <span className="rounded-sm border border-faint px-1.5 text-sm">{t('common:uhd')}</span>
      )}
    </p>
  )
}

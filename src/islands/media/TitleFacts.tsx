import type { MediaCard } from '../../lib/contract/media.ts'
import { formatAgeRating, formatRating, formatRuntime } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'

/** Rating, year, age rating, runtime or seasons, and quality, in one line. */
export function TitleFacts({ title }: { title: MediaCard }) {
  return (
    <p className="numbers flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
      {title.rating > 0 && (
        <span className="font-semibold text-accent">
          <span className="sr-only">{t('common:rating')} </span>
          <span aria-hidden>★ </span>
          {formatRating(title.rating)}
        </span>
      )}
      {title.year && <span>{title.year}</span>}
      {title.rated && (
        <span className="rounded-sm border border-faint px-1.5 text-sm">
          <span className="sr-only">{t('common:ageRating')} </span>
          {formatAgeRating(title.rated)}
        </span>
      )}
      {title.type === 'tv' && title.season_count ? (
        <span>{t('common:seasons', { count: title.season_count })}</span>
      ) : null}
      {title.type === 'movie' && title.runtime ? <span>{formatRuntime(title.runtime)}</span> : null}
      {title.high_quality && (
        <span className="rounded-sm border border-faint px-1.5 text-sm">{t('common:uhd')}</span>
      )}
    </p>
  )
}

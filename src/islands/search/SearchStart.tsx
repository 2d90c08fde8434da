import { useStore } from '@nanostores/react'
import { Search } from '../../icons/index.ts'
import type { MediaCard } from '../../lib/contract/media.ts'
import { t } from '../../lib/i18n/t.ts'
import { clearRecentSearches, setSearchQuery } from '../../lib/stores/search.ts'
import { $featuredMovies, $featuredSeries } from '../../lib/stores/titles.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Name } from '../media/Name.tsx'
import { Poster } from '../media/Poster.tsx'

/** View for an empty query: recent searches and popular titles. */
export function SearchStart({ recentQueries }: { recentQueries: readonly string[] }) {
  const popularTitles = usePopularTitles()
  if (recentQueries.length === 0 && popularTitles?.length === 0)
    return <EmptyState icon={<Search />} title={t('searchpage:start')} />
  return (
    <div className="flex flex-col gap-8">
      {recentQueries.length > 0 && <RecentSearches recentQueries={recentQueries} />}
      <PopularTitles />
    </div>
  )
}

/** Popular titles, which are also shown below the message that a search has found nothing. */
export function PopularTitles() {
  const popularTitles = usePopularTitles() ?? []
  if (popularTitles.length === 0) return null
  return (
    <section aria-label={t('searchpage:popular')}>
      <h2 className="mb-3 text-lg font-bold">{t('searchpage:popular')}</h2>
      <ul className="card-grid">
        {popularTitles.map((title) => (
          <li key={title.id}>
            <Poster title={title} hasCaption />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns popular movies and series in turn; null while either list is loading, so that no poster is shifted later. */
function usePopularTitles(): MediaCard[] | null {
  const moviesQuery = useStore($featuredMovies)
  const seriesQuery = useStore($featuredSeries)
  if (moviesQuery.loading || seriesQuery.loading) return null
  return interleaveTitles(moviesQuery.data?.results ?? [], seriesQuery.data?.results ?? []).slice(0, 12)
}

/** Alternates movies and series. The rest of the longer list follows at the end. */
function interleaveTitles(movies: readonly MediaCard[], series: readonly MediaCard[]): MediaCard[] {
  const longerList = movies.length > series.length ? movies : series
  return longerList.flatMap((_, index) => [
    ...movies.slice(index, index + 1),
    ...series.slice(index, index + 1),
  ])
}

function RecentSearches({ recentQueries }: { recentQueries: readonly string[] }) {
  return (
    <section aria-label={t('searchpage:recent')} className="flex flex-col gap-3">
      <div className="flex items-center justify-between">
        <h2 className="font-semibold text-muted">{t('searchpage:recent')}</h2>
        <button
          type="button"
          className="min-h-11 text-sm text-accent hover:underline"
          onClick={clearRecentSearches}
        >
          {t('searchpage:clearRecent')}
        </button>
      </div>
      <ul className="flex flex-wrap gap-2">
        {recentQueries.map((query) => (
          <li key={query}>
            <button
              type="button"
              onClick={() => setSearchQuery(query)}
              className="min-h-11 rounded-full border border-line bg-overlay px-4 hover:border-accent"
            >
              <Name text={query} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

import { useStore } from '@nanostores/react'
import { Search, X } from 'lucide-react'
import { lazy, memo, Suspense, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { MediaCard } from '../lib/contract/media.ts'
import { formatNames } from '../lib/i18n/format.ts'
import { getCurrentLocale, t } from '../lib/i18n/t.ts'
import { getImageUrl } from '../lib/images.ts'
import { href } from '../lib/routes.ts'
import { $profile } from '../lib/stores/profile.ts'
import {
  $recentSearches,
  $search,
  $searchesAvailable,
  $searchGuide,
  $searchType,
  clearRecentSearches,
  type SearchType,
  setSearchesAvailable,
  setSearchQuery,
  storeRecentSearch,
} from '../lib/stores/search.ts'
import { $featuredMovies, $featuredSeries } from '../lib/stores/titles.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { PosterGridSkeleton } from './browse/PosterGridSkeleton.tsx'
import { ErrorView } from './ErrorView.tsx'
import { GuardedPage } from './GuardedPage.tsx'
import { Poster } from './media/Poster.tsx'

const AskToWatch = lazy(() => import('./search/AskToWatch.tsx'))
const SearchGuideFilter = lazy(() => import('./search/SearchGuideFilter.tsx'))

export default function SearchPage() {
  return (
    <GuardedPage>
      <SearchView />
    </GuardedPage>
  )
}

function SearchView() {
  const { query, answer: reply, error } = useStore($search)
  const profile = useStore($profile)
  const type = useStore($searchType)
  const recentQueries = useStore($recentSearches)
  const inputRef = useRef<HTMLInputElement>(null)
  const [askableCount, setAskableCount] = useState(0)
  const [initialQuery] = useState(() => new URLSearchParams(location.search).get('q'))
  /* A layout effect sets the query before the first paint, so that the start view does not flash. */
  useLayoutEffect(() => {
    $searchGuide.set(new URLSearchParams(location.search).getAll('guide'))
    if (initialQuery) setSearchQuery(initialQuery, 0)
  }, [initialQuery])
  useEffect(() => inputRef.current?.focus(), [])
  const hasReply = useDeferredValue(reply !== null && query !== '')
  const counts = reply?.counts
  const tabs = (
    [
      ['all', 'common:all'],
      ['movie', 'common:movies'],
      ['tv', 'common:tvShows'],
      ['actor', 'searchpage:actors'],
    ] as const
  ).map(([value, labelKey]) => ({
    value: value as SearchType,
    label: t(labelKey),
    count: counts?.[value],
    spokenName: counts && formatNames([t(labelKey), t('common:results', { count: counts[value] })]),
  }))
  return (
    <div className="edge flex flex-col gap-6 pt-4 pb-24">
      <h1 className="sr-only">{t('searchpage:title')}</h1>
      {/* Permanent, because screen readers do not announce a region that appears with its text. */}
      <p role="status" className="sr-only">
        {hasReply && counts && t('common:results', { count: counts[type] })}
      </p>
      <search className="relative">
        <Search aria-hidden size={22} className="absolute inset-y-0 start-4 my-auto text-muted" />
        <input
          ref={inputRef}
          /* With `auto` a long placeholder would be cut off at its beginning in right-to-left pages. */
          dir={query ? 'auto' : undefined}
          value={query}
          enterKeyHint="search"
          aria-label={t('searchpage:placeholder')}
          placeholder={t('searchpage:placeholder')}
          onChange={(event) => setSearchQuery(event.target.value)}
          onBlur={() => storeRecentSearch(query)}
          onKeyDown={(event) => event.key === 'Escape' && setSearchQuery('')}
          className="min-h-14 w-full rounded-full border border-line bg-raised ps-13 pe-13 text-lg placeholder:text-ellipsis placeholder-shown:pe-5 focus:border-accent"
        />
        {query && (
          <button
            type="button"
            aria-label={t('searchpage:clear')}
            onClick={() => {
              setSearchQuery('')
              inputRef.current?.focus()
            }}
            className="absolute inset-y-0 end-2 my-auto grid size-11 place-items-center rounded-full text-muted hover:text-ink"
          >
            <X aria-hidden size={20} />
          </button>
        )}
      </search>
      {query && (
        <div className="flex flex-wrap items-center gap-3">
          <Tabs
            label={t('searchpage:title')}
            value={type}
            tabs={tabs}
            onChange={(nextType) => $searchType.set(nextType)}
          />
          <AvailableFilter />
          <Suspense>
            <SearchGuideFilter />
          </Suspense>
        </div>
      )}
      <Suspense>
        {profile?.may_ask && reply && query !== '' && <AskToWatch query={query} onCount={setAskableCount} />}
      </Suspense>
      {error ? (
        <ErrorView error={error} />
      ) : hasReply ? (
        <SearchResults hasAskable={askableCount > 0} />
      ) : query && query === initialQuery ? (
        <PosterGridSkeleton />
      ) : (
        <SearchStart recentQueries={recentQueries} />
      )}
    </div>
  )
}

/** Button that restricts the results to titles that can be played here. Hidden while availability is unknown. */
function AvailableFilter() {
  const { answer } = useStore($search)
  const isOn = useStore($searchesAvailable)
  const isKnown = answer?.results.some((hit) => hit.kind !== 'actor' && hit.media.available !== undefined)
  if (!isOn && !isKnown) return null
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={() => setSearchesAvailable(!isOn)}
      className="min-h-11 rounded-full border border-line bg-overlay px-4 text-sm hover:border-faint aria-pressed:border-accent aria-pressed:bg-accent aria-pressed:text-accent-ink"
    >
      {t('searchpage:available')}
    </button>
  )
}

/**
 * Renders with deferred values, so that typing and switching tabs stay responsive. Titles that a child may ask for (`hasAskable`)
 * are shown above and are results too.
 */
const SearchResults = memo(function SearchResults({ hasAskable }: { hasAskable: boolean }) {
  const { answer: reply, seenOnly: isOfflineReply } = useDeferredValue(
    useStore($search, { keys: ['answer', 'seenOnly'] }),
  )
  const type = useDeferredValue(useStore($searchType))
  const results = reply?.results.filter((result) => type === 'all' || result.kind === type) ?? []
  if (!reply || (results.length === 0 && hasAskable)) return null
  if (results.length === 0) {
    return (
      <EmptyState
        icon={<Search />}
        title={
          <>
            {t('searchpage:noResults')}{' '}
            <q>
              <bdi>{reply.query}</bdi>
            </q>
          </>
        }
        hint={t(isOfflineReply ? 'searchpage:offlineResults' : 'searchpage:noResultsHint')}
      />
    )
  }
  const actors = results.flatMap((result) => (result.kind === 'actor' ? [result.actor] : []))
  const titles = results.flatMap((result) => (result.kind === 'actor' ? [] : [result.media]))
  return (
    /* A new key per query replaces the list, so that reused cards do not count as layout shift. */
    <div key={reply.query} className="flex flex-col gap-8">
      {isOfflineReply && <p className="text-muted">{t('searchpage:offlineResults')}</p>}
      {titles.length > 0 && <PosterGrid titles={titles} />}
      {actors.length > 0 && (
        <section aria-label={t('searchpage:actors')}>
          <h2 className="mb-3 text-lg font-bold">{t('searchpage:actors')}</h2>
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
            {actors.map((actor) => (
              <li key={actor.id}>
                <a
                  href={href('actor', getCurrentLocale(), { slug: actor.slug })}
                  className="flex items-center gap-4 rounded-md p-2 hover:bg-raised"
                >
                  <img
                    src={getImageUrl(actor.profile_path, 'w185')}
                    alt=""
                    width="64"
                    height="64"
                    loading="lazy"
                    className="size-16 rounded-full bg-raised object-cover"
                  />
                  <bdi className="font-medium">{actor.name}</bdi>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
})

/** View for an empty query: recent searches and popular titles. */
function SearchStart({ recentQueries }: { recentQueries: readonly string[] }) {
  const moviesQuery = useStore($featuredMovies)
  const seriesQuery = useStore($featuredSeries)
  const isLoaded = !moviesQuery.loading && !seriesQuery.loading
  /* The grid waits for both lists, because the second list would shift the posters of the first. */
  const popularTitles = isLoaded
    ? interleaveTitles(moviesQuery.data?.results ?? [], seriesQuery.data?.results ?? []).slice(0, 12)
    : []
  if (recentQueries.length === 0 && isLoaded && popularTitles.length === 0)
    return <EmptyState icon={<Search />} title={t('searchpage:start')} />
  return (
    <div className="flex flex-col gap-8">
      {recentQueries.length > 0 && <RecentSearches recentQueries={recentQueries} />}
      {popularTitles.length > 0 && (
        <section aria-label={t('searchpage:popular')}>
          <h2 className="mb-3 text-lg font-bold">{t('searchpage:popular')}</h2>
          <PosterGrid titles={popularTitles} />
        </section>
      )}
    </div>
  )
}

/** Alternates movies and series; the rest of the longer list follows. */
function interleaveTitles(movies: readonly MediaCard[], series: readonly MediaCard[]): MediaCard[] {
  const longerList = movies.length > series.length ? movies : series
  return longerList.flatMap((_, index) => [
    ...movies.slice(index, index + 1),
    ...series.slice(index, index + 1),
  ])
}

function PosterGrid({ titles }: { titles: readonly MediaCard[] }) {
  return (
    <ul className="card-grid">
      {titles.map((title) => (
        <li key={title.id}>
          <Poster title={title} hasCaption />
        </li>
      ))}
    </ul>
  )
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
              <bdi>{query}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

import { useStore } from '@nanostores/react'
import { lazy, memo, Suspense, useDeferredValue, useEffect } from 'react'
import { SearchX } from '../icons/index.ts'
import { t } from '../lib/i18n/t.ts'
import {
  $browseList,
  $browseResults,
  type BrowseFilters,
  type BrowseResults,
  type BrowseType,
  type ChangeBrowseFilters,
  DEFAULT_BROWSE_SORT,
  formatBrowseFilters,
  loadMoreResults,
  openBrowseList,
  parseBrowseFilters,
} from '../lib/stores/browse.ts'
import { $profile } from '../lib/stores/profile.ts'
import { $user } from '../lib/stores/session.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Select } from '../ui/Select.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { Toolbar } from '../ui/Toolbar.tsx'
import { FilterChips } from './browse/FilterChips.tsx'
import { FilterPanel } from './browse/FilterPanel.tsx'
import { PosterGridSkeleton } from './browse/PosterGridSkeleton.tsx'
import { ErrorView } from './ErrorView.tsx'
import { GuardedPage } from './GuardedPage.tsx'
import { InfiniteScroll } from './media/InfiniteScroll.tsx'
import { Poster } from './media/Poster.tsx'

const BrowseActions = lazy(() => import('./lists/BrowseActions.tsx'))

const SORT_TABS_BY_TYPE = {
  movie: [
    [DEFAULT_BROWSE_SORT, 'browse:popular'],
    ['release_date.desc', 'browse:latest'],
    ['rating.desc', 'browse:topRated'],
  ],
  tv: [
    [DEFAULT_BROWSE_SORT, 'browse:popular'],
    ['release_date.desc', 'browse:latest'],
    ['newest_season.desc', 'browse:newestSeasons'],
    ['rating.desc', 'browse:topRated'],
  ],
} as const

const SORTS_WITHOUT_TAB = [
  ['title.asc', 'browse:titleAsc'],
  ['title.desc', 'browse:titleDesc'],
  ['release_date.asc', 'browse:oldest'],
  ['rating_votes.desc', 'browse:mostVoted'],
] as const

export default function BrowsePage({ type }: { type: BrowseType }) {
  return (
    <GuardedPage pendingContent={<BrowseSkeleton type={type} />}>
      <TitleBrowser type={type} />
    </GuardedPage>
  )
}

function TitleBrowser({ type }: { type: BrowseType }) {
  const profile = useStore($profile)
  const browseList = useStore($browseList)
  const results = useStore($browseResults)
  useEffect(() => {
    if (profile) openBrowseList(type, parseBrowseFilters(location.search))
  }, [type, profile])
  const selectFilters = (list: typeof browseList) =>
    list?.type === type ? list.filters : parseBrowseFilters(location.search)
  const filters = selectFilters(browseList)
  const changeFilters: ChangeBrowseFilters = (change) => {
    const currentFilters = selectFilters($browseList.get())
    const changes = typeof change === 'function' ? change(currentFilters) : change
    applyFilters(type, { ...currentFilters, ...changes })
  }
  const tabs = SORT_TABS_BY_TYPE[type].map(([value, labelKey]) => ({
    value: value as string,
    label: t(labelKey),
  }))
  // If the account prefers 1080p or 720p, the caption of each title that is available in 4K states this. The viewer
  // then sees which titles are available in a better quality than the preferred one.
  const preferredQuality = useStore($user)?.preferences.media_quality
  const isQualityLimited = preferredQuality === '1080p' || preferredQuality === '720p'
  return (
    <div className="edge flex flex-col gap-5 pt-4 pb-24">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-2xl font-black wrap-anywhere">
          {t(type === 'movie' ? 'common:movies' : 'common:tvShows')}
        </h1>
        <p aria-live="polite" className="numbers text-muted">
          {results.total !== null && t('common:titles', { count: results.total })}
        </p>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Tabs
          label={t('browse:sort')}
          value={filters.sort}
          tabs={tabs}
          onChange={(sort) => changeFilters({ sort })}
        />
        <Toolbar>
          <Select
            isLabelHidden
            label={t('browse:sort')}
            value={filters.sort}
            options={[
              ...tabs,
              ...SORTS_WITHOUT_TAB.map(([value, labelKey]) => ({
                value: value as string,
                label: t(labelKey),
              })),
            ]}
            onChange={(sort) => changeFilters({ sort })}
          />
          <FilterPanel
            type={type}
            filters={filters}
            totalCount={results.total}
            isKidsProfile={profile?.kids === true}
            isAvailabilityKnown={results.items.some((title) => title.available !== undefined)}
            onChange={changeFilters}
          />
          <Suspense>
            <BrowseActions type={type} filters={filters} totalCount={results.total} />
          </Suspense>
        </Toolbar>
      </div>
      <FilterChips type={type} filters={filters} onChange={changeFilters} />
      <BrowseResultGrid
        type={type}
        results={useDeferredValue(results)}
        isQualityShown={filters.highQuality || isQualityLimited}
      />
    </div>
  )
}

function applyFilters(type: BrowseType, filters: BrowseFilters): void {
  history.replaceState(history.state, '', location.pathname + formatBrowseFilters(filters))
  openBrowseList(type, filters)
}

/**
 * The list is memoised and receives deferred results, so that the pressed tab is highlighted before the list
 * renders.
 */
const BrowseResultGrid = memo(function BrowseResultGrid({
  type,
  results,
  isQualityShown,
}: {
  type: BrowseType
  results: BrowseResults
  isQualityShown: boolean
}) {
  if (results.error && results.items.length === 0) return <ErrorView isInSection error={results.error} />
  if (results.total === 0) {
    const resetButton = (
      <Button variant="primary" onClick={() => applyFilters(type, parseBrowseFilters(''))}>
        {t('browse:reset')}
      </Button>
    )
    return (
      <EmptyState
        icon={<SearchX />}
        title={t('browse:noTitles')}
        hint={t('browse:noTitlesHint')}
        action={resetButton}
      />
    )
  }
  if (results.items.length === 0) return <PosterGridSkeleton />
  return (
    <>
      {/* The key changes with the list, so that React creates new cards. Cards that React reuses for other titles
          would count as layout shift. */}
      <ul key={results.listKey} className="card-grid">
        {results.items.map((title, index) => (
          <li key={title.id}>
            <Poster title={title} hasCaption isQualityShown={isQualityShown} isLoadedEagerly={index < 6} />
          </li>
        ))}
      </ul>
      <InfiniteScroll
        loadedCount={results.items.length}
        hasMore={results.hasMore}
        isLoading={results.loading}
        hasFailed={results.error !== null}
        endText={t('browse:allLoaded')}
        onLoadMore={loadMoreResults}
      />
    </>
  )
})

/**
 * Skeleton with the dimensions of the loaded page. It looks like layouts/Pending.astro, which is shown before this code
 * loads.
 */
function BrowseSkeleton({ type }: { type: BrowseType }) {
  return (
    <div className="edge flex flex-col gap-5 pt-4 pb-24">
      <h1 className="text-2xl font-black wrap-anywhere">
        {t(type === 'movie' ? 'common:movies' : 'common:tvShows')}
      </h1>
      <div className="skeleton h-13 w-80 max-w-full" />
      <PosterGridSkeleton />
    </div>
  )
}

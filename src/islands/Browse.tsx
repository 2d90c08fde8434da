import { useStore } from '@nanostores/react'
import { SearchX } from 'lucide-react'
import { memo, useDeferredValue, useEffect } from 'react'
import { t } from '../lib/i18n/t.ts'
import {
  $browse,
  $results,
  type BrowseType,
  type Filters,
  hasMore,
  loadMore,
  openList,
  POPULAR,
  type Results,
  readFilters,
  writeFilters,
} from '../lib/stores/browse.ts'
import { $profile } from '../lib/stores/profile.ts'
import { Button } from '../ui/Button.tsx'
import { State } from '../ui/State.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { Chips } from './browse/Chips.tsx'
import { FilterPanel } from './browse/FilterPanel.tsx'
import { WaitingGrid } from './browse/WaitingGrid.tsx'
import { ErrorView } from './ErrorView.tsx'
import { Endless } from './media/Endless.tsx'
import { Poster } from './media/Poster.tsx'
import { Page } from './Page.tsx'

const TABS = {
  movie: [
    [POPULAR, 'browse:popular'],
    ['release_date.desc', 'browse:latest'],
    ['rating.desc', 'browse:topRated'],
  ],
  tv: [
    [POPULAR, 'browse:popular'],
    ['release_date.desc', 'browse:latest'],
    ['newest_season.desc', 'browse:newestSeasons'],
    ['rating.desc', 'browse:topRated'],
  ],
} as const

export default function Browse({ type }: { type: BrowseType }) {
  return (
    <Page pending={<BrowseSkeleton type={type} />}>
      <TitleBrowser type={type} />
    </Page>
  )
}

function TitleBrowser({ type }: { type: BrowseType }) {
  const profile = useStore($profile)
  const browse = useStore($browse)
  const results = useStore($results)
  useEffect(() => {
    if (profile) openList(type, readFilters(location.search))
  }, [type, profile])
  const filters = browse?.type === type ? browse.filters : readFilters(location.search)
  const changeFilters = (changes: Partial<Filters>) => applyFilters(type, { ...filters, ...changes })
  const tabs = TABS[type].map(([value, labelKey]) => ({ value: value as string, label: t(labelKey) }))
  return (
    <div className="edge flex flex-col gap-5 pt-4 pb-24">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-2xl font-black">{t(type === 'movie' ? 'common:movies' : 'common:tvShows')}</h1>
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
        <FilterPanel type={type} filters={filters} kids={profile?.kids === true} onChange={changeFilters} />
      </div>
      <Chips type={type} filters={filters} onChange={changeFilters} />
      <BrowseResultGrid type={type} results={useDeferredValue(results)} />
    </div>
  )
}

function applyFilters(type: BrowseType, filters: Filters): void {
  history.replaceState(history.state, '', location.pathname + writeFilters(filters))
  openList(type, filters)
}

/** Memoised and given deferred results, so that the pressed tab is highlighted before the list renders. */
const BrowseResultGrid = memo(function BrowseResultGrid({
  type,
  results,
}: {
  type: BrowseType
  results: Results
}) {
  if (results.error && results.items.length === 0) return <ErrorView error={results.error} />
  if (results.total === 0) {
    const resetButton = (
      <Button look="primary" onClick={() => applyFilters(type, readFilters(''))}>
        {t('browse:reset')}
      </Button>
    )
    return (
      <State
        icon={<SearchX />}
        title={t('browse:noTitles')}
        hint={t('browse:noTitlesHint')}
        action={resetButton}
      />
    )
  }
  if (results.items.length === 0) return <WaitingGrid />
  return (
    <>
      {/* A new key per list replaces the element, so that reused cards do not count as layout shift. */}
      <ul key={results.list} className="card-grid">
        {results.items.map((title, index) => (
          <li key={title.id}>
            <Poster media={title} caption eager={index < 6} />
          </li>
        ))}
      </ul>
      {/* A new key per page replaces the element, which would otherwise count as layout shift. */}
      <Endless
        key={results.items.length}
        hasMore={hasMore(results)}
        loading={results.loading}
        failed={results.error !== null}
        endText={t('browse:allLoaded')}
        onLoadMore={loadMore}
      />
    </>
  )
})

/** Same geometry as the page, and as layouts/Pending.astro, which is shown before this code loads. */
function BrowseSkeleton({ type }: { type: BrowseType }) {
  return (
    <div className="edge flex flex-col gap-5 pt-4 pb-24">
      <h1 className="text-2xl font-black">{t(type === 'movie' ? 'common:movies' : 'common:tvShows')}</h1>
      <div className="skeleton h-13 w-80 max-w-full" />
      <WaitingGrid />
    </div>
  )
}

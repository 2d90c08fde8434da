import { useStore } from '@nanostores/react'
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { CalendarRange, CirclePlay, Heart, ListChecks, ListVideo } from '../icons/index.ts'
import { getCurrentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import { WATCH_STATES } from '../lib/rules/limits.ts'
import { $profile } from '../lib/stores/profile.ts'
import { $watchlistEntries } from '../lib/stores/watchlist.ts'
import {
  $pendingWatchlistEntries,
  $watchlistFilters,
  $watchlistPage,
  formatWatchlistFilters,
  loadMoreWatchlistEntries,
  openWatchlistPage,
  parseWatchlistFilters,
  RATING_FILTERS,
  WATCHLIST_SORT_OPTIONS,
  type WatchlistFilters,
} from '../lib/stores/watchlist-page.ts'
import { Button, getButtonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Select } from '../ui/Select.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { useOptimisticChange } from '../ui/use-optimistic-change.ts'
import { ErrorView } from './ErrorView.tsx'
import { GuardedPage } from './GuardedPage.tsx'
import { InfiniteScroll } from './media/InfiniteScroll.tsx'
import { BulkActionBar } from './watchlist/BulkActionBar.tsx'
import { WatchlistItem } from './watchlist/WatchlistItem.tsx'

const getTitleKey = (entry: { type: string; media_id: string }) => `${entry.type}/${entry.media_id}`

export default function WatchlistPage() {
  return (
    <GuardedPage>
      <Watchlist />
    </GuardedPage>
  )
}

/**
 * Returns the loaded entries and the entries that were added offline, with all later changes applied. Removed
 * titles are left out.
 */
function useVisibleEntries() {
  const { items: loadedItems } = useStore($watchlistPage)
  const watchlistEntries = useStore($watchlistEntries)
  const offlineEntries = useStore($pendingWatchlistEntries)
  return useMemo(() => {
    const loadedKeys = new Set(loadedItems.map(getTitleKey))
    return [...offlineEntries.filter((entry) => !loadedKeys.has(getTitleKey(entry))), ...loadedItems]
      .map((entry) => {
        /* Unchanged entries stay the same objects, so that their memoised cards do not render again. */
        const changes = watchlistEntries[getTitleKey(entry)]
        return changes ? { ...entry, ...changes } : entry
      })
      .filter((entry) => entry.in_watchlist)
  }, [loadedItems, watchlistEntries, offlineEntries])
}

function changeFilters(changes: Partial<WatchlistFilters>): void {
  const nextFilters = { ...$watchlistFilters.get(), ...changes }
  history.replaceState(history.state, '', location.pathname + formatWatchlistFilters(nextFilters))
  openWatchlistPage(nextFilters)
}

function Watchlist() {
  const profile = useStore($profile)
  /*
   * The list opens during the first render. After Back, the first paint therefore shows the list as the user left it.
   */
  useState(() => openWatchlistPage(parseWatchlistFilters(location.search)))
  useEffect(() => {
    if (profile) openWatchlistPage($watchlistFilters.get())
  }, [profile])
  const filters = useStore($watchlistFilters)
  const watchlistPage = useStore($watchlistPage)
  const { items: loadedItems, total: totalCount, hasMore, loading: isLoading, error } = watchlistPage
  const entries = useVisibleEntries()
  const [selectedKeys, setSelectedKeys] = useState<Set<string> | null>(null)
  const toggleSelection = useCallback(
    (titleKey: string) =>
      setSelectedKeys((previousKeys) => new Set([titleKey]).symmetricDifference(previousKeys ?? new Set())),
    [],
  )
  const deferredSelectedKeys = useDeferredValue(selectedKeys)
  const isUnfiltered = formatWatchlistFilters({ ...filters, sort: 'added_at.desc' }) === ''
  const titleCount = totalCount === null ? null : totalCount + entries.length - loadedItems.length
  return (
    <div className="edge flex flex-col gap-6 pt-4 pb-24" data-my-list>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-2xl font-black wrap-anywhere">{t('mylist:title')}</h1>
        <div className="me-auto flex flex-wrap gap-4">
          <a
            className="inline-flex min-h-11 items-center gap-2 text-muted hover:text-ink"
            href={href('watch-next', getCurrentLocale())}
          >
            <CirclePlay aria-hidden size={18} />
            {t('header:watchNext')}
          </a>
          <a
            className="inline-flex min-h-11 items-center gap-2 text-muted hover:text-ink"
            href={href('calendar', getCurrentLocale())}
          >
            <CalendarRange aria-hidden size={18} />
            {t('header:calendar')}
          </a>
        </div>
        <p aria-live="polite" className="numbers text-muted">
          {titleCount !== null && t('common:titles', { count: titleCount })}
        </p>
      </div>
      <WatchlistToolbar
        filters={filters}
        isHidden={totalCount === 0 && isUnfiltered}
        isSelecting={selectedKeys !== null}
        onSelectingChange={(isSelecting) => setSelectedKeys(isSelecting ? new Set() : null)}
      />
      {selectedKeys && (
        <BulkActionBar
          entries={entries.filter((entry) => selectedKeys.has(getTitleKey(entry)))}
          onSelectAll={() => setSelectedKeys(new Set(entries.map(getTitleKey)))}
          onDone={() => setSelectedKeys(null)}
        />
      )}
      {error && entries.length === 0 ? (
        <ErrorView isInSection error={error} />
      ) : totalCount !== null && entries.length === 0 && !hasMore ? (
        <EmptyWatchlist isUnfiltered={isUnfiltered} />
      ) : (
        <ul className="card-grid">
          {entries.map((entry) => (
            <WatchlistItem
              key={getTitleKey(entry)}
              entry={entry}
              isSelected={deferredSelectedKeys?.has(getTitleKey(entry))}
              onToggleSelected={toggleSelection}
            />
          ))}
        </ul>
      )}
      {loadedItems.length > 0 && (
        <InfiniteScroll
          loadedCount={loadedItems.length}
          hasMore={hasMore}
          isLoading={isLoading}
          hasFailed={error !== null}
          endText={t('mylist:allLoaded')}
          onLoadMore={loadMoreWatchlistEntries}
        />
      )}
    </div>
  )
}

const RATING_FILTER_LABELS = {
  all: 'common:all',
  rated: 'mylist:rated',
  unrated: 'mylist:unrated',
  high: 'mylist:ratedHigh',
} as const

interface WatchlistToolbarProps {
  filters: WatchlistFilters
  isHidden: boolean
  isSelecting: boolean
  onSelectingChange: (isSelecting: boolean) => void
}

/** Filters and sort order of the list, and the button for the selection mode. */
function WatchlistToolbar({ filters, isHidden, isSelecting, onSelectingChange }: WatchlistToolbarProps) {
  const [isSelectingShown, changeSelecting] = useOptimisticChange(isSelecting, onSelectingChange)
  const tabs = [
    { value: 'all' as const, label: t('common:all') },
    { value: 'movie' as const, label: t('common:movies') },
    { value: 'tv' as const, label: t('common:tvShows') },
  ]
  return (
    <div className="flex flex-wrap items-end justify-between gap-4" hidden={isHidden}>
      <Tabs
        label={t('mylist:title')}
        value={filters.type}
        tabs={tabs}
        onChange={(type) => changeFilters({ type })}
      />
      <div className="grid grid-cols-2 items-end gap-3 max-sm:w-full sm:flex">
        <Select
          label={t('mylist:status')}
          value={filters.state}
          options={[
            { value: 'all', label: t('common:all') },
            ...WATCH_STATES.map((state) => ({ value: state, label: t(`mylist:${state}`) })),
          ]}
          onChange={(state) => changeFilters({ state: state as typeof filters.state })}
        />
        <Select
          label={t('mylist:rating')}
          value={filters.rating}
          options={RATING_FILTERS.map((value) => ({ value, label: t(RATING_FILTER_LABELS[value]) }))}
          onChange={(rating) => changeFilters({ rating })}
        />
        {/* On phones, the buttons show only their icons, so that the first titles are visible. */}
        <div className="col-span-full flex flex-wrap items-end gap-3 sm:contents">
          <div className="min-w-0 grow basis-48">
            <Select
              label={t('mylist:sort')}
              value={filters.sort}
              options={WATCHLIST_SORT_OPTIONS.map(([value, labelKey]) => ({ value, label: t(labelKey) }))}
              onChange={(sort) => changeFilters({ sort })}
            />
          </div>
          <Button
            aria-pressed={filters.favorite}
            icon={<Heart aria-hidden size={18} fill={filters.favorite ? 'currentColor' : 'none'} />}
            onClick={() => changeFilters({ favorite: !filters.favorite })}
          >
            <span className="max-sm:sr-only">{t('mylist:favorites')}</span>
          </Button>
          <Button
            aria-pressed={isSelectingShown}
            icon={<ListChecks aria-hidden size={18} />}
            onClick={() => changeSelecting(!isSelectingShown)}
          >
            <span className="max-sm:sr-only">{t('mylist:select')}</span>
          </Button>
        </div>
      </div>
    </div>
  )
}

function EmptyWatchlist({ isUnfiltered }: { isUnfiltered: boolean }) {
  if (!isUnfiltered)
    return (
      <EmptyState
        icon={<ListVideo />}
        title={t('mylist:nothingHere')}
        action={
          <Button
            onClick={() =>
              changeFilters({ ...parseWatchlistFilters(''), sort: $watchlistFilters.get().sort })
            }
          >
            {t('mylist:clearFilters')}
          </Button>
        }
      />
    )
  const browseLink = (
    <a className={getButtonClass('primary')} href={href('movies', getCurrentLocale())}>
      {t('mylist:browse')}
    </a>
  )
  return (
    <EmptyState
      icon={<ListVideo />}
      title={t('mylist:empty')}
      hint={t('mylist:emptyHint')}
      action={browseLink}
    />
  )
}

import { useStore } from '@nanostores/react'
import { ListVideo, Star } from 'lucide-react'
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { currentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import { WATCH_STATES } from '../lib/rules/limits.ts'
import {
  $addedAway,
  $listFilters,
  $moreListed,
  $myList,
  LIST_SORTS,
  type ListFilters,
  loadMoreListed,
  openMyList,
  readListFilters,
  writeListFilters,
} from '../lib/stores/my-list.ts'
import { $profile } from '../lib/stores/profile.ts'
import { $listed } from '../lib/stores/watchlist.ts'
import { Button, buttonLook } from '../ui/Button.tsx'
import { Select } from '../ui/Select.tsx'
import { State } from '../ui/State.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { ErrorView } from './ErrorView.tsx'
import { Endless } from './media/Endless.tsx'
import { BulkBar } from './mylist/BulkBar.tsx'
import { Entry } from './mylist/Entry.tsx'
import { Page } from './Page.tsx'

const toTitleKey = (entry: { type: string; media_id: string }) => `${entry.type}/${entry.media_id}`

export default function MyList() {
  return (
    <Page>
      <Watchlist />
    </Page>
  )
}

/** Loaded entries and entries added offline, merged with later changes; without removed titles. */
function useVisibleEntries() {
  const { items } = useStore($myList)
  const watchlistEntries = useStore($listed)
  const offlineEntries = useStore($addedAway)
  return useMemo(() => {
    const loadedKeys = new Set(items.map(toTitleKey))
    return [...offlineEntries.filter((entry) => !loadedKeys.has(toTitleKey(entry))), ...items]
      .map((entry) => {
        /* Unchanged entries keep their identity, so that their memoised cards do not render again. */
        const changes = watchlistEntries[toTitleKey(entry)]
        return changes ? { ...entry, ...changes } : entry
      })
      .filter((entry) => entry.in_watchlist)
  }, [items, watchlistEntries, offlineEntries])
}

function changeFilters(changes: Partial<ListFilters>): void {
  const nextFilters = { ...$listFilters.get(), ...changes }
  history.replaceState(history.state, '', location.pathname + writeListFilters(nextFilters))
  openMyList(nextFilters)
}

function Watchlist() {
  const profile = useStore($profile)
  /* Runs during the first render, so that Back shows the list as it was left. */
  useState(() => openMyList(readListFilters(location.search)))
  useEffect(() => {
    if (profile) openMyList($listFilters.get())
  }, [profile])
  const filters = useStore($listFilters)
  const { items, total, loading, error } = useStore($myList)
  const hasMoreEntries = useStore($moreListed)
  const entries = useVisibleEntries()
  const [selectedKeys, setSelectedKeys] = useState<Set<string> | null>(null)
  const toggleSelected = useCallback(
    (titleKey: string) =>
      setSelectedKeys((previousKeys) => new Set([titleKey]).symmetricDifference(previousKeys ?? new Set())),
    [],
  )
  const deferredSelectedKeys = useDeferredValue(selectedKeys)
  const isUnfiltered = writeListFilters({ ...filters, sort: 'added_at.desc' }) === ''
  const titleCount = total === null ? null : total + entries.length - items.length
  return (
    <div className="edge flex flex-col gap-6 pt-4 pb-24" data-my-list>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-2xl font-black">{t('mylist:title')}</h1>
        <p aria-live="polite" className="numbers text-muted">
          {titleCount !== null && t('common:titles', { count: titleCount })}
        </p>
      </div>
      <WatchlistToolbar
        filters={filters}
        hidden={total === 0 && isUnfiltered}
        isSelecting={selectedKeys !== null}
        onToggleSelecting={() => setSelectedKeys(selectedKeys ? null : new Set())}
      />
      {selectedKeys && (
        <BulkBar
          entries={entries.filter((entry) => selectedKeys.has(toTitleKey(entry)))}
          onSelectAll={() => setSelectedKeys(new Set(entries.map(toTitleKey)))}
          onDone={() => setSelectedKeys(null)}
        />
      )}
      {error && entries.length === 0 ? (
        <ErrorView error={error} />
      ) : total !== null && entries.length === 0 && !hasMoreEntries ? (
        <EmptyWatchlist isUnfiltered={isUnfiltered} />
      ) : (
        <ul className="card-grid">
          {entries.map((entry) => (
            <Entry
              key={toTitleKey(entry)}
              entry={entry}
              selected={deferredSelectedKeys?.has(toTitleKey(entry))}
              onToggleSelected={toggleSelected}
            />
          ))}
        </ul>
      )}
      {items.length > 0 && (
        <Endless
          hasMore={hasMoreEntries}
          loading={loading}
          failed={error !== null}
          endText={t('mylist:allLoaded')}
          onLoadMore={loadMoreListed}
        />
      )}
    </div>
  )
}

interface WatchlistToolbarProps {
  filters: ListFilters
  hidden: boolean
  isSelecting: boolean
  onToggleSelecting: () => void
}

/** Filters and sort order of the list, and the button for the selection mode. */
function WatchlistToolbar({ filters, hidden, isSelecting, onToggleSelecting }: WatchlistToolbarProps) {
  const tabs = [
    { value: 'all' as const, label: t('common:all') },
    { value: 'movie' as const, label: t('common:movies') },
    { value: 'tv' as const, label: t('common:tvShows') },
  ]
  return (
    <div className="flex flex-wrap items-end justify-between gap-4" hidden={hidden}>
      <Tabs
        label={t('mylist:title')}
        value={filters.type}
        tabs={tabs}
        onChange={(type) => changeFilters({ type })}
      />
      <div className="grid grid-cols-2 gap-3 max-sm:w-full sm:flex">
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
          label={t('mylist:sort')}
          value={filters.sort}
          options={LIST_SORTS.map(([value, labelKey]) => ({ value, label: t(labelKey) }))}
          onChange={(sort) => changeFilters({ sort })}
        />
        <Button
          className="self-end"
          aria-pressed={filters.favorite}
          icon={<Star aria-hidden size={18} fill={filters.favorite ? 'currentColor' : 'none'} />}
          onClick={() => changeFilters({ favorite: !filters.favorite })}
        >
          {t('mylist:favorites')}
        </Button>
        <Button className="self-end" aria-pressed={isSelecting} onClick={onToggleSelecting}>
          {t('mylist:select')}
        </Button>
      </div>
    </div>
  )
}

function EmptyWatchlist({ isUnfiltered }: { isUnfiltered: boolean }) {
  if (!isUnfiltered) return <State icon={<ListVideo />} title={t('mylist:nothingHere')} />
  const browseLink = (
    <a className={buttonLook('primary')} href={href('movies', currentLocale())}>
      {t('mylist:browse')}
    </a>
  )
  return (
    <State icon={<ListVideo />} title={t('mylist:empty')} hint={t('mylist:emptyHint')} action={browseLink} />
  )
}

import { useStore } from '@nanostores/react'
import { useEffect, useMemo, useState } from 'react'
import { History, X } from '../icons/index.ts'
import { getCurrentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import {
  $historyFilters,
  $historyPage,
  formatHistoryFilters,
  type HistoryFilters,
  loadMoreHistory,
  openHistory,
  parseHistoryFilters,
} from '../lib/stores/history-page.ts'
import { $hasRestrictedViewer } from '../lib/stores/parent.ts'
import { $profile } from '../lib/stores/profile.ts'
import { Button, getButtonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Select } from '../ui/Select.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { ErrorView } from './ErrorView.tsx'
import { GuardedPage } from './GuardedPage.tsx'
import { groupByDay, listMonths } from './history/days.ts'
import { HistoryDay } from './history/HistoryDay.tsx'
import { InfiniteScroll } from './media/InfiniteScroll.tsx'
import { Name } from './media/Name.tsx'

export default function HistoryPage() {
  return (
    <GuardedPage>
      <ViewingHistory />
    </GuardedPage>
  )
}

function changeFilters(changes: Partial<HistoryFilters>): void {
  const nextFilters = { ...$historyFilters.get(), ...changes }
  history.replaceState(history.state, '', location.pathname + formatHistoryFilters(nextFilters))
  openHistory(nextFilters)
}

/** The viewings of the profile, by day. */
function ViewingHistory() {
  const profile = useStore($profile)
  const hasRestrictedViewer = useStore($hasRestrictedViewer)
  useState(() => openHistory(parseHistoryFilters(location.search)))
  useEffect(() => {
    if (profile) openHistory($historyFilters.get())
  }, [profile])
  const filters = useStore($historyFilters)
  const {
    items: loadedViewings,
    next: nextCursor,
    oldest: oldestWatchedAt,
    isLoaded,
    loading: isLoading,
    error,
  } = useStore($historyPage)
  const days = useMemo(() => groupByDay(loadedViewings), [loadedViewings])
  const isUnfiltered = formatHistoryFilters(filters) === ''
  return (
    <div className="edge flex flex-col gap-6 pt-4 pb-24">
      <h1 className="text-2xl font-black wrap-anywhere">{t('history:title')}</h1>
      <HistoryFilterBar
        filters={filters}
        oldestWatchedAt={oldestWatchedAt}
        titleName={filters.title ? (loadedViewings[0]?.media.title ?? '') : ''}
        isHidden={isLoaded && isUnfiltered && loadedViewings.length === 0}
      />
      {error && loadedViewings.length === 0 ? (
        <ErrorView isInSection error={error} />
      ) : isLoaded && loadedViewings.length === 0 ? (
        <EmptyHistory isUnfiltered={isUnfiltered} />
      ) : (
        days.map(({ day, viewings }) => (
          <HistoryDay
            key={day}
            day={day}
            viewings={viewings}
            canEdit={!hasRestrictedViewer}
            onShowTitle={(title) => changeFilters({ title: `${title.type}-${title.id}` })}
          />
        ))
      )}
      {!isLoaded && !error && <HistorySkeleton />}
      {loadedViewings.length > 0 && (
        <InfiniteScroll
          loadedCount={loadedViewings.length}
          hasMore={nextCursor !== null}
          isLoading={isLoading}
          hasFailed={error !== null}
          endText={t('history:allLoaded')}
          onLoadMore={loadMoreHistory}
        />
      )}
    </div>
  )
}

interface FilterBarProps {
  filters: HistoryFilters
  oldestWatchedAt: string | null
  /** Name of the title to which the list is filtered; empty for all titles, and until a viewing is loaded. */
  titleName: string
  isHidden: boolean
}

function HistoryFilterBar({ filters, oldestWatchedAt, titleName, isHidden }: FilterBarProps) {
  const tabs = [
    { value: 'all' as const, label: t('common:all') },
    { value: 'movie' as const, label: t('common:movies') },
    { value: 'tv' as const, label: t('common:tvShows') },
  ]
  const monthOptions = useMemo(
    () => listMonths(oldestWatchedAt, filters.month),
    [oldestWatchedAt, filters.month],
  )
  return (
    <div className="flex flex-wrap items-end justify-between gap-4" hidden={isHidden}>
      <Tabs
        label={t('history:title')}
        value={filters.type}
        tabs={tabs}
        onChange={(type) => changeFilters({ type })}
      />
      <div className="flex flex-wrap items-end gap-3">
        {filters.title && (
          <Button icon={<X aria-hidden size={18} />} onClick={() => changeFilters({ title: '' })}>
            <span className="sr-only">{t('common:pair', { name: t('history:allTitles'), value: '' })}</span>
            <Name text={titleName || t('history:allTitles')} className="max-w-60 truncate" />
          </Button>
        )}
        <Select
          label={t('history:month')}
          value={filters.month}
          options={[{ value: 'all', label: t('history:allMonths') }, ...monthOptions]}
          onChange={(month) => changeFilters({ month })}
        />
      </div>
    </div>
  )
}

/** Placeholders as high as the rows of viewings. */
function HistorySkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-3">
      {[...Array(8).keys()].map((index) => (
        <div key={index} className="skeleton h-21" />
      ))}
    </div>
  )
}

function EmptyHistory({ isUnfiltered }: { isUnfiltered: boolean }) {
  if (!isUnfiltered)
    return (
      <EmptyState
        icon={<History />}
        title={t('history:nothingHere')}
        action={
          <Button onClick={() => changeFilters({ type: 'all', month: 'all', title: '' })}>
            {t('history:clearFilters')}
          </Button>
        }
      />
    )
  return (
    <EmptyState
      icon={<History />}
      title={t('history:empty')}
      hint={t('history:emptyHint')}
      action={
        <a className={getButtonClass('primary')} href={href('movies', getCurrentLocale())}>
          {t('history:browse')}
        </a>
      }
    />
  )
}

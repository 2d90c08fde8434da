import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { CirclePlay, Hourglass, Moon } from '../icons/index.ts'
import type { WatchNextItem } from '../lib/contract/watch-next.ts'
import { formatRuntime } from '../lib/i18n/format.ts'
import { formatClockTime } from '../lib/i18n/format-clock-time.ts'
import { getCurrentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import { getCurrentMinuteOfDay } from '../lib/rules/end-by.ts'
import {
  arrangeWatchNext,
  formatWatchNextFilters,
  getLimitSeconds,
  parseWatchNextFilters,
  type WatchNextFilters,
} from '../lib/rules/watch-next.ts'
import { $watchNext, $watchNextFilters, openWatchNext } from '../lib/stores/watch-next.ts'
import { Button, getButtonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorView } from './ErrorView.tsx'
import { GuardedPage } from './GuardedPage.tsx'
import { TimeFilters } from './watch-next/TimeFilters.tsx'
import { WatchNextRow } from './watch-next/WatchNextRow.tsx'

const CLOCK_UPDATE_INTERVAL_MS = 15_000
/** Each column is wide enough for a still, a name and a time, even with the larger text of televisions. */
const GRID_STYLE = { gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 26rem), 1fr))' }
const NO_FILTERS = parseWatchNextFilters('')

export default function WatchNextPage() {
  return (
    <GuardedPage>
      <WatchNext />
    </GuardedPage>
  )
}

function changeFilters(changes: Partial<WatchNextFilters>): void {
  const nextFilters = { ...$watchNextFilters.get(), ...changes }
  history.replaceState(history.state, '', location.pathname + formatWatchNextFilters(nextFilters))
  $watchNextFilters.set(nextFilters)
}

function useCurrentMinuteOfDay(): number {
  const [currentMinute, setCurrentMinute] = useState(() => getCurrentMinuteOfDay())
  useEffect(() => {
    const timer = setInterval(() => setCurrentMinute(getCurrentMinuteOfDay()), CLOCK_UPDATE_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [])
  return currentMinute
}

/** The titles that the profile can watch in the available time, each with the time at which it ends. */
function WatchNext() {
  useState(() => openWatchNext(parseWatchNextFilters(location.search)))
  const { data: watchNextReply, error } = useStore($watchNext)
  const viewingTime = watchNextReply?.viewing_time
  const isTimeOver = viewingTime?.status === 'over'
  return (
    <div className="edge flex flex-col gap-6 pt-4 pb-24">
      <h1 className="text-2xl font-black wrap-anywhere">{t('watchnext:title')}</h1>
      {isTimeOver ? (
        <TimeIsUp
          quietUntilMinute={viewingTime.reason === 'quiet_hours' ? viewingTime.quiet_until : null}
          isQuiet={viewingTime.reason === 'quiet_hours'}
        />
      ) : watchNextReply ? (
        <WatchNextList
          items={watchNextReply.results}
          viewingSeconds={watchNextReply.viewing_time.remaining_seconds}
          hasMorePlannedTitles={watchNextReply.has_more_planned}
        />
      ) : error ? (
        <ErrorView isInSection error={error} />
      ) : (
        <WatchNextSkeleton />
      )}
    </div>
  )
}

interface WatchNextListProps {
  items: readonly WatchNextItem[]
  /** Viewing time that remains today, in seconds; null without a limit. */
  viewingSeconds: number | null
  hasMorePlannedTitles: boolean
}

function WatchNextList({
  items,
  viewingSeconds: remainingViewingSeconds,
  hasMorePlannedTitles,
}: WatchNextListProps) {
  const filters = useStore($watchNextFilters)
  const currentMinute = useCurrentMinuteOfDay()
  if (items.length === 0) return <NothingToWatch />
  const limitSeconds = getLimitSeconds(filters, {
    nowMinute: currentMinute,
    remainingViewingSeconds,
  })
  const { sections, unknownLengthCount, shortestSeconds } = arrangeWatchNext(items, {
    limitSeconds,
    order: filters.order,
  })
  const itemCount = sections.reduce((sum, section) => sum + section.items.length, 0)
  return (
    <>
      <TimeFilters
        filters={filters}
        remainingViewingSeconds={remainingViewingSeconds}
        onChange={changeFilters}
      />
      <p aria-live="polite" className="numbers text-sm text-muted">
        {t('common:titles', { count: itemCount })}
      </p>
      {itemCount === 0 && <NoFittingTitles shortestSeconds={shortestSeconds} />}
      {sections.map((section) => (
        <section key={section.kind ?? 'time'} className="flex flex-col gap-3">
          {section.kind && <h2 className="text-lg font-bold">{t(`watchnext:kind_${section.kind}`)}</h2>}
          <ul className="grid gap-3" style={GRID_STYLE}>
            {section.items.map((item) => (
              <WatchNextRow
                key={item.media.id}
                item={item}
                currentMinute={currentMinute}
                isTooLong={
                  remainingViewingSeconds !== null && (item.remaining_seconds ?? 0) > remainingViewingSeconds
                }
              />
            ))}
          </ul>
        </section>
      ))}
      {unknownLengthCount > 0 && (
        <p className="text-sm text-muted">{t('watchnext:unknownLength', { count: unknownLengthCount })}</p>
      )}
      {hasMorePlannedTitles && (
        <a
          className="inline-flex min-h-11 items-center text-muted hover:text-ink"
          href={href('mylist', getCurrentLocale())}
        >
          {t('watchnext:moreInList')}
        </a>
      )}
    </>
  )
}

function NoFittingTitles({ shortestSeconds }: { shortestSeconds: number | null }) {
  return (
    <EmptyState
      icon={<Hourglass />}
      title={t('watchnext:nothingFits')}
      hint={
        shortestSeconds !== null && (
          <bdi>{t('watchnext:nothingFitsHint', { time: formatRuntime(shortestSeconds) })}</bdi>
        )
      }
      action={<Button onClick={() => changeFilters(NO_FILTERS)}>{t('watchnext:showAll')}</Button>}
    />
  )
}

function NothingToWatch() {
  return (
    <EmptyState
      icon={<CirclePlay />}
      title={t('watchnext:empty')}
      hint={t('watchnext:emptyHint')}
      action={
        <a className={getButtonClass('primary')} href={href('movies', getCurrentLocale())}>
          {t('watchnext:browse')}
        </a>
      }
    />
  )
}

/** Explains that the profile may not watch now, because of its quiet hours or because its viewing time is used up. */
function TimeIsUp({ quietUntilMinute, isQuiet }: { quietUntilMinute: number | null; isQuiet: boolean }) {
  return (
    <EmptyState
      icon={isQuiet ? <Moon aria-hidden size={40} /> : <Hourglass aria-hidden size={40} />}
      title={t(isQuiet ? 'viewingtime:quietTitle' : 'viewingtime:overTitle')}
      hint={
        <>
          {quietUntilMinute !== null &&
            t('viewingtime:quietUntil', { time: formatClockTime(quietUntilMinute) })}{' '}
          {t('viewingtime:parentCanAdd')}
        </>
      }
    />
  )
}

/** Placeholders with the height of the rows. */
function WatchNextSkeleton() {
  return (
    <div aria-hidden className="grid gap-3" style={GRID_STYLE}>
      {[...Array(9).keys()].map((index) => (
        <div key={index} className="skeleton h-21" />
      ))}
    </div>
  )
}

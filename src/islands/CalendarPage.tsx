import { useStore } from '@nanostores/react'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { CalendarDays, ChevronLeft, ChevronRight, Rss } from '../icons/index.ts'
import { formatDate } from '../lib/i18n/format.ts'
import { getCurrentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import {
  $calendar,
  $calendarFilters,
  type CalendarFilters,
  formatCalendarFilters,
  getShiftedMonth,
  openCalendar,
  parseCalendarFilters,
} from '../lib/stores/calendar.ts'
import { $hasRestrictedViewer } from '../lib/stores/parent.ts'
import { $profile } from '../lib/stores/profile.ts'
import { $today } from '../lib/stores/today.ts'
import { Button, getButtonClass, IconButton } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Select } from '../ui/Select.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { Agenda } from './calendar/Agenda.tsx'
import { formatMonth, getCalendarSettings } from './calendar/format-day.ts'
import { ErrorView } from './ErrorView.tsx'
import { GuardedPage } from './GuardedPage.tsx'

const MonthGrid = lazy(() => import('./calendar/MonthGrid.tsx'))
const CalendarFeedDialog = lazy(() => import('./calendar/CalendarFeedDialog.tsx'))

export default function CalendarPage() {
  return (
    <GuardedPage>
      <Calendar />
    </GuardedPage>
  )
}

function changeFilters(changes: Partial<CalendarFilters>): void {
  const nextFilters = { ...$calendarFilters.get(), ...changes }
  history.replaceState(history.state, '', location.pathname + formatCalendarFilters(nextFilters))
  openCalendar(nextFilters, getCalendarSettings($today.get()))
}

/** Releases of the followed titles, as a list or as a month. */
function Calendar() {
  const profile = useStore($profile)
  const hasRestrictedViewer = useStore($hasRestrictedViewer)
  const today = useStore($today)
  const settings = useMemo(() => getCalendarSettings(today), [today])
  useState(() => openCalendar(parseCalendarFilters(location.search), settings))
  useEffect(() => {
    if (profile) openCalendar($calendarFilters.get(), settings)
  }, [profile, settings])
  const filters = useStore($calendarFilters)
  const { releases, isLoaded, error } = useStore($calendar)
  const moveMonthBy = (monthCount: number) =>
    changeFilters({ month: getShiftedMonth(filters, settings, monthCount) })
  return (
    <div className="edge flex flex-col gap-6 pt-4 pb-24">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl font-black wrap-anywhere">{t('calendar:title')}</h1>
        {profile && !hasRestrictedViewer && <CalendarFeedButton />}
      </div>
      <FilterBar filters={filters}>
        {filters.view === 'month' && (
          <MonthBar month={getShiftedMonth(filters, settings, 0)} onMove={moveMonthBy} />
        )}
      </FilterBar>
      {error && releases.length === 0 ? (
        <ErrorView isInSection error={error} />
      ) : filters.view === 'month' ? (
        /* The grid is also rendered while another month is loading, so that the focus stays in the grid. */
        <Suspense fallback={<CalendarSkeleton />}>
          <MonthGrid
            month={getShiftedMonth(filters, settings, 0)}
            settings={settings}
            onMoveMonth={moveMonthBy}
          />
        </Suspense>
      ) : !isLoaded ? (
        <CalendarSkeleton />
      ) : (
        <>
          {releases.length === 0 && <EmptyAgenda filters={filters} />}
          <Agenda settings={settings} isExtensible={filters.period === 'all'} />
        </>
      )}
    </div>
  )
}

function FilterBar({ filters, children }: { filters: CalendarFilters; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-4">
      <Tabs
        hasInitialFocus
        label={t('calendar:view')}
        value={filters.view}
        tabs={[
          { value: 'agenda', label: t('calendar:agenda') },
          { value: 'month', label: t('calendar:month') },
        ]}
        onChange={(view) => changeFilters({ view })}
      />
      {children}
      <div className="flex min-w-0 items-end gap-3">
        <Select
          label={t('calendar:type')}
          value={filters.type}
          options={[
            { value: 'all', label: t('common:all') },
            { value: 'tv', label: t('calendar:episodes') },
            { value: 'movie', label: t('common:movies') },
          ]}
          onChange={(type) => changeFilters({ type })}
        />
        {filters.view === 'agenda' && (
          <Select
            label={t('calendar:period')}
            value={filters.period}
            options={[
              { value: 'all', label: t('calendar:recentAndUpcoming') },
              { value: 'this_week', label: t('calendar:thisWeek') },
              { value: 'next_week', label: t('calendar:nextWeek') },
            ]}
            onChange={(period) => changeFilters({ period })}
          />
        )}
      </div>
    </div>
  )
}

/** The name of the displayed month, between the buttons for the previous and the next month. */
function MonthBar({ month, onMove }: { month: string; onMove: (monthCount: number) => void }) {
  return (
    <div className="flex min-w-0 max-w-full items-center gap-1 max-md:order-last max-md:grow max-md:justify-between md:gap-3">
      <IconButton label={t('calendar:previousMonth')} onClick={() => onMove(-1)}>
        <ChevronLeft aria-hidden size={20} className="rtl:-scale-x-100" />
      </IconButton>
      <h2 aria-live="polite" className="min-w-0 text-center font-bold md:text-lg">
        <bdi>{formatMonth(month)}</bdi>
      </h2>
      <IconButton label={t('calendar:nextMonth')} onClick={() => onMove(1)}>
        <ChevronRight aria-hidden size={20} className="rtl:-scale-x-100" />
      </IconButton>
    </div>
  )
}

function CalendarFeedButton() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      {/* On a phone only the icon is shown, because the label would need a separate line. */}
      <Button icon={<Rss aria-hidden size={18} />} onClick={() => setIsOpen(true)}>
        <span className="max-sm:sr-only">{t('calendar:address')}</span>
      </Button>
      {isOpen && (
        <Suspense>
          <CalendarFeedDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Placeholders as high as the rows of releases. */
function CalendarSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-3">
      {[...Array(8).keys()].map((index) => (
        <div key={index} className="skeleton h-21" />
      ))}
    </div>
  )
}

function EmptyAgenda({ filters }: { filters: CalendarFilters }) {
  const { previous: previousDay, next: nextDay } = useStore($calendar)
  const isFiltered = filters.type !== 'all' || filters.period !== 'all'
  const hasOtherReleases = previousDay !== null || nextDay !== null
  if (!isFiltered && !hasOtherReleases)
    return (
      <EmptyState
        icon={<CalendarDays />}
        title={t('calendar:empty')}
        hint={t('calendar:emptyHint')}
        action={
          <a className={getButtonClass('primary')} href={href('tvshows', getCurrentLocale())}>
            {t('calendar:browse')}
          </a>
        }
      />
    )
  return (
    <EmptyState
      icon={<CalendarDays />}
      title={t('calendar:nothingHere')}
      hint={nextDay && <bdi>{t('calendar:nextRelease', { date: formatDate(nextDay) })}</bdi>}
      action={
        isFiltered && (
          <Button onClick={() => changeFilters({ type: 'all', period: 'all' })}>
            {t('calendar:showAll')}
          </Button>
        )
      }
    />
  )
}

import { useStore } from '@nanostores/react'
import { lazy, Suspense, useState } from 'react'
import { ChartColumn, Sparkles, Table } from '../icons/index.ts'
import { getCurrentLocale, t } from '../lib/i18n/t.ts'
import { href } from '../lib/routes.ts'
import {
  $statistics,
  $statisticsYear,
  parseStatisticsYear,
  type Statistics as StatisticsData,
} from '../lib/stores/statistics.ts'
import { Button, getButtonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Select } from '../ui/Select.tsx'
import { ErrorView } from './ErrorView.tsx'
import { GuardedPage } from './GuardedPage.tsx'
import { BarPlot } from './statistics/BarPlot.tsx'
import { HeatMap } from './statistics/HeatMap.tsx'
import {
  listDecadeRows,
  listGenreRows,
  listLanguageRows,
  listPeriodRows,
  listWeekdayRows,
} from './statistics/plot-rows.ts'
import { PeopleList, TopTitles } from './statistics/RankedLists.tsx'
import { Totals } from './statistics/Totals.tsx'

const YearInReview = lazy(() => import('./statistics/YearInReview.tsx'))

export default function StatisticsPage() {
  return (
    <GuardedPage>
      <Statistics />
    </GuardedPage>
  )
}

function selectYear(yearValue: string): void {
  const year = yearValue === 'all' ? null : Number(yearValue)
  history.replaceState(history.state, '', location.pathname + (year === null ? '' : `?year=${year}`))
  $statisticsYear.set({ year })
}

/** Statistics of the viewings of the profile, for one year or for all time. */
function Statistics() {
  useState(() => $statisticsYear.set({ year: parseStatisticsYear(location.search) }))
  const { year } = useStore($statisticsYear)
  const { data: statistics, error } = useStore($statistics)
  return (
    <div className="edge flex flex-col gap-8 pt-4 pb-24">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <h1 className="min-w-0 text-2xl font-black wrap-anywhere hyphens-auto">{t('statistics:title')}</h1>
        <YearSelect year={year} years={statistics?.years ?? []} />
      </div>
      {statistics ? (
        <StatisticsView key={year} statistics={statistics} year={year} />
      ) : error ? (
        <ErrorView isInSection error={error} />
      ) : (
        <StatisticsSkeleton />
      )}
    </div>
  )
}

function YearSelect({ year, years }: { year: number | null; years: readonly number[] }) {
  const listedYears = year === null || years.includes(year) ? years : [year, ...years]
  return (
    <Select
      label={t('statistics:period')}
      value={year === null ? 'all' : String(year)}
      options={[
        { value: 'all', label: t('statistics:allTime') },
        ...listedYears.map((listedYear) => ({ value: String(listedYear), label: String(listedYear) })),
      ]}
      onChange={selectYear}
    />
  )
}

function StatisticsView({ statistics, year }: { statistics: StatisticsData; year: number | null }) {
  const [isTableShown, setIsTableShown] = useState(false)
  const [isReviewOpen, setIsReviewOpen] = useState(false)
  if (statistics.totals.viewings === 0) return <EmptyStatistics year={year} />
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <Button
          variant="primary"
          icon={<Sparkles aria-hidden size={18} />}
          onClick={() => setIsReviewOpen(true)}
        >
          {year === null ? t('statistics:review') : t('statistics:reviewOfYear', { year: String(year) })}
        </Button>
        <Button
          icon={isTableShown ? <ChartColumn aria-hidden size={18} /> : <Table aria-hidden size={18} />}
          onClick={() => setIsTableShown(!isTableShown)}
        >
          {t(isTableShown ? 'statistics:asPlots' : 'statistics:asTables')}
        </Button>
      </div>
      <Totals statistics={statistics} />
      {year !== null && <HeatMap year={year} days={statistics.days} isTableShown={isTableShown} />}
      <TopTitles titles={statistics.titles} />
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-2">
        <BarPlot
          title={t('statistics:genres')}
          rowName={t('statistics:genre')}
          rows={listGenreRows(statistics)}
          isTableShown={isTableShown}
        />
        <BarPlot
          title={t(year === null ? 'statistics:years' : 'statistics:months')}
          rowName={t(year === null ? 'statistics:year' : 'statistics:month')}
          rows={listPeriodRows(statistics, year)}
          isTableShown={isTableShown}
        />
        <BarPlot
          title={t('statistics:decades')}
          rowName={t('statistics:decadeName')}
          rows={listDecadeRows(statistics)}
          isTableShown={isTableShown}
        />
        <BarPlot
          title={t('statistics:languages')}
          rowName={t('statistics:language')}
          rows={listLanguageRows(statistics)}
          isTableShown={isTableShown}
        />
        <BarPlot
          title={t('statistics:weekdays')}
          rowName={t('statistics:weekday')}
          rows={listWeekdayRows(statistics)}
          isTableShown={isTableShown}
        />
        <PeopleList title={t('statistics:actors')} people={statistics.actors} />
        <PeopleList title={t('statistics:directors')} people={statistics.directors} />
      </div>
      {isReviewOpen && (
        <Suspense>
          <YearInReview statistics={statistics} year={year} onClose={() => setIsReviewOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function EmptyStatistics({ year }: { year: number | null }) {
  return (
    <EmptyState
      icon={<ChartColumn />}
      title={t(year === null ? 'statistics:empty' : 'statistics:emptyYear')}
      hint={t('statistics:emptyHint')}
      action={
        year === null ? (
          <a className={getButtonClass('primary')} href={href('movies', getCurrentLocale())}>
            {t('statistics:browse')}
          </a>
        ) : (
          <Button onClick={() => selectYear('all')}>{t('statistics:allTime')}</Button>
        )
      }
    />
  )
}

function StatisticsSkeleton() {
  return (
    <div aria-hidden className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-4">
      {[...Array(8).keys()].map((index) => (
        <div key={index} className="skeleton h-24" />
      ))}
    </div>
  )
}

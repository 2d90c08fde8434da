import { formatNumber, t } from '../../lib/i18n/t.ts'
import type { Statistics } from '../../lib/stores/statistics.ts'
import { formatHours } from './plot-rows.ts'

/** Returns the totals with their labels. A streak that is null is left out. */
export function listTotals({
  totals,
  longest_streak,
  current_streak,
}: Statistics): [name: string, value: string][] {
  return [
    [t('statistics:hours'), formatHours(totals.minutes)],
    [t('common:movies'), formatNumber(totals.movies)],
    [t('common:tvShows'), formatNumber(totals.series)],
    [t('statistics:episodes'), formatNumber(totals.episodes)],
    [t('statistics:rewatches'), formatNumber(totals.rewatches)],
    [t('statistics:activeDays'), formatNumber(totals.days)],
    ...(longest_streak
      ? [[t('statistics:longestStreak'), formatNumber(longest_streak.days)] as [string, string]]
      : []),
    ...(current_streak
      ? [[t('statistics:currentStreak'), formatNumber(current_streak.days)] as [string, string]]
      : []),
  ]
}

export function Totals({ statistics }: { statistics: Statistics }) {
  const { without_runtime, without_date } = statistics.totals
  return (
    <section aria-label={t('statistics:totals')} className="flex flex-col gap-3">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-4">
        {listTotals(statistics).map(([name, value]) => (
          <div
            key={name}
            className="flex flex-col-reverse justify-end rounded-md border border-line bg-raised p-4"
          >
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="numbers text-xl font-black">{value}</dd>
          </div>
        ))}
      </dl>
      {without_runtime > 0 && (
        <p className="text-sm text-muted">{t('statistics:withoutRuntime', { count: without_runtime })}</p>
      )}
      {without_date > 0 && (
        <p className="text-sm text-muted">{t('statistics:withoutDate', { count: without_date })}</p>
      )}
    </section>
  )
}

import { useStore } from '@nanostores/react'
import { useId } from 'react'
import type { Profile } from '../../lib/contract/profiles.ts'
import { formatLocalDate } from '../../lib/i18n/format-instant.ts'
import { t } from '../../lib/i18n/t.ts'
import { getActivityStore } from '../../lib/stores/viewing-limits.ts'
import { Name } from '../media/Name.tsx'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'
import { DailyBarChart } from '../statistics/DailyBarChart.tsx'

const SHOWN_DAY_COUNT = 30
const SHOWN_ROW_COUNT = 10
const DAY_MS = 86_400_000

/**
 * The titles that a child watched, and the child's viewing minutes per day. For a kids profile, also the searches of
 * the child.
 */
export function ActivitySection({ profile }: { profile: Profile }) {
  const headingId = useId()
  const $activity = getActivityStore(profile.profile_id)
  const { data: activity } = useStore($activity)
  if (!activity) return <SectionPlaceholder $read={$activity} />
  const minutesByDay = new Map(activity.days.map(({ day, minutes }) => [day, minutes]))
  const points = Array.from({ length: SHOWN_DAY_COUNT }, (_, index) => {
    const date = new Date(Date.parse(activity.today) - (SHOWN_DAY_COUNT - 1 - index) * DAY_MS)
      .toISOString()
      .slice(0, 10)
    return { date, value: minutesByDay.get(date) ?? 0 }
  })
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4">
      <h3 id={headingId} className="font-bold">
        {t('viewingtime:activity')}
      </h3>
      <p className="text-sm text-muted">{t('viewingtime:activityHint')}</p>
      {points.some(({ value }) => value > 0) && (
        <div className="max-w-3xl">
          <DailyBarChart
            title={t('viewingtime:minutesPerDay')}
            dayLabel={t('viewingtime:day')}
            points={points}
            formatValue={(count) => t('viewingtime:minutes', { count })}
          />
        </div>
      )}
      <div className="grid gap-6 md:grid-cols-2">
        <ActivityList
          title={t('viewingtime:watched')}
          emptyText={t('viewingtime:nothingWatched')}
          rows={activity.watched.slice(0, SHOWN_ROW_COUNT).map(({ media, season, episode, watched_at }) => ({
            key: `${media.id} ${season} ${episode}`,
            text:
              season === null || episode === null
                ? media.title
                : `${media.title} · ${t('common:episodeCode', { season, episode })}`,
            date: watched_at,
          }))}
        />
        {profile.kids && (
          <ActivityList
            title={t('viewingtime:searched')}
            emptyText={t('viewingtime:nothingSearched')}
            rows={activity.searches.slice(0, SHOWN_ROW_COUNT).map(({ query, searched_at }) => ({
              key: query,
              text: query,
              date: searched_at,
            }))}
          />
        )}
      </div>
    </section>
  )
}

interface ActivityListProps {
  title: string
  emptyText: string
  rows: { key: string; text: string; date: string }[]
}

function ActivityList({ title, emptyText, rows }: ActivityListProps) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h4 className="font-semibold">{title}</h4>
      {rows.length === 0 ? (
        <p className="text-sm text-muted">{emptyText}</p>
      ) : (
        <ul className="divide-y divide-line">
          {rows.map(({ key, text, date }) => (
            <li key={key} className="flex items-baseline justify-between gap-4 py-2">
              <Name text={text} className="min-w-0 truncate" />
              <span className="numbers shrink-0 text-sm text-muted">{formatLocalDate(date)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

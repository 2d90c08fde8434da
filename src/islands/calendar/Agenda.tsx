import { useStore } from '@nanostores/react'
import { useMemo, useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { addDays } from '../../lib/rules/calendar-days.ts'
import {
  $calendar,
  type CalendarSettings,
  loadEarlierReleases,
  loadLaterReleases,
} from '../../lib/stores/calendar.ts'
import { Button } from '../../ui/Button.tsx'
import { formatRelativeDay, formatWeekdayAndDate } from './format-day.ts'
import { groupByDay, type ReleaseGroup } from './group-releases.ts'
import { ReleaseRow } from './ReleaseRow.tsx'

interface Props {
  settings: CalendarSettings
  /** True if the agenda has buttons that add earlier and later days. */
  isExtensible: boolean
}

/**
 * Releases by day. An extensible agenda has buttons that show earlier and later days. If it has releases of today or
 * later, it hides the days before yesterday at first.
 */
export function Agenda({ settings: { today }, isExtensible }: Props) {
  const { releases, previous: previousDay, next: nextDay, loading: isLoading } = useStore($calendar)
  const days = useMemo(() => groupByDay(releases), [releases])
  const firstUpcomingDay = days.find(({ day }) => day >= today)?.day
  const [isPastVisible, setIsPastVisible] = useState(false)
  /*
   * The days before yesterday are hidden at first. With them, today would often be below the visible part of the page.
   */
  const daysFromYesterday = days.filter(({ day }) => day >= addDays(today, -1))
  const isPastHidden =
    isExtensible && !isPastVisible && firstUpcomingDay !== undefined && daysFromYesterday.length < days.length
  return (
    <>
      {isExtensible && (isPastHidden || previousDay !== null) && (
        <Button
          className="self-start"
          aria-busy={isLoading}
          onClick={() => {
            setIsPastVisible(true)
            if (!isPastHidden) void loadEarlierReleases()
          }}
        >
          {t('calendar:earlier')}
        </Button>
      )}
      {/* Scroll anchoring is turned off. Otherwise the browser would scroll when earlier days appear, and the pressed
          button, which is above these days, would leave the screen. */}
      <div className="flex flex-col gap-6 [overflow-anchor:none]">
        {(isPastHidden ? daysFromYesterday : days).map(({ day, groups }) => (
          <AgendaDay
            key={day}
            day={day}
            groups={groups}
            label={formatRelativeDay(day, today) ?? (day === firstUpcomingDay ? t('calendar:next') : '')}
            isPast={day < today}
          />
        ))}
      </div>
      {isExtensible && nextDay !== null && (
        <Button className="self-start" aria-busy={isLoading} onClick={() => void loadLaterReleases()}>
          {t('calendar:later')}
        </Button>
      )}
    </>
  )
}

interface AgendaDayProps {
  day: string
  groups: readonly ReleaseGroup[]
  /** Text before the date in the heading, such as `Today`; empty for most days. */
  label: string
  isPast: boolean
}

function AgendaDay({ day, groups, label, isPast }: AgendaDayProps) {
  return (
    <section>
      <h2
        className={`numbers mb-2 flex flex-wrap items-baseline gap-x-3 text-lg font-bold ${isPast ? 'text-muted' : ''}`}
      >
        {label && <span className={isPast ? '' : 'text-accent'}>{label}</span>}
        <bdi>{formatWeekdayAndDate(day)}</bdi>
      </h2>
      <ReleaseRows groups={groups} />
    </section>
  )
}

/** The releases of a day. */
export function ReleaseRows({ groups }: { groups: readonly ReleaseGroup[] }) {
  const { titles } = useStore($calendar)
  return (
    <ul className="divide-y divide-line">
      {groups.map((group) => {
        const title = titles.get(group[0].media_id)
        return title && <ReleaseRow key={`${title.id} ${group[0].season}`} group={group} title={title} />
      })}
    </ul>
  )
}

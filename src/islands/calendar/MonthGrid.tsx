import { useStore } from '@nanostores/react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { formatNames } from '../../lib/i18n/format-names.ts'
import { formatNumber, getCurrentDirection, t } from '../../lib/i18n/t.ts'
import { addDays, listWeeks } from '../../lib/rules/calendar-days.ts'
import { $calendar, type CalendarSettings } from '../../lib/stores/calendar.ts'
import { ReleaseRows } from './Agenda.tsx'
import { formatMonth, formatRelativeDay, formatWeekday, formatWeekdayAndDate } from './format-day.ts'
import { groupByDay, type ReleaseGroup } from './group-releases.ts'

interface Props {
  /** The month as `YYYY-MM`. */
  month: string
  settings: CalendarSettings
  /** Opens the month that is `monthCount` months after the displayed month; for a negative number, an earlier month. */
  onMoveMonth: (monthCount: number) => void
}

/**
 * The days of a month in weeks, with the releases of the selected day below. Arrow keys move the selection (WAI-ARIA
 * grid). An arrow key that would leave the grid is not handled here, so that a user with a remote control can reach the
 * rest of the page.
 */
export default function MonthGrid({ month, settings, onMoveMonth }: Props) {
  const { today, firstWeekday } = settings
  const { releases, isLoaded } = useStore($calendar)
  const weeks = useMemo(() => listWeeks(month, firstWeekday), [month, firstWeekday])
  const groupsByDay = useMemo(
    () => new Map(groupByDay(releases).map(({ day, groups }) => [day, groups])),
    [releases],
  )
  const [selectedDay, setSelectedDay] = useState(today)
  const [firstDay = today, lastDay = today] = [weeks[0]?.[0], weeks.at(-1)?.[6]]
  const isSelectedDayVisible = selectedDay >= firstDay && selectedDay <= lastDay
  const focusedDay = isSelectedDayVisible ? selectedDay : month === today.slice(0, 7) ? today : `${month}-01`
  const gridRef = useRef<HTMLTableElement>(null)
  const focusDay = (day: string) => {
    setSelectedDay(day)
    gridRef.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus()
  }
  /* True after Page Up or Page Down. The focus then moves to a day of the new month. */
  const wasMonthChangedByKeyRef = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves only when the month changes
  useEffect(() => {
    if (wasMonthChangedByKeyRef.current) focusDay(focusedDay)
    wasMonthChangedByKeyRef.current = false
  }, [month])
  const handleKey = (event: KeyboardEvent) => {
    const step = getMonthStep(event.key)
    const day = step === 0 ? findNextDay(event.key, focusedDay, weeks) : undefined
    if (step === 0 && (day === undefined || day < firstDay || day > lastDay)) return
    event.preventDefault()
    if (day !== undefined) return focusDay(day)
    wasMonthChangedByKeyRef.current = true
    onMoveMonth(step)
  }
  return (
    <>
      <table
        ref={gridRef}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table with keyboard navigation
        role="grid"
        aria-label={formatMonth(month)}
        className="w-full table-fixed border-separate border-spacing-1"
        onKeyDown={handleKey}
      >
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th
                key={day}
                scope="col"
                abbr={formatWeekday(day, 'long')}
                className="text-xs font-semibold text-muted md:text-sm"
              >
                <span className="sm:hidden">{formatWeekday(day, 'narrow')}</span>
                <span className="max-sm:hidden">{formatWeekday(day, 'short')}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <DayCell
                  key={day}
                  day={day}
                  groups={groupsByDay.get(day) ?? []}
                  isSelected={day === focusedDay}
                  isToday={day === today}
                  isInMonth={day.startsWith(month)}
                  onSelect={setSelectedDay}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <section aria-labelledby="selected-day" className="flex flex-col gap-2">
        <h2 id="selected-day" className="numbers flex flex-wrap gap-x-3 text-lg font-bold">
          {focusedDay === today && (
            <span className="text-accent">{formatRelativeDay(focusedDay, today)}</span>
          )}
          <bdi>{formatWeekdayAndDate(focusedDay)}</bdi>
        </h2>
        <ReleaseRows groups={groupsByDay.get(focusedDay) ?? []} />
        {isLoaded && !groupsByDay.has(focusedDay) && (
          <p className="text-muted">{t('calendar:nothingOnDay')}</p>
        )}
      </section>
    </>
  )
}

const getMonthStep = (key: string) => (key === 'PageUp' ? -1 : key === 'PageDown' ? 1 : 0)

/** Returns the day that a key selects, or undefined for a key that does not move the selection. */
function findNextDay(key: string, day: string, weeks: readonly string[][]): string | undefined {
  const week = weeks.find((days) => days.includes(day))
  if (key === 'Home') return week?.[0]
  if (key === 'End') return week?.at(-1)
  const arrowRightStep = getCurrentDirection() === 'rtl' ? -1 : 1
  const dayStepsByKey: Record<string, number> = {
    ArrowRight: arrowRightStep,
    ArrowLeft: -arrowRightStep,
    ArrowUp: -7,
    ArrowDown: 7,
  }
  const dayStep = dayStepsByKey[key]
  return dayStep === undefined ? undefined : addDays(day, dayStep)
}

interface DayCellProps {
  day: string
  groups: readonly ReleaseGroup[]
  isSelected: boolean
  isToday: boolean
  isInMonth: boolean
  onSelect: (day: string) => void
}
const MAX_TITLE_NAME_COUNT = 3

/**
 * The cell of a day. It shows the number of the day and, if there is room, the names of the titles that are released
 * on the day.
 */
function DayCell({ day, groups, isSelected, isToday, isInMonth, onSelect }: DayCellProps) {
  const { titles } = useStore($calendar)
  const groupCount = groups.length
  return (
    <td className="p-0 align-top">
      <button
        type="button"
        data-day={day}
        tabIndex={isSelected ? 0 : -1}
        aria-current={isToday ? 'date' : undefined}
        aria-pressed={isSelected}
        onClick={() => onSelect(day)}
        onFocus={() => onSelect(day)}
        className={`flex h-14 w-full min-w-0 flex-col gap-0.5 overflow-hidden rounded-md border p-1.5 text-start md:h-23 md:p-2 md:rtl:h-26 ${isSelected ? 'border-accent' : 'border-line'} ${groupCount > 0 ? 'bg-raised' : ''} ${isInMonth ? '' : 'text-muted'}`}
      >
        <span className="sr-only">
          {formatNames([
            formatWeekdayAndDate(day),
            ...(groupCount > 0 ? [t('calendar:releases', { count: groupCount })] : []),
          ])}
        </span>
        <span aria-hidden className="contents">
          <span className={`numbers text-sm ${isToday ? 'font-black text-accent' : 'font-semibold'}`}>
            {formatNumber(Number(day.slice(8)))}
          </span>
          {groupCount > 0 && (
            <span className="numbers self-end rounded-full bg-accent px-2 text-xs font-bold text-accent-ink md:hidden">
              {formatNumber(groupCount)}
            </span>
          )}
          {groups
            .slice(0, groupCount > MAX_TITLE_NAME_COUNT ? MAX_TITLE_NAME_COUNT - 1 : MAX_TITLE_NAME_COUNT)
            .map((group) => (
              <bdi
                key={`${group[0].media_id} ${group[0].season}`}
                lang={titles.get(group[0].media_id)?.title_lang}
                className="hidden truncate text-xs md:block"
              >
                {titles.get(group[0].media_id)?.title}
              </bdi>
            ))}
          {groupCount > MAX_TITLE_NAME_COUNT && (
            <span className="hidden text-xs text-muted md:block">
              {t('calendar:more', { count: groupCount - MAX_TITLE_NAME_COUNT + 1 })}
            </span>
          )}
        </span>
      </button>
    </td>
  )
}

import { useId, useMemo } from 'react'
import { formatDate } from '../../lib/i18n/format.ts'
import { formatNumber, getCurrentDirection, getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { addDays, countDays, getFirstWeekday, getWeekStart } from '../../lib/rules/calendar-days.ts'
import type { Statistics } from '../../lib/stores/statistics.ts'
import { AmountTable } from './BarPlot.tsx'

interface Props {
  year: number
  days: Statistics['days']
  isTable: boolean
}

/** Size of the square of a day, and distance between the starts of two squares, in units of the viewBox. */
const CELL = 10
const STEP = 12
/** Height of the month names above the days, in units of the viewBox. */
const MONTH_HEIGHT = 14
/** Opacities of the accent colour, from few to many minutes. */
const LEVELS = [0.3, 0.5, 0.75, 1]

/**
 * The days of a year in columns of weeks. The colour is stronger on days with more hours. The first week is
 * at the side where lines of text start.
 */
export function HeatMap({ year, days, isTable }: Props) {
  const id = useId()
  const cells = useMemo(() => listCells(year, days), [year, days])
  const columns = (cells.at(-1)?.column ?? 0) + 1
  const width = columns * STEP - STEP + CELL
  const isRightToLeft = getCurrentDirection() === 'rtl'
  const rows = days.map(({ date, ...sum }) => ({ key: date, label: formatDate(date), ...sum }))
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="text-lg font-bold">
        {t('statistics:days')}
      </h2>
      {isTable ? (
        <AmountTable titleId={id} rowName={t('statistics:day')} rows={rows} />
      ) : (
        <svg
          role="img"
          aria-label={t('statistics:heatMapLabel', { days: formatNumber(days.length) })}
          viewBox={`0 ${-MONTH_HEIGHT} ${width} ${MONTH_HEIGHT + 7 * STEP - STEP + CELL}`}
          className="w-full max-w-5xl"
        >
          {cells
            .filter(({ day }) => day.endsWith('-01'))
            .map(({ day, column }) => (
              // The names of the months are hidden on phones, where they would be too small to read.
              <text
                key={day}
                x={isRightToLeft ? width - column * STEP : column * STEP}
                y={-5}
                fontSize="9"
                className="fill-muted max-md:hidden"
              >
                {formatMonthName(day)}
              </text>
            ))}
          {cells.map(({ day, column, row, level, minutes }) => (
            <rect
              key={day}
              x={isRightToLeft ? width - CELL - column * STEP : column * STEP}
              y={row * STEP}
              width={CELL}
              height={CELL}
              rx="2"
              className={level === null ? 'fill-raised stroke-line' : 'fill-accent'}
              fillOpacity={level ?? 1}
              strokeWidth={level === null ? 0.5 : 0}
            >
              <title>
                {`${formatDate(day)} · ${t('statistics:minutesShort', { minutes: formatNumber(minutes) })}`}
              </title>
            </rect>
          ))}
        </svg>
      )}
    </section>
  )
}

const formatMonthName = (day: string) =>
  new Intl.DateTimeFormat(`${getCurrentLocale()}-u-nu-latn-ca-gregory`, {
    month: 'short',
    timeZone: 'UTC',
  }).format(new Date(day))

function listCells(year: number, days: Statistics['days']) {
  const firstWeekday = getFirstWeekday(getCurrentLocale(), navigator.languages)
  const [firstDay, lastDay] = [`${year}-01-01`, `${year}-12-31`]
  const start = getWeekStart(firstDay, firstWeekday)
  const minutesByDay = new Map(days.map(({ date, minutes }) => [date, minutes]))
  const maxMinutes = Math.max(1, ...minutesByDay.values())
  return Array.from({ length: countDays(firstDay, lastDay) + 1 }, (_, index) => {
    const day = addDays(firstDay, index)
    const offset = countDays(start, day)
    const minutes = minutesByDay.get(day)
    const step = Math.ceil((LEVELS.length * (minutes ?? 0)) / maxMinutes)
    return {
      day,
      column: Math.floor(offset / 7),
      row: offset % 7,
      minutes: minutes ?? 0,
      level: minutes === undefined ? null : (LEVELS[Math.max(0, step - 1)] ?? 1),
    }
  })
}

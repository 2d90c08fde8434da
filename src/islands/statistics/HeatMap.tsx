import { useId, useMemo } from 'react'
import { formatDate } from '../../lib/i18n/format.ts'
import { formatDayName } from '../../lib/i18n/format-day-name.ts'
import { formatNumber, getCurrentDirection, getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { addDays, countDays, getFirstWeekday, getWeekStart } from '../../lib/rules/calendar-days.ts'
import type { Statistics } from '../../lib/stores/statistics.ts'
import { AmountTable } from './BarPlot.tsx'

interface Props {
  year: number
  days: Statistics['days']
  isTableShown: boolean
}

/** Size of the square of a day, and distance between the starts of two adjacent squares, in units of the viewBox. */
const CELL_SIZE = 10
const CELL_STEP = 12
/** Height of the month names above the days, in units of the viewBox. */
const MONTH_LABEL_HEIGHT = 14
/** Opacities of the accent colour, from few to many minutes. */
const LEVEL_OPACITIES = [0.3, 0.5, 0.75, 1]

/**
 * The days of a year in columns of weeks. The colour is stronger on days with more minutes. The first week is at the
 * left, or at the right on right-to-left pages.
 */
export function HeatMap({ year, days, isTableShown }: Props) {
  const id = useId()
  const cells = useMemo(() => listCells(year, days), [year, days])
  const columnCount = (cells.at(-1)?.column ?? 0) + 1
  const width = columnCount * CELL_STEP - CELL_STEP + CELL_SIZE
  const isRightToLeft = getCurrentDirection() === 'rtl'
  const rows = days.map(({ date, ...dayTotals }) => ({ key: date, label: formatDate(date), ...dayTotals }))
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="text-lg font-bold">
        {t('statistics:days')}
      </h2>
      {isTableShown ? (
        <AmountTable titleId={id} rowName={t('statistics:day')} rows={rows} />
      ) : (
        <svg
          role="img"
          aria-label={t('statistics:heatMapLabel', { days: formatNumber(days.length) })}
          viewBox={`0 ${-MONTH_LABEL_HEIGHT} ${width} ${MONTH_LABEL_HEIGHT + 7 * CELL_STEP - CELL_STEP + CELL_SIZE}`}
          className="w-full max-w-5xl"
        >
          {cells
            .filter(({ day }) => day.endsWith('-01'))
            .map(({ day, column }) => (
              // The names of the months are hidden on phones, where they would be too small to read.
              <text
                key={day}
                x={isRightToLeft ? width - column * CELL_STEP : column * CELL_STEP}
                y={-5}
                fontSize="9"
                className="fill-muted max-md:hidden"
              >
                {formatDayName(day, { month: 'short' })}
              </text>
            ))}
          {cells.map(({ day, column, row, opacity, minutes }) => (
            <rect
              key={day}
              x={isRightToLeft ? width - CELL_SIZE - column * CELL_STEP : column * CELL_STEP}
              y={row * CELL_STEP}
              width={CELL_SIZE}
              height={CELL_SIZE}
              rx="2"
              className={opacity === null ? 'fill-raised stroke-line' : 'fill-accent'}
              fillOpacity={opacity ?? 1}
              strokeWidth={opacity === null ? 0.5 : 0}
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

function listCells(year: number, days: Statistics['days']) {
  const firstWeekday = getFirstWeekday(getCurrentLocale(), navigator.languages)
  const [firstDay, lastDay] = [`${year}-01-01`, `${year}-12-31`]
  const firstWeekStart = getWeekStart(firstDay, firstWeekday)
  const minutesByDay = new Map(days.map(({ date, minutes }) => [date, minutes]))
  const maxMinutes = Math.max(1, ...minutesByDay.values())
  return Array.from({ length: countDays(firstDay, lastDay) + 1 }, (_, index) => {
    const day = addDays(firstDay, index)
    const dayOffset = countDays(firstWeekStart, day)
    const minutes = minutesByDay.get(day)
    const levelNumber = Math.ceil((LEVEL_OPACITIES.length * (minutes ?? 0)) / maxMinutes)
    return {
      day,
      column: Math.floor(dayOffset / 7),
      row: dayOffset % 7,
      minutes: minutes ?? 0,
      opacity: minutes === undefined ? null : (LEVEL_OPACITIES[Math.max(0, levelNumber - 1)] ?? 1),
    }
  })
}

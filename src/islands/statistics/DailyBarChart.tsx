import { useState } from 'react'
import { formatNumber, getCurrentDirection } from '../../lib/i18n/t.ts'
import { formatDayAndMonth, roundUpToAxisMaximum } from './plot-axis.ts'

interface Props {
  title: string
  /** Column heading in the table for screen readers. */
  dayLabel: string
  points: readonly { date: string; value: number }[]
  /** Formats a value with its unit, such as `14 plays`. */
  formatValue: (value: number) => string
  tone?: 'accent' | 'ink'
}
const VIEWBOX_WIDTH = 600
const VIEWBOX_HEIGHT = 120

/** Bar chart with one bar per day, in reading direction. Screen readers get a table instead. */
export function DailyBarChart({ title, dayLabel, points, formatValue, tone = 'accent' }: Props) {
  const [hoveredIndex, setHoveredIndex] = useState<number | null>(null)
  const totalValue = points.reduce((sum, { value }) => sum + value, 0)
  const axisMaximum = roundUpToAxisMaximum(points.map(({ value }) => value))
  const hoveredPoint = hoveredIndex === null ? undefined : points[hoveredIndex]
  return (
    <figure className="flex min-w-0 flex-col gap-3">
      <figcaption className="flex items-baseline justify-between gap-4">
        <span className="font-semibold">{title}</span>
        <span aria-hidden className="numbers text-sm text-muted">
          {hoveredPoint ? (
            <>
              <bdi>{formatDayAndMonth(hoveredPoint.date)}</bdi> · {formatValue(hoveredPoint.value)}
            </>
          ) : (
            formatValue(totalValue)
          )}
        </span>
      </figcaption>
      <div aria-hidden className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-xs text-faint">
        <div className="numbers flex flex-col justify-between text-end">
          <span>{formatNumber(axisMaximum)}</span>
          <span>{formatNumber(0)}</span>
        </div>
        <Bars
          points={points}
          axisMaximum={axisMaximum}
          tone={tone}
          hoveredIndex={hoveredIndex}
          onHover={setHoveredIndex}
        />
        <div className="numbers col-start-2 flex justify-between">
          {[0, Math.floor(points.length / 2), points.length - 1].map((index) => (
            <bdi key={index}>{formatDayAndMonth(points[index]?.date ?? '1970-01-01')}</bdi>
          ))}
        </div>
      </div>
      <table className="sr-only">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{dayLabel}</th>
            <th scope="col">{title}</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ date, value }) => (
            <tr key={date}>
              <th scope="row">{formatDayAndMonth(date)}</th>
              <td>{formatNumber(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

interface BarsProps extends Required<Pick<Props, 'points' | 'tone'>> {
  axisMaximum: number
  hoveredIndex: number | null
  onHover: (index: number | null) => void
}

function Bars({ points, axisMaximum, tone, hoveredIndex, onHover }: BarsProps) {
  const stepWidth = VIEWBOX_WIDTH / points.length
  const getBarX = (index: number) =>
    (getCurrentDirection() === 'rtl' ? points.length - 1 - index : index) * stepWidth
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${VIEWBOX_WIDTH} ${VIEWBOX_HEIGHT}`}
      preserveAspectRatio="none"
      className={`h-32 w-full overflow-visible ${tone === 'accent' ? 'text-accent' : 'text-muted'}`}
      onPointerLeave={() => onHover(null)}
    >
      {[0, 0.5, 1].map((fraction) => (
        <line
          key={fraction}
          x1="0"
          x2={VIEWBOX_WIDTH}
          y1={VIEWBOX_HEIGHT * fraction}
          y2={VIEWBOX_HEIGHT * fraction}
          className="stroke-line"
          strokeWidth="1"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {points.map(({ date, value }, index) => {
        const barHeight = (value / axisMaximum) * VIEWBOX_HEIGHT
        return (
          <g key={date} onPointerEnter={() => onHover(index)}>
            <rect x={getBarX(index)} y="0" width={stepWidth} height={VIEWBOX_HEIGHT} fill="transparent" />
            <rect
              x={getBarX(index) + stepWidth * 0.18}
              y={VIEWBOX_HEIGHT - barHeight}
              width={stepWidth * 0.64}
              height={barHeight}
              fill="currentColor"
              opacity={hoveredIndex === null || hoveredIndex === index ? 1 : 0.45}
            />
          </g>
        )
      })}
    </svg>
  )
}

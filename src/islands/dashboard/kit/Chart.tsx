import { useState } from 'react'
import { currentDirection, formatNumber } from '../../../lib/i18n/t.ts'
import { ceilingOf, formatDay } from './figures.ts'

interface Props {
  title: string
  /** Heads of the table that says the same. */
  dayLabel: string
  points: readonly { date: string; value: number }[]
  /** A day's figure in words: `14 plays`. */
  say: (value: number) => string
  tone?: 'accent' | 'ink'
}
const WIDTH = 600
const HEIGHT = 120

/** A bar a day, running as the page reads; for those who do not see it, a table. */
export function Chart({ title, dayLabel, points, say, tone = 'accent' }: Props) {
  const [at, setAt] = useState<number | null>(null)
  const total = points.reduce((sum, { value }) => sum + value, 0)
  const top = ceilingOf(points.map(({ value }) => value))
  const looked = at === null ? undefined : points[at]
  return (
    <figure className="flex min-w-0 flex-col gap-3">
      <figcaption className="flex items-baseline justify-between gap-4">
        <span className="font-semibold">{title}</span>
        <span aria-hidden className="numbers text-sm text-muted">
          {looked ? (
            <>
              <bdi>{formatDay(looked.date)}</bdi> · {say(looked.value)}
            </>
          ) : (
            say(total)
          )}
        </span>
      </figcaption>
      <div aria-hidden className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-xs text-faint">
        <div className="numbers flex flex-col justify-between text-end">
          <span>{formatNumber(top)}</span>
          <span>{formatNumber(0)}</span>
        </div>
        <Bars points={points} top={top} tone={tone} looked={at} onLook={setAt} />
        <div className="numbers col-start-2 flex justify-between">
          {[0, Math.floor(points.length / 2), points.length - 1].map((index) => (
            <bdi key={index}>{formatDay(points[index]?.date ?? '1970-01-01')}</bdi>
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
              <th scope="row">{formatDay(date)}</th>
              <td>{formatNumber(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

interface BarsProps extends Required<Pick<Props, 'points' | 'tone'>> {
  top: number
  looked: number | null
  onLook: (at: number | null) => void
}

function Bars({ points, top, tone, looked, onLook }: BarsProps) {
  const step = WIDTH / points.length
  const place = (at: number) => (currentDirection() === 'rtl' ? points.length - 1 - at : at) * step
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={`h-32 w-full overflow-visible ${tone === 'accent' ? 'text-accent' : 'text-muted'}`}
      onPointerLeave={() => onLook(null)}
    >
      {[0, 0.5, 1].map((part) => (
        <line
          key={part}
          x1="0"
          x2={WIDTH}
          y1={HEIGHT * part}
          y2={HEIGHT * part}
          className="stroke-line"
          strokeWidth="1"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {points.map(({ date, value }, at) => {
        const tall = (value / top) * HEIGHT
        return (
          <g key={date} onPointerEnter={() => onLook(at)}>
            <rect x={place(at)} y="0" width={step} height={HEIGHT} fill="transparent" />
            <rect
              x={place(at) + step * 0.18}
              y={HEIGHT - tall}
              width={step * 0.64}
              height={tall}
              fill="currentColor"
              opacity={looked === null || looked === at ? 1 : 0.45}
            />
          </g>
        )
      })}
    </svg>
  )
}

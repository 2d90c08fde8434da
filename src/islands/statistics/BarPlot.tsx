import { useId } from 'react'
import { formatNumber, t } from '../../lib/i18n/t.ts'
import { formatHours, formatWatchedTime, type PlotRow } from './plot-rows.ts'

interface Props {
  title: string
  /** Heading of the first column of the table. */
  rowName: string
  rows: readonly PlotRow[]
  /** True to show the values as a table instead of bars. */
  isTableShown: boolean
}

/**
 * Shows the hours of each row as a horizontal bar, or all rows as a table. The bars start at the left, or at the right
 * on right-to-left pages.
 */
export function BarPlot({ title, rowName, rows, isTableShown }: Props) {
  const id = useId()
  if (rows.length === 0) return null
  const maxMinutes = Math.max(1, ...rows.map(({ minutes }) => minutes))
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="text-lg font-bold">
        {title}
      </h2>
      {isTableShown ? (
        <AmountTable titleId={id} rowName={rowName} rows={rows} />
      ) : (
        <ul className="flex flex-col gap-2">
          {rows.map(({ key, label, minutes }) => (
            <li
              key={key}
              className="grid grid-cols-[minmax(0,3fr)_minmax(1rem,6fr)_6em] items-center gap-3 text-sm"
            >
              <bdi className="wrap-anywhere">{label}</bdi>
              <svg
                aria-hidden
                viewBox="0 0 100 10"
                preserveAspectRatio="none"
                className="h-4 w-full overflow-hidden rounded-sm bg-raised rtl:-scale-x-100"
              >
                <rect width={(100 * minutes) / maxMinutes} height="10" className="fill-accent" />
              </svg>
              <span className="numbers text-end text-muted">
                <bdi>{formatWatchedTime(minutes)}</bdi>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

interface AmountTableProps {
  titleId: string
  rowName: string
  rows: readonly PlotRow[]
}

/** A table with the viewings and the hours of each row. */
export function AmountTable({ titleId, rowName, rows }: AmountTableProps) {
  return (
    <table aria-labelledby={titleId} className="w-full max-w-2xl">
      <thead className="text-sm text-muted">
        <tr>
          <th scope="col" className="py-1 text-start font-medium">
            {rowName}
          </th>
          <th scope="col" className="py-1 text-end font-medium">
            {t('statistics:viewings')}
          </th>
          <th scope="col" className="py-1 text-end font-medium">
            {t('statistics:hours')}
          </th>
        </tr>
      </thead>
      <tbody className="numbers divide-y divide-line">
        {rows.map(({ key, label, viewings, minutes }) => (
          <tr key={key}>
            <th scope="row" className="py-1 text-start font-normal">
              <bdi>{label}</bdi>
            </th>
            <td className="py-1 text-end">{formatNumber(viewings)}</td>
            <td className="py-1 text-end">{formatHours(minutes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Labels and end values of the axes of plots. */
import { formatDate } from '../../lib/i18n/format.ts'

/** Formats a `YYYY-MM-DD` date as `20/11`. */
export const formatDayAndMonth = (date: string) => formatDate(date).slice(0, 5)

/**
 * Returns the upper end of the axis of a chart. It is the smallest of the numbers 1, 2, 5, 10, 20, 50 and so on that is
 * not below the largest value.
 */
export function roundUpToAxisMaximum(values: readonly number[]): number {
  const largestValue = Math.max(1, ...values)
  const powerOfTen = 10 ** Math.floor(Math.log10(largestValue))
  return (
    [1, 2, 5, 10].map((factor) => factor * powerOfTen).find((axisMaximum) => axisMaximum >= largestValue) ??
    largestValue
  )
}

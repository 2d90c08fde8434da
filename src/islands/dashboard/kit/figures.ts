/** Amounts, spans and moments as administrators read them, in the page's language with Western digits. */
import { formatDate } from '../../../lib/i18n/format.ts'
import { currentLocale, formatNumber } from '../../../lib/i18n/t.ts'

const STEPS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400

/** `12.4 MB`, from bytes; a thousand of one unit is one of the next, and nothing is smaller than a kilobyte's tenth. */
export function formatBytes(bytes: number): string {
  const at = bytes < 1_000 ? 0 : Math.min(STEPS.length - 1, Math.floor(Math.log10(bytes) / 3) - 1)
  const value = bytes / 1_000 ** (at + 1)
  return formatNumber(value, {
    style: 'unit',
    unit: STEPS[at] ?? 'kilobyte',
    unitDisplay: 'short',
    maximumFractionDigits: value >= 100 ? 0 : 1,
  })
}

/** `3 days`, `2 hr`, `15 min`, `4 sec`: the largest unit that fills, from seconds. */
export function formatSpan(seconds: number): string {
  const [unit, size] =
    seconds >= DAY_S
      ? (['day', DAY_S] as const)
      : seconds >= HOUR_S
        ? (['hour', HOUR_S] as const)
        : seconds >= MINUTE_S
          ? (['minute', MINUTE_S] as const)
          : (['second', 1] as const)
  return formatNumber(Math.max(0, Math.floor(seconds / size)), { style: 'unit', unit, unitDisplay: 'long' })
}

/** `in 6 days`, `in 3 hours`: how far off a moment is. */
export function formatUntil(instant: string, now = Date.now()): string {
  const seconds = Math.max(0, (Date.parse(instant) - now) / 1_000)
  const format = new Intl.RelativeTimeFormat(`${currentLocale()}-u-nu-latn`)
  if (seconds >= DAY_S) return format.format(Math.round(seconds / DAY_S), 'day')
  if (seconds >= HOUR_S) return format.format(Math.round(seconds / HOUR_S), 'hour')
  return format.format(Math.max(1, Math.round(seconds / MINUTE_S)), 'minute')
}

/** `20/11/2026 14:05:09` where the administrator is; left to right in every language. */
export function formatMoment(instant: string): string {
  const moment = new Date(instant)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${two(moment.getDate())}/${two(moment.getMonth() + 1)}/${moment.getFullYear()}`
  return `${day} ${[moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(two).join(':')}`
}

/** `20/11` of a `YYYY-MM-DD`. */
export const formatDay = (date: string) => formatDate(date).slice(0, 5)

/** `42 %`, of a part. */
export const formatShare = (part: number) =>
  formatNumber(part, { style: 'percent', maximumFractionDigits: 0 })

/** The height that the plot ends at: the next of 1, 2, 5, 10, 20, 50 … from the largest value on. */
export function ceilingOf(values: readonly number[]): number {
  const most = Math.max(1, ...values)
  const power = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= most) ?? most
}

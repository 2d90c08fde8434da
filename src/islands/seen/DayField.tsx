import { t } from '../../lib/i18n/t.ts'
import { formatLocalDay } from '../../lib/rules/calendar-days.ts'

/** Field for the day of a viewing. It does not accept days in the future. */
export function DayField({
  day = formatLocalDay(),
  isRequired = true,
}: {
  day?: string
  isRequired?: boolean
}) {
  return (
    <label className="flex flex-col gap-2">
      <span className="text-sm text-muted">{t('seen:day')}</span>
      <input
        required={isRequired}
        data-first
        type="date"
        name="day"
        min="1900-01-01"
        max={formatLocalDay()}
        defaultValue={day}
        className="min-h-11 rounded-md border border-line bg-overlay px-3 text-ink"
      />
    </label>
  )
}

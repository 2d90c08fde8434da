import { formatRuntime } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { listTimeChoices, WATCH_NEXT_ORDERS, type WatchNextFilters } from '../../lib/rules/watch-next.ts'
import { Select } from '../../ui/Select.tsx'
import { FilterGroup, ToggleButton } from '../browse/FilterGroup.tsx'
import { listEndTimes } from '../media/list-end-times.ts'

interface Props {
  filters: WatchNextFilters
  /** Viewing time that remains today, in seconds; null without a limit. */
  remainingViewingSeconds: number | null
  onChange: (changes: Partial<WatchNextFilters>) => void
}

/**
 * Filters for the available time, as a number of minutes or a clock time, and the sort order. Minutes beyond the
 * remaining viewing time are not offered.
 */
export function TimeFilters({ filters, remainingViewingSeconds, onChange }: Props) {
  const { minutes, endBy, order } = filters
  const minutesLeft = remainingViewingSeconds === null ? null : Math.floor(remainingViewingSeconds / 60)
  return (
    <div className="flex flex-wrap items-end justify-between gap-4">
      <FilterGroup label={t('watchnext:time')}>
        <ToggleButton
          labelText={t('browse:any')}
          isActive={minutes === null && endBy === ''}
          onClick={() => onChange({ minutes: null, endBy: '' })}
        />
        {listTimeChoices(remainingViewingSeconds).map((timeChoice) => (
          <ToggleButton
            key={timeChoice}
            labelText={
              timeChoice === minutesLeft
                ? t('watchnext:leftToday', { time: formatRuntime(timeChoice * 60) })
                : formatRuntime(timeChoice * 60)
            }
            isActive={minutes === timeChoice}
            onClick={() => onChange({ minutes: timeChoice, endBy: '' })}
          />
        ))}
      </FilterGroup>
      <div className="flex min-w-0 items-end gap-3">
        <Select
          label={t('browse:endBy')}
          value={endBy}
          options={[{ value: '', label: t('browse:any') }, ...listEndTimes(endBy)]}
          onChange={(nextEndBy) => onChange({ endBy: nextEndBy, minutes: null })}
        />
        <Select
          label={t('browse:sort')}
          value={order}
          options={WATCH_NEXT_ORDERS.map((value) => ({ value, label: t(`watchnext:${value}`) }))}
          onChange={(nextOrder) => onChange({ order: nextOrder })}
        />
      </div>
    </div>
  )
}

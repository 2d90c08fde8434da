import { useStore } from '@nanostores/react'
import { useId } from 'react'
import { Plus } from '../../icons/index.ts'
import type { Profile } from '../../lib/contract/profiles.ts'
import type { ViewingLimitFields, ViewingTime } from '../../lib/contract/viewing-time.ts'
import { formatClockTime } from '../../lib/i18n/format-clock-time.ts'
import { t } from '../../lib/i18n/t.ts'
import { ADDED_MINUTES_CHOICES } from '../../lib/rules/added-viewing-time.ts'
import { suggestQuietHours } from '../../lib/rules/viewing-suggestions.ts'
import { addViewingTime, getViewingLimitsStore, saveViewingLimits } from '../../lib/stores/viewing-limits.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/Select.tsx'
import { useAction } from '../../ui/use-action.ts'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'

const MINUTE_CHOICES = [0, 15, 30, 45, 60, 75, 90, 105, 120, 150, 180, 210, 240, 300]
const HALF_HOUR_STARTS_MINUTES = Array.from({ length: 48 }, (_, index) => index * 30)

/**
 * Viewing time per day and quiet hours of one profile, and extra time for today. Each change is saved immediately.
 */
export function ViewingTimeSection({ profile }: { profile: Profile }) {
  const headingId = useId()
  const limitsStore = getViewingLimitsStore(profile.profile_id)
  const { data: viewingLimits } = useStore(limitsStore)
  if (!viewingLimits) return <SectionPlaceholder $read={limitsStore} />
  const { limits, today: todayViewingTime } = viewingLimits
  const changeLimits = (changes: Partial<ViewingLimitFields>) =>
    void saveViewingLimits(profile.profile_id, changes)
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4">
      <h3 id={headingId} className="font-bold">
        {t('viewingtime:title')}
      </h3>
      <TodaySummary profile={profile} viewingTime={todayViewingTime} />
      <ViewingLimitFieldset limits={limits} onChange={changeLimits} />
    </section>
  )
}

function TodaySummary({ profile, viewingTime }: { profile: Profile; viewingTime: ViewingTime }) {
  const watchedMinutes = Math.floor(viewingTime.played_seconds / 60)
  const [isAdding, runAction] = useAction()
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="text-muted" aria-live="polite">
        {viewingTime.allowed_seconds === null
          ? t('viewingtime:watchedToday', { count: watchedMinutes })
          : t('viewingtime:watchedOf', {
              watched: watchedMinutes,
              allowed: Math.round(viewingTime.allowed_seconds / 60),
            })}
        {viewingTime.status === 'over' && (
          <> · {t(viewingTime.reason === 'quiet_hours' ? 'viewingtime:isQuiet' : 'viewingtime:isOver')}</>
        )}
      </p>
      {viewingTime.status !== 'unlimited' && (
        <div className="flex flex-wrap gap-2">
          {ADDED_MINUTES_CHOICES.map((minutes) => (
            <Button
              key={minutes}
              className="px-4"
              icon={<Plus aria-hidden size={18} />}
              aria-label={t('viewingtime:addLabel', { minutes, name: profile.name })}
              aria-disabled={isAdding}
              onClick={() => void runAction(() => addViewingTime(profile.profile_id, minutes))}
            >
              {t('viewingtime:add', { minutes })}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

interface ViewingLimitFieldsetProps {
  limits: ViewingLimitFields
  onChange: (changes: Partial<ViewingLimitFields>) => void
}

/** Fields for the viewing time per day and the quiet hours of a profile. */
export function ViewingLimitFieldset({ limits, onChange }: ViewingLimitFieldsetProps) {
  return (
    <div className="grid max-w-2xl items-end gap-4 sm:grid-cols-2">
      <MinutesSelect
        label={t('viewingtime:schoolDays')}
        minutes={limits.school_day_minutes}
        onChange={(school_day_minutes) => onChange({ school_day_minutes })}
      />
      <MinutesSelect
        label={t('viewingtime:weekend')}
        minutes={limits.weekend_minutes}
        onChange={(weekend_minutes) => onChange({ weekend_minutes })}
      />
      <TimeSelect
        label={t('viewingtime:quietFrom')}
        minuteOfDay={limits.quiet_start}
        hasNoneOption
        onChange={(quiet_start) =>
          onChange(
            quiet_start === null
              ? { quiet_start: null, quiet_end: null }
              : suggestQuietHours(quiet_start, limits.quiet_end),
          )
        }
      />
      {limits.quiet_start !== null && (
        <TimeSelect
          label={t('viewingtime:quietTo')}
          minuteOfDay={limits.quiet_end}
          onChange={(quiet_end) => quiet_end !== limits.quiet_start && onChange({ quiet_end })}
        />
      )}
    </div>
  )
}

interface MinutesSelectProps {
  label: string
  minutes: number | null
  onChange: (minutes: number | null) => void
}

function MinutesSelect({ label, minutes, onChange }: MinutesSelectProps) {
  const minuteChoices = [...new Set([...MINUTE_CHOICES, ...(minutes === null ? [] : [minutes])])].sort(
    (a, b) => a - b,
  )
  return (
    <Select
      label={label}
      value={String(minutes ?? '')}
      options={[
        { value: '', label: t('viewingtime:noLimit') },
        ...minuteChoices.map((value) => ({
          value: String(value),
          label: t('viewingtime:minutes', { count: value }),
        })),
      ]}
      onChange={(value) => onChange(value === '' ? null : Number(value))}
    />
  )
}

interface TimeSelectProps {
  label: string
  minuteOfDay: number | null
  hasNoneOption?: boolean
  onChange: (minuteOfDay: number | null) => void
}

function TimeSelect({ label, minuteOfDay, hasNoneOption = false, onChange }: TimeSelectProps) {
  const minuteChoices = [
    ...new Set([...HALF_HOUR_STARTS_MINUTES, ...(minuteOfDay === null ? [] : [minuteOfDay])]),
  ].sort((a, b) => a - b)
  return (
    <Select
      label={label}
      value={String(minuteOfDay ?? '')}
      options={[
        ...(hasNoneOption ? [{ value: '', label: t('viewingtime:noQuiet') }] : []),
        ...minuteChoices.map((value) => ({ value: String(value), label: formatClockTime(value) })),
      ]}
      onChange={(value) => onChange(value === '' ? null : Number(value))}
    />
  )
}

import type { NoticeSettings } from '../../../lib/contract/notice-delivery.ts'
import { formatClockTime } from '../../../lib/i18n/format-clock-time.ts'
import { formatDayName } from '../../../lib/i18n/format-day-name.ts'
import { formatLocalDate } from '../../../lib/i18n/format-instant.ts'
import { t } from '../../../lib/i18n/t.ts'
import { addDays } from '../../../lib/rules/calendar-days.ts'
import { saveNoticeSettings } from '../../../lib/stores/notice-settings.ts'
import { Select } from '../../../ui/Select.tsx'
import { Switch } from '../../../ui/Switch.tsx'

const DEFAULT_QUIET_HOURS = { from: '22:00', until: '07:00' }
const FULL_HOUR_TIMES = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)
const WEEKDAYS_FROM_MONDAY = [1, 2, 3, 4, 5, 6, 0]
/** A Sunday, from which the names of the weekdays are formatted. */
const REFERENCE_SUNDAY = '2023-01-01'

/** Returns the options of the day of the weekly email, from Monday to Sunday. */
export const listWeekdayOptions = () =>
  WEEKDAYS_FROM_MONDAY.map((weekday) => ({
    value: String(weekday),
    label: formatDayName(addDays(REFERENCE_SUNDAY, weekday), { weekday: 'long' }),
  }))
const formatTimeOfDay = (time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return formatClockTime(hours * 60 + minutes)
}

/** Quiet hours and the weekly email. */
export function DeliveryTimes({ settings }: { settings: NoticeSettings }) {
  const { quiet: quietHours } = settings
  return (
    <>
      <section aria-labelledby="notices-quiet" className="flex flex-col gap-3">
        <h2 id="notices-quiet" className="text-lg font-bold">
          {t('notices:quiet')}
        </h2>
        <Switch
          label={t('notices:quietOn')}
          hint={t('notices:quietHint')}
          checked={quietHours !== null}
          onChange={(isOn) => void saveNoticeSettings({ quiet: isOn ? DEFAULT_QUIET_HOURS : null })}
        />
        {quietHours && (
          <div className="grid grid-cols-2 gap-3">
            {(['from', 'until'] as const).map((boundary) => (
              <Select
                key={boundary}
                label={t(`notices:${boundary}`)}
                value={quietHours[boundary]}
                options={[...new Set([...FULL_HOUR_TIMES, quietHours[boundary]])]
                  .toSorted()
                  .map((time) => ({ value: time, label: formatTimeOfDay(time) }))}
                onChange={(time) => void saveNoticeSettings({ quiet: { ...quietHours, [boundary]: time } })}
              />
            ))}
          </div>
        )}
        {quietHours && <TimeZone settings={settings} />}
      </section>
      <DigestSection settings={settings} />
    </>
  )
}

function TimeZone({ settings }: { settings: NoticeSettings }) {
  return (
    <p className="text-sm text-muted">
      {t('notices:timeZone', { zone: settings.time_zone.replaceAll('_', ' ') })}
    </p>
  )
}

function DigestSection({ settings }: { settings: NoticeSettings }) {
  const {
    digest: isDigestOn,
    digest_day: digestWeekday,
    digest_sent_at: sentAt,
    email_available: isEmailAvailable,
  } = settings
  return (
    <section aria-labelledby="notices-digest" className="flex flex-col gap-3">
      <h2 id="notices-digest" className="text-lg font-bold">
        {t('notices:digest')}
      </h2>
      <Switch
        label={t('notices:digestOn')}
        hint={t(isEmailAvailable ? 'notices:digestHint' : 'notices:digestUnavailable')}
        checked={isDigestOn}
        isDisabled={!isEmailAvailable && !isDigestOn}
        onChange={(isOn) => void saveNoticeSettings({ digest: isOn })}
      />
      {isDigestOn && (
        <>
          <Select
            label={t('notices:digestDay')}
            value={String(digestWeekday)}
            options={listWeekdayOptions()}
            onChange={(weekday) => void saveNoticeSettings({ digest_day: Number(weekday) })}
          />
          <TimeZone settings={settings} />
          {sentAt && (
            <p className="text-sm text-muted">{t('notices:digestSent', { date: formatLocalDate(sentAt) })}</p>
          )}
        </>
      )}
    </section>
  )
}

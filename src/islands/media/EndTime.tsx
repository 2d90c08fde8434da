import { useEffect, useState } from 'react'
import { formatClockTime } from '../../lib/i18n/format-clock-time.ts'
import { t } from '../../lib/i18n/t.ts'
import { getCurrentMinuteOfDay, getEndMinuteOfDay } from '../../lib/rules/end-by.ts'

const UPDATE_INTERVAL_MS = 15_000

/** Clock time at which a video ends if it starts or continues now. `remainingSeconds` is the remaining playing time. */
export default function EndTime({ remainingSeconds }: { remainingSeconds: number }) {
  const [currentMinute, setCurrentMinute] = useState(() => getCurrentMinuteOfDay())
  useEffect(() => {
    const timer = setInterval(() => setCurrentMinute(getCurrentMinuteOfDay()), UPDATE_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [])
  if (!(remainingSeconds > 0)) return null
  return (
    <span className="numbers whitespace-nowrap">
      {t('common:endsAt', { time: formatClockTime(getEndMinuteOfDay(currentMinute, remainingSeconds)) })}
    </span>
  )
}

import { useEffect, useState } from 'react'
import { formatStandaloneTime } from '../../../lib/i18n/format-instant.ts'
import { formatLocalDateTime, formatTimeSince } from './formatters.ts'

const UPDATE_INTERVAL_MS = 30_000

interface Props {
  instant: string
  /** True if text precedes the time on the same line, so that the time does not start with a capital letter. */
  isAfterText?: boolean
}

/** The time since an instant. It is updated while the page is open. The tooltip contains the exact time. */
export function RelativeTime({ instant, isAfterText = false }: Props) {
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), UPDATE_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [])
  const timeSinceText = formatTimeSince(instant)
  return (
    <time dateTime={instant} title={formatLocalDateTime(instant)}>
      {isAfterText ? timeSinceText : formatStandaloneTime(timeSinceText)}
    </time>
  )
}

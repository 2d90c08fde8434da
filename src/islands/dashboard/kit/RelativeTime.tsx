import { useEffect, useState } from 'react'
import { formatLocalDateTime, formatTimeSince } from './formatters.ts'

const UPDATE_INTERVAL_MS = 30_000

/** The time since an instant. It is updated while the page is open. The tooltip contains the exact time. */
export function RelativeTime({ instant }: { instant: string }) {
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), UPDATE_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={instant} title={formatLocalDateTime(instant)}>
      {formatTimeSince(instant)}
    </time>
  )
}

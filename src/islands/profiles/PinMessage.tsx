import { useEffect, useState } from 'react'
import { formatDigitalDuration } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'

/** The time until the next PIN attempt is allowed. */
interface Countdown {
  /** Seconds at the start of the countdown. */
  startSeconds: number
  secondsLeft: number
}

/** Counts down the seconds until the next PIN attempt. Returns the countdown and a function that starts it. */
export function useCountdown(): [Countdown, (seconds: number) => void] {
  const [countdown, setCountdown] = useState<Countdown>({ startSeconds: 0, secondsLeft: 0 })
  useEffect(() => {
    const { startSeconds, secondsLeft } = countdown
    if (secondsLeft <= 0) return
    const timer = setTimeout(() => setCountdown({ startSeconds, secondsLeft: secondsLeft - 1 }), 1000)
    return () => clearTimeout(timer)
  }, [countdown])
  return [countdown, (seconds) => setCountdown({ startSeconds: seconds, secondsLeft: seconds })]
}

interface Props {
  id?: string
  errorText: string | null
  countdown: Countdown
}

/**
 * Message below a PIN field: why the PIN was rejected, and when the next attempt is allowed. A screen reader
 * announces the waiting time once. The countdown changes every second. If it were in the alert or in the description
 * of the field, a screen reader would announce every change.
 */
export function PinMessage({ id, errorText, countdown: { startSeconds, secondsLeft } }: Props) {
  const formatWaitTime = (seconds: number) =>
    ` · ${t('profiles:wait', { time: formatDigitalDuration(seconds) })}`
  const isWaiting = secondsLeft > 0
  return (
    <p className="numbers min-h-6 text-center text-danger">
      <span id={id} role="alert">
        {errorText}
        {isWaiting && <span className="sr-only">{formatWaitTime(startSeconds)}</span>}
      </span>
      {isWaiting && <span role="timer">{formatWaitTime(secondsLeft)}</span>}
    </p>
  )
}

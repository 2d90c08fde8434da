import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { formatCaptionDelay } from './format-caption-delay.ts'
import { $captionDelaySeconds, $isCaptionDelayShown } from './tracks.ts'

const SHOWN_MS = 1_500

/** Shows the delay of the subtitles for a moment after it was changed with a key. */
export function CaptionDelayNotice() {
  const isShown = useStore($isCaptionDelayShown)
  const delaySeconds = useStore($captionDelaySeconds)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change extends the time
  useEffect(() => {
    if (!isShown) return
    const timer = setTimeout(() => $isCaptionDelayShown.set(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isShown, delaySeconds])
  return (
    <p
      role="status"
      className={`pointer-events-none absolute inset-x-0 top-20 text-center text-white ${isShown ? '' : 'invisible'}`}
    >
      {isShown && (
        <span className="rounded-md bg-black/70 px-4 py-2">
          {t('watch:captionDelay')}{' '}
          <bdi dir="ltr" className="numbers">
            {formatCaptionDelay(delaySeconds)}
          </bdi>
        </span>
      )}
    </p>
  )
}

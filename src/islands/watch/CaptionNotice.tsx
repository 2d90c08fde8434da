import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { $captionDrawingState } from './caption-drawing.ts'
import { formatCaptionDelay } from './format-caption-delay.ts'
import { $captionDelaySeconds, $isCaptionDelayShown } from './tracks.ts'

const DELAY_NOTICE_DURATION_MS = 1_500
/**
 * Delay of the notice that a track is loading. Most tracks load faster and need no notice. But if the server must
 * extract a track, it reads the whole video file, which can take a minute.
 */
const LOADING_NOTICE_DELAY_MS = 1_500
const FAILURE_NOTICE_DURATION_MS = 8_000

/** Briefly shows the delay of the subtitles after a key has changed it, or the reason why no subtitles appear. */
export function CaptionNotice() {
  const isDelayShown = useStore($isCaptionDelayShown)
  const delaySeconds = useStore($captionDelaySeconds)
  const problem = useCaptionProblem()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `delaySeconds` restarts the timer
  useEffect(() => {
    if (!isDelayShown) return
    const timer = setTimeout(() => $isCaptionDelayShown.set(false), DELAY_NOTICE_DURATION_MS)
    return () => clearTimeout(timer)
  }, [isDelayShown, delaySeconds])
  const isShown = isDelayShown || problem !== null
  return (
    <p
      role="status"
      className={`pointer-events-none absolute inset-x-0 top-20 text-center text-white ${isShown ? '' : 'invisible'}`}
    >
      {isShown && (
        <span className="rounded-md bg-black/70 px-4 py-2">
          {isDelayShown ? (
            <>
              {t('watch:captionDelay')}{' '}
              <bdi dir="ltr" className="numbers">
                {formatCaptionDelay(delaySeconds)}
              </bdi>
            </>
          ) : (
            problem && t(`watch:captions_${problem}`)
          )}
        </span>
      )}
    </p>
  )
}

/**
 * Returns `loading` if a track takes longer than LOADING_NOTICE_DELAY_MS. Returns `failed` for
 * FAILURE_NOTICE_DURATION_MS after a track could not be shown. Returns null at all other times.
 */
function useCaptionProblem(): 'loading' | 'failed' | null {
  const drawing = useStore($captionDrawingState)
  const [problem, setProblem] = useState<'loading' | 'failed' | null>(null)
  useEffect(() => {
    setProblem(drawing === 'failed' ? 'failed' : null)
    if (drawing !== 'failed' && drawing !== 'loading') return
    const timer =
      drawing === 'loading'
        ? setTimeout(() => setProblem('loading'), LOADING_NOTICE_DELAY_MS)
        : setTimeout(() => setProblem(null), FAILURE_NOTICE_DURATION_MS)
    return () => clearTimeout(timer)
  }, [drawing])
  return problem
}

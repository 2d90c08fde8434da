import { useStore } from '@nanostores/react'
import type { ReadableAtom } from 'nanostores'
import { type ReactNode, useState } from 'react'
import { t } from '../lib/i18n/t.ts'
import type { ReadState } from '../lib/stores/query.ts'
import { getFailureKey } from '../lib/stores/toast.ts'
import { Button } from '../ui/Button.tsx'

interface Props {
  $read: ReadableAtom<ReadState<unknown>> & { revalidate: () => void }
  /** Shown while the data is loading. */
  children?: ReactNode
}

/**
 * Replaces a section that has no data yet. While the data is loading, shows `children`; after a failure, an error
 * with a retry button. Renders nothing once there is data, so that a failed refetch hides no content. Unlike an
 * `ErrorView`, this component leaves the other sections of the page usable.
 */
export function SectionPlaceholder({ $read, children }: Props) {
  const { data, error, loading } = useStore($read)
  const [retriedError, setRetriedError] = useState<ReadState<unknown>['error']>()
  if (data !== undefined) {
    if (retriedError) setRetriedError(undefined)
    return null
  }
  // While the data is loading again, the retry button stays, so that it keeps the focus.
  const shownError = error ?? (loading ? retriedError : undefined)
  if (!shownError) return children
  const isRetrying = error === undefined
  return (
    <div className="flex flex-wrap items-center gap-4 py-4">
      <p role="alert" className="text-muted">
        {isRetrying ? t('common:loading') : t(getFailureKey(shownError))}
      </p>
      <Button
        aria-disabled={isRetrying}
        className={isRetrying ? 'opacity-50' : ''}
        onClick={() => {
          if (isRetrying) return
          setRetriedError(shownError)
          $read.revalidate()
        }}
      >
        {t('common:tryAgain')}
      </Button>
    </div>
  )
}

import { useStore } from '@nanostores/react'
import type { ReadableAtom } from 'nanostores'
import type { ReactNode } from 'react'
import { t } from '../lib/i18n/t.ts'
import type { ReadState } from '../lib/stores/query.ts'
import { Button } from '../ui/Button.tsx'

interface Props {
  $read: ReadableAtom<ReadState<unknown>> & { revalidate: () => void }
  /** Shown while the data is loading. */
  children?: ReactNode
}

/**
 * The place of a section without data: `children` while the data is loading, or an error with a button after a failure.
 * Renders nothing once there is data, so that a failed refetch hides no content.
 */
export function SectionPlaceholder({ $read, children }: Props) {
  const { data, error } = useStore($read)
  if (data !== undefined) return null
  return error ? <SectionError error={error} onRetry={$read.revalidate} /> : children
}

/** Error of a section of a page. Other sections stay usable, unlike with `ErrorView`. */
export function SectionError({ error, onRetry }: { error: { status: number }; onRetry: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-4 py-4">
      <p role="alert" className="text-muted">
        {t(error.status === 0 ? 'errors:network' : 'errors:failed')}
      </p>
      <Button onClick={onRetry}>{t('common:tryAgain')}</Button>
    </div>
  )
}

import { useEffect, useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { Button } from '../../ui/Button.tsx'

interface Props {
  /** Number of items that are displayed. */
  loadedCount: number
  hasMore: boolean
  loading: boolean
  failed: boolean
  /** Message shown once the whole list is loaded. */
  endText: string
  onLoadMore: () => void
}

/** Infinite scroll: loads the next page when the end of the list comes near the viewport, or when the button is pressed. */
export function InfiniteScroll({ loadedCount, hasMore, loading, failed, endText, onLoadMore }: Props) {
  const [sentinel, setSentinel] = useState<HTMLElement | null>(null)
  const canLoad = hasMore && !loading && !failed
  /*
   * An observer reports only changes. When a page is added and the user reaches its end before the next frame, the sentinel
   * has not left the viewport for the observer. A new one for every page always reports.
   */
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new observer for every page
  useEffect(() => {
    if (!sentinel || !canLoad) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onLoadMore(), {
      rootMargin: '800px',
    })
    observer.observe(sentinel)
    return () => observer.disconnect()
  }, [sentinel, canLoad, onLoadMore, loadedCount])
  return (
    <div ref={setSentinel} className="flex justify-center py-6">
      {hasMore ? (
        <Button disabled={loading} onClick={onLoadMore}>
          {t(failed ? 'common:tryAgain' : 'common:showMore')}
        </Button>
      ) : (
        <p className="text-faint">{endText}</p>
      )}
    </div>
  )
}

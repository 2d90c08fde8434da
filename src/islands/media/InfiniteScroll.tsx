import { useEffect, useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { Button } from '../../ui/Button.tsx'

interface Props {
  /** Number of items that are displayed. */
  loadedCount: number
  hasMore: boolean
  isLoading: boolean
  hasFailed: boolean
  /** Message shown once the whole list is loaded. */
  endText: string
  onLoadMore: () => void
}

/** Loads the next page when the end of the list comes within 800 px of the viewport, or when the button is pressed. */
export function InfiniteScroll({ loadedCount, hasMore, isLoading, hasFailed, endText, onLoadMore }: Props) {
  const [sentinel, setSentinel] = useState<HTMLElement | null>(null)
  const canLoad = hasMore && !isLoading && !hasFailed
  /*
   * An observer reports only changes. If the user reaches the end of a new page before the next frame, the observer
   * never sees the sentinel outside the viewport and reports nothing. Therefore each page gets a new observer, which
   * always reports once.
   */
  // biome-ignore lint/correctness/useExhaustiveDependencies: `loadedCount` creates a new observer
  useEffect(() => {
    if (!sentinel || !canLoad) return
    // One call can report several changes, the newest last.
    const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && onLoadMore(), {
      rootMargin: '800px',
    })
    observer.observe(sentinel)
    return () => observer.disconnect()
  }, [sentinel, canLoad, onLoadMore, loadedCount])
  return (
    <div ref={setSentinel} className="flex justify-center py-6">
      {hasMore ? (
        <Button aria-disabled={isLoading} onClick={() => !isLoading && onLoadMore()}>
          {t(hasFailed ? 'common:tryAgain' : 'common:showMore')}
        </Button>
      ) : (
        <p className="text-faint">{endText}</p>
      )}
    </div>
  )
}

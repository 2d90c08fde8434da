import { useEffect, useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { Button } from '../../ui/Button.tsx'

interface Props {
  hasMore: boolean
  isLoading: boolean
  hasFailed: boolean
  /** Message shown once the whole list is loaded. */
  endText: string
  onLoadMore: () => void
}

/** Loads the next page when the end of the list comes within 800 px of the viewport, or when the button is pressed. */
export function InfiniteScroll({ hasMore, isLoading, hasFailed, endText, onLoadMore }: Props) {
  const [sentinel, setSentinel] = useState<HTMLElement | null>(null)
  const canLoad = hasMore && !isLoading && !hasFailed
  useEffect(() => {
    if (!sentinel || !canLoad) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onLoadMore(), {
      rootMargin: '800px',
    })
    observer.observe(sentinel)
    return () => observer.disconnect()
  }, [sentinel, canLoad, onLoadMore])
  return (
    <div ref={setSentinel} className="flex justify-center py-6">
      {hasMore ? (
        <Button disabled={isLoading} onClick={onLoadMore}>
          {t(hasFailed ? 'common:tryAgain' : 'common:showMore')}
        </Button>
      ) : (
        <p className="text-faint">{endText}</p>
      )}
    </div>
  )
}

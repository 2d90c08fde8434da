import { useEffect, useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { Button } from '../../ui/Button.tsx'

interface Props {
  more: boolean
  loading: boolean
  failed: boolean
  /** Said where there is no more. */
  end: string
  onMore: () => void
}

/** The end of a list that goes on: the next page loads when it comes near, or by the button. */
export function Endless({ more, loading, failed, end, onMore }: Props) {
  const [mark, setMark] = useState<HTMLElement | null>(null)
  const waits = more && !loading && !failed
  useEffect(() => {
    if (!mark || !waits) return
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), {
      rootMargin: '800px',
    })
    watcher.observe(mark)
    return () => watcher.disconnect()
  }, [mark, waits, onMore])
  return (
    <div ref={setMark} className="flex justify-center py-6">
      {more ? (
        <Button disabled={loading} onClick={onMore}>
          {t(failed ? 'common:tryAgain' : 'common:showMore')}
        </Button>
      ) : (
        <p className="text-faint">{end}</p>
      )}
    </div>
  )
}

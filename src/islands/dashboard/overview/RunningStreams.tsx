import { useEffect } from 'react'
import type { RunningStream } from '../../../lib/contract/admin-streams.ts'
import { t } from '../../../lib/i18n/t.ts'
import { $runningStreams, refetchStreams, stopRunningStream } from '../../../lib/stores/admin/streams.ts'
import { Name } from '../../media/Name.tsx'
import { ActionButton } from '../kit/ActionButton.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Subsection } from '../kit/SectionHeader.tsx'
import { useStoreQuery } from '../kit/use-store-query.ts'

const REFRESH_INTERVAL_MS = 10_000

/**
 * The running streams: who watches which title, and how the server delivers it. Also says whether the server can
 * convert files.
 */
export function RunningStreams() {
  const { data: streamsReply, error } = useStoreQuery($runningStreams)
  useEffect(() => {
    const timer = setInterval(
      () => document.visibilityState === 'visible' && refetchStreams(),
      REFRESH_INTERVAL_MS,
    )
    return () => clearInterval(timer)
  }, [])
  if (!streamsReply) return error ? null : <div aria-hidden className="skeleton h-24" />
  const { results, ffmpeg } = streamsReply
  return (
    <Subsection title={t('dashboard:streams')}>
      {ffmpeg.status === 'available' ? (
        <p className="text-sm text-muted">
          {t('dashboard:ffmpeg_available', { version: ffmpeg.version ?? '', limit: ffmpeg.limit })}
        </p>
      ) : (
        <p role="note" className="rounded-md border border-line bg-overlay p-3 text-sm">
          {t(`dashboard:ffmpeg_${ffmpeg.status}`, { version: ffmpeg.version ?? '' })}
        </p>
      )}
      {results.length === 0 ? (
        <p className="py-3 text-sm text-muted">{t('dashboard:noStreams')}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {results.map((stream) => (
            <li key={stream.id}>
              <StreamRow stream={stream} />
            </li>
          ))}
        </ul>
      )}
    </Subsection>
  )
}

function StreamRow({ stream }: { stream: RunningStream }) {
  const { profile, account, title, delivery, quality, encoder } = stream
  const details = [t(`dashboard:delivery_${delivery}`), quality, encoder].filter((detail) => detail !== null)
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 py-3 text-sm">
      <div className="min-w-0 wrap-anywhere">
        <Name text={title.name} className="block font-medium" />
        <span className="text-muted">
          <bdi>{profile ?? account.email}</bdi> · <RelativeTime isAfterText instant={stream.started_at} /> ·{' '}
          <bdi>{details.join(' · ')}</bdi>
        </span>
      </div>
      <ActionButton variant="danger" onClick={() => void stopRunningStream(stream.id)}>
        {t('dashboard:stopStream')}
        <span className="sr-only">
          {' '}
          <Name text={title.name} />
        </span>
      </ActionButton>
    </div>
  )
}

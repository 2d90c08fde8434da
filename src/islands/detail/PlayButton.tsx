import { useStore } from '@nanostores/react'
import { Play, RotateCcw } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { MediaDetails } from '../../lib/contract/media.ts'
import type { PlaybackProgress } from '../../lib/contract/progress.ts'
import { formatTimeLeft } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { $pendingWrites } from '../../lib/stores/pending-writes.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { findPendingRemoval, resetProgress, undoProgressRemoval } from '../../lib/stores/progress.ts'
import { $displayedTitleProgress } from '../../lib/stores/title-progress.ts'
import { getButtonClass, IconButton } from '../../ui/Button.tsx'
import { getPlayHref, toEpisodeParams } from '../media/title-urls.ts'

/* Loaded lazily, because few titles are missing in the library. */
const NotInLibrary = lazy(() => import('./NotInLibrary.tsx'))

/** Primary action of a title: play, resume, play the next episode or watch again, depending on the progress. */
export function PlayButton({ details }: { details: MediaDetails }) {
  const { data: progress, error } = useStore($displayedTitleProgress)
  const isKidsProfile = useStore($profile)?.kids
  const pendingWrites = useStore($pendingWrites)
  const pendingRemoval = findPendingRemoval(pendingWrites, `reset ${details.type}/${details.id}`)
  const latestProgress = progress?.latest ?? null
  const isLoading = !progress && !error
  // A reply that was cached for offline use by an earlier version has no `next_episode`.
  const nextEpisode = progress?.next_episode ?? null
  const unfinishedProgress =
    latestProgress && !latestProgress.finished && latestProgress.progress > 0 ? latestProgress : null
  return (
    <>
      <div className="relative flex flex-col gap-2 max-sm:w-full">
        {details.available === false ? (
          <Suspense fallback={<span className="min-h-12" />}>
            <NotInLibrary title={details} />
          </Suspense>
        ) : (
          <a className={getButtonClass('primary')} href={getPlayHref(details, toEpisodeParams(nextEpisode))}>
            <Play aria-hidden size={20} fill="currentColor" />
            {formatPlayLabel(details, latestProgress, isLoading ? MOST_LIKELY_EPISODE : nextEpisode)}
          </a>
        )}
        {/* The bar is in the gap below the button, so that it moves nothing when the progress loads late. */}
        {unfinishedProgress && (
          <div className="absolute inset-x-0 top-full mt-1 h-1 overflow-hidden rounded-full bg-line">
            <div
              className="h-full bg-accent"
              ref={(progressBar) =>
                progressBar?.style.setProperty('width', `${unfinishedProgress.percentage}%`)
              }
            />
          </div>
        )}
      </div>
      {(latestProgress || pendingRemoval) && !isKidsProfile && (
        <IconButton
          label={t(pendingRemoval ? 'common:undo' : 'detail:resetProgress')}
          onClick={() => void (pendingRemoval ? undoProgressRemoval(pendingRemoval) : resetProgress(details))}
        >
          <RotateCcw
            aria-hidden
            size={20}
            className={pendingRemoval ? 'ltr:-scale-x-100' : 'rtl:-scale-x-100'}
          />
        </IconButton>
      )}
    </>
  )
}

type NextEpisodeRef = { season_number: number; episode_number: number } | null

/** Episode in the label while the progress is loading, so that the label of most series does not change its width. */
const MOST_LIKELY_EPISODE = { season_number: 1, episode_number: 1 }

function formatPlayLabel(
  details: MediaDetails,
  latestProgress: PlaybackProgress | null,
  nextEpisode: NextEpisodeRef,
): string {
  const minutesLeft = latestProgress
    ? Math.max(1, Math.round((latestProgress.data.video_duration - latestProgress.progress) / 60))
    : 0
  if (details.type === 'movie') {
    if (!latestProgress) return t('common:play')
    return latestProgress.finished
      ? t('detail:watchAgain')
      : `${t('common:resume')} · ${formatTimeLeft(minutesLeft)}`
  }
  const formatEpisodeCode = (season: number, episode: number) => t('common:episodeCode', { season, episode })
  if (latestProgress && !latestProgress.finished) {
    return `${t('detail:resumeEpisode', { code: formatEpisodeCode(latestProgress.season ?? 1, latestProgress.episode ?? 1) })} · ${formatTimeLeft(minutesLeft)}`
  }
  if (!nextEpisode) return t(latestProgress ? 'detail:watchAgain' : 'common:play')
  return t(latestProgress ? 'detail:nextEpisode' : 'detail:playEpisode', {
    code: formatEpisodeCode(nextEpisode.season_number, nextEpisode.episode_number),
  })
}

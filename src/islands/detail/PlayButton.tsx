import { useStore } from '@nanostores/react'
import { lazy, Suspense } from 'react'
import { Play } from '../../icons/index.ts'
import type { MediaDetails } from '../../lib/contract/media.ts'
import { formatTimeLeft } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { getPlayAction, type PlayAction } from '../../lib/rules/play-action.ts'
import { $displayedTitleProgress } from '../../lib/stores/title-progress.ts'
import { getButtonClass } from '../../ui/Button.tsx'
import { getPlayHref } from '../media/title-urls.ts'

/* Loaded lazily, because few titles are missing in the library. */
const NotInLibrary = lazy(() => import('./NotInLibrary.tsx'))

/** Primary action of a title: play, resume, play the next episode or watch again, depending on the progress. */
export function PlayButton({ details }: { details: MediaDetails }) {
  const { data: progress, error } = useStore($displayedTitleProgress)
  const latestProgress = progress?.latest ?? null
  const isProgressLoading = !progress && !error
  // If an earlier version of the site has cached the reply, the reply has no `next_episode`.
  const playAction = getPlayAction(latestProgress, progress?.next_episode ?? null, progress?.episodes)
  const { resumedProgress } = playAction
  return (
    <div className="relative flex flex-col gap-2">
      {details.available === false ? (
        <Suspense fallback={<span className="min-h-12" />}>
          <NotInLibrary key={details.id} title={details} />
        </Suspense>
      ) : (
        <a className={getButtonClass('primary')} href={getPlayHref(details, playAction.episode ?? {})}>
          <Play aria-hidden size={20} fill="currentColor" />
          {formatPlayLabel(
            details.type,
            isProgressLoading ? MOST_LIKELY_ACTION : playAction,
            latestProgress !== null && (details.type === 'tv' || latestProgress.finished),
          )}
        </a>
      )}
      {/* The bar is in the gap below the button, so that it moves nothing when the progress loads late. */}
      {resumedProgress && (
        <div className="absolute inset-x-0 top-full mt-1 h-1 overflow-hidden rounded-full bg-line">
          <div
            className="h-full bg-accent"
            ref={(progressBar) => progressBar?.style.setProperty('width', `${resumedProgress.percentage}%`)}
          />
        </div>
      )}
    </div>
  )
}

/**
 * Action that the label shows while the progress of a series is loading. Most series have this action. Their label
 * therefore keeps its width when the progress has loaded.
 */
const MOST_LIKELY_ACTION: PlayAction = { episode: { season: 1, episode: 1 }, resumedProgress: null }

function formatPlayLabel(
  type: MediaDetails['type'],
  { episode, resumedProgress }: PlayAction,
  isStarted: boolean,
): string {
  const code = type === 'tv' && episode && t('common:episodeCode', episode)
  if (resumedProgress)
    return `${code ? t('detail:resumeEpisode', { code }) : t('common:resume')} · ${formatTimeLeft(resumedProgress.minutesLeft)}`
  if (code) return t(isStarted ? 'detail:nextEpisode' : 'detail:playEpisode', { code })
  return t(isStarted ? 'detail:watchAgain' : 'common:play')
}

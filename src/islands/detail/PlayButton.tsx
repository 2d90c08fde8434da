import { useStore } from '@nanostores/react'
import { Play, RotateCcw } from 'lucide-react'
import type { MediaDetails } from '../../lib/contract/media.ts'
import type { Progress } from '../../lib/contract/progress.ts'
import { t } from '../../lib/i18n/t.ts'
import { removalIn, resetProgress, undoRemoval } from '../../lib/stores/history.ts'
import { $continueWatching, $history } from '../../lib/stores/media.ts'
import { $waiting } from '../../lib/stores/waiting.ts'
import { buttonLook, IconButton } from '../../ui/Button.tsx'
import { placeOf, playHref } from '../media/addresses.ts'

/** Play, Resume, the next episode or Watch again: whichever the viewer would press next. */
export function PlayButton({ media }: { media: MediaDetails }) {
  const { data } = useStore($history)
  const removal = removalIn(useStore($waiting), `reset ${media.type}/${media.id}`)
  const going = useStore($continueWatching)
  const latest = removal ? null : (data?.latest ?? null)
  const card = going.data?.results.find((one) => one.media.id === media.id)
  const next = card?.next_episode
  const begun = latest && !latest.finished && latest.progress > 0 ? latest : null
  return (
    <>
      <div className="flex flex-col gap-2 max-sm:w-full">
        <a className={buttonLook('primary')} href={playHref(media, placeOf(next))}>
          <Play aria-hidden size={20} fill="currentColor" />
          {wording(media, latest, next ?? null)}
        </a>
        {begun && (
          <div className="h-1 overflow-hidden rounded-full bg-line">
            <div
              className="h-full bg-accent"
              ref={(bar) => bar?.style.setProperty('width', `${begun.percentage}%`)}
            />
          </div>
        )}
      </div>
      {(latest || removal) && (
        <IconButton
          label={t(removal ? 'common:undo' : 'detail:resetProgress')}
          onClick={() => void (removal ? undoRemoval(removal) : resetProgress(media))}
        >
          <RotateCcw aria-hidden size={20} className={removal ? 'ltr:-scale-x-100' : 'rtl:-scale-x-100'} />
        </IconButton>
      )}
    </>
  )
}

type Next = { season_number: number; episode_number: number } | null

function wording(media: MediaDetails, latest: Progress | null, next: Next): string {
  const left = latest ? Math.max(1, Math.round((latest.data.video_duration - latest.progress) / 60)) : 0
  if (media.type === 'movie') {
    if (!latest) return t('common:play')
    return latest.finished
      ? t('detail:watchAgain')
      : `${t('common:resume')} · ${t('common:minutesLeft', { count: left })}`
  }
  const code = (season: number, episode: number) => t('common:episodeCode', { season, episode })
  if (!latest) return t('detail:playEpisode', { code: code(1, 1) })
  if (!latest.finished) {
    return `${t('detail:resumeEpisode', { code: code(latest.season ?? 1, latest.episode ?? 1) })} · ${t('common:minutesLeft', { count: left })}`
  }
  return next
    ? t('detail:nextEpisode', { code: code(next.season_number, next.episode_number) })
    : t('detail:watchAgain')
}

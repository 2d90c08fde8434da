import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Check, Play, X } from '../../icons/index.ts'
import type { Episode } from '../../lib/contract/media.ts'
import type { PlaybackProgress } from '../../lib/contract/progress.ts'
import { formatDate, formatRuntime } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { removeSpoilers } from '../../lib/rules/spoilers.ts'
import type { ReadyPlayerState } from '../../lib/stores/player.ts'
import { $episodeProgress } from '../../lib/stores/player-episodes.ts'
import { $episodesBySeason, loadSeason } from '../../lib/stores/player-seasons.ts'
import { Button } from '../../ui/Button.tsx'
import { openDialog } from '../../ui/dialog-opening.ts'
import { Select } from '../../ui/Select.tsx'
import { ToastOutlet } from '../../ui/ToastOutlet.tsx'
import { HiddenOverview, useSpoilerProtection } from '../detail/EpisodeOverview.tsx'
import { EpisodeStill } from '../detail/EpisodeStill.tsx'
import { Name } from '../media/Name.tsx'
import { togglePanel } from './controls.ts'
import { playEpisode } from './episode-navigation.ts'

/** Drawer with the seasons and their episodes. Playback continues behind it. */
export function EpisodeDrawer({ readyPlayer }: { readyPlayer: ReadyPlayerState }) {
  const { media, episode: currentEpisode } = readyPlayer
  const episodesBySeason = useStore($episodesBySeason)
  const seriesProgress = useStore($episodeProgress)
  const seasons = media.seasons ?? []
  const currentSeason = seasons.find((season) => season.season_number === currentEpisode?.season_number)
  const [seasonId, setSeasonId] = useState(currentSeason?.id ?? seasons[0]?.id ?? '')
  const [failedSeasonId, setFailedSeasonId] = useState<string | null>(null)
  const [retryCount, setRetryCount] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `retryCount` loads the season again
  useEffect(() => {
    let isOutdated = false
    loadSeason(seasons.find((season) => season.id === seasonId)).catch(() => {
      if (!isOutdated) setFailedSeasonId(seasonId)
    })
    return () => {
      isOutdated = true
    }
  }, [seasonId, seasons, retryCount])
  const seasonOptions = seasons.map((season) => ({
    value: season.id,
    label: season.title ?? t('common:season_number', { number: season.season_number }),
  }))
  const episodes = episodesBySeason[seasonId]
  const areSpoilersHidden = useSpoilerProtection(seriesProgress, seasons)
  return (
    <Drawer
      label={t('watch:episodes')}
      headerActions={
        <Select
          isLabelHidden
          label={t('watch:season')}
          value={seasonId}
          options={seasonOptions}
          onChange={setSeasonId}
        />
      }
    >
      {!episodes &&
        (failedSeasonId === seasonId ? (
          <div className="flex flex-wrap items-center gap-4">
            <p role="alert" className="text-muted">
              {t('errors:network')}
            </p>
            {/* The button stays while the season is loading again, so that it keeps the focus. */}
            <Button onClick={() => setRetryCount(retryCount + 1)}>{t('common:tryAgain')}</Button>
          </div>
        ) : (
          <div className="skeleton h-24" />
        ))}
      <ul className="flex flex-col gap-1">
        {episodes?.map((episode) => {
          const isCurrent = episode.id === currentEpisode?.id
          const isHidden = !isCurrent && areSpoilersHidden(episode)
          return (
            <li key={episode.id}>
              <EpisodeRow
                episode={episode}
                isCurrent={isCurrent}
                isHidden={isHidden}
                progress={findEpisodeProgress(seriesProgress, episode)}
              />
              {isHidden ? (
                <HiddenOverview episode={episode} className="px-2" />
              ) : (
                <p dir="auto" lang={episode.overview_lang} className="px-2 pb-2 text-sm text-muted">
                  {episode.overview}
                </p>
              )}
            </li>
          )
        })}
      </ul>
    </Drawer>
  )
}

function findEpisodeProgress(
  seriesProgress: PlaybackProgress[],
  episode: Episode,
): PlaybackProgress | undefined {
  return seriesProgress.find(
    (episodeProgress) =>
      episodeProgress.season === episode.season_number && episodeProgress.episode === episode.episode_number,
  )
}

/** Modal dialog in which the browser traps the focus. Escape or a click on the backdrop closes it. */
function Drawer({
  label,
  headerActions,
  children,
}: {
  label: string
  headerActions: ReactNode
  children: ReactNode
}) {
  const dialogRef = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const previousFocus = document.activeElement
    if (dialogRef.current) openDialog(dialogRef.current)
    const currentRow = dialogRef.current?.querySelector<HTMLElement>('[aria-current=true]')
    currentRow?.focus({ preventScroll: true })
    currentRow?.scrollIntoView({ block: 'center' })
    return () => {
      if (previousFocus instanceof HTMLElement && previousFocus.isConnected)
        previousFocus.focus({ preventScroll: true })
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a dialog on Escape
    <dialog
      ref={dialogRef}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        togglePanel(null)
      }}
      onClick={(event) => event.target === dialogRef.current && togglePanel(null)}
      className="ms-auto me-0 my-0 h-dvh max-h-none w-[min(28rem,100%)] max-w-none overflow-y-auto border-s border-line bg-raised p-0 text-ink shadow-(--shadow-dialog) backdrop:bg-black/50 open:animate-[rise_200ms_var(--ease-out)]"
    >
      <div className="flex min-h-full flex-col gap-4 p-5">
        <header className="sticky top-0 z-10 -mx-5 -mt-5 flex items-center gap-4 border-b border-line bg-raised px-5 py-4">
          <h2 className="text-lg font-bold">{label}</h2>
          <div className="ms-auto">{headerActions}</div>
          <button
            type="button"
            aria-label={t('common:close')}
            onClick={() => togglePanel(null)}
            className="-m-2 grid size-11 place-items-center rounded-full text-muted hover:text-ink"
          >
            <X aria-hidden size={20} />
          </button>
        </header>
        {children}
      </div>
      <ToastOutlet />
    </dialog>
  )
}

interface EpisodeRowProps {
  episode: Episode
  isCurrent: boolean
  /** True if the title and the picture are spoilers. */
  isHidden: boolean
  progress: PlaybackProgress | undefined
}

function EpisodeRow({ episode, isCurrent, isHidden, progress }: EpisodeRowProps) {
  const { title, still_path: stillPath } = isHidden ? removeSpoilers(episode) : episode
  const airDateText = episode.air_date
    ? t('watch:airs', { date: formatDate(episode.air_date) })
    : t('watch:nextUnknown')
  const isNotInLibrary = episode.available === false && !isCurrent
  const detailText = !episode.released
    ? airDateText
    : isNotInLibrary
      ? t('watch:notInLibrary')
      : episode.runtime
        ? formatRuntime(episode.runtime)
        : ''
  return (
    <button
      type="button"
      disabled={!episode.released || isNotInLibrary}
      aria-current={isCurrent}
      onClick={() => {
        togglePanel(null)
        if (!isCurrent) playEpisode(episode)
      }}
      className="flex w-full items-center gap-3 rounded-md p-2 text-start hover:bg-overlay disabled:opacity-50 aria-[current=true]:bg-overlay"
    >
      <EpisodeStill imagePath={stillPath} progress={progress} className="w-28 bg-overlay" />
      <span className="min-w-0 grow">
        <span className="clamp-2 font-semibold">
          {title ? (
            <>
              <span className="numbers">{episode.episode_number}.</span> <Name text={title} />
            </>
          ) : (
            t('common:episodeCode', { season: episode.season_number, episode: episode.episode_number })
          )}
        </span>
        <span className="numbers block text-sm text-muted">{detailText}</span>
      </span>
      {isCurrent ? (
        <Play aria-hidden size={18} fill="currentColor" className="text-accent" />
      ) : (
        progress?.finished && <Check aria-hidden size={18} className="text-good" />
      )}
    </button>
  )
}

import { useStore } from '@nanostores/react'
import { Check, Play, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Episode } from '../../lib/contract/media.ts'
import type { Progress } from '../../lib/contract/progress.ts'
import { formatDate, formatRuntime } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { $seasonLists, $watchedEpisodes, loadSeason, type Ready } from '../../lib/stores/player.ts'
import { Select } from '../../ui/Select.tsx'
import { EpisodeStill } from '../detail/EpisodeStill.tsx'
import { openPanel } from './controls.ts'
import { playEpisode } from './next.ts'

/** Seasons and their episodes at the side, while the picture goes on. */
export function EpisodeDrawer({ ready }: { ready: Ready }) {
  const { media, episode } = ready
  const lists = useStore($seasonLists)
  const watched = useStore($watchedEpisodes)
  const seasons = media.seasons ?? []
  const here = seasons.find((one) => one.season_number === episode?.season_number)
  const [seasonId, setSeasonId] = useState(here?.id ?? seasons[0]?.id ?? '')
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    setFailed(false)
    loadSeason(seasons.find((one) => one.id === seasonId)).catch(() => setFailed(true))
  }, [seasonId, seasons])
  const options = seasons.map((one) => ({
    value: one.id,
    label: one.title ?? t('common:season_number', { number: one.season_number }),
  }))
  const list = lists[seasonId]
  return (
    <Drawer
      label={t('watch:episodes')}
      top={
        <Select bare label={t('watch:season')} value={seasonId} options={options} onChange={setSeasonId} />
      }
    >
      {failed && <p className="text-muted">{t('errors:network')}</p>}
      {!list && !failed && <div className="skeleton h-24" />}
      <ul className="flex flex-col gap-1">
        {list?.map((one) => (
          <li key={one.id}>
            <Line episode={one} current={one.id === episode?.id} progress={progressOf(watched, one)} />
          </li>
        ))}
      </ul>
    </Drawer>
  )
}

function progressOf(watched: Progress[], one: Episode): Progress | undefined {
  return watched.find(
    (record) => record.season === one.season_number && record.episode === one.episode_number,
  )
}

/** The browser keeps the focus inside; Escape and a press beside it close it. */
function Drawer({ label, top, children }: { label: string; top: ReactNode; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    const current = dialog.current?.querySelector<HTMLElement>('[aria-current=true]')
    current?.focus({ preventScroll: true })
    current?.scrollIntoView({ block: 'center' })
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does it for the keyboard, by the browser
    <dialog
      ref={dialog}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        openPanel(null)
      }}
      onClick={(event) => event.target === dialog.current && openPanel(null)}
      className="ms-auto me-0 my-0 h-dvh max-h-none w-[min(28rem,100%)] max-w-none overflow-y-auto border-s border-line bg-raised p-0 text-ink shadow-(--shadow-dialog) backdrop:bg-black/40 open:animate-[rise_200ms_var(--ease-out)]"
    >
      <div className="flex min-h-full flex-col gap-4 p-5">
        <header className="sticky top-0 z-10 -mx-5 -mt-5 flex items-center gap-4 border-b border-line bg-raised px-5 py-4">
          <h2 className="text-lg font-bold">{label}</h2>
          <div className="ms-auto">{top}</div>
          <button
            type="button"
            aria-label={t('common:close')}
            onClick={() => openPanel(null)}
            className="-m-2 grid size-11 place-items-center rounded-full text-muted hover:text-ink"
          >
            <X aria-hidden size={20} />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

interface LineProps {
  episode: Episode
  current: boolean
  progress: Progress | undefined
}

function Line({ episode, current, progress }: LineProps) {
  const when = episode.air_date
    ? t('watch:airs', { date: formatDate(episode.air_date) })
    : t('watch:nextUnknown')
  const facts = episode.released ? (episode.runtime ? formatRuntime(episode.runtime) : '') : when
  return (
    <button
      type="button"
      disabled={!episode.released}
      aria-current={current}
      onClick={() => {
        openPanel(null)
        if (!current) playEpisode(episode)
      }}
      className="flex w-full items-center gap-3 rounded-md p-2 text-start hover:bg-overlay disabled:opacity-60 aria-[current=true]:bg-overlay"
    >
      <EpisodeStill path={episode.still_path} progress={progress} className="w-28 bg-overlay" />
      <span className="min-w-0 grow">
        <span className="clamp-2 font-semibold">
          {episode.title ? (
            <>
              <span className="numbers">{episode.episode_number}.</span> <bdi>{episode.title}</bdi>
            </>
          ) : (
            t('common:episodeCode', { season: episode.season_number, episode: episode.episode_number })
          )}
        </span>
        <span className="numbers block text-sm text-muted">{facts}</span>
      </span>
      {current ? (
        <Play aria-hidden size={18} fill="currentColor" className="shrink-0 text-accent" />
      ) : (
        progress?.finished && <Check aria-hidden size={18} className="shrink-0 text-good" />
      )}
    </button>
  )
}

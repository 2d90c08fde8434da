import { useStore } from '@nanostores/react'
import { useEffect, useReducer, useRef } from 'react'
import type { Episode } from '../../lib/contract/media.ts'
import { t } from '../../lib/i18n/t.ts'
import { imageUrl } from '../../lib/images.ts'
import { COUNTDOWN, cardAfter, cardFrom, NO_CARD } from '../../lib/rules/player-next.ts'
import { $nextEpisode, $opening, type Ready } from '../../lib/stores/player.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { Button } from '../../ui/Button.tsx'
import { askIfAlone, noteEpisode } from './attention.ts'
import { $byKeys, $controls } from './controls.ts'
import { $duration, $ended, $paused, $time } from './deck.ts'
import { playEpisode } from './next.ts'

/** From the credits on: what comes next, and a ring that counts down to it. Any key stops the ring; the card stays. */
export function NextCard({ ready }: { ready: Ready }) {
  const next = useStore($nextEpisode)
  const card = useCard(ready, next)
  const raised = useStore($controls)
  if (!card.shown || !next) return null
  return (
    <section
      aria-label={t('watch:next')}
      data-controls
      className={`pointer-events-auto absolute end-(--edge) z-10 w-[min(22rem,calc(100%-2*var(--edge)))] overflow-hidden rounded-lg border border-line bg-raised text-ink shadow-(--shadow-dialog) transition-[bottom] duration-(--duration-fast) animate-[rise_200ms_var(--ease-out)] ${raised ? 'bottom-32' : 'bottom-10'}`}
    >
      <NextFacts next={next} newSeason={next.season_number !== ready.episode?.season_number} />
      <div className="flex flex-wrap items-center gap-2 p-4 pt-0">
        <PlayNow next={next} left={card.left} />
        {!card.ended && (
          <Button look="quiet" className="px-3 whitespace-nowrap" onClick={card.credits}>
            {t('watch:credits')}
          </Button>
        )}
      </div>
    </section>
  )
}

function useCard(ready: Ready, next: Episode | null) {
  const autoplay = useStore($profile)?.preferences.autoplay_next ?? false
  const duration = useStore($duration)
  const time = useStore($time)
  const ended = useStore($ended)
  const paused = useStore($paused)
  const [card, tell] = useReducer(cardAfter, NO_CARD)
  const from = cardFrom(duration, ready.stream.credits_at)
  const reached = from !== null && time >= from
  useEffect(() => {
    tell({ kind: 'time', reached, ended, autoplay })
  }, [reached, ended, autoplay])
  useEffect(() => {
    if (!card.shown) return
    const stop = () => tell({ kind: 'input' })
    window.addEventListener('keydown', stop, { capture: true })
    return () => window.removeEventListener('keydown', stop, { capture: true })
  }, [card.shown])
  /* Who pauses during the credits means to stay. */
  useEffect(() => {
    if (!card.shown) return
    return $paused.listen((now) => now && !$ended.get() && !$opening.get() && tell({ kind: 'input' }))
  }, [card.shown])
  const { left } = card
  useEffect(() => {
    if (left === null || !next || (paused && !ended)) return
    const timer = setTimeout(() => (left > 0 ? tell({ kind: 'second' }) : goOn(next)), left > 0 ? 1000 : 0)
    return () => clearTimeout(timer)
  }, [left, next, paused, ended])
  return { ...card, ended, credits: () => tell({ kind: 'credits' }) }
}

/** Begins by itself, unless nobody seems to be there. */
function goOn(next: Episode): void {
  if (askIfAlone()) return
  noteEpisode()
  playEpisode(next)
}

function NextFacts({ next, newSeason }: { next: Episode; newSeason: boolean }) {
  const still = imageUrl(next.still_path, 'w342')
  return (
    <div className="flex items-center gap-4 p-4">
      {still && (
        <img
          src={still}
          alt=""
          width="342"
          height="192"
          className="aspect-video w-28 shrink-0 rounded-md bg-overlay object-cover"
        />
      )}
      <div className="min-w-0">
        <p className="text-sm text-muted">
          {newSeason
            ? t('watch:newSeason', { season: t('common:season_number', { number: next.season_number }) })
            : t('watch:next')}
        </p>
        <p className="font-semibold">
          <span className="numbers">
            {t('common:episodeCode', { season: next.season_number, episode: next.episode_number })}
          </span>{' '}
          <bdi className="clamp-2">{next.title}</bdi>
        </p>
      </div>
    </div>
  )
}

/** Who drives by keys finds the focus on it. */
function PlayNow({ next, left }: { next: Episode; left: number | null }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if ($byKeys.get() && document.activeElement === document.body)
      button.current?.focus({ preventScroll: true })
  }, [])
  return (
    <Button
      ref={button}
      look="primary"
      className="grow ps-3 whitespace-nowrap"
      onClick={() => playEpisode(next)}
    >
      {left !== null && <Ring left={left} />}
      {t('watch:playNow')}
    </Button>
  )
}

const RADIUS = 13
const ROUND = 2 * Math.PI * RADIUS

function Ring({ left }: { left: number }) {
  return (
    <span
      role="timer"
      aria-label={t('watch:nextIn', { seconds: left })}
      className="relative grid place-items-center"
    >
      <svg aria-hidden="true" width="32" height="32" viewBox="0 0 32 32" className="-rotate-90">
        <circle
          cx="16"
          cy="16"
          r={RADIUS}
          fill="none"
          stroke="currentColor"
          strokeOpacity="0.25"
          strokeWidth="3"
        />
        <circle
          cx="16"
          cy="16"
          r={RADIUS}
          fill="none"
          stroke="currentColor"
          strokeWidth="3"
          strokeDasharray={ROUND}
          strokeDashoffset={ROUND * (1 - left / COUNTDOWN)}
          className="transition-[stroke-dashoffset] duration-1000 ease-linear"
        />
      </svg>
      <span aria-hidden className="numbers absolute text-xs font-bold">
        {left}
      </span>
    </span>
  )
}

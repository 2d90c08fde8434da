import { useStore } from '@nanostores/react'
import { type KeyboardEvent, useCallback, useEffect, useReducer, useRef } from 'react'
import type { Episode } from '../../lib/contract/media.ts'
import { t } from '../../lib/i18n/t.ts'
import { getImageUrl } from '../../lib/images.ts'
import {
  COUNTDOWN_SECONDS,
  getEpisodeCardStartSeconds,
  HIDDEN_NEXT_EPISODE_CARD,
  updateNextEpisodeCard,
} from '../../lib/rules/player-prompts.ts'
import { $isEpisodeLoading, type ReadyPlayerState } from '../../lib/stores/player.ts'
import { $nextEpisode } from '../../lib/stores/player-episodes.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { Button } from '../../ui/Button.tsx'
import { Name } from '../media/Name.tsx'
import { isInRemoteControlMode } from '../navigation-state.ts'
import {
  $areControlsVisible,
  $closeNextEpisodeCard,
  $isNavigatingByKeyboard,
  $openPanel,
} from './controls.ts'
import { playEpisode } from './episode-navigation.ts'
import { countAutoplayedEpisode, promptIfInactive } from './still-watching.ts'
import { $durationSeconds, $hasEnded, $isPaused, $positionSeconds } from './video-element.ts'

/**
 * Card with the next episode. It appears at the start of the credits, which is estimated for a video without a credits
 * mark. If autoplay is on, a countdown to the start of the episode runs. Any key or a pause cancels the countdown, but
 * the card stays open. An open panel or dialog halts the countdown, because it may cover the card. Back closes the
 * card, except after the end of the video.
 */
export function NextEpisodeCard({ readyPlayer }: { readyPlayer: ReadyPlayerState }) {
  const nextEpisode = useStore($nextEpisode)
  const card = useNextEpisodeCard(readyPlayer, nextEpisode)
  const isAboveControls = useStore($areControlsVisible)
  const isShown = card.isShown && nextEpisode !== null
  return (
    <>
      <p role="status" className="sr-only">
        {isShown && <NextEpisodeAnnouncement nextEpisode={nextEpisode} />}
      </p>
      {isShown && (
        <section
          aria-label={t('watch:next')}
          data-controls
          data-next-episode
          onKeyDown={moveFocusBetweenButtons}
          className={`pointer-events-auto absolute end-(--edge) z-10 w-[min(22rem,calc(100%-2*var(--edge)))] overflow-hidden rounded-lg border border-line bg-raised text-ink shadow-(--shadow-dialog) transition-[bottom] duration-(--duration-fast) animate-[rise_200ms_var(--ease-out)] ${isAboveControls ? 'bottom-32' : 'bottom-10'}`}
        >
          <NextEpisodeSummary
            nextEpisode={nextEpisode}
            isNewSeason={nextEpisode.season_number !== readyPlayer.episode?.season_number}
          />
          <div className="flex flex-wrap items-center gap-2 p-4 pt-0">
            <PlayNowButton nextEpisode={nextEpisode} secondsLeft={card.secondsLeft} />
            {!card.hasEnded && (
              <Button variant="quiet" className="px-3 whitespace-nowrap" onClick={card.watchCredits}>
                {t('watch:credits')}
              </Button>
            )}
          </div>
        </section>
      )}
    </>
  )
}

function NextEpisodeAnnouncement({ nextEpisode }: { nextEpisode: Episode }) {
  return (
    <>
      {t('watch:nextIs', { episode: formatEpisodeCode(nextEpisode) })} <Name text={nextEpisode.title} />
    </>
  )
}

const formatEpisodeCode = ({ season_number: season, episode_number: episode }: Episode) =>
  t('common:episodeCode', { season, episode })

/**
 * On left and right, moves the focus to the other button of the card, because the controls beside the card may be
 * hidden. Ignores other keys; keyboard.ts moves the focus to the controls on Down.
 */
function moveFocusBetweenButtons(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
  event.preventDefault()
  event.currentTarget.querySelector<HTMLElement>('button:not(:focus)')?.focus({ preventScroll: true })
}

function useNextEpisodeCard(readyPlayer: ReadyPlayerState, nextEpisode: Episode | null) {
  const isAutoplayOn = useStore($profile)?.preferences.autoplay_next ?? false
  const durationSeconds = useStore($durationSeconds)
  const positionSeconds = useStore($positionSeconds)
  const hasEnded = useStore($hasEnded)
  const isPaused = useStore($isPaused)
  const isPanelOpen = useStore($openPanel) !== null
  const [card, dispatch] = useReducer(updateNextEpisodeCard, HIDDEN_NEXT_EPISODE_CARD)
  const cardStartSeconds = getEpisodeCardStartSeconds(durationSeconds, readyPlayer.stream.credits_at)
  const hasReachedCredits = cardStartSeconds !== null && positionSeconds >= cardStartSeconds
  useEffect(() => {
    dispatch({ kind: 'time', hasReachedCredits, hasEnded, isAutoplayOn })
  }, [hasReachedCredits, hasEnded, isAutoplayOn])
  useEffect(() => {
    if (!card.isShown) return
    const cancelCountdown = () => dispatch({ kind: 'input' })
    /* A viewer who pauses during the credits does not want to continue yet, so a pause cancels the countdown. */
    const stopListening = $isPaused.listen(
      (isNowPaused) => isNowPaused && !$hasEnded.get() && !$isEpisodeLoading.get() && cancelCountdown(),
    )
    window.addEventListener('keydown', cancelCountdown, { capture: true })
    return () => {
      stopListening()
      window.removeEventListener('keydown', cancelCountdown, { capture: true })
    }
  }, [card.isShown])
  const watchCredits = useCallback(() => dispatch({ kind: 'credits' }), [])
  const { secondsLeft } = card
  useEffect(() => {
    if (secondsLeft === null || !nextEpisode || isPanelOpen || (isPaused && !hasEnded)) return
    const timer = setTimeout(
      () => (secondsLeft > 0 ? dispatch({ kind: 'second' }) : startNextEpisode(nextEpisode)),
      secondsLeft > 0 ? 1000 : 0,
    )
    return () => clearTimeout(timer)
  }, [secondsLeft, nextEpisode, isPaused, hasEnded, isPanelOpen])
  const canClose = card.isShown && nextEpisode !== null && !hasEnded
  useEffect(() => {
    if (!canClose) return
    $closeNextEpisodeCard.set(watchCredits)
    return () => $closeNextEpisodeCard.set(null)
  }, [canClose, watchCredits])
  return { ...card, hasEnded, watchCredits }
}

/** Starts the next episode, unless the "still watching" prompt is due. */
function startNextEpisode(nextEpisode: Episode): void {
  if (promptIfInactive({ isBeforeNextEpisode: true })) return
  countAutoplayedEpisode()
  playEpisode(nextEpisode)
}

function NextEpisodeSummary({ nextEpisode, isNewSeason }: { nextEpisode: Episode; isNewSeason: boolean }) {
  const stillUrl = getImageUrl(nextEpisode.still_path, 'w342')
  return (
    <div className="flex items-center gap-4 p-4">
      {stillUrl && (
        <img
          src={stillUrl}
          alt=""
          width="342"
          height="192"
          className="aspect-video w-28 shrink-0 rounded-md bg-overlay object-cover"
        />
      )}
      <div className="min-w-0">
        <p className="text-sm text-muted">
          {isNewSeason
            ? t('watch:newSeason', {
                season: t('common:season_number', { number: nextEpisode.season_number }),
              })
            : t('watch:next')}
        </p>
        <p className="font-semibold">
          <span className="numbers">{formatEpisodeCode(nextEpisode)}</span>{' '}
          <Name text={nextEpisode.title} className="clamp-2" />
        </p>
      </div>
    </div>
  )
}

/**
 * Button that starts the next episode now. It takes the focus if the viewer uses a keyboard or a remote control, and no
 * other element has the focus.
 */
function PlayNowButton({ nextEpisode, secondsLeft }: { nextEpisode: Episode; secondsLeft: number | null }) {
  const buttonRef = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const isUsingKeys = isInRemoteControlMode() || $isNavigatingByKeyboard.get()
    if (isUsingKeys && document.activeElement === document.body)
      buttonRef.current?.focus({ preventScroll: true })
  }, [])
  return (
    <Button
      ref={buttonRef}
      variant="primary"
      className="grow ps-3 whitespace-nowrap"
      onClick={() => playEpisode(nextEpisode)}
    >
      {secondsLeft !== null && <CountdownRing secondsLeft={secondsLeft} />}
      {t('watch:playNow')}
    </Button>
  )
}

/** `pathLength` makes one second of the countdown one unit of the circumference. */
const RING_ATTRIBUTES = {
  cx: 16,
  cy: 16,
  r: 13,
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 3,
  pathLength: COUNTDOWN_SECONDS,
}

function CountdownRing({ secondsLeft }: { secondsLeft: number }) {
  return (
    <span
      role="timer"
      aria-label={t('watch:nextIn', { seconds: secondsLeft })}
      className="relative grid place-items-center"
    >
      <svg aria-hidden="true" width="32" height="32" viewBox="0 0 32 32" className="-rotate-90">
        <circle {...RING_ATTRIBUTES} strokeOpacity="0.25" />
        <circle
          {...RING_ATTRIBUTES}
          strokeDasharray={COUNTDOWN_SECONDS}
          strokeDashoffset={COUNTDOWN_SECONDS - secondsLeft}
          className="transition-[stroke-dashoffset] duration-1000 ease-linear"
        />
      </svg>
      <span aria-hidden className="numbers absolute text-xs font-bold">
        {secondsLeft}
      </span>
    </span>
  )
}

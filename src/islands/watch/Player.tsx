import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { Play } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import { $isEpisodeLoading, $player, type ReadyPlayerState } from '../../lib/stores/player.ts'
import { $nextEpisode } from '../../lib/stores/player-episodes.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { useDocumentTitle } from '../GuardedPage.tsx'
import { BottomBar } from './BottomBar.tsx'
import { CaptionNotice } from './CaptionNotice.tsx'
import { CaptionOverlay } from './CaptionOverlay.tsx'
import { CastNotice } from './CastNotice.tsx'
import { ControlButton } from './ControlButton.tsx'
import { $areControlsVisible, startControlsAutohide } from './controls.ts'
import { $isCovered, $isTimeOver } from './covering-screen.ts'
import { listenToDisplayModes } from './display-modes.ts'
import { EndScreen } from './EndScreen.tsx'
import { playEpisode } from './episode-navigation.ts'
import { $touchSkip, listenToPointerEvents } from './gestures.ts'
import { listenToKeyboard } from './keyboard.ts'
import { NextEpisodeCard } from './NextEpisodeCard.tsx'
import { PlaybackErrorScreen } from './PlaybackErrorScreen.tsx'
import { PlayerDialogs } from './PlayerDialogs.tsx'
import { KeepControlsVisibleButton, PlayerPanels } from './PlayerPanels.tsx'
import { attachPlayer } from './playback-lifecycle.ts'
import { SkipIntro } from './SkipIntro.tsx'
import {
  $isStillWatchingPromptOpen,
  confirmStillWatching,
  countAutoplayedEpisode,
  promptIfInactive,
  resumeAfterPrompt,
} from './still-watching.ts'
import { $playbackError } from './stream-playback.ts'
import { TopBar } from './TopBar.tsx'
import { TransportControls } from './TransportControls.tsx'
import { ViewingTimeOverlay } from './ViewingTimeOverlay.tsx'
import { $hasEnded, $hasPlaybackStarted, $isBuffering, $isPaused, getPlayerRoot } from './video-element.ts'

const INACTIVITY_CHECK_INTERVAL_MS = 30_000

/**
 * The interface of the player. The video element is part of the page markup and plays without this component
 * (playback-lifecycle.ts).
 */
export function Player({ isEmbedded }: { isEmbedded: boolean }) {
  const player = useStore($player)
  const profile = useStore($profile)
  const playbackError = useStore($playbackError)
  useEffect(() => {
    if (profile) attachPlayer()
  }, [profile])
  useEffect(() => {
    const playerRoot = getPlayerRoot()
    const cleanups = [
      startControlsAutohide(),
      listenToKeyboard(isEmbedded),
      listenToDisplayModes(),
      playerRoot && listenToPointerEvents(playerRoot, isEmbedded),
      // Closes the "still watching" prompt when the player is unmounted. Otherwise, a prompt that is open when the
      // viewer goes back would also be open in the next player.
      confirmStillWatching,
      // Playback may also be started outside the dialog, for example in the picture-in-picture window. The embedded
      // player cannot show the dialog at all.
      $isPaused.listen((isPaused) => {
        if (!isPaused && $isStillWatchingPromptOpen.get()) resumeAfterPrompt()
      }),
    ]
    const timer = setInterval(() => !$isPaused.get() && promptIfInactive(), INACTIVITY_CHECK_INTERVAL_MS)
    return () => {
      clearInterval(timer)
      for (const cleanup of cleanups) cleanup?.()
    }
  }, [isEmbedded])
  useDocumentTitle(player.status === 'ready' ? player.media.title : null)
  const readyPlayer = player.status === 'ready' ? player : null
  return (
    <div dir={document.documentElement.dir} className="absolute inset-0 overflow-hidden">
      <div data-surface className="absolute inset-0" />
      <Spinner
        isHidden={playbackError !== null || player.status === 'nothing' || player.status === 'failed'}
      />
      {readyPlayer && (isEmbedded ? <EmbedControls /> : <PlayerControls readyPlayer={readyPlayer} />)}
      {playbackError === null && <CaptionOverlay isEmbedded={isEmbedded} />}
      <CaptionNotice />
      <PlaybackErrorScreen player={player} isEmbedded={isEmbedded} />
      {profile && <ViewingTimeOverlay isEmbedded={isEmbedded} />}
    </div>
  )
}

function PlayerControls({ readyPlayer }: { readyPlayer: ReadyPlayerState }) {
  const areControlsVisible = useStore($areControlsVisible)
  const playbackError = useStore($playbackError)
  const isCovered = useStore($isCovered)
  const isTimeOver = useStore($isTimeOver)
  return (
    <>
      {!isCovered && <KeepControlsVisibleButton tabIndex={-1} className="sr-only" />}
      <div
        data-controls
        className={`pointer-events-none absolute inset-0 flex flex-col justify-between transition-opacity duration-(--duration-slow) ${areControlsVisible && !isCovered ? 'bg-linear-to-b from-black/75 via-transparent via-40% to-black/85' : 'invisible opacity-0'}`}
      >
        <TopBar readyPlayer={readyPlayer} />
        <div className="grid place-items-center md:hidden">
          <TransportControls isLarge />
        </div>
        <BottomBar readyPlayer={readyPlayer} />
      </div>
      <TouchSkipIndicator />
      <CastNotice />
      {!isCovered && <AutoplayBlockedOverlay />}
      {playbackError === null && !isTimeOver && (
        <>
          <SkipIntro readyPlayer={readyPlayer} />
          <NextEpisodeCard key={readyPlayer.key} readyPlayer={readyPlayer} />
          <PlayerPanels readyPlayer={readyPlayer} />
          <EndScreen key={`end ${readyPlayer.key}`} readyPlayer={readyPlayer} />
        </>
      )}
      <PlayerDialogs readyPlayer={readyPlayer} />
    </>
  )
}

/** Loading indicator while playback stalls or a title opens. */
function Spinner({ isHidden }: { isHidden: boolean }) {
  const isBuffering = useStore($isBuffering)
  const hasStarted = useStore($hasPlaybackStarted)
  const isPaused = useStore($isPaused)
  const isEpisodeLoading = useStore($isEpisodeLoading)
  if (isHidden || !(isEpisodeLoading || (isBuffering && (!isPaused || !hasStarted)))) return null
  return (
    <div role="status" className="pointer-events-none absolute inset-0 grid place-items-center">
      <div className="pending-ring" />
      <span className="sr-only">{t('common:loading')}</span>
    </div>
  )
}

/**
 * Large play icon for browsers that block autoplay. A click anywhere on the video starts playback. The icon
 * is decorative, because the controls contain the accessible button. It is hidden on phones, which have a
 * large button in the same place.
 */
function AutoplayBlockedOverlay() {
  const isPaused = useStore($isPaused)
  const hasStarted = useStore($hasPlaybackStarted)
  const isBuffering = useStore($isBuffering)
  const isEpisodeLoading = useStore($isEpisodeLoading)
  if (!isPaused || hasStarted || isBuffering || isEpisodeLoading) return null
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0 hidden place-items-center md:grid">
      <span className="grid size-24 place-items-center rounded-full bg-black/60 text-white">
        <Play size={44} fill="currentColor" />
      </span>
    </div>
  )
}

/** Shows the number of seconds that double taps have skipped. */
function TouchSkipIndicator() {
  const touchSkip = useStore($touchSkip)
  useEffect(() => {
    if (!touchSkip) return
    const timer = setTimeout(() => $touchSkip.set(null), 700)
    return () => clearTimeout(timer)
  }, [touchSkip])
  if (!touchSkip) return null
  return (
    <div
      dir="ltr"
      aria-hidden
      className="pointer-events-none absolute inset-0 grid grid-cols-3 place-items-center text-white"
    >
      <span
        className={`numbers rounded-full bg-black/60 px-5 py-3 text-lg font-bold ${touchSkip.totalSeconds > 0 ? 'col-start-3' : ''}`}
      >
        {touchSkip.totalSeconds > 0 ? '+' : '−'}
        {Math.abs(touchSkip.totalSeconds)}
      </span>
    </div>
  )
}

/**
 * Controls of /watch/embed: a play button while the video is paused, for example because the browser blocks autoplay.
 */
function EmbedControls() {
  const isPaused = useStore($isPaused)
  const hasEnded = useStore($hasEnded)
  const nextEpisode = useStore($nextEpisode)
  const isAutoplayOn = useStore($profile)?.preferences.autoplay_next ?? false
  useEffect(() => {
    if (!hasEnded || !nextEpisode || !isAutoplayOn || promptIfInactive({ isBeforeNextEpisode: true })) return
    countAutoplayedEpisode()
    playEpisode(nextEpisode)
  }, [hasEnded, nextEpisode, isAutoplayOn])
  const isCovered = useStore($isCovered)
  if (!isPaused || isCovered) return null
  return (
    <div className="pointer-events-none absolute inset-0 grid place-items-center">
      <ControlButton isLarge label={t('common:play')} onClick={resumeAfterPrompt}>
        <Play aria-hidden size={34} fill="currentColor" />
      </ControlButton>
    </div>
  )
}

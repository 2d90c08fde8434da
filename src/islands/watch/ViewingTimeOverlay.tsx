/** Warns before the viewing time ends. Covers the player when the viewing time is used up, and in quiet hours. */
import { useStore } from '@nanostores/react'
import { lazy, type RefObject, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Hourglass, Moon, Play } from '../../icons/index.ts'
import type { ViewingTime } from '../../lib/contract/viewing-time.ts'
import { formatClockTime } from '../../lib/i18n/format-clock-time.ts'
import { t } from '../../lib/i18n/t.ts'
import { isViewingTimeAdded } from '../../lib/rules/added-viewing-time.ts'
import { WARNING_LEAD_MS } from '../../lib/rules/viewing-time.ts'
import { $player, type PlayerState, retryPlayer } from '../../lib/stores/player.ts'
import { showFailure } from '../../lib/stores/toast.ts'
import { $viewingTime, startGrace } from '../../lib/stores/viewing-time.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useAction } from '../../ui/use-action.ts'
import { BackLink } from './BackLink.tsx'
import { togglePanel } from './controls.ts'
import { useCoveringScreen } from './covering-screen.ts'
import { getPlayedMs } from './played-time.ts'
import { reportProgress } from './progress-reporting.ts'
import { confirmStillWatching } from './still-watching.ts'
import { $hasPlaybackStarted, $isPaused, pausePlayback, startPlayback } from './video-element.ts'

/**
 * If the file of the button cannot be loaded, for example offline, the button is left out. An error would remove the
 * whole screen that stops the video.
 */
const AddTimeButton = lazy(() => import('./AddTimeButton.tsx').catch(() => ({ default: () => null })))

const TICK_MS = 1_000
/** Interval at which the viewing time is reloaded, because other devices of the profile also use up viewing time. */
const RELOAD_INTERVAL_MS = 30_000
/**
 * When the player measures that the viewing time is used up, it asks the server. If the server does not reply within
 * this time, the video is paused.
 */
const REPLY_TIMEOUT_MS = 4_000
const WARNING_DURATION_MS = 8_000
/** Remaining times at which the warning appears, in seconds. */
const WARNING_LIMITS_SECONDS = [WARNING_LEAD_MS / 1_000, 300, 60]

export function ViewingTimeOverlay({ isEmbedded }: { isEmbedded: boolean }) {
  const { data: viewingTime } = useStore($viewingTime)
  const [endedViewingTime, setEndedViewingTime] = useState<ViewingTime>()
  const player = useStore($player)
  const isRejected = player.status === 'failed' && player.error.errors['viewing_time'] !== undefined
  // `endedViewingTime` is set REPLY_TIMEOUT_MS after the player itself has measured that the viewing time is used up,
  // if the server has not replied by then.
  const isTimeOver =
    viewingTime !== undefined && (viewingTime.status === 'over' || viewingTime === endedViewingTime)
  const isViewingTimeLimited = viewingTime !== undefined && viewingTime.status !== 'unlimited'
  useEffect(() => {
    if (isRejected) $viewingTime.revalidate()
  }, [isRejected])
  useEffect(() => {
    if (!isViewingTimeLimited) return
    const timer = setInterval(() => $viewingTime.revalidate(), RELOAD_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isViewingTimeLimited])
  useEffect(() => {
    if (isViewingTimeLimited)
      void import('../../lib/stores/account-events.ts').then(
        (accountEvents) => accountEvents.startAccountEvents(),
        () => {},
      )
  }, [isViewingTimeLimited])
  const wasPausedRef = usePauseWhileTimeIsOver(isTimeOver)
  useResumeWhenTimeIsAdded(viewingTime, isTimeOver, player, wasPausedRef)
  if (!viewingTime || viewingTime.status === 'unlimited') return null
  if (isTimeOver) return <TimeIsUpScreen viewingTime={viewingTime} player={player} isEmbedded={isEmbedded} />
  return <TimeWarning viewingTime={viewingTime} onEnd={setEndedViewingTime} />
}

/**
 * Pauses the video and keeps it paused. The player saves the position on every pause. Returns a ref that is true if the
 * viewer had paused the video, or the video had ended, before the viewing time was over.
 */
function usePauseWhileTimeIsOver(isTimeOver: boolean): RefObject<boolean> {
  const wasPausedRef = useRef(false)
  useEffect(() => {
    if (!isTimeOver) return
    wasPausedRef.current = $isPaused.get() && $hasPlaybackStarted.get()
    return $isPaused.subscribe((isPaused) => {
      if (!isPaused) pausePlayback()
    })
  }, [isTimeOver])
  return wasPausedRef
}

/**
 * Resumes playback at the same position once a parent has added time or the child may finish the video. The video stays
 * paused when a new day begins or the quiet hours end: perhaps nobody is watching, and playback would use up the new
 * viewing time. For the same reason, added time does not start a video that was paused before.
 */
function useResumeWhenTimeIsAdded(
  viewingTime: ViewingTime | undefined,
  isTimeOver: boolean,
  player: PlayerState,
  wasPausedRef: RefObject<boolean>,
): void {
  const endedViewingTimeRef = useRef<ViewingTime>(undefined)
  const hasPlayerFailed = player.status === 'failed'
  useEffect(() => {
    const endedViewingTime = endedViewingTimeRef.current
    endedViewingTimeRef.current = isTimeOver ? viewingTime : undefined
    if (isTimeOver || !endedViewingTime || !viewingTime || !isViewingTimeAdded(endedViewingTime, viewingTime))
      return
    if (hasPlayerFailed) retryPlayer()
    else if (viewingTime.status === 'grace' || !wasPausedRef.current) startPlayback()
  }, [viewingTime, isTimeOver, hasPlayerFailed, wasPausedRef])
}

/**
 * Returns the remaining viewing time in seconds; null if there is no limit. A limit in minutes per day counts down only
 * while the video plays. The grace, and the time until the quiet hours, also count down while the video is paused.
 */
function useRemainingSeconds(viewingTime: ViewingTime): number | null {
  const [currentTimes, setCurrentTimes] = useState(() => ({
    atMs: performance.now(),
    playedMs: getPlayedMs(),
  }))
  const receivedViewingTimeRef = useRef({ viewingTime, ...currentTimes })
  if (receivedViewingTimeRef.current.viewingTime !== viewingTime)
    receivedViewingTimeRef.current = { viewingTime, atMs: performance.now(), playedMs: getPlayedMs() }
  useEffect(() => {
    const timer = setInterval(
      () => setCurrentTimes({ atMs: performance.now(), playedMs: getPlayedMs() }),
      TICK_MS,
    )
    return () => clearInterval(timer)
  }, [])
  if (viewingTime.remaining_seconds === null) return null
  const { atMs, playedMs } = receivedViewingTimeRef.current
  const isLimitedByPlayedTime = viewingTime.status === 'allowed' && viewingTime.reason === 'minutes'
  const elapsedMs = isLimitedByPlayedTime ? currentTimes.playedMs - playedMs : currentTimes.atMs - atMs
  return viewingTime.remaining_seconds - Math.max(0, elapsedMs) / 1_000
}

function TimeWarning({
  viewingTime,
  onEnd,
}: {
  viewingTime: ViewingTime
  onEnd: (viewingTime: ViewingTime) => void
}) {
  const remainingSeconds = useRemainingSeconds(viewingTime)
  const warningSeconds =
    remainingSeconds === null
      ? undefined
      : WARNING_LIMITS_SECONDS.findLast((limitSeconds) => remainingSeconds <= limitSeconds)
  const [shownWarningSeconds, setShownWarningSeconds] = useState<number>()
  const hasEnded = remainingSeconds !== null && remainingSeconds <= 0
  useEffect(() => {
    if (!hasEnded) return
    // The position is reported first, so that the reply includes the last seconds of playing time.
    reportProgress()
    const timers = [
      setTimeout(() => $viewingTime.revalidate(), TICK_MS),
      setTimeout(() => onEnd(viewingTime), REPLY_TIMEOUT_MS),
    ]
    return () => timers.forEach(clearTimeout)
  }, [hasEnded, onEnd, viewingTime])
  useEffect(() => {
    if (warningSeconds === undefined) return
    setShownWarningSeconds(warningSeconds)
    const timer = setTimeout(() => setShownWarningSeconds(undefined), WARNING_DURATION_MS)
    return () => clearTimeout(timer)
  }, [warningSeconds])
  const isShown = warningSeconds !== undefined && shownWarningSeconds === warningSeconds && !hasEnded
  return (
    <div
      role="status"
      className="pointer-events-none absolute edge inset-x-0 top-20 z-10 grid place-items-center"
    >
      {isShown && (
        <p className="flex items-center gap-2 rounded-full bg-black/70 px-5 py-3 font-semibold text-white">
          <Hourglass aria-hidden size={20} />
          {t('viewingtime:minutesLeft', { count: Math.max(1, Math.ceil((remainingSeconds ?? 0) / 60)) })}
        </p>
      )}
    </div>
  )
}

interface TimeIsUpProps {
  viewingTime: ViewingTime
  player: PlayerState
  isEmbedded: boolean
}

function TimeIsUpScreen({ viewingTime, player, isEmbedded }: TimeIsUpProps) {
  const isInQuietHours = viewingTime.reason === 'quiet_hours'
  const [isSending, runAction] = useAction()
  const actionsRef = useCoveringScreen('time')
  // Closes an open panel or dialog, because it would be displayed over this screen.
  useLayoutEffect(() => {
    togglePanel(null)
    confirmStillWatching()
  }, [])
  const startGraceForVideo = async () => {
    if (player.status !== 'ready') return
    const { media, episode } = player
    await startGrace(
      media,
      episode && { season: episode.season_number, episode: episode.episode_number },
    ).catch(showFailure)
  }
  const canFinishVideo = viewingTime.can_finish_episode && player.status === 'ready'
  return (
    <div
      role="alertdialog"
      aria-label={t(isInQuietHours ? 'viewingtime:quietTitle' : 'viewingtime:overTitle')}
      data-controls
      className="pointer-events-auto absolute inset-0 z-20 grid place-items-center overflow-y-auto bg-black text-ink"
    >
      <EmptyState
        headingLevel={1}
        icon={isInQuietHours ? <Moon aria-hidden size={40} /> : <Hourglass aria-hidden size={40} />}
        title={t(isInQuietHours ? 'viewingtime:quietTitle' : 'viewingtime:overTitle')}
        hint={
          <>
            {isInQuietHours &&
              viewingTime.quiet_until !== null &&
              t('viewingtime:quietUntil', { time: formatClockTime(viewingTime.quiet_until) })}{' '}
            {t('viewingtime:placeKept')} {t('viewingtime:parentCanAdd')}
          </>
        }
        action={
          <div ref={actionsRef} className="flex flex-wrap justify-center gap-3">
            {canFinishVideo && (
              <Button
                variant="primary"
                icon={<Play aria-hidden size={20} />}
                aria-disabled={isSending}
                onClick={() => void runAction(startGraceForVideo)}
              >
                {t(player.episode ? 'viewingtime:finishEpisode' : 'viewingtime:finishMovie')}
              </Button>
            )}
            <Suspense>
              <AddTimeButton />
            </Suspense>
            {!isEmbedded && <BackLink />}
          </div>
        }
      />
    </div>
  )
}

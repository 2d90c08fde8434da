/**
 * Prompts of the player that depend on time: Skip intro, the next-episode card, and "Still watching?". Also computes
 * the position at which a video resumes. Times are in seconds, unless their name ends in `Ms`.
 */

const SECONDS_PER_MINUTE = 60
/** Assumed length of the credits when the video has no credits mark. LONG_VIDEO_CREDITS applies to longer videos. */
const DEFAULT_CREDITS_SECONDS = 30
const LONG_VIDEO_CREDITS: readonly (readonly [minDurationSeconds: number, creditsSeconds: number])[] = [
  [50 * SECONDS_PER_MINUTE, 40],
  [40 * SECONDS_PER_MINUTE, 35],
]
export const COUNTDOWN_SECONDS = 10
const INTRO_BUTTON_SHOWN_SECONDS = 8
const STILL_WATCHING_EPISODE_COUNT = 3
const STILL_WATCHING_IDLE_MS = 90 * SECONDS_PER_MINUTE * 1000

/** Returns the position in seconds at which the next-episode card appears; null while the duration is not known. */
export function getEpisodeCardStartSeconds(
  durationSeconds: number,
  creditsAtSeconds: number | null | undefined,
): number | null {
  if (!(durationSeconds > 0) || !Number.isFinite(durationSeconds)) return null
  if (creditsAtSeconds != null && creditsAtSeconds > 0 && creditsAtSeconds < durationSeconds)
    return creditsAtSeconds
  const creditsSeconds =
    LONG_VIDEO_CREDITS.find(([minDurationSeconds]) => durationSeconds >= minDurationSeconds)?.[1] ??
    DEFAULT_CREDITS_SECONDS
  // In a very short video, the card appears in the middle at the earliest.
  return Math.max(durationSeconds - creditsSeconds, durationSeconds / 2)
}

/** `secondsLeft` is the countdown to the next episode; null when the next episode does not start automatically. */
export interface NextEpisodeCardState {
  isShown: boolean
  secondsLeft: number | null
  /** True when the viewer chose "Watch credits". The card then appears again at the end of the video. */
  isWatchingCredits: boolean
}
export const HIDDEN_NEXT_EPISODE_CARD: NextEpisodeCardState = {
  isShown: false,
  secondsLeft: null,
  isWatchingCredits: false,
}

export type NextEpisodeCardEvent =
  | { kind: 'time'; hasReachedCredits: boolean; hasEnded: boolean; isAutoplayOn: boolean }
  | { kind: 'second' }
  | { kind: 'input' }
  | { kind: 'credits' }

/** Returns the card after an event. When `secondsLeft` reaches 0, the caller plays the next episode. */
export function updateNextEpisodeCard(
  card: NextEpisodeCardState,
  event: NextEpisodeCardEvent,
): NextEpisodeCardState {
  if (event.kind === 'time') {
    if (!event.hasReachedCredits && !event.hasEnded)
      return card === HIDDEN_NEXT_EPISODE_CARD ? card : HIDDEN_NEXT_EPISODE_CARD
    if (card.isWatchingCredits) return event.hasEnded && !card.isShown ? { ...card, isShown: true } : card
    return card.isShown
      ? card
      : {
          isShown: true,
          secondsLeft: event.isAutoplayOn ? COUNTDOWN_SECONDS : null,
          isWatchingCredits: false,
        }
  }
  if (!card.isShown) return card
  if (event.kind === 'credits') return { isShown: false, secondsLeft: null, isWatchingCredits: true }
  if (card.secondsLeft === null) return card
  return { ...card, secondsLeft: event.kind === 'input' ? null : Math.max(0, card.secondsLeft - 1) }
}

/**
 * Returns whether the intro can be skipped, and whether the button is visible. The button is visible for eight seconds
 * of video after the viewer enters the intro (`enteredAtSeconds`), and afterwards only together with the controls.
 */
export function getSkipIntroState(
  intro: { start: number; end: number } | undefined,
  {
    positionSeconds,
    enteredAtSeconds,
    areControlsVisible,
  }: { positionSeconds: number; enteredAtSeconds: number | null; areControlsVisible: boolean },
): { isOffered: boolean; isButtonVisible: boolean } {
  const isOffered = intro !== undefined && positionSeconds >= intro.start && positionSeconds < intro.end - 1
  return {
    isOffered,
    isButtonVisible:
      isOffered &&
      (areControlsVisible ||
        positionSeconds - (enteredAtSeconds ?? positionSeconds) < INTRO_BUTTON_SHOWN_SECONDS),
  }
}

/** Returns whether to ask "Still watching?": after three autoplayed episodes and 90 minutes without input. */
export function isStillWatchingPromptDue({
  autoplayedEpisodeCount,
  idleMs,
}: {
  autoplayedEpisodeCount: number
  idleMs: number
}): boolean {
  return autoplayedEpisodeCount >= STILL_WATCHING_EPISODE_COUNT && idleMs >= STILL_WATCHING_IDLE_MS
}

/** The video starts from the beginning when the stored position is below this value. */
const MIN_RESUME_SECONDS = 5

/**
 * Converts a position that was saved in one file of a video to a position in another file, whose length is
 * `durationSeconds`. The position stays the same if it is more than MIN_RESUME_SECONDS before the end of the other
 * file. Any other position, for example from a longer version, is scaled from the saved duration to `durationSeconds`.
 * If such a position is at 95 % or more of the saved duration, or the saved duration is not known, returns 0.
 */
export function scalePosition(
  durationSeconds: number,
  savedPosition: { positionSeconds: number; durationSeconds: number },
): number {
  const { positionSeconds, durationSeconds: savedDurationSeconds } = savedPosition
  if (positionSeconds < durationSeconds - MIN_RESUME_SECONDS) return positionSeconds
  const positionFraction = savedDurationSeconds > 0 ? positionSeconds / savedDurationSeconds : 1
  return positionFraction < 0.95 ? positionFraction * durationSeconds : 0
}

/** Returns the position to resume at in seconds; 0 for a finished video and for a position in the first seconds. */
export function getResumePosition(
  progress: { progress: number; finished: boolean } | null | undefined,
): number {
  return progress && !progress.finished && progress.progress >= MIN_RESUME_SECONDS ? progress.progress : 0
}

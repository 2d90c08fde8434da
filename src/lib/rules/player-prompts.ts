/**
 * Prompts of the player that depend on time: Skip intro, the next-episode card, and "Still watching?". Also computes
 * the position at which a video resumes. Times are in seconds, unless their name ends in `Ms`.
 */

const SECONDS_PER_MINUTE = 60
/** Assumed length of the credits when the video has no credits mark. Longer videos have longer credits. */
const DEFAULT_CREDITS_SECONDS = 30
const LONG_VIDEO_CREDITS: readonly (readonly [minDurationSeconds: number, creditsSeconds: number])[] = [
  [50 * SECONDS_PER_MINUTE, 40],
  [40 * SECONDS_PER_MINUTE, 35],
]
export const COUNTDOWN_SECONDS = 10
const INTRO_BUTTON_SECONDS = 8
const STILL_WATCHING_EPISODES = 3
const STILL_WATCHING_IDLE_MS = 90 * SECONDS_PER_MINUTE * 1000

/** Returns the position in seconds at which the next-episode card appears; null while the duration is not known. */
export function getNextCardStart(
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
export interface NextCardState {
  shown: boolean
  secondsLeft: number | null
  /** True when the viewer chose "Watch credits". The card then appears again at the end of the video. */
  putAside: boolean
}
export const HIDDEN_NEXT_CARD: NextCardState = { shown: false, secondsLeft: null, putAside: false }

export type NextCardEvent =
  | { kind: 'time'; reached: boolean; ended: boolean; autoplay: boolean }
  | { kind: 'second' }
  | { kind: 'input' }
  | { kind: 'credits' }

/** Returns the card after an event. When `secondsLeft` reaches 0, the caller plays the next episode. */
export function updateNextCard(card: NextCardState, event: NextCardEvent): NextCardState {
  if (event.kind === 'time') {
    if (!event.reached && !event.ended) return card === HIDDEN_NEXT_CARD ? card : HIDDEN_NEXT_CARD
    if (card.putAside) return event.ended && !card.shown ? { ...card, shown: true } : card
    return card.shown
      ? card
      : { shown: true, secondsLeft: event.autoplay ? COUNTDOWN_SECONDS : null, putAside: false }
  }
  if (!card.shown) return card
  if (event.kind === 'credits') return { shown: false, secondsLeft: null, putAside: true }
  if (card.secondsLeft === null) return card
  return { ...card, secondsLeft: event.kind === 'input' ? null : Math.max(0, card.secondsLeft - 1) }
}

/**
 * Returns whether the intro can be skipped, and whether the button is visible. It is visible for eight seconds, and
 * afterwards only together with the controls.
 */
export function getSkipIntroState(
  intro: { start: number; end: number } | undefined,
  { time, entered, controls }: { time: number; entered: number | null; controls: boolean },
): { offered: boolean; seen: boolean } {
  const offered = intro !== undefined && time >= intro.start && time < intro.end - 1
  return { offered, seen: offered && (controls || time - (entered ?? time) < INTRO_BUTTON_SECONDS) }
}

/** Returns whether to ask "Still watching?": after three autoplayed episodes and 90 minutes without input. */
export function isStillWatchingDue({ episodes, idleMs }: { episodes: number; idleMs: number }): boolean {
  return episodes >= STILL_WATCHING_EPISODES && idleMs >= STILL_WATCHING_IDLE_MS
}

/** The video starts from the beginning when the stored position is below this value. */
const MIN_RESUME_SECONDS = 5

/**
 * Converts a stored position `at` in a video of length `of` to a position in a video of length `durationSeconds`. The stored
 * position may be beyond the end when it comes from a longer version. It then becomes the same share of the duration, or 0
 * near the end.
 */
export function scalePosition(durationSeconds: number, { at, of }: { at: number; of: number }): number {
  if (at < durationSeconds - MIN_RESUME_SECONDS) return at
  const positionShare = of > 0 ? at / of : 1
  return positionShare < 0.95 ? positionShare * durationSeconds : 0
}

/** Returns the position to resume at in seconds; 0 for a finished video and for a position in the first seconds. */
export function getResumePosition(
  progress: { progress: number; finished: boolean } | null | undefined,
): number {
  return progress && !progress.finished && progress.progress >= MIN_RESUME_SECONDS ? progress.progress : 0
}

/** What the player offers by the clock: the intro's end, the next episode, and whether anybody is there. Seconds. */

const MINUTE = 60
/** Before the end where no credits mark is known; longer programmes have longer credits. */
const BEFORE_END = 30
const LONGER: readonly (readonly [atLeast: number, before: number])[] = [
  [50 * MINUTE, 40],
  [40 * MINUTE, 35],
]
export const COUNTDOWN = 10
const INTRO_SHOWN = 8
const STILL_EPISODES = 3
const STILL_IDLE_MS = 90 * MINUTE * 1000

/** Where the card of the next episode appears; null while the length is not known. */
export function cardFrom(duration: number, creditsAt: number | null | undefined): number | null {
  if (!(duration > 0) || !Number.isFinite(duration)) return null
  if (creditsAt != null && creditsAt > 0 && creditsAt < duration) return creditsAt
  const before = LONGER.find(([atLeast]) => duration >= atLeast)?.[1] ?? BEFORE_END
  /* A clip shorter than that is not all credits. */
  return Math.max(duration - before, duration / 2)
}

/** `left` is null when nothing counts: autoplay is off, or somebody pressed a key. */
export interface Card {
  shown: boolean
  left: number | null
  /** "Watch credits": the card comes back at the end. */
  putAside: boolean
}
export const NO_CARD: Card = { shown: false, left: null, putAside: false }

export type CardEvent =
  | { kind: 'time'; reached: boolean; ended: boolean; autoplay: boolean }
  | { kind: 'second' }
  | { kind: 'input' }
  | { kind: 'credits' }

/** The card after something happened. Counting ends at 0: then the caller plays what is next. */
export function cardAfter(card: Card, event: CardEvent): Card {
  if (event.kind === 'time') {
    if (!event.reached && !event.ended) return card === NO_CARD ? card : NO_CARD
    if (card.putAside) return event.ended && !card.shown ? { ...card, shown: true } : card
    return card.shown ? card : { shown: true, left: event.autoplay ? COUNTDOWN : null, putAside: false }
  }
  if (!card.shown) return card
  if (event.kind === 'credits') return { shown: false, left: null, putAside: true }
  if (card.left === null) return card
  return { ...card, left: event.kind === 'input' ? null : Math.max(0, card.left - 1) }
}

/** Whether "Skip intro" can be pressed now, and whether it is seen: eight seconds, then with the controls. */
export function introOffer(
  intro: { start: number; end: number } | undefined,
  { time, entered, controls }: { time: number; entered: number | null; controls: boolean },
): { offered: boolean; seen: boolean } {
  const offered = intro !== undefined && time >= intro.start && time < intro.end - 1
  return { offered, seen: offered && (controls || time - (entered ?? time) < INTRO_SHOWN) }
}

/** Asks after three episodes that began by themselves and an hour and a half without a key, a touch or a click. */
export function isStillWatchingDue({ episodes, idleMs }: { episodes: number; idleMs: number }): boolean {
  return episodes >= STILL_EPISODES && idleMs >= STILL_IDLE_MS
}

/** Places whose neighbourhood the stored one is not worth resuming: the first seconds. */
const FROM_START = 5

/** A place of a longer version, or of a demo clip's title, in the file that is here: the same share of it. */
export function placeIn(duration: number, { at, of }: { at: number; of: number }): number {
  if (at < duration - FROM_START) return at
  const share = of > 0 ? at / of : 1
  return share < 0.95 ? share * duration : 0
}

/** Where playback begins: the stored place, or the start when it was finished or hardly begun. */
export function resumePlace(progress: { progress: number; finished: boolean } | null | undefined): number {
  return progress && !progress.finished && progress.progress >= FROM_START ? progress.progress : 0
}

/** Next episode card with its countdown, skip intro button, "still watching" prompt and resume position. */
import { describe, expect, test } from 'vitest'
import {
  getEpisodeCardStartSeconds,
  getResumePosition,
  getSkipIntroState,
  HIDDEN_NEXT_EPISODE_CARD,
  isStillWatchingPromptDue,
  type NextEpisodeCardEvent,
  type NextEpisodeCardState,
  scalePosition,
  updateNextEpisodeCard,
} from '../../src/lib/rules/player-prompts.ts'

describe('start time of the next-episode card', () => {
  test.each([
    ['is the credits mark', 3000, 2900, 2900],
    ['is 30 s before the end of a video that is shorter than 40 minutes', 1500, undefined, 1470],
    ['is 35 s before the end of a video of at least 40 minutes', 2400, null, 2365],
    ['is 40 s before the end of a video of at least 50 minutes', 3000, undefined, 2960],
    ['is the middle of a clip that is shorter than the credits', 40, undefined, 20],
    ['ignores a credits mark beyond the end', 1500, 1600, 1470],
    ['ignores a credits mark at the start', 1500, 0, 1470],
  ])('the start time of the next-episode card %s', (_, durationSeconds, creditsAtSeconds, expectedSeconds) =>
    expect(getEpisodeCardStartSeconds(durationSeconds, creditsAtSeconds)).toBe(expectedSeconds),
  )

  test.each([0, Number.NaN, Number.POSITIVE_INFINITY, -1])(
    'the start time of the next-episode card is null for a duration of %d s',
    (durationSeconds) => {
      expect(getEpisodeCardStartSeconds(durationSeconds, 100)).toBeNull()
    },
  )
})

describe('next episode card', () => {
  const applyEvents = (
    events: NextEpisodeCardEvent[],
    card: NextEpisodeCardState = HIDDEN_NEXT_EPISODE_CARD,
  ) => events.reduce(updateNextEpisodeCard, card)
  const creditsReachedEvent: NextEpisodeCardEvent = {
    kind: 'time',
    hasReachedCredits: true,
    hasEnded: false,
    isAutoplayOn: true,
  }
  const createSecondEvents = (count: number): NextEpisodeCardEvent[] =>
    Array.from({ length: count }, () => ({ kind: 'second' }))

  test('the next episode card counts down from 10 seconds', () => {
    expect(applyEvents([creditsReachedEvent])).toEqual({
      isShown: true,
      secondsLeft: 10,
      isWatchingCredits: false,
    })
    expect(applyEvents([creditsReachedEvent, ...createSecondEvents(3)]).secondsLeft).toBe(7)
    expect(applyEvents([creditsReachedEvent, ...createSecondEvents(12)]).secondsLeft).toBe(0)
  })
  test('the next episode card has no countdown when autoplay is off', () => {
    expect(applyEvents([{ ...creditsReachedEvent, isAutoplayOn: false }, ...createSecondEvents(3)])).toEqual({
      isShown: true,
      secondsLeft: null,
      isWatchingCredits: false,
    })
  })
  test('any input stops the countdown of the next episode card, but the card stays visible', () => {
    const cardAfterEvents = applyEvents([
      creditsReachedEvent,
      ...createSecondEvents(2),
      { kind: 'input' },
      ...createSecondEvents(20),
      creditsReachedEvent,
    ])
    expect(cardAfterEvents).toEqual({ isShown: true, secondsLeft: null, isWatchingCredits: false })
  })
  test('"Watch credits" hides the next episode card until the end of the video', () => {
    const hiddenCard = applyEvents([
      creditsReachedEvent,
      { kind: 'credits' },
      creditsReachedEvent,
      ...createSecondEvents(20),
    ])
    expect(hiddenCard.isShown).toBe(false)
    const cardAfterEnd = applyEvents(
      [{ kind: 'time', hasReachedCredits: true, hasEnded: true, isAutoplayOn: true }],
      hiddenCard,
    )
    expect(cardAfterEnd).toEqual({ isShown: true, secondsLeft: null, isWatchingCredits: true })
  })
  test('the next episode card disappears when the viewer seeks back, and counts down from 10 seconds when the credits are reached again', () => {
    const seekBackEvent: NextEpisodeCardEvent = {
      kind: 'time',
      hasReachedCredits: false,
      hasEnded: false,
      isAutoplayOn: true,
    }
    expect(
      applyEvents([creditsReachedEvent, ...createSecondEvents(4), { kind: 'input' }, seekBackEvent]),
    ).toEqual(HIDDEN_NEXT_EPISODE_CARD)
    expect(
      applyEvents([creditsReachedEvent, { kind: 'credits' }, seekBackEvent, creditsReachedEvent]).secondsLeft,
    ).toBe(10)
  })
  test('the next episode card appears at the end of the video even if its start time was not reached', () => {
    expect(
      applyEvents([{ kind: 'time', hasReachedCredits: false, hasEnded: true, isAutoplayOn: true }]).isShown,
    ).toBe(true)
  })
  test('updateNextEpisodeCard returns the same state object for an event that does not change the next episode card', () => {
    const seekBackEvent: NextEpisodeCardEvent = {
      kind: 'time',
      hasReachedCredits: false,
      hasEnded: false,
      isAutoplayOn: true,
    }
    expect(updateNextEpisodeCard(HIDDEN_NEXT_EPISODE_CARD, seekBackEvent)).toBe(HIDDEN_NEXT_EPISODE_CARD)
    expect(updateNextEpisodeCard(HIDDEN_NEXT_EPISODE_CARD, { kind: 'input' })).toBe(HIDDEN_NEXT_EPISODE_CARD)
  })
})

describe('skip intro button', () => {
  const intro = { start: 60, end: 90 }
  const getIntroState = (
    positionSeconds: number,
    enteredAtSeconds: number | null,
    areControlsVisible = false,
  ) => getSkipIntroState(intro, { positionSeconds, enteredAtSeconds, areControlsVisible })
  test('the skip intro button is visible for 8 seconds, and afterwards only together with the controls', () => {
    expect(getIntroState(59, null)).toEqual({ isOffered: false, isButtonVisible: false })
    expect(getIntroState(60, null)).toEqual({ isOffered: true, isButtonVisible: true })
    expect(getIntroState(67.9, 60)).toEqual({ isOffered: true, isButtonVisible: true })
    expect(getIntroState(68, 60)).toEqual({ isOffered: true, isButtonVisible: false })
    expect(getIntroState(68, 60, true)).toEqual({ isOffered: true, isButtonVisible: true })
    expect(getIntroState(90, 60, true)).toEqual({ isOffered: false, isButtonVisible: false })
  })
  test('when the viewer enters the intro after its start, the 8 seconds of the skip intro button begin at this position', () =>
    expect(getIntroState(80, 75).isButtonVisible).toBe(true))
  test('the skip intro button is hidden when the episode has no intro mark', () => {
    expect(
      getSkipIntroState(undefined, { positionSeconds: 70, enteredAtSeconds: null, areControlsVisible: true })
        .isOffered,
    ).toBe(false)
  })
})

const MINUTE_MS = 60_000
test.each([
  [3, 90, true],
  [5, 200, true],
  [2, 200, false],
  [3, 89, false],
  [0, 600, false],
])(
  'after %d episodes and %d minutes without input, the "still watching" question is due: %s',
  (autoplayedEpisodeCount, idleMinutes, isDue) => {
    expect(isStillWatchingPromptDue({ autoplayedEpisodeCount, idleMs: idleMinutes * MINUTE_MS })).toBe(isDue)
  },
)

test.each([
  [{ progress: 600, finished: false }, 600],
  [{ progress: 4, finished: false }, 0],
  [{ progress: 3000, finished: true }, 0],
  [null, 0],
  [undefined, 0],
])('with the saved progress %j, playback resumes at %d seconds', (storedProgress, expectedSeconds) =>
  expect(getResumePosition(storedProgress)).toBe(expectedSeconds),
)

test.each([
  [
    'is unchanged in a file of the same duration',
    3300,
    { positionSeconds: 1500, durationSeconds: 3300 },
    1500,
  ],
  ['is unchanged in a longer file', 3600, { positionSeconds: 1500, durationSeconds: 3300 }, 1500],
  ['is scaled in a shorter file', 60, { positionSeconds: 1650, durationSeconds: 3300 }, 30],
  [
    'is 0 when the scaled position is too close to the end',
    60,
    { positionSeconds: 3250, durationSeconds: 3300 },
    0,
  ],
  [
    'is 0 in a shorter file when the original duration is unknown',
    60,
    { positionSeconds: 1500, durationSeconds: 0 },
    0,
  ],
])('a saved position %s', (_, durationSeconds, savedPosition, expectedSeconds) =>
  expect(scalePosition(durationSeconds, savedPosition)).toBe(expectedSeconds),
)

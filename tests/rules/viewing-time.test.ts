/**
 * Viewing time: what counts as playing, and when a profile may play. Random sequences are compared with a simple model.
 */
import { describe, expect, it } from 'vitest'
import { getLocalTime } from '../../src/lib/rules/local-time.ts'
import {
  computeStateAfterAddition,
  computeViewingTime,
  countPlayedTime,
  GRACE_DURATION_MS,
  getTimeUntilQuietMs,
  measurePlayedMs,
  splitAtMidnight,
  type ViewingDayState,
  type ViewingLimits,
} from '../../src/lib/rules/viewing-time.ts'
import { createIntegerGenerator } from '../support/random.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const TIME_ZONE = 'Europe/Paris'
/** Largest accepted difference between counted and played time. */
const TOLERANCE_MS = 30 * SECOND_MS

const LIMITS: ViewingLimits = {
  schoolDayMinutes: 60,
  weekendMinutes: 120,
  quietStartMinute: 20 * 60,
  quietEndMinute: 7 * 60,
  weekend: 'sat_sun',
}
const UNLIMITED_VIEWING: ViewingLimits = {
  schoolDayMinutes: null,
  weekendMinutes: null,
  quietStartMinute: null,
  quietEndMinute: null,
  weekend: 'sat_sun',
}
const UNUSED_DAY: ViewingDayState = {
  playedMs: 0,
  extraMs: 0,
  quietOffFromMs: null,
  quietOffUntilMs: null,
  graceStartedAtMs: null,
  graceDay: null,
  hasGraceEnded: false,
}
const createViewingFacts = (
  localTimeText: string,
  dayState: Partial<ViewingDayState> = {},
  limits = LIMITS,
) => {
  const nowMs = Date.parse(localTimeText)
  return { limits, state: { ...UNUSED_DAY, ...dayState }, localTime: getLocalTime(nowMs, TIME_ZONE), nowMs }
}

interface Player {
  id: number
  totalMs: number
  recordedTotalMs: number
}

/** Sends reports of the players of one device to the counting rule, and sums the time that the rule counts. */
class DeviceModel {
  countedMs = 0
  coveredUntilMs: number | null = null
  readonly players: Player[] = []

  report(player: Player, nowMs: number, totalMs = player.totalMs): void {
    const countedTime = countPlayedTime({
      totalMs,
      recordedTotalMs: player.recordedTotalMs,
      coveredUntilMs: this.coveredUntilMs,
      nowMs,
    })
    player.recordedTotalMs = countedTime.recordedTotalMs
    this.coveredUntilMs = countedTime.coveredUntilMs
    this.countedMs += countedTime.countedMs
  }
}

describe('counted playing time', () => {
  it('counted playing time differs by at most 30 s from the played time, despite pauses and despite lost or late reports', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const drawInteger = createIntegerGenerator(seed)
      const device = new DeviceModel()
      const player = { id: 1, totalMs: 0, recordedTotalMs: 0 }
      let nowMs = 1_700_000_000_000
      for (let stepIndex = 0; stepIndex < 400; stepIndex++) {
        nowMs += 10 * SECOND_MS
        const isPlaying = drawInteger(5) > 0
        if (isPlaying) player.totalMs += 10 * SECOND_MS
        if (drawInteger(6) === 0) continue
        device.report(player, nowMs + drawInteger(2_500))
        if (drawInteger(8) === 0) device.report(player, nowMs + 2_600)
        if (drawInteger(8) === 0) device.report(player, nowMs + 2_700, Math.max(0, player.totalMs - 30_000))
      }
      device.report(player, nowMs + 3_000)
      expect(Math.abs(device.countedMs - player.totalMs)).toBeLessThanOrEqual(TOLERANCE_MS)
    }
  })

  it('simultaneous playback in two players is counted once per device', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const drawInteger = createIntegerGenerator(seed)
      const devices = [new DeviceModel(), new DeviceModel()]
      const players = devices.map(() => [1, 2].map((id) => ({ id, totalMs: 0, recordedTotalMs: 0 })))
      let nowMs = 1_700_000_000_000
      const stepCount = 100 + drawInteger(200)
      for (let stepIndex = 0; stepIndex < stepCount; stepIndex++) {
        nowMs += 10 * SECOND_MS
        for (const [index, device] of devices.entries())
          for (const player of players[index] ?? []) {
            player.totalMs += 10 * SECOND_MS
            device.report(player, nowMs + drawInteger(4_000))
          }
      }
      for (const device of devices)
        expect(Math.abs(device.countedMs - stepCount * 10 * SECOND_MS)).toBeLessThanOrEqual(TOLERANCE_MS)
    }
  })

  it('the playing time of an offline device is counted once if the device reports it several times', () => {
    const device = new DeviceModel()
    const player = { id: 1, totalMs: 0, recordedTotalMs: 0 }
    player.totalMs = 10 * SECOND_MS
    device.report(player, 1_000_000_000)
    player.totalMs += 50 * MINUTE_MS
    for (let repetition = 0; repetition < 3; repetition++) device.report(player, 1_000_000_000 + 3 * HOUR_MS)
    expect(device.countedMs).toBe(player.totalMs)
  })

  it('playing time is still counted when the clock of the server is set back or forward', () => {
    for (const clockStepMs of [-26 * HOUR_MS, -2 * HOUR_MS, -3 * MINUTE_MS, 5 * MINUTE_MS, 48 * HOUR_MS]) {
      const device = new DeviceModel()
      const player = { id: 1, totalMs: 0, recordedTotalMs: 0 }
      let nowMs = 1_700_000_000_000
      for (let stepIndex = 0; stepIndex < 60; stepIndex++) {
        nowMs += 10 * SECOND_MS + (stepIndex === 30 ? clockStepMs : 0)
        player.totalMs += 10 * SECOND_MS
        device.report(player, nowMs)
      }
      expect(Math.abs(device.countedMs - player.totalMs)).toBeLessThanOrEqual(TOLERANCE_MS)
    }
  })

  it('counted playing time is split between two days at midnight', () => {
    expect(splitAtMidnight(10_000, { timeOfDayMs: 4_000 })).toEqual({ todayMs: 4_000, previousDayMs: 6_000 })
    expect(splitAtMidnight(10_000, { timeOfDayMs: HOUR_MS })).toEqual({ todayMs: 10_000, previousDayMs: 0 })
  })
})

describe('measuring the playing time of a video', () => {
  const sumPlayedMs = (positions: number[], playbackRate = 1, intervalMs = 250) =>
    positions
      .slice(1)
      .reduce(
        (sum, position, index) =>
          sum +
          measurePlayedMs(
            { atMs: index * intervalMs, positionSeconds: positions[index] ?? 0, playbackRate },
            { atMs: (index + 1) * intervalMs, positionSeconds: position, playbackRate },
          ),
        0,
      )
  it('counts time while the position moves, at any speed', () => {
    expect(sumPlayedMs([0, 0.25, 0.5, 0.75, 1])).toBe(1_000)
    expect(sumPlayedMs([0, 0.5, 1, 1.5, 2], 2)).toBe(1_000)
  })
  it('counts nothing for a pause, stall or jump back, and at most the elapsed time for a jump forward', () => {
    expect(sumPlayedMs([5, 5, 5, 5])).toBe(0)
    expect(sumPlayedMs([5, 1])).toBe(0)
    expect(sumPlayedMs([0, 600])).toBe(250)
  })
})

describe('the viewing time of a profile', () => {
  it('the viewing time ends after the allowed minutes of a school day or a weekend day', () => {
    expect(
      computeViewingTime(createViewingFacts('2026-03-04T15:00:00Z', { playedMs: 59 * MINUTE_MS })),
    ).toMatchObject({
      status: 'allowed',
      reason: 'minutes',
      remainingMs: MINUTE_MS,
    })
    expect(
      computeViewingTime(createViewingFacts('2026-03-04T15:00:00Z', { playedMs: HOUR_MS })),
    ).toMatchObject({
      status: 'over',
      canFinishEpisode: true,
    })
    expect(
      computeViewingTime(createViewingFacts('2026-03-07T15:00:00Z', { playedMs: HOUR_MS })),
    ).toMatchObject({
      status: 'allowed',
      remainingMs: HOUR_MS,
    })
  })

  it('the weekend limit applies on the weekend days that the parent has chosen', () => {
    const limits = { ...LIMITS, weekend: 'fri_sat' as const }
    const readStatus = (timeText: string) =>
      computeViewingTime(createViewingFacts(timeText, { playedMs: HOUR_MS }, limits)).status
    expect(readStatus('2026-03-06T15:00:00Z')).toBe('allowed')
    expect(readStatus('2026-03-08T15:00:00Z')).toBe('over')
  })

  it('playback is not allowed in quiet hours that begin before midnight and end after it, even in nights when the clocks change', () => {
    const readViewingTime = (timeText: string) => computeViewingTime(createViewingFacts(timeText))
    expect(readViewingTime('2026-03-04T18:55:00Z')).toMatchObject({
      reason: 'quiet_hours',
      remainingMs: 5 * MINUTE_MS,
    })
    for (const timeText of [
      '2026-03-04T19:00:00Z',
      '2026-03-05T05:59:59Z',
      '2026-03-29T04:59:59Z',
      '2026-10-25T05:59:59Z',
    ])
      expect(readViewingTime(timeText)).toMatchObject({ status: 'over', reason: 'quiet_hours' })
    for (const timeText of ['2026-03-05T06:00:00Z', '2026-03-29T05:00:00Z', '2026-10-25T06:00:00Z'])
      expect(readViewingTime(timeText).status).toBe('allowed')
  })

  it('a day on which the clocks change counts as one day although it has 23 or 25 hours', () => {
    const listLocalDates = (startTime: string, hourCount: number) =>
      new Set(
        Array.from(
          { length: hourCount * 4 },
          (_, index) => getLocalTime(Date.parse(startTime) + index * 15 * MINUTE_MS, TIME_ZONE).day,
        ),
      )
    expect(listLocalDates('2026-03-28T23:00:00Z', 23)).toEqual(new Set(['2026-03-29']))
    expect(listLocalDates('2026-10-24T22:00:00Z', 25)).toEqual(new Set(['2026-10-25']))
  })

  it('after the daily minutes are used up, a video may be finished within 15 minutes, once a day', () => {
    const usedUpState = { playedMs: HOUR_MS }
    const startedAtMs = Date.parse('2026-03-04T15:00:00Z')
    const graceState = { ...usedUpState, graceStartedAtMs: startedAtMs, graceDay: '2026-03-04' }
    const readViewingTimeAt = (offsetMs: number, dayState: Partial<ViewingDayState> = graceState) =>
      computeViewingTime(createViewingFacts(new Date(startedAtMs + offsetMs).toISOString(), dayState))
    expect(readViewingTimeAt(0)).toMatchObject({ status: 'grace', remainingMs: GRACE_DURATION_MS })
    expect(readViewingTimeAt(GRACE_DURATION_MS)).toMatchObject({ status: 'over', canFinishEpisode: false })
    expect(readViewingTimeAt(MINUTE_MS, { ...graceState, hasGraceEnded: true }).status).toBe('over')
    // The clock of the server was set back. The grace period must not become longer.
    expect(readViewingTimeAt(-HOUR_MS).status).toBe('over')
    expect(readViewingTimeAt(24 * HOUR_MS)).toMatchObject({ status: 'over', canFinishEpisode: true })
  })

  it('added minutes allow playback even in quiet hours and after the limit was exceeded', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const drawInteger = createIntegerGenerator(seed)
      const limits =
        drawInteger(3) === 0 ? { ...LIMITS, schoolDayMinutes: null, weekendMinutes: null } : LIMITS
      const facts = {
        ...createViewingFacts(
          new Date(1_770_000_000_000 + drawInteger(30 * 24 * 60) * MINUTE_MS).toISOString(),
          {},
          limits,
        ),
        state: {
          ...UNUSED_DAY,
          playedMs: drawInteger(200) * MINUTE_MS,
          extraMs: drawInteger(3) * 10 * MINUTE_MS,
        },
      }
      const addedMinutes = 1 + drawInteger(60)
      const viewingTimeBefore = computeViewingTime(facts)
      const extendedState = computeStateAfterAddition(facts, addedMinutes)
      const viewingTimeAfter = computeViewingTime({ ...facts, state: extendedState })
      expect(viewingTimeAfter.status).toBe('allowed')
      if (viewingTimeBefore.status === 'over')
        expect(viewingTimeAfter.remainingMs).toBeGreaterThanOrEqual(
          Math.min(
            addedMinutes * MINUTE_MS,
            getTimeUntilQuietMs(limits, facts.localTime) || addedMinutes * MINUTE_MS,
          ),
        )
      expect(viewingTimeAfter.remainingMs ?? 0).toBeGreaterThanOrEqual(viewingTimeBefore.remainingMs ?? 0)
    }
  })

  it('minutes that a parent adds in quiet hours are appended to earlier added minutes that have not ended yet', () => {
    const facts = createViewingFacts('2026-03-04T21:00:00Z', {}, LIMITS)
    expect(computeViewingTime(facts).status).toBe('over')
    const firstState = computeStateAfterAddition(facts, 15)
    const secondState = computeStateAfterAddition({ ...facts, state: firstState }, 15)
    expect(computeViewingTime({ ...facts, state: secondState })).toMatchObject({
      status: 'allowed',
      remainingMs: 30 * MINUTE_MS,
    })
  })

  it('the viewing time is unlimited when the profile has no limits', () => {
    expect(
      computeViewingTime(
        createViewingFacts('2026-03-04T23:00:00Z', { playedMs: 9 * HOUR_MS }, UNLIMITED_VIEWING),
      ),
    ).toMatchObject({
      status: 'unlimited',
      remainingMs: null,
    })
  })
})

/**
 * Counting of viewing time after a restart of the server, when summer time starts or ends, and after a parent changes
 * the time zone.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createIntegerGenerator } from '../../support/random.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import type { TestClient } from '../../support/test-client.ts'
import { addTestTitles, createHousehold, type Household, refreshToken } from '../security/household.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
/** Largest accepted difference between the viewing time that the server counted and the time that was played. */
const TOLERANCE_MS = 30 * SECOND_MS
const VIEWING_LIMITS = {
  school_day_minutes: 1_440,
  weekend_minutes: 1_440,
  quiet_start: null,
  quiet_end: null,
}

let server: TestServer
/**
 * A second server with the same database and keys. This server has counted no viewing time yet, like a server after a
 * restart.
 */
let restartedServer: TestServer
let titleId: string
beforeAll(async () => {
  server = await startTestServer()
  restartedServer = await startTestServer({ database: server.database, keys: server.deps.keys })
  titleId = (await addTestTitles(server)).safe.id
})
afterAll(() => server.close())

const setClock = (isoTimeOrMs: string | number) => {
  const nowMs = typeof isoTimeOrMs === 'number' ? isoTimeOrMs : Date.parse(isoTimeOrMs)
  for (const testServer of [server, restartedServer]) testServer.advanceClock(nowMs - testServer.deps.now())
}

async function createChild(timeZone: string) {
  const household = await createHousehold(server, { pin: null })
  await setTimeZone(household, timeZone)
  const device = Object.assign(await household.signIn(), { profileId: household.kidId })
  return { household, device, profileId: household.kidId }
}
const setTimeZone = ({ adult, kidId }: Household, time_zone: string) =>
  adult.put(`/api/profile/${kidId}/viewing-limits`, { ...VIEWING_LIMITS, time_zone })

/**
 * Advances the clock by one minute `minuteCount` times. After each minute, reports one more minute of playing.
 * `playedMs` is the time in ms that the player has played before. Returns the time in ms that the player has played in
 * total.
 */
async function reportMinutes(
  device: TestClient,
  minuteCount: number,
  playedMs: number,
  playerSession: string,
): Promise<number> {
  let totalMs = playedMs
  for (let reportIndex = 0; reportIndex < minuteCount; reportIndex++) {
    setClock(server.deps.now() + MINUTE_MS)
    if (reportIndex % 5 === 0) await refreshToken(device)
    totalMs += MINUTE_MS
    const { status } = await device.post(`/api/profile/${device.profileId}/history`, {
      type: 'movie',
      media_id: titleId,
      progress: 60,
      data: { video_duration: 60_000 },
      played: [{ session: playerSession, seconds: totalMs / SECOND_MS }],
    })
    expect(status).toBe(200)
  }
  return totalMs
}

async function loadViewingDays(profileId: string): Promise<[day: string, playedMs: number][]> {
  const rows = await server.database.primary
    .selectFrom('viewing_day')
    .select(['day', 'played_ms'])
    .where('profile_id', '=', profileId)
    .orderBy('day')
    .execute()
  return rows.map(({ day, played_ms }) => [day, played_ms])
}
const sumPlayedMs = (viewingDays: [string, number][]) =>
  viewingDays.reduce((totalMs, [, playedMs]) => totalMs + playedMs, 0)
const isWithinTolerance = (actualMs: number, expectedMs: number) =>
  Math.abs(actualMs - expectedMs) <= TOLERANCE_MS

it('every played minute is counted once in the nights when summer time starts or ends', async () => {
  for (const [startTime, day, nextDay] of [
    // Each video starts at 23:40 in Paris and plays for 150 minutes. In March the video ends at 03:10, because the
    // hour from 02:00 to 03:00 is missing. In October the video ends at 02:10, before the hour from 02:00 to 03:00 is
    // repeated.
    ['2027-03-27T22:40:00Z', '2027-03-27', '2027-03-28'],
    ['2027-10-30T21:40:00Z', '2027-10-30', '2027-10-31'],
  ] as const) {
    setClock(startTime)
    const { device, profileId } = await createChild('Europe/Paris')
    const playedMs = await reportMinutes(device, 150, 0, `summer-${day}`)
    const viewingDays = await loadViewingDays(profileId)
    expect(viewingDays.map(([dayName]) => dayName)).toEqual([day, nextDay])
    expect(
      viewingDays.map(([, dayPlayedMs], index) =>
        isWithinTolerance(dayPlayedMs, index === 0 ? 20 * MINUTE_MS : playedMs - 20 * MINUTE_MS),
      ),
    ).toEqual([true, true])
  }
})

it('every played minute is counted once when a parent changes the time zone, and when the server restarts', async () => {
  const timeZones = ['Europe/Paris', 'Asia/Tokyo', 'America/St_Johns', 'Pacific/Apia', 'UTC']
  for (let seed = 1; seed <= 3; seed++) {
    const drawInteger = createIntegerGenerator(seed)
    setClock(Date.parse('2027-05-04T00:00:00Z') + drawInteger(1_440) * MINUTE_MS)
    const { household, device, profileId } = await createChild('UTC')
    let playedMs = 0
    for (let step = 0; step < 6; step++) {
      Object.assign(device, { server: step % 2 ? restartedServer : server })
      playedMs = await reportMinutes(device, 3 + drawInteger(8), playedMs, `time-zones-${seed}`)
      await refreshToken(household.adult)
      await setTimeZone(household, timeZones[drawInteger(timeZones.length)] as string)
    }
    expect(isWithinTolerance(sumPlayedMs(await loadViewingDays(profileId)), playedMs)).toBe(true)
  }
})

/**
 * Measures requests to a server in this process, on a file database: the history page, the calendar of 500 followed
 * series, the statistics of 20,000 viewings, and Watch next. `npm run bench:diary [-- --series=500 --viewings=20000
 * --rounds=40]` prints the median duration and the median processor time of each request. Exits with 1 if a processor
 * time is above its target. Durations have no target, because other processes lengthen them.
 */
import { rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/core/config.ts'
import { createDeps } from '../../server/create-deps.ts'
import { importTitles } from '../../server/importers/import-titles.ts'
import { insertAccount } from '../../server/queries/account.ts'
import { insertRows } from '../../server/queries/insert-rows.ts'
import type { TitleRecord } from '../../server/queries/title-record.ts'
import { buildAccount } from '../../server/services/accounts/accounts.ts'
import { loadTimeZoneData } from '../../server/services/statistics/local-day.ts'
import { createMulberry32, generatePersonName } from '../generate/catalogue.ts'
import { readNumberOption } from '../options.ts'
import { getMedian } from '../statistics.ts'

const FOLLOWED_SERIES_COUNT = readNumberOption('series', 500)
const VIEWING_COUNT = readNumberOption('viewings', 20_000)
const ROUND_COUNT = readNumberOption('rounds', 40)
const MOVIE_COUNT = 1_500
/** Number of series that the profile does not follow. */
const UNFOLLOWED_SERIES_COUNT = 1_500
const EPISODES_PER_SEASON = 20
const SEASON_COUNT = 3
const CAST_SIZE = 12
const DAY_MS = 86_400_000
/** Number of viewings on the first page of the history. */
const HISTORY_PAGE_SIZE = 40
const HISTORY_TARGET_MS = 20
const CALENDAR_TARGET_MS = 50
const STATISTICS_TARGET_MS = 100
const WATCH_NEXT_TARGET_MS = 100
const PASSWORD = 'Lumiere1895'
const nextRandom = createMulberry32(11)
const pickNumber = (count: number) => Math.floor(nextRandom() * count)
const formatDayAtOffset = (offsetDays: number) =>
  new Date(Date.now() + offsetDays * DAY_MS).toISOString().slice(0, 10)

const dataDir = join(tmpdir(), `marquee-bench-diary-${process.pid}`)
const { deps } = await createDeps(readConfig({ DATA_DIR: dataDir, DEMO: '0', LOG_LEVEL: 'error' }))
const app = createApp(deps)
const { primary } = deps.database

function createTitleRecord(recordNumber: number): TitleRecord {
  const isMovie = recordNumber < MOVIE_COUNT
  const title = `Lantern ${recordNumber}`
  return {
    type: isMovie ? 'movie' : 'tv',
    imdb_id: `tt${5_000_000 + recordNumber}`,
    original_title: title,
    language: ['en', 'fr', 'ar', 'ja', 'ko'][pickNumber(5)] ?? 'en',
    names: [{ lang: 'en', text: title, role: 'main' }],
    release_date: formatDayAtOffset(-pickNumber(20_000) + 100),
    runtime: (80 + pickNumber(60)) * 60,
    genres: [18, 35, 80].slice(0, 1 + pickNumber(3)),
    rating: 7,
    rating_votes: 100,
    safe_for_kids: false,
    high_quality: false,
    networks: [],
    texts: [],
    keywords: [],
    cast: Array.from({ length: CAST_SIZE }, () => ({
      person: { name: generatePersonName(pickNumber(4_000)) },
    })),
    crew: [{ person: { name: generatePersonName(pickNumber(600)) }, job: 'Director' }],
    parental_guide: [],
    seasons: isMovie ? [] : createSeasons(recordNumber % 7),
  }
}

/**
 * Returns seasons with weekly episodes. The air dates of the last season begin some weeks ago and end in some weeks.
 */
const createSeasons = (weekday: number): TitleRecord['seasons'] =>
  Array.from({ length: SEASON_COUNT }, (_, seasonIndex) => ({
    season_number: seasonIndex + 1,
    episodes: Array.from({ length: EPISODES_PER_SEASON }, (_episode, episodeIndex) => ({
      episode_number: episodeIndex + 1,
      name: `Part ${episodeIndex + 1}`,
      runtime: 2_700,
      air_date: formatDayAtOffset(
        (seasonIndex - SEASON_COUNT + 1) * 365 + (episodeIndex - EPISODES_PER_SEASON / 2) * 7 + weekday,
      ),
    })),
  }))

const account = await buildAccount(deps, { email: 'a@example.com', password: PASSWORD, role: 'admin' })
await insertAccount(primary, account)
let accessToken = ''
async function sendRequest(method: string, path: string, body?: unknown) {
  const response = await app.request(path, {
    method,
    headers: {
      ...(accessToken && { Authorization: `Bearer ${accessToken}` }),
      'Content-Type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const responseText = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${responseText}`)
  return responseText
}
accessToken = JSON.parse(
  await sendRequest('POST', '/api/auth/login', { email: 'a@example.com', password: PASSWORD }),
).access_token
const profileId: string = JSON.parse(await sendRequest('POST', '/api/profile', { name: 'A' })).profile_id

const titleRecords = Array.from(
  { length: MOVIE_COUNT + FOLLOWED_SERIES_COUNT + UNFOLLOWED_SERIES_COUNT },
  (_, index) => createTitleRecord(index),
)
await importTitles(
  deps,
  titleRecords.map((record, index) => ({ location: String(index), record })),
  { source: 'bench' },
)
const titleRows = await primary.selectFrom('title').select(['title_id', 'type']).orderBy('title_id').execute()
const movieIds = titleRows.filter(({ type }) => type === 'movie').map(({ title_id }) => title_id)
const seriesIds = titleRows.filter(({ type }) => type === 'tv').map(({ title_id }) => title_id)
const followedSeriesIds = seriesIds.slice(0, FOLLOWED_SERIES_COUNT)

await insertRows(
  primary,
  'watchlist_entry',
  followedSeriesIds.map((title_id) => ({
    profile_id: profileId,
    title_id,
    in_watchlist: 1,
    state: 'watching',
    favorite: 0,
    added_at: Date.now(),
    updated_at: Date.now(),
  })),
)
await insertRows(
  primary,
  'play',
  Array.from({ length: VIEWING_COUNT }, (_, index) => {
    const isMovie = nextRandom() < 0.15
    return {
      profile_id: profileId,
      title_id: (isMovie
        ? movieIds[pickNumber(movieIds.length)]
        : followedSeriesIds[pickNumber(FOLLOWED_SERIES_COUNT)]) as number,
      season_number: isMovie ? 0 : 1 + pickNumber(SEASON_COUNT),
      episode_number: isMovie ? 0 : 1 + pickNumber(EPISODES_PER_SEASON),
      name: '',
      // Spreads the viewings over about ten years, almost six a day.
      watched_at: Date.now() - index * 15_000_000 - pickNumber(9_000_000),
      by_day: 0,
      marked: 0,
    }
  }),
)

let hasMissedTarget = false
async function measureRequest(requestName: string, path: string, targetMs: number): Promise<void> {
  const durationsMs: number[] = []
  const cpuDurationsMs: number[] = []
  let sizeBytes = 0
  for (let round = 0; round < ROUND_COUNT; round += 1) {
    const [startMs, startCpuUsage] = [performance.now(), process.threadCpuUsage()]
    const responseText = await sendRequest('GET', path)
    const { user, system } = process.threadCpuUsage(startCpuUsage)
    durationsMs.push(performance.now() - startMs)
    cpuDurationsMs.push((user + system) / 1_000)
    sizeBytes = Buffer.byteLength(responseText)
  }
  const medianCpuMs = getMedian(cpuDurationsMs)
  hasMissedTarget ||= medianCpuMs > targetMs
  const formatMs = (ms = 0) => `${ms.toFixed(1)} ms`
  process.stdout.write(
    `${requestName}: median ${formatMs(getMedian(durationsMs))}, of which processor ${formatMs(medianCpuMs)} ` +
      `(first request ${formatMs(cpuDurationsMs[0])}), target ${targetMs} ms, ${Math.round(sizeBytes / 1024)} KiB\n`,
  )
}

// Loads the time zones before the measurement, as the server does when it starts.
loadTimeZoneData()
const calendarPath = `/api/profile/${profileId}/calendar`
const year = new Date().getUTCFullYear()
const timeZoneQuery = 'time_zone=Europe/Paris'
process.stdout.write(
  `${FOLLOWED_SERIES_COUNT} series, ${VIEWING_COUNT} viewings, load ${loadavg()[0]?.toFixed(2)}\n`,
)
const historyPath = `/api/profile/${profileId}/viewings?limit=${HISTORY_PAGE_SIZE}`
await measureRequest('history, first screen', historyPath, HISTORY_TARGET_MS)
const oldMonthQuery = `from=${formatDayAtOffset(-1_830)}T00:00:00Z&until=${formatDayAtOffset(-1_800)}T00:00:00Z`
await measureRequest('history, a month five years ago', `${historyPath}&${oldMonthQuery}`, HISTORY_TARGET_MS)
await measureRequest('history, movies only', `${historyPath}&type=movie`, HISTORY_TARGET_MS)
await measureRequest(
  'calendar, agenda of ten weeks',
  `${calendarPath}?from=${formatDayAtOffset(-7)}&until=${formatDayAtOffset(63)}`,
  CALENDAR_TARGET_MS,
)
await measureRequest(
  'calendar, month of six weeks',
  `${calendarPath}?from=${formatDayAtOffset(-20)}&until=${formatDayAtOffset(22)}`,
  CALENDAR_TARGET_MS,
)
const statisticsPath = `/api/profile/${profileId}/statistics?${timeZoneQuery}`
await measureRequest('statistics of all time', statisticsPath, STATISTICS_TARGET_MS)
await measureRequest('statistics of a year', `${statisticsPath}&year=${year}`, STATISTICS_TARGET_MS)
await measureRequest('watch next', `/api/profile/${profileId}/watch-next`, WATCH_NEXT_TARGET_MS)
await deps.searchIndex.stop()
await deps.database.close()
rmSync(dataDir, { recursive: true, force: true })
if (hasMissedTarget) process.exitCode = 1

/**
 * Saves and loads the progress in movies and episodes. A late or repeated report never overwrites newer progress.
 */
import type { PlaybackProgress } from '../../../src/lib/contract/progress.ts'
import type { PlayedTime, ViewingTime } from '../../../src/lib/contract/viewing-time.ts'
import { mergeProgress } from '../../../src/lib/rules/merge-progress.ts'
import { findFirstEpisode, findSeriesContinuation } from '../../../src/lib/rules/next-up.ts'
import { getProgressPercentage } from '../../../src/lib/rules/progress.ts'
import { parseDeviceTime, toIsoTime } from '../../core/dates.ts'
import { createFieldProblem } from '../../core/problem.ts'
import { incrementPlaybackStarts } from '../../queries/dashboard.ts'
import {
  insertViewing,
  lockAndSelectProgress,
  type ProgressRow,
  selectProgressOfTitle,
  upsertProgress,
} from '../../queries/progress.ts'
import type { TitleRow, TitleType } from '../../queries/title.ts'
import { type EpisodeDate, hasEpisode, selectEpisodeDates } from '../../queries/title-details.ts'
import { getViewerDate, listViewerIds } from '../auth/caller.ts'
import { type ProfileContext, requireTitle, type TitleRef } from '../context.ts'
import { publishAccountEvent, publishSharedEvent } from '../events/account-events.ts'
import { countViewingTime, getVideoKey } from '../family/count-viewing-time.ts'
import { endSingleViewingPermission } from '../family/request-answers.ts'
import { findStrictestViewingTime } from '../family/viewing-time.ts'
import { reportWatchedPosition } from '../media-servers/report-playback.ts'
import { updateTitleWatchState } from '../viewings/complete-titles.ts'
import { isSeriesSeen } from '../viewings/series-completion.ts'

export function toProgress(title: TitleRow, row: ProgressRow): PlaybackProgress {
  return {
    type: title.type as TitleType,
    media_id: String(title.title_id),
    ...(title.type === 'tv' && { season: row.season_number, episode: row.episode_number }),
    progress: row.progress,
    data: { video_duration: row.duration },
    percentage: getProgressPercentage(row.progress, row.duration),
    finished: row.finished === 1,
    plays: row.plays,
    updated_at: toIsoTime(row.updated_at),
  }
}

/** The dashboard counts a new start of playback at the first report, and at a report that follows after this gap. */
const MIN_PLAYBACK_START_GAP_MS = 1_800_000

/** Reports are sent to media servers only below this age. */
const MAX_FORWARDED_REPORT_AGE_MS = 120_000

interface ProgressReport {
  type: TitleType
  media_id: string
  season?: number | undefined
  episode?: number | undefined
  progress: number
  data: { video_duration: number }
  credits_at?: number | undefined
  at?: string | undefined
  sent_at?: string | undefined
  played?: PlayedTime[] | undefined
}

/**
 * Saves a progress report and returns the progress that is stored afterwards. A report that is older than the stored
 * progress does not change the progress. Neither does a report without a position or duration, which comes from a
 * failed start of playback. The playing time of every report is counted. A newer report may have a lower position,
 * because the user may have moved back in the video. While several profiles watch together, the report is saved for
 * each of them.
 */
export async function saveProgress(
  context: ProfileContext,
  sentReport: ProgressReport,
): Promise<PlaybackProgress & { viewing_time?: ViewingTime }> {
  const { deps, caller } = context
  const { at, sent_at: sentAt } = sentReport
  const report = { ...sentReport, ...(at && { at: toIsoTime(parseDeviceTime(at, sentAt, deps.now())) }) }
  const title = await requireTitle(context, { type: report.type, mediaId: report.media_id })
  const reportedPosition = { title, report, ...(await requireEpisode(context, title, report)) }
  // Lock the rows of the profiles in a fixed order. Otherwise, two groups with the same members could wait
  // for each other forever.
  const profileIds = listViewerIds(caller).sort()
  const savedProgressByProfileId = await deps.database.primary.transaction().execute(async (trx) => {
    const progressByProfileId = new Map<string, SavedProgress>()
    for (const profileId of profileIds)
      progressByProfileId.set(
        profileId,
        await saveProfileProgress(trx, deps, { ...reportedPosition, profileId, login: caller.login }),
      )
    return progressByProfileId
  })
  for (const [profileId, { isWatchStateChanged }] of savedProgressByProfileId) {
    const eventContext = { deps, caller: { account: caller.account, profile: { profile_id: profileId } } }
    publishAccountEvent(eventContext, 'progress')
    if (isWatchStateChanged) publishAccountEvent(eventContext, 'list')
  }
  reportToMediaServers(context, reportedPosition, savedProgressByProfileId)
  if ([...savedProgressByProfileId.values()].some(({ hasEndedPermission }) => hasEndedPermission))
    publishSharedEvent({ deps, caller }, 'requests')
  const viewingTime = findStrictestViewingTime(
    [...savedProgressByProfileId.values()].flatMap((savedProgress) => savedProgress.viewingTime ?? []),
  )
  const { row } = savedProgressByProfileId.get(caller.profile.profile_id) as SavedProgress
  return { ...toProgress(title, row), ...(viewingTime && { viewing_time: viewingTime }) }
}

/**
 * Reports the position to media servers. Ignores a report that was sent late, for example because the device
 * was offline.
 */
function reportToMediaServers(
  { deps, caller }: ProfileContext,
  { title, report, season, episode }: Omit<ReportedPosition, 'profileId' | 'login'>,
  savedProgressByProfileId: ReadonlyMap<string, SavedProgress>,
): void {
  if (report.at && deps.now() - Date.parse(report.at) >= MAX_FORWARDED_REPORT_AGE_MS) return
  const profileId = caller.profile.profile_id
  reportWatchedPosition(deps, {
    viewerId: `${caller.login.sid} ${profileId}`,
    titleId: title.title_id,
    season,
    episode,
    positionSeconds: report.progress,
    durationSeconds: report.data.video_duration,
    isFinished: savedProgressByProfileId.get(profileId)?.row.finished === 1,
  })
}

/**
 * If the reported position is at most this many seconds before the end of a video, the video counts as played to its
 * end.
 */
const VIDEO_END_TOLERANCE_SECONDS = 5

interface ReportedPosition {
  profileId: string
  login: ProfileContext['caller']['login']
  title: TitleRow
  report: ProgressReport
  season: number
  episode: number
}
interface SavedProgress {
  row: ProgressRow
  isWatchStateChanged: boolean
  viewingTime?: ViewingTime | undefined
  hasEndedPermission?: boolean
}

async function saveProfileProgress(
  trx: Parameters<typeof upsertProgress>[0],
  deps: ProfileContext['deps'],
  { profileId, login, title, report, season, episode }: ReportedPosition,
): Promise<SavedProgress> {
  const previousRow = await lockAndSelectProgress(trx, {
    profileId,
    titleId: title.title_id,
    season,
    episode,
  })
  // A report without a time gets the current time, or 1 ms after the stored progress if that is later. The clocks of
  // two servers can differ, and the report that is saved later must count as the newer report.
  const nowMs = report.at ? deps.now() : Math.max(deps.now(), (previousRow?.updated_at ?? 0) + 1)
  // A time before 1970 becomes 0, which stands for an unknown time.
  const reportedAtMs = report.at ? Math.max(0, Date.parse(report.at)) : nowMs
  const { mergedProgress: storedProgress, outcome } = mergeProgress(
    previousRow ? { ...previousRow, finished: previousRow.finished === 1 } : null,
    { progress: report.progress, duration: report.data.video_duration, updated_at: reportedAtMs },
    // The credits mark of the video takes precedence over the catalogue, as in the player.
    { creditsAtSeconds: report.credits_at ?? title.credits_at, nowMs },
  )
  const progressKey = {
    profile_id: profileId,
    title_id: title.title_id,
    season_number: season,
    episode_number: episode,
  }
  const viewingTime = await countViewingTime(
    trx,
    {
      profileId,
      sid: login.sid,
      videoKey: getVideoKey(title.title_id, season, episode),
      hasEnded:
        report.data.video_duration > 0 &&
        report.progress >= report.data.video_duration - VIDEO_END_TOLERANCE_SECONDS,
      playedTimes: report.played ?? [],
    },
    deps.now(),
  )
  if (!storedProgress) {
    const row = { ...progressKey, progress: 0, duration: 0, finished: 0, plays: 0, updated_at: reportedAtMs }
    return { row, isWatchStateChanged: false, viewingTime }
  }
  const {
    progress: progressSeconds,
    duration: durationSeconds,
    finished: isFinished,
    plays: playCount,
    updated_at,
  } = storedProgress
  const row: ProgressRow = {
    ...progressKey,
    progress: progressSeconds,
    duration: durationSeconds,
    finished: isFinished ? 1 : 0,
    plays: playCount,
    updated_at,
  }
  if (outcome !== 'applied') return { row, isWatchStateChanged: false, viewingTime }
  const remainingMs = Math.max(0, report.data.video_duration - report.progress) * 1_000
  const watchedTitle = { profileId, titleId: title.title_id, nowMs: deps.now(), remainingMs }
  const hasEndedPermission = isFinished && (await endSingleViewingPermission(trx, watchedTitle))
  await upsertProgress(trx, row)
  let isWatchStateChanged = false
  if (playCount > (previousRow?.plays ?? 0)) {
    await insertViewing(trx, row)
    isWatchStateChanged = await updateTitleWatchState(trx, {
      profileId,
      title,
      nowMs: deps.now(),
      today: getViewerDate({ login }, deps.now()),
    })
  }
  if (reportedAtMs - (previousRow?.updated_at ?? 0) > MIN_PLAYBACK_START_GAP_MS)
    await incrementPlaybackStarts(trx, updated_at)
  return { row, isWatchStateChanged, viewingTime, hasEndedPermission }
}

async function requireEpisode(
  { deps }: ProfileContext,
  title: TitleRow,
  { season, episode }: ProgressReport,
) {
  if (title.type === 'movie') {
    if (season || episode) throw createFieldProblem('season', 'not_for_movies')
    return { season: 0, episode: 0 }
  }
  if (season === undefined || episode === undefined) throw createFieldProblem('episode', 'needed')
  if (!(await hasEpisode(deps.database.reader, { titleId: title.title_id, season, episode }))) {
    throw createFieldProblem('episode', 'unknown')
  }
  return { season, episode }
}

export async function loadProgress(context: ProfileContext, titleRef: TitleRef) {
  const title = await requireTitle(context, titleRef)
  const rows = await selectProgressOfTitle(
    context.deps.database.primary,
    context.caller.profile.profile_id,
    title.title_id,
  )
  const progressEntries = rows.map((row) => toProgress(title, row))
  const latest = progressEntries[0] ?? null
  if (title.type === 'movie')
    return { latest, episodes: [], next_episode: null, seen: latest?.finished === true }
  const today = getViewerDate(context.caller, context.deps.now())
  const episodes = await selectEpisodeDates(context.deps.database.reader, title.title_id)
  const finishedRows = rows.filter((row) => row.finished === 1)
  return {
    latest,
    episodes: progressEntries,
    next_episode: findEpisodeToPlay(episodes, rows, today),
    seen: isSeriesSeen(episodes, finishedRows, today),
  }
}

/**
 * Returns the episode that Play starts; null if no released episode is left to watch. Unlike Continue Watching, Play
 * also continues a series that was dismissed or has not been played for a long time.
 */
function findEpisodeToPlay(episodes: readonly EpisodeDate[], rows: readonly ProgressRow[], today: string) {
  const episodeProgress = rows.map((row) => ({ ...row, finished: row.finished === 1 }))
  const episode =
    findSeriesContinuation(episodeProgress, episodes, today)?.episode ??
    (episodeProgress.some(({ finished }) => finished) ? null : findFirstEpisode(episodes, today))
  return episode && { season_number: episode.season_number, episode_number: episode.episode_number }
}

/**
 * Sends the playback positions of viewers to the media servers for which the operator has enabled progress
 * reports. No caller waits for these requests, and failures are only logged.
 */
import { createHash } from 'node:crypto'
import { toErrorFields } from '../../core/log.ts'
import type { PlaybackReport } from '../../providers/media-server/media-server.ts'
import { selectItemsOfTitle } from '../../queries/media-server-item.ts'
import type { Deps } from '../deps.ts'
import { hasItemEpisode } from './item-episodes.ts'
import { findRecentProblem } from './server-contact.ts'
import type { MediaServerWithClient } from './stored-media-servers.ts'

/** A playback session ends after this time without a report. Players report every few seconds. */
const IDLE_TIMEOUT_MS = 90_000

interface WatchedPosition {
  /** Login and profile of the viewer. */
  viewerId: string
  titleId: number
  season: number
  episode: number
  positionSeconds: number
  durationSeconds: number
  isFinished: boolean
}
interface ReportedSession {
  report: Omit<PlaybackReport, 'event'>
  idleTimer: NodeJS.Timeout
  /**
   * Resolves when all queued reports are sent. Reports are sent one at a time. A new progress report replaces
   * a progress report that is not sent yet.
   */
  sendPromise: Promise<void>
  pendingProgress: PlaybackReport | null
}
const sessionsByDeps = new WeakMap<Deps, Map<string, ReportedSession>>()

/** Queues a position for the media servers. Does not wait until the position is sent. */
export function reportWatchedPosition(deps: Deps, position: WatchedPosition): void {
  const servers = deps.streamSources.mediaServers.filter(({ reportsProgress }) => reportsProgress)
  if (servers.length === 0) return
  void reportPositionToServers(deps, servers, position).catch((error: unknown) =>
    deps.log.warn('media-server-report', toErrorFields(error)),
  )
}

async function reportPositionToServers(
  deps: Deps,
  servers: readonly MediaServerWithClient[],
  position: WatchedPosition,
): Promise<void> {
  const serverItems = await selectItemsOfTitle(deps.database.reader, position.titleId)
  for (const server of servers) {
    const serverItem = serverItems.find(
      (candidate) => candidate.server_id === server.id && hasItemEpisode(candidate, position),
    )
    if (serverItem && !findRecentProblem(deps, server.id))
      reportToServer(deps, server, serverItem.remote_id, position)
  }
}

function reportToServer(
  deps: Deps,
  server: MediaServerWithClient,
  remoteId: string,
  { viewerId, positionSeconds, durationSeconds, isFinished }: WatchedPosition,
): void {
  const sessionsByKey = sessionsByDeps.get(deps) ?? new Map<string, ReportedSession>()
  sessionsByDeps.set(deps, sessionsByKey)
  const sessionKey = `${server.id} ${remoteId} ${viewerId}`
  const sessionId = createHash('sha256').update(sessionKey).digest('hex').slice(0, 32)
  const report = { remoteId, sessionId, positionSeconds, durationSeconds }
  const knownSession = sessionsByKey.get(sessionKey)
  // Players send a last report when they are closed. After the video was finished, ignore this report, because
  // the session has ended.
  if (!knownSession && isFinished) return
  clearTimeout(knownSession?.idleTimer)
  const stopSession = () => {
    const endedSession = sessionsByKey.get(sessionKey)
    sessionsByKey.delete(sessionKey)
    if (endedSession) queueReport(deps, server, endedSession, { ...endedSession.report, event: 'stop' })
  }
  const idleTimer = setTimeout(stopSession, IDLE_TIMEOUT_MS).unref()
  const session: ReportedSession = knownSession ?? {
    report,
    idleTimer,
    sendPromise: Promise.resolve(),
    pendingProgress: null,
  }
  Object.assign(session, { report, idleTimer })
  sessionsByKey.set(sessionKey, session)
  if (!knownSession) queueReport(deps, server, session, { ...report, event: 'start' })
  else if (!isFinished) queueReport(deps, server, session, { ...report, event: 'progress' })
  if (!isFinished) return
  clearTimeout(idleTimer)
  stopSession()
}

function queueReport(
  deps: Deps,
  server: MediaServerWithClient,
  session: ReportedSession,
  report: PlaybackReport,
): void {
  const isProgressReport = report.event === 'progress'
  const isReplacingReport = isProgressReport && session.pendingProgress !== null
  if (isProgressReport) session.pendingProgress = report
  if (isReplacingReport) return
  session.sendPromise = session.sendPromise.then(async () => {
    const nextReport = (isProgressReport && session.pendingProgress) || report
    if (isProgressReport) session.pendingProgress = null
    await server.client
      .reportPlayback(nextReport)
      .catch((error: unknown) => deps.log.warn('media-server-report', toErrorFields(error)))
  })
}

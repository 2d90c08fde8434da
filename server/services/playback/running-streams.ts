/** Lists and stops the running streams of this process for administrators: direct and converted streams. */
import type { RunningStream } from '../../../src/lib/contract/admin-streams.ts'
import { toIsoTime } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import { selectStreamViewer } from '../../queries/stream-viewer.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { recordCallerAction } from '../operations/audit.ts'
import {
  endConversionSession,
  listConversionSessions,
  loadConversionLimit,
} from './conversion/conversions.ts'
import { listDirectStreams } from './direct-streams.ts'
import { blockWatching, type WatchIdentity } from './watch-access.ts'

interface PlaybackSession {
  id: string
  watchIdentity: WatchIdentity
  delivery: RunningStream['delivery']
  quality: string | null
  encoder: string | null
  startedAtMs: number
  lastRequestAtMs: number
}

/** Returns the running streams. The stream that started last comes first. */
export function listPlaybackSessions(deps: Deps): PlaybackSession[] {
  const toClockTimeMs = (monotonicMs: number) => deps.now() - (deps.monotonicNow() - monotonicMs)
  const convertedSessions = listConversionSessions(deps).map(
    (session): PlaybackSession => ({
      id: session.key,
      watchIdentity: session.watchIdentity,
      delivery: session.plan.maxHeightPixels === null ? 'remux' : 'transcode',
      quality: session.plan.maxHeightPixels === null ? null : `${session.plan.maxHeightPixels}p`,
      encoder: session.getEncoderName(),
      startedAtMs: session.startedAtMs,
      lastRequestAtMs: toClockTimeMs(session.lastRequestMonotonicMs),
    }),
  )
  const directSessions = listDirectStreams(deps).map(
    ({ lastRequestMonotonicMs, ...stream }): PlaybackSession => ({
      ...stream,
      delivery: 'direct',
      quality: null,
      encoder: null,
      lastRequestAtMs: toClockTimeMs(lastRequestMonotonicMs),
    }),
  )
  return [...convertedSessions, ...directSessions].sort((a, b) => b.startedAtMs - a.startedAtMs)
}

/** Returns the running streams with their viewers (email and profile name) and titles, and the state of ffmpeg. */
export async function describeRunningStreams(deps: Deps) {
  const sessions = listPlaybackSessions(deps)
  const runningStreams: RunningStream[] = []
  for (const { id, watchIdentity, delivery, quality, encoder, startedAtMs, lastRequestAtMs } of sessions) {
    const viewer = await selectStreamViewer(deps.database.reader, watchIdentity)
    if (!viewer) continue
    runningStreams.push({
      id,
      account: { id: viewer.account_id, email: viewer.email },
      profile: viewer.profile_name,
      title: {
        id: String(watchIdentity.titleId),
        type: viewer.title_type === 'tv' ? 'tv' : 'movie',
        name: viewer.title_name,
      },
      delivery,
      quality,
      encoder,
      started_at: toIsoTime(startedAtMs),
      last_request_at: toIsoTime(lastRequestAtMs),
    })
  }
  const ffmpeg = await deps.streamSources.ffmpeg.find()
  const ffmpegVersion =
    ffmpeg.status === 'available'
      ? ffmpeg.ffmpeg.version
      : ffmpeg.status === 'outdated'
        ? ffmpeg.version
        : null
  return {
    results: runningStreams,
    ffmpeg: { status: ffmpeg.status, version: ffmpegVersion, limit: await loadConversionLimit(deps) },
  }
}

/**
 * Stops a stream. Blocks the title on the device for a minute, because players reconnect automatically. Throws 404 when
 * no stream has this id.
 */
export async function stopPlaybackSession(context: RequestContext, sessionId: string): Promise<void> {
  const { deps } = context
  const session = listPlaybackSessions(deps).find((candidate) => candidate.id === sessionId)
  if (!session) throw new Problem('not_found')
  await deps.database.primary.transaction().execute((trx) =>
    recordCallerAction(trx, context, {
      action: 'stream_stop',
      target: String(session.watchIdentity.titleId),
    }),
  )
  blockWatching(deps, session.watchIdentity)
  await endConversionSession(deps, sessionId)
}

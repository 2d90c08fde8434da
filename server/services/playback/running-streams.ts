/**
 * Lists the running streams of all processes for administrators, and stops streams of any process. Both kinds of
 * streams are included: files that are sent unchanged (direct-streams.ts), and conversions.
 */
import { randomUUID } from 'node:crypto'
import type { RunningStream } from '../../../src/lib/contract/admin-streams.ts'
import { toIsoTime } from '../../core/dates.ts'
import { toErrorFields } from '../../core/log.ts'
import { Problem } from '../../core/problem.ts'
import { selectStreamViewer } from '../../queries/stream-viewer.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { loadConversionLimit } from './conversion/conversion-limit.ts'
import { endConversionSession, listConversionSessions } from './conversion/conversions.ts'
import { listDirectStreams } from './direct-streams.ts'
import { type BlockedTitle, blockWatching, type WatchIdentity } from './watch-access.ts'

/** Longest time that a process waits for the replies of other processes. Later replies are ignored. */
const REPLY_TIMEOUT_MS = 1_000

interface PlaybackSession {
  id: string
  watchIdentity: WatchIdentity
  delivery: RunningStream['delivery']
  quality: string | null
  encoder: string | null
  startedAtMs: number
  lastRequestAtMs: number
}

/** Returns the running streams of this process. The stream that started last comes first. */
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

/**
 * Combines the sessions of several processes. The requests of one stream can reach several processes, so several
 * processes can list the same stream.
 */
function mergeSessions(sessions: readonly PlaybackSession[]): PlaybackSession[] {
  const mergedSessions = [...Map.groupBy(sessions, ({ id }) => id).values()].map((sessionsOfStream) => ({
    ...(sessionsOfStream[0] as PlaybackSession),
    encoder: sessionsOfStream.find(({ encoder }) => encoder !== null)?.encoder ?? null,
    startedAtMs: Math.min(...sessionsOfStream.map(({ startedAtMs }) => startedAtMs)),
    lastRequestAtMs: Math.max(...sessionsOfStream.map(({ lastRequestAtMs }) => lastRequestAtMs)),
  }))
  return mergedSessions.sort((a, b) => b.startedAtMs - a.startedAtMs)
}

/**
 * Returns the running streams of all processes, and the state of ffmpeg. Each stream has its title and its viewer
 * (email and profile name).
 */
export async function describeRunningStreams(deps: Deps) {
  const sessions = mergeSessions([...listPlaybackSessions(deps), ...(await requestOtherSessions(deps))])
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

/** Messages between the processes of an installation, on the topic `streams` of the event bus. */
type StreamMessage =
  /** Every other process replies with `listed`. */
  | { kind: 'list'; requestId: string }
  | { kind: 'listed'; requestId: string; sessions: PlaybackSession[] }
  /** Every process stops the title on the device. */
  | ({ kind: 'stop' } & BlockedTitle)

const publishStreamMessage = ({ bus }: Deps, message: StreamMessage) => bus.publish('streams', message)
const subscribeToStreamMessages = ({ bus }: Deps, listener: (message: StreamMessage) => void) =>
  bus.subscribe('streams', (message) => listener(message as StreamMessage))

/** Ids of the `list` messages that this process has sent. The process does not reply to its own messages. */
const ownRequestIdsByDeps = new WeakMap<Deps, Set<string>>()
function getOwnRequestIds(deps: Deps): Set<string> {
  const requestIds = ownRequestIdsByDeps.get(deps) ?? new Set<string>()
  ownRequestIdsByDeps.set(deps, requestIds)
  return requestIds
}

/** Lets the other processes list and stop the streams of this process. */
export function answerStreamMessages(deps: Deps): void {
  subscribeToStreamMessages(deps, (message) => {
    if (message.kind === 'list' && !getOwnRequestIds(deps).has(message.requestId))
      publishStreamMessage(deps, {
        kind: 'listed',
        requestId: message.requestId,
        sessions: listPlaybackSessions(deps),
      })
    if (message.kind === 'stop')
      stopWatching(deps, message).catch((error: unknown) =>
        deps.log.warn('stream_stop', toErrorFields(error)),
      )
  })
}

/**
 * Returns the streams of the other processes. Resolves when all of them have replied, and after REPLY_TIMEOUT_MS at the
 * latest.
 */
async function requestOtherSessions(deps: Deps): Promise<PlaybackSession[]> {
  const requestId = randomUUID()
  const receivedSessions: PlaybackSession[] = []
  let missingReplyCount = 0
  const { promise: repliesPromise, resolve: endWait } = Promise.withResolvers<void>()
  const timer = setTimeout(endWait, REPLY_TIMEOUT_MS)
  const unsubscribe = subscribeToStreamMessages(deps, (message) => {
    if (message.kind !== 'listed' || message.requestId !== requestId) return
    receivedSessions.push(...message.sessions)
    missingReplyCount -= 1
    if (missingReplyCount <= 0) endWait()
  })
  getOwnRequestIds(deps).add(requestId)
  const sendRequest = async () => {
    await deps.bus.whenSubscribed('streams')
    missingReplyCount = await deps.bus.countOtherProcesses('streams')
    publishStreamMessage(deps, { kind: 'list', requestId })
    if (missingReplyCount <= 0) endWait()
  }
  sendRequest().catch(endWait)
  await repliesPromise
  clearTimeout(timer)
  unsubscribe()
  getOwnRequestIds(deps).delete(requestId)
  return receivedSessions
}

/** Returns the title and the device of a stream of any process; null when no process has this stream. */
async function findTitleToBlock(deps: Deps, sessionId: string): Promise<BlockedTitle | null> {
  const isWanted = ({ id }: PlaybackSession) => id === sessionId
  const session =
    listPlaybackSessions(deps).find(isWanted) ?? (await requestOtherSessions(deps)).find(isWanted)
  return session ? { sid: session.watchIdentity.sid, titleId: session.watchIdentity.titleId } : null
}

/** Blocks the title on the device, and ends the conversions of the title for this device. Acts only in this process. */
async function stopWatching(deps: Deps, { sid, titleId }: BlockedTitle): Promise<void> {
  blockWatching(deps, { sid, titleId })
  const stoppedSessions = listConversionSessions(deps).filter(
    ({ watchIdentity }) => watchIdentity.sid === sid && watchIdentity.titleId === titleId,
  )
  await Promise.all(stoppedSessions.map(({ key }) => endConversionSession(deps, key)))
}

/**
 * Stops a stream of any process. Blocks the title on the device for a minute, because players reconnect automatically.
 * The block applies in every process, because the requests of a player can reach different processes. Throws 404 when
 * no stream has this id.
 */
export async function stopPlaybackSession(context: RequestContext, sessionId: string): Promise<void> {
  const { deps } = context
  const titleToBlock = await findTitleToBlock(deps, sessionId)
  if (!titleToBlock) throw new Problem('not_found')
  await deps.database.primary
    .transaction()
    .execute((trx) =>
      recordCallerAction(trx, context, { action: 'stream_stop', target: String(titleToBlock.titleId) }),
    )
  publishStreamMessage(deps, { kind: 'stop', ...titleToBlock })
  await stopWatching(deps, titleToBlock)
}

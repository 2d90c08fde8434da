/**
 * Records the streams of this process that are sent without conversion. A player sends several requests for
 * one stream.
 */
import { createHash } from 'node:crypto'
import type { Deps } from '../deps.ts'
import type { MediaClaim } from './media-url.ts'
import { getWatchIdentityKey, type WatchIdentity } from './watch-access.ts'

interface DirectStream {
  id: string
  watchIdentity: WatchIdentity
  startedAtMs: number
  /** Time of `monotonicNow()` at the last request. */
  lastRequestMonotonicMs: number
  openRequestCount: number
}

/**
 * A stream without an open request counts as running for this long, because a paused player may close its
 * request.
 */
const IDLE_TIMEOUT_MS = 60_000

const streamsByDeps = new WeakMap<Deps, Map<string, DirectStream>>()
function getStreamsById(deps: Deps): Map<string, DirectStream> {
  const streamsById = streamsByDeps.get(deps) ?? new Map<string, DirectStream>()
  streamsByDeps.set(deps, streamsById)
  return streamsById
}

/**
 * Records a request for a video. Returns a function that the caller must call when the response has ended.
 */
export function recordDirectRequest(deps: Deps, claim: MediaClaim): () => void {
  const { sid, profileId, pinGeneration, titleId, location } = claim
  const watchIdentity = { sid, profileId, pinGeneration, titleId }
  const streamsById = getStreamsById(deps)
  const identityText = `${getWatchIdentityKey(watchIdentity)} ${location.source} ${location.name}`
  const id = createHash('sha256').update(identityText).digest('hex').slice(0, 24)
  const stream = streamsById.get(id) ?? {
    id,
    watchIdentity,
    startedAtMs: deps.now(),
    lastRequestMonotonicMs: deps.monotonicNow(),
    openRequestCount: 0,
  }
  streamsById.set(id, stream)
  stream.openRequestCount += 1
  stream.lastRequestMonotonicMs = deps.monotonicNow()
  return () => {
    stream.openRequestCount -= 1
    stream.lastRequestMonotonicMs = deps.monotonicNow()
  }
}

export function listDirectStreams(deps: Deps): Omit<DirectStream, 'openRequestCount'>[] {
  const streamsById = getStreamsById(deps)
  const idleSinceMs = deps.monotonicNow() - IDLE_TIMEOUT_MS
  for (const [id, { openRequestCount, lastRequestMonotonicMs }] of streamsById)
    if (openRequestCount === 0 && lastRequestMonotonicMs < idleSinceMs) streamsById.delete(id)
  return [...streamsById.values()]
}

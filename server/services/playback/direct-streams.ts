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
  lastRequestAtMs: number
  openRequestCount: number
}

/**
 * A stream without an open request counts as running for this long, because a paused player may close its
 * request.
 */
const IDLE_TIMEOUT_MS = 60_000

const registriesByDeps = new WeakMap<Deps, Map<string, DirectStream>>()
function getStreamsById(deps: Deps): Map<string, DirectStream> {
  const streamsById = registriesByDeps.get(deps) ?? new Map<string, DirectStream>()
  registriesByDeps.set(deps, streamsById)
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
  const nowMs = deps.now()
  const stream = streamsById.get(id) ?? {
    id,
    watchIdentity,
    startedAtMs: nowMs,
    lastRequestAtMs: nowMs,
    openRequestCount: 0,
  }
  streamsById.set(id, stream)
  stream.openRequestCount += 1
  stream.lastRequestAtMs = nowMs
  return () => {
    stream.openRequestCount -= 1
    stream.lastRequestAtMs = deps.now()
  }
}

export function listDirectStreams(deps: Deps): Omit<DirectStream, 'openRequestCount'>[] {
  const streamsById = getStreamsById(deps)
  const idleSinceMs = deps.now() - IDLE_TIMEOUT_MS
  for (const [id, { openRequestCount, lastRequestAtMs }] of streamsById)
    if (openRequestCount === 0 && lastRequestAtMs < idleSinceMs) streamsById.delete(id)
  return [...streamsById.values()]
}

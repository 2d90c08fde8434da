/**
 * Stores for the dashboard when each media server last responded, and why its last request failed. Remembers recent
 * failures, so that viewers do not wait for a server that has failed.
 */
import type { MediaServerProblem } from '../../../src/lib/rules/media-server-problems.ts'
import { runOptionalWrite } from '../../core/database-unavailable.ts'
import { toErrorFields } from '../../core/log.ts'
import { MediaServerError } from '../../providers/media-server/media-server.ts'
import { upsertMediaServerState } from '../../queries/media-server-item.ts'
import type { Deps } from '../deps.ts'

/** Minimum time between two writes of an unchanged state. */
const REWRITE_INTERVAL_MS = 60_000
/** Time for which no viewer waits for a server after it has failed. */
const FAILURE_PAUSE_MS = 30_000

interface MediaServerContactState {
  problem: MediaServerProblem | null
  /** Time at which the last request to the server succeeded or failed, by `monotonicNow()`. */
  requestEndedAtMs: number
  /** Time at which the state was last written to the database, by `monotonicNow()`. */
  storedAtMs: number
}
const statesByDeps = new WeakMap<Deps, Map<string, MediaServerContactState>>()
function getServerStates(deps: Deps): Map<string, MediaServerContactState> {
  const statesByServerId = statesByDeps.get(deps) ?? new Map<string, MediaServerContactState>()
  statesByDeps.set(deps, statesByServerId)
  return statesByServerId
}

/** Returns the reason for a failure within the last FAILURE_PAUSE_MS; null when the server can be asked. */
export function findRecentProblem(deps: Deps, serverId: string): MediaServerProblem | null {
  const serverState = getServerStates(deps).get(serverId)
  return serverState && deps.monotonicNow() - serverState.requestEndedAtMs < FAILURE_PAUSE_MS
    ? serverState.problem
    : null
}

/**
 * Runs requests to a server and stores whether they succeeded. Throws `MediaServerError` when the server
 * fails.
 */
export async function contactMediaServer<T>(
  deps: Deps,
  serverId: string,
  sendRequest: () => Promise<T>,
): Promise<T> {
  try {
    const reply = await sendRequest()
    await saveServerState(deps, serverId, null)
    return reply
  } catch (error) {
    if (error instanceof MediaServerError) {
      deps.log.warn('media-server', { ...toErrorFields(error), server: serverId })
      await saveServerState(deps, serverId, error.problem)
    }
    throw error
  }
}

async function saveServerState(
  deps: Deps,
  serverId: string,
  problem: MediaServerProblem | null,
): Promise<void> {
  const previousState = getServerStates(deps).get(serverId)
  const requestEndedAtMs = deps.monotonicNow()
  const isRewriteDue =
    previousState?.problem !== problem || requestEndedAtMs - previousState.storedAtMs >= REWRITE_INTERVAL_MS
  const storedAtMs = isRewriteDue ? requestEndedAtMs : previousState.storedAtMs
  getServerStates(deps).set(serverId, { problem, requestEndedAtMs, storedAtMs })
  if (!isRewriteDue) return
  const nowMs = deps.now()
  const stateColumns = problem
    ? { failed_at: nowMs, failure: problem }
    : { contacted_at: nowMs, failed_at: null, failure: null }
  // Playback does not need this write, so playback also works while the database cannot be written.
  await runOptionalWrite(() => upsertMediaServerState(deps.database.primary, serverId, stateColumns))
}

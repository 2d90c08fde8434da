/** Monitors the replication lag, so that the replica is used only while it is up to date. */
import { runEvery } from '../core/run-every.ts'
import type { ConnectionPool } from './postgres.ts'

const REPLICA_CHECK_INTERVAL_MS = 500
/** Time for which the replica counts as up to date after a successful check. */
const REPLICA_FRESHNESS_MS = 1_000
const WAL_QUERIES = {
  writtenPosition: 'select pg_current_wal_lsn()::text as position',
  hasReplayed: 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as has_replayed',
}

export interface ReplicaMonitor {
  /** True while the replica is at most about 1.5 s behind the primary. */
  isFresh(): boolean
  stop(): void
}

/**
 * Starts the monitor of a replica. Every 500 ms, the monitor checks whether the replica has replayed the WAL up to the
 * position that the previous check has read from the primary. Then the monitor reads the current WAL position of the
 * primary for the next check. If a server does not support these queries (for example a distributed database), the
 * replica never counts as fresh, and reads go to the primary.
 */
export function monitorReplica(primaryPool: ConnectionPool, replicaPool: ConnectionPool): ReplicaMonitor {
  let freshUntilMs = 0
  let lastWrittenPosition: string | null = null
  const checkReplica = async () => {
    try {
      if (lastWrittenPosition !== null) {
        const { rows } = await replicaPool.query<{ has_replayed: boolean | null }>(WAL_QUERIES.hasReplayed, [
          lastWrittenPosition,
        ])
        freshUntilMs = rows[0]?.has_replayed ? performance.now() + REPLICA_FRESHNESS_MS : 0
      }
      lastWrittenPosition =
        (await primaryPool.query<{ position: string }>(WAL_QUERIES.writtenPosition)).rows[0]?.position ?? null
    } catch {
      freshUntilMs = 0
      lastWrittenPosition = null
    }
  }
  const timer = runEvery(REPLICA_CHECK_INTERVAL_MS, checkReplica)
  timer.unref()
  return { isFresh: () => performance.now() < freshUntilMs, stop: () => clearInterval(timer) }
}

/**
 * Leases. Only one process of the installation can hold a lease at a time. Leases are stored in the database,
 * because Redis may lose data.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../db/database.ts'
import { acquireLease, releaseLease } from '../../queries/lease.ts'

const LEASE_DURATION_MS = 15_000
const POLL_INTERVAL_MS = 250
const holderId = randomUUID()

/**
 * Calls `runTask` while holding the lease `name`. Returns undefined when another process holds the lease. Calls for one
 * lease must not overlap in the same process, because all calls of a process have the same holder id.
 */
export async function runWithLease<T>(
  db: Db,
  name: string,
  runTask: () => Promise<T>,
): Promise<T | undefined> {
  const acquireOrRenewLease = () =>
    acquireLease(db, { name, holder: holderId, durationMs: LEASE_DURATION_MS })
  if (!(await acquireOrRenewLease())) return undefined
  const renewalTimer = setInterval(() => void acquireOrRenewLease().catch(() => {}), LEASE_DURATION_MS / 3)
  renewalTimer.unref()
  try {
    return await runTask()
  } finally {
    clearInterval(renewalTimer)
    await releaseLease(db, name, holderId).catch(() => {})
  }
}

/** Waits until no other process holds the lease, then calls `runTask` while holding the lease. */
export async function waitAndRunWithLease<T>(db: Db, name: string, runTask: () => Promise<T>): Promise<T> {
  for (;;) {
    const leaseResult = await runWithLease(db, name, async () => ({ value: await runTask() }))
    if (leaseResult) return leaseResult.value
    await pause(POLL_INTERVAL_MS)
  }
}

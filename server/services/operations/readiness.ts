import { setImmediate, setTimeout } from 'node:timers/promises'
import { toErrorFields } from '../../core/log.ts'
import { isDatabaseReachable } from '../../queries/health.ts'
import type { Deps } from '../deps.ts'
import { rescueMovedDatabase } from './rescue-database.ts'

/** Maximum time to wait for the database, because probes of orchestrators and proxies wait for a few seconds only. */
const CHECK_TIMEOUT_MS = 2_000

interface DatabaseCheck {
  startedAtMs: number
  isReachablePromise: Promise<boolean>
}
const runningChecksByDatabase = new WeakMap<Deps['database'], DatabaseCheck>()

/**
 * True while this process accepts requests: it is not stopping, and the database responds within `timeoutMs`. Anybody
 * may send many probes, so probes at the same time share one statement.
 */
export async function isReady(
  { database, isStopping }: Pick<Deps, 'database' | 'isStopping'>,
  timeoutMs = CHECK_TIMEOUT_MS,
): Promise<boolean> {
  if (isStopping()) return false
  const { isReachablePromise } = getOrStartDatabaseCheck(database, timeoutMs)
  // The timeout waits for one more turn of the event loop, so that a reply that arrived while this process was busy is
  // still read.
  const timeoutPromise = setTimeout(timeoutMs, undefined, { ref: false }).then(() => setImmediate(false))
  return Promise.race([isReachablePromise, timeoutPromise])
}

/** Returns the running check. Starts a new one if no check is running, or if the running check exceeds `timeoutMs`. */
function getOrStartDatabaseCheck(database: Deps['database'], timeoutMs: number): DatabaseCheck {
  const runningCheck = runningChecksByDatabase.get(database)
  if (runningCheck && performance.now() - runningCheck.startedAtMs < timeoutMs) return runningCheck
  const isReachablePromise = isDatabaseReachable(database.primary).finally(() => {
    if (runningChecksByDatabase.get(database) === newCheck) runningChecksByDatabase.delete(database)
  })
  const newCheck = { startedAtMs: performance.now(), isReachablePromise }
  runningChecksByDatabase.set(database, newCheck)
  return newCheck
}

/**
 * Returns `degraded` while the database can be read but not written, because its disk is full, fails or is
 * read-only.
 */
export function getStorageStatus({ database }: Pick<Deps, 'database'>): 'ok' | 'degraded' {
  return database.storage.getFault() ? 'degraded' : 'ok'
}

/**
 * Registers a function that logs once when writes begin to fail, with the cause, and once when they succeed again. If
 * the database file was deleted, moved or replaced, the function also saves the content of the database
 * (`rescueMovedDatabase`).
 */
export function logStorageFaults(deps: Deps): void {
  const { database, log } = deps
  database.storage.report = (fault) => {
    if (!fault) return log.info('the database can be written again')
    log.error('the database cannot be written', toErrorFields(fault))
    void rescueMovedDatabase(deps, fault)
  }
}

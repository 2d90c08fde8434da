/**
 * Runs the imports of a process one after another, because two imports that run in parallel would only slow down each
 * other.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { toErrorFields } from '../../core/log.ts'
import { countHistoryChanges } from '../../queries/history-change.ts'
import {
  type HistoryImportRun,
  transitionHistoryImport,
  updateHistoryImport,
} from '../../queries/history-import.ts'
import type { Deps } from '../deps.ts'
import { getImportFailureCode } from './dry-run.ts'

const HEARTBEAT_INTERVAL_MS = 15_000
/**
 * Delays of the retries when the failure of an import cannot be stored, for example while the database restarts. Until
 * the failure is stored, or the heartbeat of the import times out, the profile can start no other import.
 */
const STORE_RETRY_DELAYS_MS = [500, 2_000, 8_000, 15_000]
/**
 * The last import of the queue of each database. Tests that share a process have separate databases, so they do
 * not wait for each other.
 */
const lastImportPromisesByDatabase = new WeakMap<object, Promise<void>>()

/** Runs `runImport` after all earlier imports. Errors are stored on the import and never thrown. */
export function enqueueImport(
  deps: Deps,
  run: HistoryImportRun,
  runImport: () => Promise<void>,
): Promise<void> {
  const { primary } = deps.database
  const heartbeatTimer = setInterval(() => {
    void updateHistoryImport(primary, run.import_id, { heartbeat_at: deps.now() }).catch(() => {})
  }, HEARTBEAT_INTERVAL_MS)
  heartbeatTimer.unref()
  const previousImportPromise = lastImportPromisesByDatabase.get(deps.database) ?? Promise.resolve()
  const currentImportPromise = previousImportPromise.then(runImport).catch(async (error: unknown) => {
    deps.log.error('import failed', { import: run.import_id, ...toErrorFields(error) })
    await storeFailure(deps, run, error)
  })
  const settledImportPromise = currentImportPromise.finally(() => clearInterval(heartbeatTimer))
  lastImportPromisesByDatabase.set(deps.database, settledImportPromise)
  return settledImportPromise
}

/** Stores that an import has failed. Gives up after the last retry. */
async function storeFailure(deps: Deps, run: HistoryImportRun, error: unknown): Promise<void> {
  const { primary } = deps.database
  const { import_id: importId } = run
  const status = run.status === 'reading' ? 'failed' : 'applied'
  for (const delayMs of [0, ...STORE_RETRY_DELAYS_MS]) {
    await pause(delayMs, undefined, { ref: false })
    try {
      await transitionHistoryImport(primary, importId, [run.status], {
        status,
        message: getImportFailureCode(error),
        // The batches before the failure stay applied, or undone.
        changed: await countHistoryChanges(primary, importId),
      })
      return
    } catch {
      if (deps.isStopping()) return
    }
  }
}

/** Resolves when no import is running; for tests and the shutdown of the process. */
export async function waitForIdleQueue(database: object): Promise<void> {
  await lastImportPromisesByDatabase.get(database)
}

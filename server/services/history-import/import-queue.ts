/** Runs the imports of a process one after another, because running two in parallel would only slow down both. */

import { toErrorFields } from '../../core/log.ts'
import { type HistoryImportRun, updateHistoryImport } from '../../queries/history-import.ts'
import type { Deps } from '../deps.ts'
import { getImportFailureCode } from './dry-run.ts'

const HEARTBEAT_INTERVAL_MS = 15_000
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
  const previousImport = lastImportPromisesByDatabase.get(deps.database) ?? Promise.resolve()
  const currentImport = previousImport.then(runImport).catch(async (error: unknown) => {
    deps.log.error('import failed', { import: run.import_id, ...toErrorFields(error) })
    const status = run.status === 'reading' ? 'failed' : 'applied'
    await updateHistoryImport(primary, run.import_id, { status, message: getImportFailureCode(error) }).catch(
      () => {},
    )
  })
  const settledImport = currentImport.finally(() => clearInterval(heartbeatTimer))
  lastImportPromisesByDatabase.set(deps.database, settledImport)
  return settledImport
}

/** Resolves when no import is running; for tests and the shutdown of the process. */
export async function waitForIdleQueue(database: object): Promise<void> {
  await lastImportPromisesByDatabase.get(database)
}

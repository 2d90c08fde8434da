/** Runs the imports of a process one after another, because running two in parallel would only slow down both. */
import type { Deps } from '../../deps.ts'
import { errorFields } from '../../http/log.ts'
import { type ImportRow, updateImport } from '../../queries/history-import.ts'
import { failureOf } from './read.ts'

const HEARTBEAT_MS = 15_000
/** The end of the queue, per database, so that tests in one process do not wait for each other. */
const LAST_IMPORT = new WeakMap<object, Promise<void>>()

/** Runs `work` after all earlier imports. Errors are stored on the import and never thrown. */
export function queued(deps: Deps, run: ImportRow, work: () => Promise<void>): Promise<void> {
  const { primary } = deps.database
  const heartbeat = setInterval(() => {
    void updateImport(primary, run.import_id, { heartbeat_at: deps.now() }).catch(() => {})
  }, HEARTBEAT_MS)
  heartbeat.unref()
  const previous = LAST_IMPORT.get(deps.database) ?? Promise.resolve()
  const current = previous.then(work).catch(async (error: unknown) => {
    deps.log.error('import failed', { import: run.import_id, ...errorFields(error) })
    const status = run.status === 'reading' ? 'failed' : 'applied'
    await updateImport(primary, run.import_id, { status, message: failureOf(error) }).catch(() => {})
  })
  const settled = current.finally(() => clearInterval(heartbeat))
  LAST_IMPORT.set(deps.database, settled)
  return settled
}

/** Resolves when no import is running; for tests and the shutdown of the process. */
export async function idle(database: object): Promise<void> {
  await LAST_IMPORT.get(database)
}

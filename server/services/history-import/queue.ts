/** Imports of a process go one after another: two at once would only make both slower. */
import type { Deps } from '../../deps.ts'
import { errorFields } from '../../http/log.ts'
import { type ImportRow, updateImport } from '../../queries/history-import.ts'
import { failureOf } from './read.ts'

const HEARTBEAT_MS = 15_000
/** Per database, so that tests in one process do not wait for one another. */
const LAST = new WeakMap<object, Promise<void>>()

/** Runs when everything before it has ended; a failure is noted on the run, never thrown. */
export function queued(deps: Deps, run: ImportRow, work: () => Promise<void>): Promise<void> {
  const { primary } = deps.database
  const beat = setInterval(() => {
    void updateImport(primary, run.import_id, { heartbeat_at: deps.now() }).catch(() => {})
  }, HEARTBEAT_MS)
  beat.unref()
  const before = LAST.get(deps.database) ?? Promise.resolve()
  const mine = before.then(work).catch(async (error: unknown) => {
    deps.log.error('import failed', { import: run.import_id, ...errorFields(error) })
    const status = run.status === 'reading' ? 'failed' : 'applied'
    await updateImport(primary, run.import_id, { status, message: failureOf(error) }).catch(() => {})
  })
  const ended = mine.finally(() => clearInterval(beat))
  LAST.set(deps.database, ended)
  return ended
}

/** For tests and the end of the process: when nothing is underway any more. */
export async function idle(database: object): Promise<void> {
  await LAST.get(database)
}

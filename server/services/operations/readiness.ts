import { toErrorFields } from '../../core/log.ts'
import { isDatabaseReachable } from '../../queries/health.ts'
import type { Deps } from '../deps.ts'

/** True while this process accepts requests: it is not stopping, and the database responds. */
export async function isReady({
  database,
  isStopping,
}: Pick<Deps, 'database' | 'isStopping'>): Promise<boolean> {
  return !isStopping() && (await isDatabaseReachable(database.primary))
}

/**
 * Returns `degraded` while the database can be read but not written, because its disk is full, fails or is
 * read-only.
 */
export function getStorageStatus({ database }: Pick<Deps, 'database'>): 'ok' | 'degraded' {
  return database.storage.getFault() ? 'degraded' : 'ok'
}

/** Logs once when writes begin to fail, with the cause, and once when they succeed again. */
export function logStorageFaults({ database, log }: Pick<Deps, 'database' | 'log'>): void {
  database.storage.report = (fault) => {
    if (fault) log.error('the database cannot be written', toErrorFields(fault))
    else log.info('the database can be written again')
  }
}

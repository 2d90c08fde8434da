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

/** Returns `degraded` while reads work and writes fail, because the disk is full, fails or is read-only. */
export function getStorageStatus({ database }: Pick<Deps, 'database'>): 'ok' | 'degraded' {
  return database.storage.getFault() ? 'degraded' : 'ok'
}

/** Logs the cause once when writes begin to fail, and when they succeed again. */
export function logStorageFaults({ database, log }: Pick<Deps, 'database' | 'log'>): void {
  database.storage.report = (fault) => {
    if (fault) log.error('the database cannot be written', toErrorFields(fault))
    else log.info('the database can be written again')
  }
}

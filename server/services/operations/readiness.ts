import { isDatabaseReachable } from '../../queries/health.ts'
import type { Deps } from '../deps.ts'

/** True while this process accepts requests: it is not stopping, and the database responds. */
export async function isReady({
  database,
  isStopping,
}: Pick<Deps, 'database' | 'isStopping'>): Promise<boolean> {
  return !isStopping() && (await isDatabaseReachable(database.primary))
}

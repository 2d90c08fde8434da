import { isDatabaseReachable } from '../../queries/health.ts'
import type { Deps } from '../deps.ts'

/** True while this process accepts work: it is not stopping, and its database answers. */
export async function isReady({
  database,
  isStopping,
}: Pick<Deps, 'database' | 'isStopping'>): Promise<boolean> {
  return !isStopping() && (await isDatabaseReachable(database.primary))
}

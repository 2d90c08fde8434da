/** Purging caches and building the search index anew. */
import { fold } from '../../src/lib/rules/fold.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { purgeZone } from '../providers/cloudflare.ts'
import { countNames, refoldNames } from '../queries/search-sync.ts'
import { type Progress, start } from './jobs.ts'
import type { By } from './profiles.ts'

const BATCH = 2_000

export function purgeCloudflare(by: By) {
  const { cloudflare } = by.deps.config
  if (!cloudflare) {
    throw new Problem('conflict', {
      message: 'Cloudflare is not configured: set CLOUDFLARE_ZONE_ID and CLOUDFLARE_API_TOKEN.',
    })
  }
  return start(by, 'cloudflare_purge', async () => {
    await purgeZone(cloudflare)
    return null
  })
}

export function purgeRedis(by: By): never {
  throw new Problem('conflict', {
    message: by.deps.config.redisUrl ? 'Redis does not answer.' : 'Redis is not configured: set REDIS_URL.',
  })
}

export function syncSearch(by: By) {
  return start(by, 'search_sync', sync)
}

/** Folds every stored name again, in batches, each a transaction of its own. */
async function sync({ database }: Deps, progress: Progress): Promise<string> {
  const total = await countNames(database.primary)
  let done = 0
  for (const table of ['title_name', 'person_name'] as const) {
    for (let after = 0; ; ) {
      const batch = await refoldNames(database.primary, { table, after, limit: BATCH, fold })
      if (batch.last === null) break
      after = batch.last
      done += batch.rows
      await progress(done, total)
    }
  }
  return String(done)
}

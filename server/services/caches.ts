/** Purging caches and building the search index anew. */
import { Problem } from '../problem.ts'
import { purgeZone } from '../providers/cloudflare.ts'
import { start } from './jobs.ts'
import type { By } from './profiles.ts'

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
  return start(by, 'search_sync', async ({ searchIndex }, progress) =>
    String(await searchIndex.rebuild(progress)),
  )
}

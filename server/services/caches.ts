/** Purging caches and building the search index anew. */
import { Problem } from '../problem.ts'
import { purgeZone } from '../providers/cloudflare.ts'
import { type JobContext, JobFailure } from './job-queue.ts'
import { start } from './jobs.ts'
import type { By } from './profiles.ts'

export function purgeCloudflare(by: By) {
  if (!by.deps.config.cloudflare) {
    throw new Problem('conflict', {
      message: 'Cloudflare is not configured: set CLOUDFLARE_ZONE_ID and CLOUDFLARE_API_TOKEN.',
      errors: { cache: ['not_configured'] },
    })
  }
  return start(by, 'cloudflare_purge')
}

export async function purgeCloudflareWork({ deps, signal }: JobContext) {
  const { cloudflare } = deps.config
  if (!cloudflare) throw new JobFailure('not_configured')
  await purgeZone(cloudflare, { signal })
  return undefined
}

export function purgeRedis(by: By) {
  if (!by.deps.config.redisUrl) {
    throw new Problem('conflict', {
      message: 'Redis is not configured: set REDIS_URL.',
      errors: { cache: ['not_configured'] },
    })
  }
  return start(by, 'redis_purge')
}

export async function purgeRedisWork({ deps }: JobContext) {
  if (!(await deps.cache.clear())) throw new JobFailure('redis_away')
  return undefined
}

export function syncSearch(by: By) {
  return start(by, 'search_sync')
}

export async function syncSearchWork({ deps, progress, signal }: JobContext) {
  const count = await deps.searchIndex.rebuild(async (done, total) => {
    signal.throwIfAborted()
    await progress(done, total)
  })
  return { message: String(count) }
}

/** Jobs that purge external caches and rebuild the search index. */
import { Problem } from '../problem.ts'
import { purgeZone } from '../providers/cloudflare.ts'
import type { RequestContext } from './context.ts'
import { type JobContext, JobFailure } from './job-queue.ts'
import { start } from './jobs.ts'

export function purgeCloudflare(context: RequestContext) {
  if (!context.deps.config.cloudflare) {
    throw new Problem('conflict', {
      message: 'Cloudflare is not configured: set CLOUDFLARE_ZONE_ID and CLOUDFLARE_API_TOKEN.',
      errors: { cache: ['not_configured'] },
    })
  }
  return start(context, 'cloudflare_purge')
}

export async function purgeCloudflareWork({ deps, signal }: JobContext) {
  const { cloudflare } = deps.config
  if (!cloudflare) throw new JobFailure('not_configured')
  await purgeZone(cloudflare, { signal })
  return undefined
}

export function purgeRedis(context: RequestContext) {
  if (!context.deps.config.redisUrl) {
    throw new Problem('conflict', {
      message: 'Redis is not configured: set REDIS_URL.',
      errors: { cache: ['not_configured'] },
    })
  }
  return start(context, 'redis_purge')
}

export async function purgeRedisWork({ deps }: JobContext) {
  if (!(await deps.cache.clear())) throw new JobFailure('redis_away')
  return undefined
}

export function syncSearch(context: RequestContext) {
  return start(context, 'search_sync')
}

export async function syncSearchWork({ deps, progress, signal }: JobContext) {
  const count = await deps.searchIndex.rebuild(async (done, total) => {
    signal.throwIfAborted()
    await progress(done, total)
  })
  return { message: String(count) }
}

/** Starts and runs the jobs that purge external caches, and the job that rebuilds the search index. */
import { Problem } from '../../core/problem.ts'
import { purgeCloudflareZone } from '../../providers/cloudflare.ts'
import type { RequestContext } from '../context.ts'
import { type JobContext, JobFailure } from '../jobs/job-queue.ts'
import { startJob } from '../jobs/jobs.ts'

export function startCloudflarePurge(context: RequestContext) {
  if (!context.deps.config.cloudflare) {
    throw new Problem('conflict', {
      message: 'Cloudflare is not configured: set CLOUDFLARE_ZONE_ID and CLOUDFLARE_API_TOKEN.',
      errors: { cache: ['not_configured'] },
    })
  }
  return startJob(context, 'cloudflare_purge')
}

export async function runCloudflarePurge({ deps, signal }: JobContext) {
  const { cloudflare } = deps.config
  if (!cloudflare) throw new JobFailure('not_configured')
  await purgeCloudflareZone(cloudflare, { signal })
  return undefined
}

export function startRedisPurge(context: RequestContext) {
  if (!context.deps.config.redisUrl) {
    throw new Problem('conflict', {
      message: 'Redis is not configured: set REDIS_URL.',
      errors: { cache: ['not_configured'] },
    })
  }
  return startJob(context, 'redis_purge')
}

export async function runRedisPurge({ deps }: JobContext) {
  if (!(await deps.cache.clear())) throw new JobFailure('redis_away')
  return undefined
}

export function startSearchRebuild(context: RequestContext) {
  return startJob(context, 'search_sync')
}

export async function runSearchRebuild({ deps, reportProgress, signal }: JobContext) {
  const documentCount = await deps.searchIndex.rebuildOnAllMachines({ reportProgress, signal })
  return { message: String(documentCount) }
}

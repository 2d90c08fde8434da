/** The handler of each job kind. Kinds are stored in the database: one process may queue a job that another one runs. */
import { makeBackup } from './backups.ts'
import { purgeCloudflareWork, purgeRedisWork, syncSearchWork } from './caches.ts'
import { housekeeping } from './housekeeping.ts'
import { IMPORT_JOBS } from './imports.ts'
import type { Work } from './job-queue.ts'
import { purgeDeleted } from './publishing.ts'

export const JOB_KINDS: Readonly<Record<string, Work>> = {
  backup: makeBackup,
  cloudflare_purge: purgeCloudflareWork,
  redis_purge: purgeRedisWork,
  housekeeping,
  search_sync: syncSearchWork,
  title_purge: purgeDeleted,
  ...IMPORT_JOBS,
}

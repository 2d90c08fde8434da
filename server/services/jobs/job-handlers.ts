/**
 * The handler of each job kind. The database stores the kind of a job, because one process may queue a job that
 * another process runs.
 */

import { runTitlePurge } from '../catalogue/publishing.ts'
import { ADD_TITLES_JOB, runAddTitles } from '../library/add-titles-job.ts'
import { runLibraryScan } from '../library/library-jobs.ts'
import { runMediaServerSync } from '../media-servers/sync-media-servers.ts'
import { runBackup } from '../operations/backups.ts'
import { runCloudflarePurge, runRedisPurge, runSearchRebuild } from '../operations/caches.ts'
import { IMPORT_JOB_HANDLERS } from '../operations/imports.ts'
import { runIntegrityCheck } from '../operations/integrity.ts'
import { runMaintenance } from '../operations/maintenance.ts'
import { runSeekThumbnails } from '../playback/seek-thumbnails-job.ts'
import type { JobHandler } from './job-queue.ts'

export const JOB_HANDLERS: Readonly<Record<string, JobHandler>> = {
  backup: runBackup,
  cloudflare_purge: runCloudflarePurge,
  redis_purge: runRedisPurge,
  housekeeping: runMaintenance,
  [ADD_TITLES_JOB]: runAddTitles,
  library_scan: runLibraryScan,
  integrity_check: runIntegrityCheck,
  media_server_sync: runMediaServerSync,
  search_sync: runSearchRebuild,
  seek_thumbnails: runSeekThumbnails,
  title_purge: runTitlePurge,
  ...IMPORT_JOB_HANDLERS,
}

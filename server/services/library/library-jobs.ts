/** Jobs of the media folder that an administrator starts: the scan, and adding titles for files without a title. */
import { Problem } from '../../core/problem.ts'
import type { RequestContext } from '../context.ts'
import { type JobContext, JobFailure } from '../jobs/job-queue.ts'
import { startJob } from '../jobs/jobs.ts'
import { ADD_TITLES_JOB } from './add-titles-job.ts'
import { getLibrarySync } from './library-sync.ts'

export const startLibraryScan = (context: RequestContext) => startLibraryJob(context, 'library_scan')
export const startAddTitles = (context: RequestContext) => startLibraryJob(context, ADD_TITLES_JOB)

function startLibraryJob(context: RequestContext, kind: string) {
  if (!context.deps.streamSources.library)
    throw new Problem('conflict', {
      message: 'No media folder is configured: set MEDIA_DIR.',
      errors: { library: ['not_configured'] },
    })
  return startJob(context, kind)
}

/** Job handler: scans the media folder. */
export async function runLibraryScan({ deps, reportProgress, signal }: JobContext) {
  const librarySync = getLibrarySync(deps)
  if (!librarySync) throw new JobFailure('not_configured')
  const reportScanProgress = async (doneCount: number, totalCount: number) => {
    signal.throwIfAborted()
    await reportProgress(doneCount, totalCount)
  }
  const syncReport = await librarySync.scan(reportScanProgress).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES' || error.code === 'ENOTDIR')
      throw new JobFailure('folder_unreadable')
    throw error
  })
  return { report: { ...syncReport } }
}

/** Loads the overview of the dashboard: counts, activity, storage, health and warnings. */

import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backup } from '../../../src/lib/contract/admin-backups.ts'
import type { DashboardOverview, DashboardWarning } from '../../../src/lib/contract/admin-overview.ts'
import { isPlainHttp } from '../../core/config.ts'
import { isDatabaseUnavailable } from '../../core/database-unavailable.ts'
import { DAY_MS, isOlderThan, toIsoDate, toIsoTime } from '../../core/dates.ts'
import { getEventLoopDelayMs } from '../../core/process-metrics.ts'
import { SEARCH_FILE_NAME } from '../../db/search-file.ts'
import { selectCatalogueStateTag } from '../../queries/browse.ts'
import {
  selectCatalogueCounts,
  selectDatabaseSizeBytes,
  selectFirstAccountTimeMs,
  selectNewAccountsPerDay,
  selectPlaybackStartsPerDay,
  selectUserCounts,
} from '../../queries/dashboard.ts'
import { countFailedJobs, selectUnfinishedJobs } from '../../queries/job.ts'
import { checkFirstSignInFile } from '../auth/first-password.ts'
import type { Deps } from '../deps.ts'
import { toJob } from '../jobs/jobs.ts'
import { getLastAuditChainCheck, verifyAuditChain } from './audit.ts'
import { withFolderTimeout } from './backup-folder.ts'
import { findNewestBackup, getBackupFolderPath } from './backups.ts'
import { isDatabaseKnownDamaged } from './integrity.ts'

const ACTIVITY_DAYS = 30
const FOLDER_SIZE_CACHE_MS = 60_000
/** A warning is shown when the free disk space is below both of these limits. */
const MIN_FREE_DISK_SHARE = 0.05
const MIN_FREE_DISK_BYTES = 2 * 1024 ** 3
const APP_VERSION = (
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

export async function loadOverview(deps: Deps): Promise<DashboardOverview> {
  const { reader, primary } = deps.database
  const backups = await loadBackupState(deps)
  const [people, titles, activity, storage, jobs, failedJobCount, audit] = [
    await selectUserCounts(reader, deps.now()),
    await loadCatalogueCounts(deps),
    await loadActivity(deps),
    await loadStorage(deps, backups.sizeBytes),
    await selectUnfinishedJobs(primary),
    await countFailedJobs(primary, deps.now() - DAY_MS),
    await loadAuditStatus(deps),
  ]
  const { newestBackup } = backups
  const warningFacts = { storage, audit, failedJobCount, backups }
  return {
    people,
    titles,
    activity,
    storage,
    jobs: jobs.map(toJob),
    health: describeHealth(deps),
    audit,
    last_backup: newestBackup
      ? { id: newestBackup.id, created_at: newestBackup.created_at, bytes: newestBackup.bytes }
      : null,
    warnings: await loadWarnings(deps, warningFacts),
  }
}

interface CachedCatalogueCounts {
  catalogueState: string
  counts: Awaited<ReturnType<typeof selectCatalogueCounts>>
}
const cachedCountsByDatabase = new WeakMap<Deps['database'], CachedCatalogueCounts>()

/** Returns the catalogue counts, cached until the catalogue changes. */
async function loadCatalogueCounts({ database }: Deps) {
  const catalogueState = await selectCatalogueStateTag(database.primary)
  const cachedCounts = cachedCountsByDatabase.get(database)
  if (cachedCounts?.catalogueState === catalogueState) return cachedCounts.counts
  const catalogueCounts = await selectCatalogueCounts(database.reader)
  cachedCountsByDatabase.set(database, { catalogueState, counts: catalogueCounts })
  return catalogueCounts
}

async function loadActivity(deps: Deps): Promise<DashboardOverview['activity']> {
  const currentDayNumber = Math.floor(deps.now() / DAY_MS)
  const firstDayNumber = currentDayNumber - ACTIVITY_DAYS + 1
  const playCountsByDate = await selectPlaybackStartsPerDay(
    deps.database.reader,
    toIsoDate(firstDayNumber * DAY_MS),
  )
  const newAccountCountsByDay = await selectNewAccountsPerDay(deps.database.reader, firstDayNumber * DAY_MS)
  return Array.from({ length: ACTIVITY_DAYS }, (_, index) => {
    const date = toIsoDate((firstDayNumber + index) * DAY_MS)
    return {
      date,
      plays: playCountsByDate.get(date) ?? 0,
      new_people: newAccountCountsByDay.get(firstDayNumber + index) ?? 0,
    }
  })
}

const getFileSizeBytes = (filePath: string) => statSync(filePath, { throwIfNoEntry: false })?.size ?? 0

interface BackupState {
  newestBackup: Backup | undefined
  /** Size of all backups in bytes; null when the folder cannot be read or does not respond. */
  sizeBytes: number | null
}

/**
 * Returns the newest backup and the size of all backups. While the folder of backups cannot be read or does not
 * respond, the newest backup is undefined and the size is null. No error is thrown, because the overview must load and
 * show what is wrong with the server.
 */
async function loadBackupState(deps: Deps): Promise<BackupState> {
  const folderPath = getBackupFolderPath(deps)
  try {
    const newestBackup = await findNewestBackup(deps)
    return {
      newestBackup,
      sizeBytes: await withFolderTimeout(folderPath, () => measureFolderSize(folderPath)),
    }
  } catch {
    return { newestBackup: undefined, sizeBytes: null }
  }
}

async function loadStorage(deps: Deps, backupBytes: number | null): Promise<DashboardOverview['storage']> {
  const { config, database } = deps
  const { file: databaseFile } = database
  const fileBytes = databaseFile
    ? getFileSizeBytes(databaseFile) + getFileSizeBytes(`${databaseFile}-wal`)
    : 0
  const diskStats = existsSync(config.dataDir) ? statfsSync(config.dataDir) : null
  return {
    database: (await selectDatabaseSizeBytes(database.primary)) ?? fileBytes,
    search_index: statSync(join(config.dataDir, SEARCH_FILE_NAME), { throwIfNoEntry: false })?.size ?? null,
    images: await measureFolderSize(join(config.dataDir, 'images')),
    backups: backupBytes,
    disk_free: diskStats ? diskStats.bavail * diskStats.bsize : null,
    disk_total: diskStats ? diskStats.blocks * diskStats.bsize : null,
  }
}

const sizesByFolder = new Map<string, { measuredAtMs: number; sizeBytes: number }>()

/**
 * Returns the total size of the files in a folder in bytes; 0 when the folder does not exist. Results are
 * cached for FOLDER_SIZE_CACHE_MS.
 */
async function measureFolderSize(folderPath: string): Promise<number> {
  const cachedSize = sizesByFolder.get(folderPath)
  if (cachedSize && performance.now() - cachedSize.measuredAtMs < FOLDER_SIZE_CACHE_MS)
    return cachedSize.sizeBytes
  let sizeBytes = 0
  const folderEntries = await readdir(folderPath, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const folderEntry of folderEntries) {
    if (folderEntry.isFile())
      sizeBytes += (await stat(join(folderEntry.parentPath, folderEntry.name)).catch(() => null))?.size ?? 0
  }
  sizesByFolder.set(folderPath, { measuredAtMs: performance.now(), sizeBytes })
  return sizeBytes
}

function describeHealth({ config, database }: Deps): DashboardOverview['health'] {
  return {
    version: APP_VERSION,
    database: database.kind,
    uptime_seconds: Math.round(process.uptime()),
    memory_bytes: process.memoryUsage.rss(),
    event_loop_ms: getEventLoopDelayMs(),
    mail: config.smtpUrl !== undefined,
    cloudflare: config.cloudflare !== undefined,
    redis: config.redisUrl !== undefined,
    tmdb: config.tmdbApiToken !== undefined,
    metrics: config.metricsToken !== undefined,
  }
}

/**
 * Verifies the audit events since the last check and returns the result. The first check covers the whole log
 * and runs in the background; its result is not returned.
 * Returns the last result while the database is unavailable, for example on a read-only disk, because the
 * check must lock the log.
 */
async function loadAuditStatus(deps: Deps): Promise<DashboardOverview['audit']> {
  const lastCheck = getLastAuditChainCheck(deps.database)
  if (!lastCheck) {
    void verifyAuditChain(deps, { fromStart: true }).catch(() => {})
    return { verified: null, events: null, checked_at: null }
  }
  const checkPromise = verifyAuditChain(deps, { fromStart: false }).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) return lastCheck
    throw error
  })
  const { verified, eventCount, checkedAtMs } = await checkPromise
  return { verified, events: eventCount, checked_at: toIsoTime(checkedAtMs) }
}

interface WarningFacts {
  storage: DashboardOverview['storage']
  audit: DashboardOverview['audit']
  failedJobCount: number
  backups: BackupState
}

async function loadWarnings(
  deps: Deps,
  { storage, audit, failedJobCount, backups }: WarningFacts,
): Promise<DashboardWarning[]> {
  const { config, database } = deps
  const { newestBackup, sizeBytes: backupBytes } = backups
  const withoutBackupSinceMs = newestBackup
    ? Date.parse(newestBackup.created_at)
    : ((await selectFirstAccountTimeMs(database.reader)) ?? deps.now())
  const { disk_free: freeBytes, disk_total: totalBytes } = storage
  const warnings: [DashboardWarning, boolean][] = [
    ['plain_http', isPlainHttp(config.publicUrl)],
    ['backups_unreadable', backupBytes === null],
    ['no_recent_backup', backupBytes !== null && isOlderThan(withoutBackupSinceMs, 7 * DAY_MS, deps.now())],
    [
      'disk_nearly_full',
      freeBytes !== null &&
        totalBytes !== null &&
        freeBytes < MIN_FREE_DISK_BYTES &&
        freeBytes < totalBytes * MIN_FREE_DISK_SHARE,
    ],
    ['database_damaged', await isDatabaseKnownDamaged(deps)],
    ['media_unreadable', await isMediaUnreadable(deps)],
    ['storage_fault', database.storage.getFault() !== null],
    ['audit_broken', audit.verified === false],
    ['job_failed', failedJobCount > 0],
    ['first_password', await checkFirstSignInFile(deps)],
  ]
  return warnings.filter(([, isActive]) => isActive).map(([name]) => name)
}

/** True when the media folder as a whole cannot be read, is empty or does not respond. */
async function isMediaUnreadable({ config, streamSources }: Deps): Promise<boolean> {
  const { library } = streamSources
  if (!library) return false
  const unreadableFolders = await withFolderTimeout(
    config.mediaDir ?? '',
    library.findUnreadableFolders,
  ).catch(() => [''])
  return unreadableFolders.includes('')
}

/** The service at a glance. */
import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Overview, Warning } from '../../src/lib/contract/admin-overview.ts'
import { SEARCH_FILE } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { hasFirstSignIn } from '../providers/first-sign-in.ts'
import { lastChange } from '../queries/browse.ts'
import { countFailed, openJobs } from '../queries/job.ts'
import {
  catalogueCounts,
  databaseSize,
  firstAccount,
  newAccounts,
  peopleCounts,
  playsPerDay,
} from '../queries/overview.ts'
import { lastVerdict, verify } from './audit.ts'
import { backups, folderOf } from './backups.ts'
import { jobOf } from './jobs.ts'
import { eventLoopMs } from './metrics.ts'

const DAY_MS = 86_400_000
const DAYS = 30
const FOLDER_MS = 60_000
/** Below both of these, a warning. */
const FREE_SHARE = 0.05
const FREE_BYTES = 2 * 1024 ** 3
const LOCAL = ['127.0.0.1', 'localhost', '[::1]']
const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

export async function overview(deps: Deps): Promise<Overview> {
  const { reader, primary } = deps.database
  const [people, titles, activity, storage, jobs, failed, audit] = [
    await peopleCounts(reader, deps.now()),
    await catalogue(deps),
    await activityOf(deps),
    await storageOf(deps),
    await openJobs(primary),
    await countFailed(primary, deps.now() - DAY_MS),
    await auditOf(deps),
  ]
  const [newest] = backups(deps)
  const facts = { storage, audit, failed, newest: newest ? Date.parse(newest.created_at) : null }
  return {
    people,
    titles,
    activity,
    storage,
    jobs: jobs.map(jobOf),
    health: health(deps),
    audit,
    last_backup: newest ? { id: newest.id, created_at: newest.created_at, bytes: newest.bytes } : null,
    warnings: await warningsOf(deps, facts),
  }
}

interface Counted {
  change: number
  counts: Awaited<ReturnType<typeof catalogueCounts>>
}
const counted = new WeakMap<Deps['database'], Counted>()

/** Counted anew only after the catalogue changed. */
async function catalogue({ database }: Deps) {
  const change = await lastChange(database.primary)
  const known = counted.get(database)
  if (known?.change === change) return known.counts
  const counts = await catalogueCounts(database.reader)
  counted.set(database, { change, counts })
  return counts
}

async function activityOf(deps: Deps): Promise<Overview['activity']> {
  const today = Math.floor(deps.now() / DAY_MS)
  const first = today - DAYS + 1
  const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)
  const plays = await playsPerDay(deps.database.reader, dateOf(first))
  const people = await newAccounts(deps.database.reader, first * DAY_MS)
  return Array.from({ length: DAYS }, (_, at) => {
    const date = dateOf(first + at)
    return { date, plays: plays.get(date) ?? 0, new_people: people.get(first + at) ?? 0 }
  })
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

async function storageOf(deps: Deps): Promise<Overview['storage']> {
  const { config, database } = deps
  const { file } = database
  const ofFile = file ? sizeOf(file) + sizeOf(`${file}-wal`) : 0
  const disk = existsSync(config.dataDir) ? statfsSync(config.dataDir) : null
  return {
    database: (await databaseSize(database.primary)) ?? ofFile,
    search_index: file ? sizeOf(join(dirname(file), SEARCH_FILE)) : null,
    images: await folderSize(join(config.dataDir, 'images')),
    backups: await folderSize(folderOf(deps)),
    disk_free: disk ? disk.bavail * disk.bsize : null,
    disk_total: disk ? disk.blocks * disk.bsize : null,
  }
}

const folders = new Map<string, { at: number; bytes: number }>()

/** Bytes of everything in a folder, at most a minute old; 0 where there is none. */
async function folderSize(folder: string): Promise<number> {
  const known = folders.get(folder)
  if (known && performance.now() - known.at < FOLDER_MS) return known.bytes
  let bytes = 0
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0
  }
  folders.set(folder, { at: performance.now(), bytes })
  return bytes
}

function health({ config, database }: Deps): Overview['health'] {
  return {
    version: VERSION,
    database: database.kind,
    uptime_seconds: Math.round(process.uptime()),
    memory_bytes: process.memoryUsage.rss(),
    event_loop_ms: eventLoopMs(),
    mail: config.smtpUrl !== undefined,
    cloudflare: config.cloudflare !== undefined,
    redis: config.redisUrl !== undefined,
    tmdb: config.tmdbApiToken !== undefined,
    metrics: config.metricsToken !== undefined,
  }
}

/** What was added since the last check is checked now; the first check, of everything, goes on behind. */
async function auditOf(deps: Deps): Promise<Overview['audit']> {
  if (!lastVerdict(deps.database)) {
    void verify(deps, { whole: true }).catch(() => {})
    return { verified: null, events: 0, checked_at: null }
  }
  const { verified, events, checkedAt } = await verify(deps, { whole: false })
  return { verified, events, checked_at: new Date(checkedAt).toISOString() }
}

interface Facts {
  storage: Overview['storage']
  audit: Overview['audit']
  failed: number
  newest: number | null
}

async function warningsOf(deps: Deps, { storage, audit, failed, newest }: Facts): Promise<Warning[]> {
  const { config, database } = deps
  const since = newest ?? (await firstAccount(database.reader)) ?? deps.now()
  const { disk_free: free, disk_total: all } = storage
  const warnings: [Warning, boolean][] = [
    ['plain_http', config.publicUrl.protocol === 'http:' && !LOCAL.includes(config.publicUrl.hostname)],
    ['no_recent_backup', deps.now() - since > 7 * DAY_MS],
    ['disk_nearly_full', free !== null && all !== null && free < FREE_BYTES && free < all * FREE_SHARE],
    ['audit_broken', audit.verified === false],
    ['job_failed', failed > 0],
    ['first_password', hasFirstSignIn(config.dataDir)],
  ]
  return warnings.filter(([, holds]) => holds).map(([name]) => name)
}

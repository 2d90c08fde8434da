/** Backups in `DATA_DIR/backups`: a copy each, and beside it a small JSON that says what it holds. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Backup } from '../../src/lib/contract/admin-backups.ts'
import { BACKUPS, backupName, writeBackup } from '../db/backup.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { checkDump, dumpPostgres, hasTool } from '../providers/pg-dump.ts'
import { insertBackupLink, takeBackupLink } from '../queries/backup-link.ts'
import { lastOfKind } from '../queries/job.ts'
import { audit, ITSELF } from './audit.ts'
import { type JobContext, JobFailure } from './job-queue.ts'
import { start } from './jobs.ts'
import type { By } from './profiles.ts'
import { digest, randomToken } from './secret.ts'
import { settingValue } from './settings.ts'

const NAME = /^marquee-(\d{8}T\d{9}Z)-(manual|schedule|migration)\.(db|dump)$/
const LINK_MS = 60_000
const HOUR_MS = 3_600_000
/** Between a failed scheduled backup and the next try. */
const RETRY_MS = HOUR_MS

export const folderOf = ({ config }: Pick<Deps, 'config'>) => join(config.dataDir, BACKUPS)

function methodOf({ database }: Deps): 'sqlite' | 'pg_dump' | null {
  if (database.kind === 'postgres') return hasTool('pg_dump') && hasTool('pg_restore') ? 'pg_dump' : null
  return database.file ? 'sqlite' : null
}

/** Newest first. */
export function backups(deps: Pick<Deps, 'config'>): Backup[] {
  const folder = folderOf(deps)
  if (!existsSync(folder)) return []
  const found = readdirSync(folder).flatMap((file): Backup[] => {
    const [, stamp = '', reason] = NAME.exec(file) ?? []
    if (!reason) return []
    return [
      {
        id: file.replace(/\.\w+$/, ''),
        file,
        created_at: readStamp(stamp),
        bytes: statSync(join(folder, file)).size,
        reason: reason as Backup['reason'],
        counts: countsOf(join(folder, file)),
      },
    ]
  })
  return found.sort((a, b) => (a.id < b.id ? 1 : -1))
}

function readStamp(stamp: string): string {
  return stamp.replace(/^(....)(..)(..)T(..)(..)(..)(...)Z$/, '$1-$2-$3T$4:$5:$6.$7Z')
}

function countsOf(file: string): Backup['counts'] {
  try {
    return JSON.parse(readFileSync(`${file}.json`, 'utf8')) as Backup['counts']
  } catch {
    return null
  }
}

function find(deps: Pick<Deps, 'config'>, id: string): Backup {
  const found = backups(deps).find((one) => one.id === id)
  if (!found) throw new Problem('not_found')
  return found
}

export async function list({ deps }: Pick<By, 'deps'>) {
  const next = await nextAt(deps)
  return {
    results: backups(deps),
    method: methodOf(deps),
    folder: folderOf(deps),
    next_at: next === null ? null : new Date(Math.max(next, deps.now())).toISOString(),
  }
}

/** Null while the schedule is off, or there is no way to make one. */
async function nextAt(deps: Deps): Promise<number | null> {
  const hours = await settingValue(deps.database.primary, 'backup_every_hours')
  if (hours === 0 || methodOf(deps) === null) return null
  const [newest] = backups(deps)
  const tried = await lastOfKind(deps.database.primary, 'backup')
  const retry = tried?.status === 'failed' ? tried.created_at + RETRY_MS : 0
  return Math.max(newest ? Date.parse(newest.created_at) + hours * HOUR_MS : 0, retry)
}

export async function backupIsDue(deps: Deps): Promise<boolean> {
  const next = await nextAt(deps)
  return next !== null && next <= deps.now()
}

/** Throws 409 where there is no way to make one. */
export function make(by: By) {
  if (methodOf(by.deps) === null) {
    throw new Problem('conflict', {
      message: 'Backups need pg_dump and pg_restore on the PATH.',
      errors: { backup: ['no_tool'] },
    })
  }
  return start(by, 'backup', { reason: 'manual' })
}

/** The job: writes, checks, then lets old scheduled ones go. */
export async function makeBackup({ deps, input, signal, progress }: JobContext) {
  const reason = input['reason'] === 'schedule' ? 'schedule' : 'manual'
  const folder = folderOf(deps)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const name = backupName(deps.now(), reason)
  const { database, config } = deps
  let file: string
  let counts: Backup['counts'] = null
  if (database.file) {
    refuseFullDisk(folder, statSync(database.file).size)
    file = join(folder, `${name}.db`)
    let pages = 0
    counts = await writeBackup(database.file, file, (done, total) => {
      pages = total
      void progress(done, total).catch(() => {})
    })
    await progress(pages, pages)
  } else {
    file = join(folder, `${name}.dump`)
    await dumpPostgres(config.databaseUrl ?? '', file, signal)
    await checkDump(file).catch((error: unknown) => {
      rmSync(file, { force: true })
      throw error
    })
  }
  await database.primary
    .transaction()
    .execute((trx) =>
      audit(trx, { now: deps.now(), request: ITSELF }, { action: 'backup_made', target: name }),
    )
  await prune(deps)
  return { message: name, report: { backup: name, bytes: statSync(file).size, ...(counts && { counts }) } }
}

function refuseFullDisk(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < bytes * 1.1) throw new JobFailure('disk_full')
}

/** Only scheduled ones go by themselves. */
async function prune(deps: Deps): Promise<void> {
  const keep = await settingValue(deps.database.primary, 'backup_keep')
  const scheduled = backups(deps).filter((one) => one.reason === 'schedule')
  for (const one of scheduled.slice(keep)) erase(deps, one)
}

function erase(deps: Pick<Deps, 'config'>, { file }: Backup): void {
  for (const rest of ['.json', '']) rmSync(join(folderOf(deps), `${file}${rest}`), { force: true })
}

export async function remove({ deps, caller, request }: By, id: string): Promise<void> {
  const found = find(deps, id)
  await deps.database.primary.transaction().execute((trx) => {
    const who = { accountId: caller.account.account_id, sid: caller.login.sid }
    return audit(trx, { now: deps.now(), request }, { action: 'backup_delete', target: id, ...who })
  })
  erase(deps, found)
}

/** The address works once, for a minute, while the login that asked for it lives and is an administrator's. */
export async function link({ deps, caller }: By, id: string) {
  find(deps, id)
  const token = randomToken()
  const expires_at = deps.now() + LINK_MS
  await insertBackupLink(deps.database.primary, {
    token_hash: digest(token),
    backup_id: id,
    sid: caller.login.sid,
    expires_at,
  })
  return {
    url: `/api/admin/backups/${id}/file?token=${token}`,
    expires_at: new Date(expires_at).toISOString(),
  }
}

/** The file behind an address; null where the address does not hold (any more). */
export async function takeFile(
  deps: Deps,
  request: Parameters<typeof audit>[1]['request'],
  { id, token }: { id: string; token: string },
): Promise<{ path: string; file: string; bytes: number } | null> {
  const { primary } = deps.database
  const who = await takeBackupLink(primary, { tokenHash: digest(token), backupId: id, now: deps.now() })
  const found = backups(deps).find((one) => one.id === id)
  if (!who || !found || who.account.role !== 'admin' || who.account.blocked) return null
  await primary.transaction().execute((trx) => {
    const words = { action: 'backup_download', target: id, accountId: who.account.account_id, sid: who.sid }
    return audit(trx, { now: deps.now(), request }, words)
  })
  return { path: join(folderOf(deps), found.file), file: found.file, bytes: found.bytes }
}

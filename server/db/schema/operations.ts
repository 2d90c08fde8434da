/** Rows: settings, jobs and what runs once. */
import type { Generated } from 'kysely'
import type { Ms } from './units.ts'

export interface Operations {
  /** Work that one process does at a time (services/lease.ts). */
  lease: { name: string; holder: string; until: Ms }
  setting: { key: string; value: string; updated_at: Ms; updated_by: string | null }
  job: {
    job_id: string
    kind: string
    status: string
    done: Generated<number>
    total: number | null
    message: string | null
    /** JSON objects: what it was started with, what came of it, where it goes on after a crash. */
    input: string
    report: string | null
    checkpoint: string | null
    /** Who runs it: `host:pid:random`. */
    worker: string | null
    attempts: Generated<number>
    /** When somebody asked it to stop. */
    cancel_at: Ms | null
    created_by: string | null
    created_at: Ms
    started_at: Ms | null
    heartbeat_at: Ms | null
    finished_at: Ms | null
  }
  /** Plays begun per day (UTC, `YYYY-MM-DD`), of everybody together. */
  play_day: { day: string; plays: number }
  /** Addresses that download a backup once. */
  backup_link: { token_hash: string; backup_id: string; sid: string; expires_at: Ms }
}

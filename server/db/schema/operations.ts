/** Tables of settings, jobs, leases and statistics. */
import type { Generated } from 'kysely'
import type { TimestampMs } from './column-types.ts'

export interface OperationTables {
  /** Leases for work that only one process may do at a time (services/jobs/lease.ts). */
  lease: { name: string; holder: string; until: TimestampMs }
  setting: { key: string; value: string; updated_at: TimestampMs; updated_by: string | null }
  job: {
    job_id: string
    kind: string
    status: string
    done: Generated<number>
    total: number | null
    message: string | null
    /**
     * JSON objects: `input` of the job, its `report`, and the `checkpoint` from which the job resumes after a crash.
     */
    input: string
    report: string | null
    checkpoint: string | null
    /** The worker that runs the job: `host:pid:random`. */
    worker: string | null
    attempts: Generated<number>
    /** Time of the cancellation request. */
    cancel_at: TimestampMs | null
    created_by: string | null
    created_at: TimestampMs
    started_at: TimestampMs | null
    heartbeat_at: TimestampMs | null
    finished_at: TimestampMs | null
  }
  /** Playback starts of all profiles per day (UTC, `YYYY-MM-DD`). */
  play_day: { day: string; plays: number }
  /** ffprobe results of a file of the media folder. `path` is relative to that folder. */
  media_file: {
    path: string
    /** The row is outdated when the size or modification time of the file has changed. */
    size_bytes: number
    modified_at: TimestampMs
    probed_at: TimestampMs
    /** JSON of `MediaInformation`; null when the file cannot be read. */
    information: string | null
    /** JSON list of keyframe times in seconds, for a file whose container has no index. Null for other files. */
    keyframes: string | null
  }
  /** Thumbnails of the seek bar for a file of the media folder. `path` is relative to that folder. */
  seek_thumbnails: {
    path: string
    /** The row is outdated when the size or modification time of the file has changed. */
    size_bytes: number
    modified_at: TimestampMs
    made_at: TimestampMs
    /** Name of the folder with the sprite sheets (JPEG files of many thumbnails each), below `DATA_DIR/thumbnails`. */
    folder: string
    /** 0 when the file has no thumbnails because it is too short or cannot be read. */
    frame_count: number
    interval_seconds: number
    /** Total size of the sprite sheets in bytes. */
    stored_bytes: number
  }
  /** Single-use download links for backups. */
  backup_link: { token_hash: string; backup_id: string; sid: string; expires_at: TimestampMs }
}

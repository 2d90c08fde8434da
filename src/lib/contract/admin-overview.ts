/** Contract of the dashboard's overview page: numbers of accounts and titles, activity, storage and health. */
import * as z from 'zod/mini'
import { jobSchema } from './admin.ts'
import { defineEndpoint } from './endpoint.ts'

const titleCountsSchema = z.object({ total: z.number(), published: z.number(), blocked: z.number() })
export const overviewSchema = z.object({
  people: z.object({
    accounts: z.number(),
    admins: z.number(),
    blocked: z.number(),
    profiles: z.number(),
    /** Number of signed-in devices. */
    devices: z.number(),
    /**
     * Numbers of accounts with an active device: `active_day` in the last 24 hours, `active_week` in the last 7 days.
     */
    active_day: z.number(),
    active_week: z.number(),
    /** Number of invitations that can still be used. */
    invitations: z.number(),
  }),
  titles: z.object({
    movies: titleCountsSchema,
    series: titleCountsSchema,
    episodes: z.number(),
    /** Number of all people in the catalogue, cast and crew. */
    actors: z.number(),
  }),
  /** One entry for each of the last 30 days (UTC), oldest first. The last entry is today. */
  activity: z.array(
    z.object({
      date: z.string(),
      /** Number of times that a title was started. */
      plays: z.number(),
      /** Number of created accounts. */
      new_people: z.number(),
    }),
  ),
  /** Sizes in bytes. A size is null when the storage does not exist or its size cannot be determined. */
  storage: z.object({
    database: z.number(),
    search_index: z.nullable(z.number()),
    images: z.number(),
    backups: z.nullable(z.number()),
    disk_free: z.nullable(z.number()),
    disk_total: z.nullable(z.number()),
  }),
  /** Queued and running jobs. */
  jobs: z.array(jobSchema),
  health: z.object({
    version: z.string(),
    database: z.enum(['sqlite', 'postgres']),
    uptime_seconds: z.number(),
    memory_bytes: z.number(),
    /** 99th percentile of the event loop delay in milliseconds, measured over the last one to two minutes. */
    event_loop_ms: z.number(),
    /** `mail`, `cloudflare`, `redis`, `tmdb` and `metrics`: whether this optional integration is configured. */
    mail: z.boolean(),
    cloudflare: z.boolean(),
    redis: z.boolean(),
    tmdb: z.boolean(),
    metrics: z.boolean(),
  }),
  audit: z.object({
    /** All fields are null until the log was verified for the first time. */
    verified: z.nullable(z.boolean()),
    events: z.nullable(z.number()),
    checked_at: z.nullable(z.string()),
  }),
  last_backup: z.nullable(z.object({ id: z.string(), created_at: z.string(), bytes: z.number() })),
  warnings: z.array(
    z.enum([
      'plain_http',
      /** The folder of backups cannot be read or does not respond. */
      'backups_unreadable',
      'no_recent_backup',
      /** The media folder cannot be read, or is empty like the mount point of a disk that is not mounted. */
      'media_unreadable',
      'disk_nearly_full',
      'database_damaged',
      'storage_fault',
      'audit_broken',
      'job_failed',
      'first_password',
    ]),
  ),
})
export type DashboardOverview = z.infer<typeof overviewSchema>
export type DashboardWarning = DashboardOverview['warnings'][number]

export const getOverview = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/overview',
  reply: overviewSchema,
  summary: 'Returns counts, activity, storage, jobs, health and warnings',
})

/** Creating, listing, downloading and deleting backups. Restoring is a command: `npm run restore -- FILE`. */
import * as z from 'zod/mini'
import { jobSchema } from './admin.ts'
import { idParamsSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

export const backupSchema = z.object({
  id: z.string(),
  /** Name of the file in `folder`. The argument of `npm run restore` is the path of the file. */
  file: z.string(),
  created_at: z.string(),
  bytes: z.number(),
  reason: z.enum(['manual', 'schedule', 'migration']),
  /** Numbers of accounts, profiles and titles in the backup file; null when they were not counted. */
  counts: z.nullable(z.object({ accounts: z.number(), profiles: z.number(), titles: z.number() })),
})
export type Backup = z.infer<typeof backupSchema>

export const listBackups = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/backups',
  reply: z.object({
    results: z.array(backupSchema),
    /** How the server makes backups; null when it uses PostgreSQL and `pg_dump` is not on the PATH. */
    method: z.nullable(z.enum(['sqlite', 'pg_dump'])),
    folder: z.string(),
    /** Time of the next scheduled backup; null when the schedule is off. */
    next_at: z.nullable(z.string()),
  }),
  summary: 'Lists backups, newest first',
})
export const startBackup = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/backups',
  status: 202,
  reply: jobSchema,
  errorStatuses: [409],
  summary: 'Starts a backup job; the service keeps running',
})
export const createBackupLink = defineEndpoint({
  access: 'admin',
  scope: null,
  method: 'POST',
  path: '/admin/backups/{id}/link',
  params: idParamsSchema,
  status: 201,
  reply: z.object({ url: z.string(), expires_at: z.string() }),
  summary: 'Creates a URL that downloads a backup once, within a minute',
})
export const deleteBackup = defineEndpoint({
  access: 'admin',
  method: 'DELETE',
  path: '/admin/backups/{id}',
  params: idParamsSchema,
  summary: 'Deletes a backup',
})

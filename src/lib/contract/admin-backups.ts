/** Backups: make, list, download, delete. Restoring is a command: `npm run restore -- FILE`. */
import * as z from 'zod/mini'
import { job } from './admin.ts'
import { endpoint } from './endpoint.ts'
import { idParam } from './parts.ts'

export const backup = z.object({
  id: z.string(),
  /** File name, for `npm run restore`. */
  file: z.string(),
  created_at: z.string(),
  bytes: z.number(),
  reason: z.enum(['manual', 'schedule', 'migration']),
  /** Checked after writing; what it holds. */
  counts: z.nullable(z.object({ accounts: z.number(), profiles: z.number(), titles: z.number() })),
})
export type Backup = z.infer<typeof backup>

export const listBackups = endpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/backups',
  reply: z.object({
    results: z.array(backup),
    /** How they are made here; null: PostgreSQL, and `pg_dump` is not on the PATH. */
    method: z.nullable(z.enum(['sqlite', 'pg_dump'])),
    folder: z.string(),
    /** When the schedule makes the next one; null when it is off. */
    next_at: z.nullable(z.string()),
  }),
  summary: 'Backups, newest first',
})
export const makeBackup = endpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/backups',
  status: 202,
  reply: job,
  summary: 'Makes a backup while the service runs',
})
export const linkBackup = endpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/backups/{id}/link',
  params: idParam,
  status: 201,
  reply: z.object({ url: z.string(), expires_at: z.string() }),
  summary: 'An address that downloads a backup once, within a minute',
})
export const deleteBackup = endpoint({
  access: 'admin',
  method: 'DELETE',
  path: '/admin/backups/{id}',
  params: idParam,
  summary: 'Deletes a backup',
})

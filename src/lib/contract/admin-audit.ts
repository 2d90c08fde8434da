/** The audit log, for administrators (security.md, decision 10). */
import * as z from 'zod/mini'
import { LIMITS } from '../rules/limits.ts'
import { endpoint } from './endpoint.ts'
import { date, id, listOf, paging } from './parts.ts'

export const auditEvent = z.object({
  id: z.string(),
  at: z.string(),
  action: z.string(),
  outcome: z.enum(['ok', 'denied', 'failed']),
  /** Id of what was acted upon. */
  target: z.nullable(z.string()),
  /** Null: nobody who is known. `user_id` and `email` are null once the account is deleted. */
  actor: z.nullable(
    z.object({ pseudonym: z.string(), user_id: z.nullable(z.string()), email: z.nullable(z.string()) }),
  ),
  device_name: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  request_id: z.string(),
})
export type AuditEvent = z.infer<typeof auditEvent>

export const listAudit = endpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/audit',
  query: z.strictObject({
    ...paging(LIMITS.users),
    action: z.optional(z.string().check(z.maxLength(60))),
    outcome: z.optional(z.enum(['ok', 'denied', 'failed'])),
    /** Of an account. */
    user: z.optional(id),
    /** Part of the actor's e-mail. */
    search: z.optional(z.string().check(z.maxLength(254))),
    from: z.optional(date),
    /** This day included. */
    to: z.optional(date),
  }),
  reply: z.extend(listOf(auditEvent), {
    /** Every action that the log holds, for the filter. */
    actions: z.array(z.string()),
  }),
  summary: 'What was done, newest first',
})
export const verifyAudit = endpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/audit/verify',
  reply: z.object({
    verified: z.boolean(),
    events: z.number(),
    /** The first event whose hash does not fit. */
    broken_at: z.nullable(z.string()),
    checked_at: z.string(),
  }),
  summary: "Checks the log's chain of hashes from its beginning",
})

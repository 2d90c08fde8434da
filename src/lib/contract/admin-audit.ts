/** The audit log, for administrators (security.md, decision 10). */
import * as z from 'zod/mini'
import { DEFAULT_PAGE_SIZES } from '../rules/limits.ts'
import { createPagedReplySchema, createPagingQueryFields, idSchema, maxCharacters } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

export const auditEventSchema = z.object({
  id: z.string(),
  at: z.string(),
  action: z.string(),
  outcome: z.enum(['ok', 'denied', 'failed']),
  /** Id of the object that the action changed; null when the event names no object. */
  target: z.nullable(z.string()),
  /**
   * Null for an unauthenticated caller, and for events that the server causes. `user_id` and `email` are null after the
   * account was deleted.
   */
  actor: z.nullable(
    z.object({ pseudonym: z.string(), user_id: z.nullable(z.string()), email: z.nullable(z.string()) }),
  ),
  device_name: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  request_id: z.string(),
})
export type AuditEvent = z.infer<typeof auditEventSchema>

export const listAuditEvents = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/audit',
  query: z.strictObject({
    ...createPagingQueryFields(DEFAULT_PAGE_SIZES.users),
    action: z.optional(z.string().check(maxCharacters(60))),
    outcome: z.optional(z.enum(['ok', 'denied', 'failed'])),
    /** Id of the actor's account. */
    user: z.optional(idSchema),
    /** Text that the email address of the actor contains. */
    search: z.optional(z.string().check(maxCharacters(254))),
    /** Only events at this time or later (ISO 8601). */
    from: z.optional(z.iso.datetime({ offset: true })),
    /** Only events before this time (ISO 8601). */
    until: z.optional(z.iso.datetime({ offset: true })),
  }),
  reply: z.extend(createPagedReplySchema(auditEventSchema), {
    /** All actions that occur in the log, as options for the filter. */
    actions: z.array(z.string()),
  }),
  summary: 'Lists audit events, newest first',
})
export const verifyAuditChain = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/audit/verify',
  reply: z.object({
    verified: z.boolean(),
    events: z.int(),
    /**
     * Null when the log is intact. Otherwise the id of the first event whose hash does not match. When only events at
     * the end of the log are missing, the id of the last event that remains; `0` when all events are missing.
     */
    broken_at: z.nullable(z.string().check(z.regex(/^\d+$/))),
    checked_at: z.string(),
  }),
  summary: 'Verifies the hash chain of the audit log from its first event',
})

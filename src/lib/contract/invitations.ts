/** Invitations, without which nobody can register (Spec §7, api.md §2). */
import * as z from 'zod/mini'
import { LIMITS } from '../rules/limits.ts'
import { email, role } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { idParam, listOf, locale, paging, whole } from './parts.ts'

export const validateInvitation = endpoint({
  access: 'invitation',
  method: 'POST',
  path: '/auth/validate-invitation',
  reply: z.object({
    valid: z.literal(true),
    email: z.nullable(z.string()),
    language: z.nullable(locale),
    expires_at: z.string(),
  }),
  summary: 'Returns whether an invitation can be used',
})
export const invitation = z.object({
  invitation_id: z.string(),
  email: z.nullable(z.string()),
  role,
  language: z.nullable(locale),
  created_at: z.string(),
  expires_at: z.string(),
  state: z.enum(['open', 'used', 'expired', 'revoked']),
})
export type Invitation = z.infer<typeof invitation>
export const invite = endpoint({
  access: 'admin',
  method: 'POST',
  path: '/auth/register/invite',
  status: 201,
  body: z.strictObject({
    email: z.optional(email),
    role: z.optional(role),
    language: z.optional(locale),
    expires_in_days: z.optional(whole(1, 30)),
  }),
  reply: z.object({
    invitation_id: z.string(),
    token: z.string(),
    url: z.string(),
    expires_at: z.string(),
    /** `off`: no email address was given, or SMTP_URL is not set. `failed`: the administrator must pass the link on. */
    mail: z.enum(['off', 'sent', 'failed']),
  }),
  summary: 'Creates an invitation; the token is returned only in this reply',
})
export const listInvitations = endpoint({
  access: 'admin',
  method: 'GET',
  path: '/auth/invitations',
  query: z.strictObject({ ...paging(LIMITS.users) }),
  reply: listOf(invitation),
  summary: 'Lists invitations, newest first',
})
export const revokeInvitation = endpoint({
  access: 'admin',
  method: 'DELETE',
  path: '/auth/invitations/{id}',
  params: idParam,
  summary: 'Revokes an unused invitation',
})

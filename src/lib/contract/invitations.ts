/** Invitations. Registration is possible only with an invitation. */
import * as z from 'zod/mini'
import { DEFAULT_PAGE_SIZES } from '../rules/limits.ts'
import { emailSchema, roleSchema } from './auth.ts'
import {
  createPagedReplySchema,
  createPagingQueryFields,
  idParamsSchema,
  localeSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

export const validateInvitation = defineEndpoint({
  access: 'invitation',
  method: 'POST',
  path: '/auth/validate-invitation',
  reply: z.object({
    valid: z.literal(true),
    email: z.nullable(z.string()),
    language: z.nullable(localeSchema),
    expires_at: z.string(),
  }),
  summary: 'Returns whether an invitation can be used',
})
export const invitationSchema = z.object({
  invitation_id: z.string(),
  email: z.nullable(z.string()),
  role: roleSchema,
  language: z.nullable(localeSchema),
  created_at: z.string(),
  expires_at: z.string(),
  state: z.enum(['open', 'used', 'expired', 'revoked']),
})
export type Invitation = z.infer<typeof invitationSchema>
export const createInvitation = defineEndpoint({
  access: 'admin',
  scope: null,
  method: 'POST',
  path: '/auth/register/invite',
  status: 201,
  body: z.strictObject({
    email: z.optional(emailSchema),
    role: z.optional(roleSchema),
    language: z.optional(localeSchema),
    expires_in_days: z.optional(z.int().check(z.minimum(1), z.maximum(30))),
  }),
  reply: z.object({
    invitation_id: z.string(),
    token: z.string(),
    url: z.string(),
    expires_at: z.string(),
    /**
     * `off`: no email address was given, or SMTP_URL is not set. `failed`: the email with the link could not be sent.
     */
    mail: z.enum(['off', 'sent', 'failed']),
  }),
  summary: 'Creates an invitation; the token is returned only in this reply',
})
export const listInvitations = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/auth/invitations',
  query: z.strictObject({ ...createPagingQueryFields(DEFAULT_PAGE_SIZES.users) }),
  reply: createPagedReplySchema(invitationSchema),
  summary: 'Lists invitations, newest first',
})
export const revokeInvitation = defineEndpoint({
  access: 'admin',
  method: 'DELETE',
  path: '/auth/invitations/{id}',
  params: idParamsSchema,
  summary: 'Revokes an unused invitation',
})

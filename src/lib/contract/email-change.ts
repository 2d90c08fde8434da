/** Changing the email address of an account. The user confirms the change with a link sent to the new address. */
import * as z from 'zod/mini'
import { emailSchema } from './auth.ts'
import { idParamsSchema, instantSchema, maxCharacters, passwordSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

const tokenSchema = z.string().check(z.minLength(1), maxCharacters(64))
/** `confirm`: the link sent to the new address. `cancel`: the link sent to the old address after the change. */
const linkKindSchema = z.enum(['confirm', 'cancel'])

export const requestEmailChange = defineEndpoint({
  access: 'user',
  proof: 'password',
  stepUp: true,
  method: 'POST',
  path: '/auth/email',
  body: z.strictObject({ new_email: emailSchema, password: passwordSchema }),
  /**
   * The reply does not reveal whether the new address already has an account. When the server cannot send email,
   * `by_mail` is false. An administrator must then change the address.
   */
  reply: z.object({ by_mail: z.boolean() }),
  summary: 'Sends a link to a new email address, with which the address of the account changes',
})
export const validateEmailLink = defineEndpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/email/validate',
  body: z.strictObject({ token: tokenSchema }),
  reply: z.object({
    kind: linkKindSchema,
    /** The address that the account has after the link is used. */
    email: z.string(),
    expires_at: instantSchema,
  }),
  summary: 'Returns what a link of a changed email address does',
})
export const completeEmailLink = defineEndpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/email/complete',
  body: z.strictObject({ token: tokenSchema }),
  reply: z.object({ kind: linkKindSchema, email: z.string() }),
  errorStatuses: [409],
  summary: 'Changes the email address with a link, or restores the old one and signs all devices out',
})
export const changeUserEmail = defineEndpoint({
  access: 'admin',
  scope: null,
  method: 'PUT',
  path: '/admin/users/{id}/email',
  params: idParamsSchema,
  body: z.strictObject({ email: emailSchema }),
  errorStatuses: [409],
  summary: 'Changes the email address of an account',
})

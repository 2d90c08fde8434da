/** Setting a new password with a link. The user gets the link by email or from an administrator. */
import * as z from 'zod/mini'
import { newPasswordSchema } from './auth.ts'
import { instantSchema, maxCharacters } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

const tokenSchema = z.string().check(z.minLength(1), maxCharacters(64))

export const requestPasswordReset = defineEndpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/password-reset',
  body: z.strictObject({ email: z.string().check(z.trim(), z.toLowerCase(), maxCharacters(254)) }),
  /**
   * The reply does not depend on the address, so that it does not reveal whether an account exists. `by_mail` is
   * false when the server cannot send email.
   */
  reply: z.object({ by_mail: z.boolean() }),
  summary: 'Sends a link for a new password, if the email address has an account',
})
/**
 * Numbers of passkeys, identities and calendar addresses. All of these give access to the account or its calendars
 * without the password.
 */
const otherAccessCountsSchema = z.object({
  passkeys: z.number(),
  identities: z.number(),
  calendar_addresses: z.number(),
})
export type OtherAccessCounts = z.infer<typeof otherAccessCountsSchema>

export const validatePasswordReset = defineEndpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/password-reset/validate',
  body: z.strictObject({ token: tokenSchema }),
  /** `other_access` is what `remove_access` removes. API keys are not included, because every reset revokes them. */
  reply: z.object({ email: z.string(), expires_at: instantSchema, other_access: otherAccessCountsSchema }),
  summary: 'Returns the account of a password reset link',
})
export const completePasswordReset = defineEndpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/password-reset/complete',
  body: z.strictObject({
    token: tokenSchema,
    new_password: newPasswordSchema,
    /** True also removes the passkeys, identities and calendar addresses of the account. The default is false. */
    remove_access: z.optional(z.boolean()),
  }),
  summary: 'Sets a new password with a reset link, signs all devices out and ends all API keys',
})

/** Administration of accounts: their signed-in devices, links for new passwords, and second factors. */
import * as z from 'zod/mini'
import { DEFAULT_PAGE_SIZES } from '../rules/limits.ts'
import { deviceSchema } from './account.ts'
import { emailSchema, newPasswordSchema, roleSchema, userSchema } from './auth.ts'
import {
  booleanQuerySchema,
  createPagedReplySchema,
  createPagingQueryFields,
  idParamsSchema,
  idSchema,
  instantSchema,
  localeSchema,
  maxCharacters,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

const accountSummarySchema = z.extend(userSchema, {
  email: z.string(),
  blocked: z.boolean(),
  profiles: z.number(),
  devices: z.number(),
  last_active: z.nullable(z.string()),
})
export type AccountSummary = z.infer<typeof accountSummarySchema>
export const listUsers = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/auth/users',
  query: z.strictObject({
    ...createPagingQueryFields(DEFAULT_PAGE_SIZES.users),
    search: z.optional(z.string().check(maxCharacters(254))),
    role: z.optional(roleSchema),
    blocked: z.optional(booleanQuerySchema),
  }),
  reply: createPagedReplySchema(accountSummarySchema),
  summary: 'Lists accounts',
})
export const createUser = defineEndpoint({
  access: 'admin',
  scope: null,
  method: 'POST',
  path: '/auth/user',
  status: 201,
  body: z.strictObject({
    email: emailSchema,
    password: newPasswordSchema,
    role: z.optional(roleSchema),
    language: z.optional(localeSchema),
  }),
  reply: userSchema,
  errorStatuses: [409],
  summary: 'Creates an account',
})
export const deleteUser = defineEndpoint({
  access: 'admin',
  method: 'DELETE',
  path: '/auth/user/{id}',
  params: idParamsSchema,
  errorStatuses: [409],
  summary: 'Deletes an account',
})
export const listUserDevices = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/users/{id}/devices',
  params: idParamsSchema,
  query: z.strictObject({ ...createPagingQueryFields() }),
  reply: createPagedReplySchema(deviceSchema),
  summary: 'Lists the signed-in devices of an account, most recently active first',
})
export const signOutUserDevice = defineEndpoint({
  access: 'admin',
  method: 'DELETE',
  path: '/admin/users/{id}/devices/{device_id}',
  params: z.strictObject({ id: idSchema, device_id: idSchema }),
  summary: 'Signs a device of an account out',
})
export const createPasswordResetLink = defineEndpoint({
  access: 'admin',
  scope: null,
  method: 'POST',
  path: '/admin/users/{id}/password-reset',
  params: idParamsSchema,
  status: 201,
  reply: z.object({
    /** URL of the link. Only this reply contains the URL, because the server stores only the hash of its token. */
    url: z.string(),
    expires_at: instantSchema,
  }),
  summary: 'Creates a link with which the owner of an account sets a new password',
})
export const resetSecondFactor = defineEndpoint({
  access: 'admin',
  scope: null,
  method: 'DELETE',
  path: '/admin/users/{id}/second-factor',
  params: idParamsSchema,
  summary: 'Removes the second factor of an account, whose owner has lost it, and signs all its devices out',
})
export const signOutUser = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/users/{id}/sign-out',
  params: idParamsSchema,
  summary: 'Signs all devices of an account out',
})

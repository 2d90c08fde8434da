/** The account of the caller: its password, its deletion, its activities and its signed-in devices. */
import * as z from 'zod/mini'
import { DEFAULT_PAGE_SIZES } from '../rules/limits.ts'
import { newPasswordSchema } from './auth.ts'
import {
  adultProofFields,
  createPagedReplySchema,
  createPagingQueryFields,
  maxCharacters,
  passwordSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

export const changePassword = defineEndpoint({
  access: 'user',
  proof: 'password',
  stepUp: true,
  method: 'PUT',
  path: '/auth/password',
  body: z.strictObject({
    current_password: passwordSchema,
    new_password: newPasswordSchema,
    sign_out_others: z.optional(z.boolean()),
  }),
  summary: 'Changes the password; signs other devices out unless sign_out_others is false',
})
export const deleteOwnAccount = defineEndpoint({
  access: 'user',
  proof: 'password',
  stepUp: true,
  method: 'DELETE',
  path: '/auth/user-account',
  body: z.strictObject({ password: passwordSchema }),
  errorStatuses: [409],
  summary: 'Deletes the account of the caller and all its data',
})

const securityActivitySchema = z.object({
  id: z.string(),
  action: z.string(),
  outcome: z.enum(['ok', 'denied', 'failed']),
  device_name: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  at: z.string(),
})
export type SecurityActivity = z.infer<typeof securityActivitySchema>
export const listActivities = defineEndpoint({
  access: 'user',
  proof: 'adult',
  method: 'GET',
  path: '/auth/activities',
  query: z.strictObject({ ...createPagingQueryFields(DEFAULT_PAGE_SIZES.activities) }),
  reply: createPagedReplySchema(securityActivitySchema),
  summary: 'Lists recent security activities of the account',
})
export const deviceSchema = z.object({
  device_id: z.string(),
  name: z.string(),
  browser: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  created_at: z.string(),
  last_active: z.string(),
  current: z.boolean(),
})
export type Device = z.infer<typeof deviceSchema>
export const listDevices = defineEndpoint({
  access: 'user',
  proof: 'adult',
  method: 'GET',
  path: '/auth/devices',
  query: z.strictObject({ ...createPagingQueryFields(DEFAULT_PAGE_SIZES.devices) }),
  reply: createPagedReplySchema(deviceSchema),
  summary: 'Lists signed-in devices, this device first',
})
export const logoutDevice = defineEndpoint({
  access: 'user',
  proof: 'adult',
  method: 'POST',
  path: '/auth/logout-device',
  body: z.strictObject({ device_id: z.string().check(maxCharacters(64)), ...adultProofFields }),
  summary: 'Signs another device out',
})

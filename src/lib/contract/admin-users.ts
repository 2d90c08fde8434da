/** Administration of an account: its signed-in devices, a link for a new password, and its second factor. */
import * as z from 'zod/mini'
import { deviceSchema } from './auth.ts'
import {
  createPagedReplySchema,
  createPagingQueryFields,
  idParamsSchema,
  idSchema,
  instantSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

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
    /** URL of the link. Only this reply contains it, because the server stores only the hash of the token. */
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

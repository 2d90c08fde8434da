/** Administration of the signed-in devices of an account. */
import * as z from 'zod/mini'
import { device } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { id, idParam, listOf, paging } from './parts.ts'

export const listUserDevices = endpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/users/{id}/devices',
  params: idParam,
  query: z.strictObject({ ...paging() }),
  reply: listOf(device),
  summary: 'Lists the signed-in devices of an account, most recently active first',
})
export const signOutUserDevice = endpoint({
  access: 'admin',
  method: 'DELETE',
  path: '/admin/users/{id}/devices/{device_id}',
  params: z.strictObject({ id, device_id: id }),
  summary: 'Signs a device of an account out',
})
export const signOutUser = endpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/users/{id}/sign-out',
  params: idParam,
  summary: 'Signs all devices of an account out',
})

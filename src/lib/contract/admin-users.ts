/** What an administrator sees and does of one account's devices. */
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
  summary: "An account's signed-in devices, last active first",
})
export const signOutUserDevice = endpoint({
  access: 'admin',
  method: 'DELETE',
  path: '/admin/users/{id}/devices/{device_id}',
  params: z.strictObject({ id, device_id: id }),
  summary: "Signs one of an account's devices out",
})
export const signOutUser = endpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/users/{id}/sign-out',
  params: idParam,
  summary: 'Signs an account out everywhere',
})

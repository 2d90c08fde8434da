/** Accounts, sign-in and signed-in devices (Spec §7, api.md §2 and §4). */
import * as z from 'zod/mini'
import { INTERFACE_LANGUAGES, LIMITS, MEDIA_QUALITIES } from '../rules/limits.ts'
import { endpoint } from './endpoint.ts'
import { flag, idParam, listOf, locale, paging } from './parts.ts'
import { watchStart, watchWanted } from './playback.ts'

export const role = z.enum(['admin', 'user'])
export const email = z.string().check(z.trim(), z.toLowerCase(), z.maxLength(254), z.email())
const currentPassword = z.string().check(z.minLength(1), z.maxLength(LIMITS.passwordMax))
/** Limits the size only; rules/password.ts has the rule, and the server replies with one error code per violation. */
const newPassword = z.string().check(z.maxLength(LIMITS.passwordMax))
const deviceName = z.optional(z.string().check(z.trim(), z.maxLength(80)))

export const user = z.object({
  user_id: z.string(),
  email: z.string(),
  role,
  onboarded: z.boolean(),
  created_at: z.string(),
  preferences: z.object({
    interface_language: z.enum(INTERFACE_LANGUAGES),
    title_language: z.string(),
    media_quality: z.enum(MEDIA_QUALITIES),
  }),
})
export type User = z.infer<typeof user>

const tokensSchema = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: z.number(),
  user,
})
export type Tokens = z.infer<typeof tokensSchema>

export const register = endpoint({
  access: 'invitation',
  method: 'POST',
  path: '/auth/register',
  status: 201,
  body: z.strictObject({ email, password: newPassword, device_name: deviceName }),
  reply: tokensSchema,
  summary: 'Creates an account with an invitation',
})
export const login = endpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/login',
  body: z.strictObject({
    email: z.string().check(z.trim(), z.toLowerCase(), z.maxLength(254)),
    password: currentPassword,
    device_name: deviceName,
  }),
  reply: tokensSchema,
  summary: 'Signs in',
})
export const refresh = endpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/refresh',
  body: z.strictObject({
    refresh_token: z.optional(z.string().check(z.maxLength(200))),
    watch: z.optional(watchWanted),
  }),
  /** `watch` is absent when it was not requested, and when the acting profile may not see the title. */
  reply: z.extend(tokensSchema, { watch: z.optional(watchStart) }),
  summary:
    'Issues a new access token for the refresh cookie; on request, with the data that the player starts with',
})
export const logout = endpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/logout',
  body: z.strictObject({ refresh_token: z.optional(z.string().check(z.maxLength(200))) }),
  summary: 'Signs this device out',
})
export const changePassword = endpoint({
  access: 'user',
  method: 'PUT',
  path: '/auth/password',
  body: z.strictObject({
    current_password: currentPassword,
    new_password: newPassword,
    sign_out_others: z.optional(z.boolean()),
  }),
  summary: 'Changes the password; signs other devices out unless sign_out_others is false',
})
export const me = endpoint({
  access: 'user',
  method: 'GET',
  path: '/auth/me',
  reply: user,
  summary: 'Returns the signed-in user',
})

const accountSchema = z.extend(user, {
  blocked: z.boolean(),
  profiles: z.number(),
  devices: z.number(),
  last_active: z.nullable(z.string()),
})
export type Account = z.infer<typeof accountSchema>
export const listUsers = endpoint({
  access: 'admin',
  method: 'GET',
  path: '/auth/users',
  query: z.strictObject({
    ...paging(LIMITS.users),
    search: z.optional(z.string().check(z.maxLength(254))),
    role: z.optional(role),
    blocked: z.optional(flag),
  }),
  reply: listOf(accountSchema),
  summary: 'Lists accounts',
})
export const createUser = endpoint({
  access: 'admin',
  method: 'POST',
  path: '/auth/user',
  status: 201,
  body: z.strictObject({
    email,
    password: newPassword,
    role: z.optional(role),
    language: z.optional(locale),
  }),
  reply: user,
  summary: 'Creates an account',
})
export const updateUser = endpoint({
  access: 'user',
  method: 'PUT',
  path: '/auth/user',
  body: z.strictObject({
    onboarded: z.optional(z.boolean()),
    preferences: z.optional(
      z.strictObject({
        interface_language: z.optional(z.enum(INTERFACE_LANGUAGES)),
        title_language: z.optional(z.string().check(z.regex(/^[a-z]{2}$/))),
        media_quality: z.optional(z.enum(MEDIA_QUALITIES)),
      }),
    ),
    /** The fields below are for administrators and apply to the account `user_id`. */
    user_id: z.optional(z.string().check(z.maxLength(64))),
    role: z.optional(role),
    blocked: z.optional(z.boolean()),
  }),
  reply: user,
  summary:
    'Updates the account of the caller; an administrator can change the role and block of another account',
})
export const deleteUser = endpoint({
  access: 'admin',
  method: 'DELETE',
  path: '/auth/user/{id}',
  params: idParam,
  summary: 'Deletes an account',
})
export const deleteOwnAccount = endpoint({
  access: 'user',
  method: 'DELETE',
  path: '/auth/user-account',
  body: z.strictObject({ password: currentPassword }),
  summary: 'Deletes the account of the caller and all its data',
})

const activitySchema = z.object({
  id: z.string(),
  action: z.string(),
  outcome: z.enum(['ok', 'denied', 'failed']),
  device_name: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  at: z.string(),
})
export type Activity = z.infer<typeof activitySchema>
export const listActivities = endpoint({
  access: 'user',
  method: 'GET',
  path: '/auth/activities',
  query: z.strictObject({ ...paging(LIMITS.activities) }),
  reply: listOf(activitySchema),
  summary: 'Lists recent security activities of the account',
})
export const device = z.object({
  device_id: z.string(),
  name: z.string(),
  browser: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  created_at: z.string(),
  last_active: z.string(),
  current: z.boolean(),
})
export type Device = z.infer<typeof device>
export const listDevices = endpoint({
  access: 'user',
  method: 'GET',
  path: '/auth/devices',
  query: z.strictObject({ ...paging(LIMITS.devices) }),
  reply: listOf(device),
  summary: 'Lists signed-in devices, this device first',
})
export const logoutDevice = endpoint({
  access: 'user',
  method: 'POST',
  path: '/auth/logout-device',
  body: z.strictObject({ device_id: z.string().check(z.maxLength(64)) }),
  summary: 'Signs another device out',
})
